/* A chart as Vega-Lite v5: data and plain titles from the result, all else from here. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/writer.h"
#include "model/chart.h"

enum { TITLE_MOST = 200, CELL_MOST = 200, MULTIPLES_COLUMNS = 3 };

/* Cut at a character's beginning. */
static size_t cut(const char *text, size_t size, size_t most)
{
    if (size <= most) {
        return size;
    }
    size = most;
    while (size && ((unsigned char)text[size] & 0xC0) == 0x80) {
        size--;
    }
    return size;
}

static void write_cut(struct writer *writer, const char *text, size_t size, size_t most)
{
    writer_text_n(writer, text, cut(text, size, most));
}

/* The pop-up beside the pointer shows a row under the name "image" as a picture. */
static void write_name(struct writer *writer, const struct rows *rows, size_t column)
{
    const char *name = rows->columns[column].name;
    bool special = str_equal_nocase(name, "image") || str_equal_nocase(name, "title");
    if (special) {
        writer_text(writer,
                    str_equal_nocase(name, "image") ? "image column" : "title column");
        return;
    }
    write_cut(writer, name, strlen(name), TITLE_MOST);
}

static const char *field_of(char out[24], size_t column)
{
    (void)snprintf(out, 24, "c%zu", column);
    return out;
}

/* ------------------------------------------------------------------ data */

static void write_cell(struct writer *writer, const struct value *value, bool moment)
{
    char time[CHART_TIME_SIZE] = "";
    double number = 0;
    if (moment) {
        chart_time(value, time);
    }
    if (value->kind == VALUE_NULL) {
        writer_null(writer);
    } else if (*time) {
        writer_text(writer, time);
    } else if (chart_number(value, &number) && fabs(number) < 1e15 &&
               number == floor(number)) {
        writer_int(writer, (int64_t)number);
    } else if (chart_number(value, &number)) {
        writer_real(writer, number);
    } else if (value->kind == VALUE_TEXT) {
        write_cut(writer, value->text.data, value->text.size, CELL_MOST);
    } else if (value->kind == VALUE_BOOL) {
        writer_text(writer, value->boolean ? "true" : "false");
    } else {
        writer_null(writer);
    }
}

static void write_field(struct writer *writer, const struct rows *rows, size_t row,
                        size_t column, bool moment)
{
    char field[24];
    writer_key(writer, field_of(field, column));
    write_cell(writer, rows_cell(rows, row, column), moment);
}

static bool folded(const struct chart *chart)
{
    return chart->y_count > 1;
}

static void write_point(const struct chart *chart, const struct rows *rows, size_t row,
                        size_t y, struct writer *writer)
{
    writer_object(writer);
    if (chart->x != CHART_NO_COLUMN) {
        write_field(writer, rows, row, chart->x, chart->x_role == CHART_TIME);
    }
    if (chart->series != CHART_NO_COLUMN) {
        write_field(writer, rows, row, chart->series, false);
    }
    if (folded(chart)) { /* several numbers: each row becomes as many points */
        writer_key(writer, "s");
        write_name(writer, rows, chart->y[y]);
        writer_key(writer, "v");
        write_cell(writer, rows_cell(rows, row, chart->y[y]), false);
    } else {
        write_field(writer, rows, row, chart->y[y], false);
    }
    writer_object_end(writer);
}

static void write_data(const struct chart *chart, const struct rows *rows,
                       struct writer *writer)
{
    size_t most = chart->kind == CHART_BAR ? CHART_BARS_MOST : CHART_POINTS_MOST;
    most = most / (chart->y_count ? chart->y_count : 1);
    writer_key(writer, "data");
    writer_object(writer);
    writer_key(writer, "values");
    writer_array(writer);
    for (size_t i = 0; i < rows->count && i < most; i++) {
        for (size_t y = 0; y < chart->y_count; y++) {
            write_point(chart, rows, i, y, writer);
        }
    }
    writer_array_end(writer);
    writer_object_end(writer);
}

/* ------------------------------------------------------------------ channels */

static const char *type_of(enum chart_role role)
{
    return role == CHART_TIME     ? "temporal"
           : role == CHART_ORDER  ? "ordinal"
           : role == CHART_NUMBER ? "quantitative"
                                  : "nominal";
}

static void begin_channel(struct writer *writer, const char *channel, const char *field,
                          const char *type)
{
    writer_key(writer, channel);
    writer_object(writer);
    writer_key_text(writer, "field", field);
    writer_key_text(writer, "type", type);
}

static void write_channel(struct writer *writer, const char *channel,
                          const struct rows *rows, size_t column, const char *type)
{
    char field[24];
    begin_channel(writer, channel, field_of(field, column), type);
    writer_key(writer, "title");
    write_name(writer, rows, column);
    if (strcmp(type, "temporal") == 0) { /* as it is written, wherever the reader lives */
        writer_key(writer, "scale");
        writer_raw(writer, "{\"type\":\"utc\"}");
    } else if (strcmp(type, "quantitative") != 0) {
        writer_key(writer, "sort"); /* the result's own order */
        writer_null(writer);
    }
}

static void write_x(struct writer *writer, const struct chart *chart,
                    const struct rows *rows)
{
    const char *type = chart->kind == CHART_BAR && chart->x_role == CHART_TIME
                           ? "ordinal"
                           : type_of(chart->x_role);
    write_channel(writer, "x", rows, chart->x, type);
    writer_object_end(writer);
}

static void write_y(struct writer *writer, const struct chart *chart,
                    const struct rows *rows)
{
    if (folded(chart)) {
        begin_channel(writer, "y", "v", "quantitative");
        writer_key_text(writer, "title", "");
    } else {
        write_channel(writer, "y", rows, chart->y[0], "quantitative");
    }
    if (chart->kind == CHART_STACKED || chart->kind == CHART_AREA) {
        bool whole = chart->share && chart->kind == CHART_STACKED;
        writer_key_text(writer, "stack", whole ? "normalize" : "zero");
    } else if (chart->kind == CHART_SHARE) {
        writer_key_text(writer, "stack", "normalize");
    }
    writer_object_end(writer);
}

static void write_color(struct writer *writer, const struct chart *chart,
                        const struct rows *rows)
{
    if (folded(chart)) {
        begin_channel(writer, "color", "s", "nominal");
        writer_key_text(writer, "title", "");
        writer_object_end(writer);
    } else if (chart->kind == CHART_MULTIPLES) {
        write_channel(writer, "facet", rows, chart->series, "nominal");
        writer_key_int(writer, "columns", MULTIPLES_COLUMNS);
        writer_object_end(writer);
    } else if (chart->series != CHART_NO_COLUMN) {
        write_channel(writer, "color", rows, chart->series, "nominal");
        writer_object_end(writer);
    }
}

static void write_encoding(const struct chart *chart, const struct rows *rows,
                           struct writer *writer)
{
    writer_key(writer, "encoding");
    writer_object(writer);
    if (chart->kind == CHART_FIGURE) {
        write_channel(writer, "text", rows, chart->y[0], "quantitative");
        writer_key_text(writer, "format", ",.12~g");
        writer_object_end(writer);
    } else if (chart->kind == CHART_ARC) {
        write_channel(writer, "theta", rows, chart->y[0], "quantitative");
        writer_key_text(writer, "stack", "zero");
        writer_object_end(writer);
        write_channel(writer, "color", rows, chart->x, "nominal");
        writer_object_end(writer);
    } else {
        write_x(writer, chart, rows);
        write_y(writer, chart, rows);
        write_color(writer, chart, rows);
    }
    writer_object_end(writer);
}

static const char *const marks[CHART_KIND_COUNT] = {
    [CHART_FIGURE] = "{\"type\":\"text\",\"fontSize\":48}",
    [CHART_LINE] = "{\"type\":\"line\",\"point\":true,\"tooltip\":true}",
    [CHART_AREA] = "{\"type\":\"area\",\"line\":true,\"tooltip\":true}",
    [CHART_STACKED] = "{\"type\":\"bar\",\"tooltip\":true}",
    [CHART_ARC] = "{\"type\":\"arc\",\"tooltip\":true}",
    [CHART_BAR] = "{\"type\":\"bar\",\"tooltip\":true}",
    [CHART_SCATTER] = "{\"type\":\"point\",\"tooltip\":true}",
    [CHART_MULTIPLES] = "{\"type\":\"line\",\"tooltip\":true}",
    [CHART_SHARE] = "{\"type\":\"bar\",\"tooltip\":true}",
};

void chart_write_spec(const struct chart *chart, const struct rows *rows,
                      const char *title, struct writer *writer)
{
    writer_object(writer);
    writer_key_text(writer, "$schema", "https://vega.github.io/schema/vega-lite/v5.json");
    if (!str_empty(title)) {
        writer_key(writer, "title");
        write_cut(writer, title, strlen(title), TITLE_MOST);
    }
    if (chart->kind != CHART_MULTIPLES) { /* not known to charts with facets */
        writer_key_text(writer, "width", "container");
    }
    write_data(chart, rows, writer);
    writer_key(writer, "mark");
    writer_raw(writer, marks[chart->kind]);
    write_encoding(chart, rows, writer);
    writer_object_end(writer);
}
