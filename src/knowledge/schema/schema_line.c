/* One table as one line of that text. */
#include "knowledge/schema/schema_line.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/utf8.h"
#include "base/writer.h"
#include "knowledge/schema/schema_values.h"
#include "sql/view.h"

enum {
    SAMPLE_LENGTH = 40, /* characters */
    TYPE_LENGTH = 60,
    SYNONYMS_SHOWN = 5,
    MEANINGS_SHOWN = 12,
    METRICS_SHOWN = 8,
    METRIC_LENGTH = 500,
    VIEW_LENGTH = 400,
};

void schema_line_clean(struct buf *out, const char *text, size_t most)
{
    size_t size = strlen(text);
    size_t characters = 0;
    bool space = true; /* none at the start, never two */
    for (size_t at = 0; at < size;) {
        uint32_t code = 0;
        size_t length = utf8_next(text + at, size - at, &code);
        bool blank = code == ' ' || utf8_is_hidden(code);
        if (!(blank && space)) {
            if (characters++ == most) {
                (void)buf_text(out, "…");
                return;
            }
            (void)buf_add(out, blank ? " " : text + at, blank ? 1 : length);
        }
        space = blank;
        at += length;
    }
    if (out->size && out->data[out->size - 1] == ' ') {
        buf_truncate(out, out->size - 1);
    }
}

/* Types are words of the database, short and plain in all but odd cases. */
static void put_clean(struct line_pen *pen, const char *text, size_t most)
{
    struct buf small;
    buf_init(&small, most * 4 + 16);
    schema_line_clean(&small, text, most);
    (void)buf_add(pen->out, buf_get(&small), small.size);
    buf_release(&small);
}

static void put_quoted(struct line_pen *pen, const char *text, size_t most)
{
    struct buf small;
    buf_init(&small, most * 4 + 16);
    schema_line_clean(&small, text, most);
    writer_quote(pen->out, buf_get(&small), small.size);
    buf_release(&small);
}

static void put_column_name(struct line_pen *pen, const char *name)
{
    dialect_quote(pen->out, pen->dialect, name_cutter_cut(pen->cutter, name), false);
}

static void put_table_name(struct line_pen *pen, const struct table *table)
{
    if (!str_empty(table->namespace) && table->bare_name) {
        dialect_quote(pen->out, pen->dialect,
                      name_cutter_plain(pen->cutter, table->namespace), true);
        (void)buf_char(pen->out, '.');
        dialect_quote(pen->out, pen->dialect,
                      name_cutter_plain(pen->cutter, table->bare_name), false);
    } else {
        dialect_quote(pen->out, pen->dialect, name_cutter_plain(pen->cutter, table->name),
                      false);
    }
}

static void put_references(struct line_pen *pen, const struct table *table,
                           const struct column *column)
{
    for (size_t i = 0; i < table->foreign_keys.count; i++) {
        const struct foreign_key *key = &table->foreign_keys.items[i];
        for (size_t j = 0; j < key->columns.count && j < key->references.count; j++) {
            if (str_equal(key->columns.items[j], column->name)) {
                (void)buf_text(pen->out, " -> ");
                dialect_quote(pen->out, pen->dialect,
                              name_cutter_plain(pen->cutter, key->table), true);
                (void)buf_char(pen->out, '.');
                put_column_name(pen, key->references.items[j]);
                (void)buf_text(pen->out, key->confidence < 1 ? "?" : "");
            }
        }
    }
}

/* also "what people say" */
static void put_synonyms(struct line_pen *pen, const struct texts *synonyms,
                         const char *before)
{
    size_t count = synonyms->count < SYNONYMS_SHOWN ? synonyms->count : SYNONYMS_SHOWN;
    for (size_t i = 0; i < count; i++) {
        (void)buf_text(pen->out, i ? "," : before);
        (void)buf_text(pen->out, i ? "" : "also ");
        put_quoted(pen, synonyms->items[i], SAMPLE_LENGTH);
    }
}

/* {"1"="active","2"="closed"} */
static void put_meanings(struct line_pen *pen, const struct meanings *meanings)
{
    size_t count = meanings->count < MEANINGS_SHOWN ? meanings->count : MEANINGS_SHOWN;
    for (size_t i = 0; i < count; i++) {
        (void)buf_text(pen->out, i ? "," : " {");
        put_quoted(pen, meanings->items[i].value, SAMPLE_LENGTH);
        (void)buf_char(pen->out, '=');
        put_quoted(pen, meanings->items[i].text, SAMPLE_LENGTH);
    }
    (void)buf_text(pen->out, count < meanings->count ? ",…" : "");
    (void)buf_text(pen->out, count ? "}" : "");
}

static bool starts_with_any(const char *text, const char *const *words)
{
    for (; *words; words++) {
        if (str_starts_nocase(text, *words)) {
            return true;
        }
    }
    return false;
}

static bool is_words(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        bool letter = (text[i] | 0x20) >= 'a' && (text[i] | 0x20) <= 'z';
        if (!letter && text[i] != ' ' && !(text[i] >= '0' && text[i] <= '9')) {
            return false;
        }
    }
    return size <= TYPE_LENGTH;
}

/* DECIMAL(10,2) is a DECIMAL; what stands behind an enumeration are its values. */
static void put_type(struct line_pen *pen, const char *type)
{
    static const char *const sized[] = {"decimal", "numeric",  "varchar",   "char",
                                        "number",  "nvarchar", "character", NULL};
    size_t size = strcspn(type, "(");
    const char *end = type + size + strcspn(type + size, ")");
    (void)buf_char(pen->out, ' ');
    if (*end && !end[1] && starts_with_any(type, sized) && is_words(type, size)) {
        (void)buf_add(pen->out, type, size);
    } else {
        put_clean(pen, type, TYPE_LENGTH);
    }
}

/* That a key is a whole number goes without saying. */
static bool is_counted_key(const struct table *table, const struct column *column)
{
    static const char *const whole[] = {"int", "bigint", "smallint", NULL};
    return schema_values_key(table, column) && starts_with_any(column->type, whole);
}

static void put_column(struct line_pen *pen, const struct table *table,
                       const struct column *column)
{
    put_column_name(pen, column->name);
    bool said = str_equal_nocase(column->type, "TEXT") &&
                schema_values_shown(pen->settings, table, column);
    if (pen->settings->types && !str_empty(column->type) && !said &&
        !is_counted_key(table, column)) {
        put_type(pen, column->type);
    }
    (void)buf_text(pen->out, column->primary ? " PK" : "");
    put_references(pen, table, column);
    if (pen->settings->comment_length && !str_empty(column->comment)) {
        (void)buf_char(pen->out, ' ');
        put_quoted(pen, column->comment, pen->settings->comment_length);
    }
    if (pen->settings->comment_length) {
        put_synonyms(pen, &column->synonyms, " ");
        put_meanings(pen, &column->meanings);
    }
    schema_values_put(pen->out, pen->settings, table, column);
}

/* 12000 as 12,000 */
static void put_number(struct buf *out, int64_t number)
{
    char digits[24];
    int size = snprintf(digits, sizeof digits, "%lld", (long long)number);
    for (int i = 0; i < size; i++) {
        (void)buf_text(out, i && (size - i) % 3 == 0 ? "," : "");
        (void)buf_char(out, digits[i]);
    }
}

/* metric "revenue" = "sum(quantity * unit_price)" */
static void put_metrics(struct line_pen *pen, const struct metrics *metrics,
                        const char *before)
{
    for (size_t i = 0; i < metrics->count && i < METRICS_SHOWN; i++) {
        const struct metric *metric = &metrics->items[i];
        (void)buf_text(pen->out, before);
        (void)buf_text(pen->out, "metric ");
        put_quoted(pen, metric->name, SAMPLE_LENGTH);
        put_synonyms(pen, &metric->synonyms, " ");
        (void)buf_text(pen->out, " = ");
        put_quoted(pen, metric->expression, METRIC_LENGTH);
        for (size_t j = 0; j < metric->joins.count; j++) {
            (void)buf_text(pen->out, j ? " and " : " joining ");
            put_quoted(pen, metric->joins.items[j], METRIC_LENGTH);
        }
        before = "; ";
    }
}

/* view "SELECT …": how the people of the database define what its name says. */
static void put_view(struct line_pen *pen, const struct table *table)
{
    (void)buf_text(pen->out, "view");
    if (!schema_values_by_view(pen->settings, table)) {
        return;
    }
    struct arena *scratch = arena_new();
    (void)buf_char(pen->out, ' ');
    put_quoted(pen,
               pen->settings->literals
                   ? table->definition
                   : view_outline(scratch, pen->dialect, table->definition),
               VIEW_LENGTH);
    arena_free(scratch);
}

/* After the columns: -- 12,000 rows; view; "what it is"; also "…"; metric … */
static void put_remarks(struct line_pen *pen, const struct table *table)
{
    const char *before = " -- ";
    if (pen->settings->row_counts && table->row_count >= 0) {
        (void)buf_text(pen->out, before);
        (void)buf_text(pen->out, table->row_count_exact ? "" : "about ");
        put_number(pen->out, table->row_count);
        (void)buf_text(pen->out, table->row_count == 1 ? " row" : " rows");
        before = "; ";
    }
    if (table->is_view) {
        (void)buf_text(pen->out, before);
        put_view(pen, table);
        before = "; ";
    }
    if (pen->settings->comment_length && !str_empty(table->comment)) {
        (void)buf_text(pen->out, before);
        put_quoted(pen, table->comment, pen->settings->comment_length);
        before = "; ";
    }
    if (pen->settings->comment_length) {
        put_synonyms(pen, &table->synonyms, before);
        before = table->synonyms.count ? "; " : before;
        put_metrics(pen, &table->metrics, before);
    }
}

void schema_line_put(struct line_pen *pen, const struct table *table, size_t columns)
{
    put_table_name(pen, table);
    (void)buf_char(pen->out, '(');
    size_t count = table->columns.count < columns ? table->columns.count : columns;
    for (size_t i = 0; i < count; i++) {
        (void)buf_text(pen->out, i ? ", " : "");
        put_column(pen, table, &table->columns.items[i]);
    }
    if (count < table->columns.count) {
        (void)buf_format(pen->out, "%s… %zu more columns", count ? ", " : "",
                         table->columns.count - count);
    }
    (void)buf_char(pen->out, ')');
    put_remarks(pen, table);
}
