/* The chart that the question asks for, or why it cannot be drawn. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "model/chart.h"

static const char *const needs[CHART_KIND_COUNT] = {
    [CHART_FIGURE] = "A figure needs a result of one number",
    [CHART_LINE] = "A line needs dates or ordered values, such as months, on the x axis",
    [CHART_AREA] =
        "An area needs dates or ordered values, such as months, on the x axis, and no "
        "negative numbers",
    [CHART_STACKED] =
        "A stack needs two columns that group the rows, and a number that is "
        "not negative and adds up, such as a count or a sum",
    [CHART_SHARE] =
        "Shares need two columns that group the rows, and a number that is not "
        "negative and adds up, such as a count or a sum",
    [CHART_ARC] = "A pie needs at most 8 groups with a number that is not negative and "
                  "adds up, such as a count or a sum",
    [CHART_BAR] = "Bars need groups that have one number each",
    [CHART_SCATTER] = "A scatter plot needs two columns of numbers",
    [CHART_MULTIPLES] = "Small charts need dates on the x axis, and groups",
};

static const char *const shown[CHART_KIND_COUNT] = {
    [CHART_FIGURE] = "a number",
    [CHART_LINE] = "a line",
    [CHART_AREA] = "an area",
    [CHART_STACKED] = "stacked bars",
    [CHART_SHARE] = "shares",
    [CHART_ARC] = "a pie",
    [CHART_BAR] = "bars",
    [CHART_SCATTER] = "a scatter plot",
    [CHART_MULTIPLES] = "small charts",
};

const char *chart_wish_name(const struct chart_wish *wish)
{
    return !wish->given  ? NULL
           : wish->table ? "table"
           : wish->any   ? "chart"
                         : chart_kind_name(wish->kind);
}

/* "order status" is order_status. */
static bool same_name(const char *name, const char *words)
{
    for (; *name && *words; name++, words++) {
        char a = *name == '_' ? ' ' : (char)tolower((unsigned char)*name);
        char b = *words == '_' ? ' ' : (char)tolower((unsigned char)*words);
        if (a != b) {
            return false;
        }
    }
    return !*name && !*words;
}

/* The parts are to be those of this column: the two divisions may have to change places. */
static bool divide_by(const struct rows *rows, const char *by, struct chart *chart)
{
    if (same_name(rows->columns[chart->series].name, by)) {
        return true;
    }
    struct chart_column other;
    if (!same_name(rows->columns[chart->x].name, by)) {
        return false;
    }
    size_t series = chart->x;
    chart_column_read(rows, chart->series, &other);
    chart->x = chart->series;
    chart->x_role = other.role;
    chart->series = series;
    return true;
}

static bool fits(const struct rows *rows, const struct chart_wish *wish,
                 struct chart *out)
{
    return chart_as(rows, wish->kind, out) &&
           (!wish->by || (out->series != CHART_NO_COLUMN && out->x != CHART_NO_COLUMN &&
                          divide_by(rows, wish->by, out)));
}

bool chart_wished(const struct rows *rows, const struct chart_wish *wish,
                  struct chart *out, char note[CHART_NOTE_SIZE])
{
    *note = '\0';
    if (!wish->given) {
        return chart_recommend(rows, out);
    }
    if (!wish->table && !wish->any && fits(rows, wish, out)) {
        out->at_once = true;
        return true;
    }
    bool any = chart_recommend(rows, out);
    if (wish->table) {
        out->at_once = false;
        return any;
    }
    out->at_once = any;
    const char *instead = any ? shown[out->kind] : "a table";
    if (wish->any && !any) {
        (void)snprintf(note, CHART_NOTE_SIZE,
                       "No chart suits these rows; shown as a table.");
    } else if (!wish->any && wish->by) {
        (void)snprintf(note, CHART_NOTE_SIZE,
                       "These rows cannot be stacked by '%.40s'; shown as %s.", wish->by,
                       instead);
    } else if (!wish->any) {
        (void)snprintf(note, CHART_NOTE_SIZE, "%s; shown as %s.", needs[wish->kind],
                       instead);
    }
    return any;
}
