/* Questions and choices that a schema suggests by itself. */
#include "agent/suggest/suggest.h"

#include <ctype.h>
#include <string.h>

#include "agent/suggest/suggest_columns.h"
#include "base/arena.h"
#include "base/str.h"

typedef bool column_fits(const struct table *table, const struct column *column);

static const struct column *first_column(const struct table *table, column_fits *fits)
{
    for (size_t i = 0; i < table->columns.count; i++) {
        const struct column *column = &table->columns.items[i];
        if (!suggest_is_key(table, column) && fits(table, column)) {
            return column;
        }
    }
    return NULL;
}

static void add_option(struct arena *arena, struct clarification *out, const char *value,
                       const char *label)
{
    VEC_PUSH(arena, &out->options, ((struct clarification_option){value, label}));
}

static char *capitalized(struct arena *arena, const char *text)
{
    char *copy = arena_text(arena, text);
    copy[0] = (char)toupper((unsigned char)copy[0]);
    return copy;
}

/* "with name, country": what a table holds, for want of a description. */
static const char *columns_label(struct arena *arena, const struct table *table)
{
    struct texts shown = {0};
    for (size_t i = 0; i < table->columns.count && shown.count < 4; i++) {
        const struct column *column = &table->columns.items[i];
        if (!suggest_is_key(table, column)) {
            VEC_PUSH(arena, &shown, suggest_words(arena, column->name));
        }
    }
    return shown.count ? arena_format(arena, "with %s", str_join(arena, &shown, ", "))
                       : NULL;
}

const char *suggest_table_label(struct arena *arena, const struct table *table,
                                const char *reason)
{
    const char *about = reason ? reason : table->comment;
    about = str_empty(about) ? columns_label(arena, table) : about;
    const char *name = table->name;
    if (table->row_count >= 0) {
        name = arena_format(arena, "%s (%lld row%s)", name, (long long)table->row_count,
                            table->row_count == 1 ? "" : "s");
    }
    return about ? arena_format(arena, "%s: %s", name, about) : name;
}

const char *suggest_join_label(struct arena *arena, const char *condition)
{
    struct texts sides = {0};
    str_split(arena, condition, '=', &sides);
    if (sides.count != 2) {
        return arena_format(arena, "Join where %s", condition);
    }
    char *left = str_trim(arena, sides.items[0]);
    char *right = str_trim(arena, sides.items[1]);
    char *left_dot = strrchr(left, '.');
    char *right_dot = strrchr(right, '.');
    if (!left_dot || !right_dot) {
        return arena_format(arena, "Join where %s", condition);
    }
    *left_dot = *right_dot = '\0';
    return arena_format(arena,
                        "Each row of %s belongs to the row of %s whose %s is its %s.",
                        left, right, right_dot + 1, left_dot + 1);
}

const char *suggest_range_text(struct arena *arena, const struct table *table,
                               const struct suggest_range *range)
{
    if (!table || !range->column || !range->first[0]) {
        return NULL;
    }
    return arena_format(arena, "%s run from %s to %s.",
                        capitalized(arena, suggest_things(arena, table)), range->first,
                        range->last);
}

/* Rows of this month, or of the last month that has any. */
static void add_month(struct arena *arena, const char *things,
                      const struct suggest_range *range, struct clarification *out)
{
    if (!range->column) {
        return;
    }
    const char *name = suggest_words(arena, range->column->name);
    const char *choice = arena_format(arena, "%s with %s in this month", things, name);
    if (range->last[0] && strncmp(range->last, range->today, 7) < 0) {
        choice =
            arena_format(arena, "%s with %s since %.7s-01", things, name, range->last);
    }
    add_option(arena, out, choice, capitalized(arena, choice));
}

void suggest_details(struct arena *arena, const struct table *table,
                     const struct suggest_range *range, struct clarification *out)
{
    const char *things = suggest_things(arena, table);
    const char *all = arena_format(arena, "all %s", things);
    add_option(arena, out, all,
               table->row_count >= 0 ? arena_format(arena, "All %s (%lld rows)", things,
                                                    (long long)table->row_count)
                                     : capitalized(arena, all));
    const struct column *category = first_column(table, suggest_is_category);
    for (size_t i = 0; category && i < category->samples.count && i < 3; i++) {
        const char *choice = arena_format(arena, "%s whose %s is %s", things,
                                          suggest_words(arena, category->name),
                                          category->samples.items[i]);
        add_option(arena, out, choice, capitalized(arena, choice));
    }
    add_month(arena, things, range, out);
    add_option(arena, out, arena_format(arena, "how many %s there are", things),
               arena_format(arena, "Only how many %s there are", things));
    out->tables = (struct texts){0};
    VEC_PUSH(arena, &out->tables, table->name);
    out->message = arena_format(arena, "Which %s?", things);
    if (range->column && range->first[0]) {
        out->message = arena_format(arena, "Which %s? Their %s runs from %s to %s.",
                                    things, suggest_words(arena, range->column->name),
                                    range->first, range->last);
    }
}

void suggest_periods(struct arena *arena, const struct table *table,
                     const struct suggest_range *range, struct clarification *out)
{
    const char *from = suggest_range_text(arena, table, range);
    out->message =
        arena_format(arena, "Which date range?%s%s", from ? " " : "", from ? from : "");
    add_option(arena, out, "the last 30 days", "The last 30 days");
    add_option(arena, out, "the last 90 days", "The last 90 days");
    if (from && strcmp(range->last, range->today) < 0) {
        add_option(arena, out, arena_format(arena, "since %.7s-01", range->last),
                   arena_format(arena, "The last month of the data (since %.7s-01)",
                                range->last));
    }
    if (from && strncmp(range->first, range->last, 4) != 0) {
        add_option(arena, out, arena_format(arena, "in %.4s", range->last),
                   arena_format(arena, "The year %.4s", range->last));
    }
    add_option(arena, out, "the whole time", "The whole time");
}

void suggest_start(struct arena *arena, const struct schema *schema,
                   struct clarification *out)
{
    struct texts questions = {0};
    if (schema) {
        suggest_questions(arena, schema, 4, &questions);
    }
    for (size_t i = 0; i < questions.count; i++) {
        add_option(arena, out, questions.items[i], questions.items[i]);
    }
    out->message = "What would you like to know?";
}
