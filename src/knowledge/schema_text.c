/* Tables as compact prompt text within a token budget. */
#include "knowledge/schema_text.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "base/writer.h"
#include "knowledge/schema_names.h"
#include "llm/llm.h"
#include "model/options.h"

enum {
    SAMPLE_LENGTH = 40, /* characters */
    TYPE_LENGTH = 60,
    COMMENT_LENGTH = 80,
    MOST_MISSES = 64, /* tables that did not fit in a row before the rest is not tried */
};
static const size_t MOST_TEXT = (size_t)64 << 20;

struct schema_text_settings schema_text_settings_of(const struct options *options)
{
    return (struct schema_text_settings){
        .samples = options->llm_send_rows ? (size_t)options->prompt_samples : 0,
        .name_length = (size_t)options->prompt_name_length,
        .comment_length = COMMENT_LENGTH,
        .types = true,
        .row_counts = true,
    };
}

/* What a line is written with. */
struct pen {
    struct buf *out;
    enum dialect dialect;
    const struct schema_text_settings *settings;
    struct name_cutter *cutter;
};

/* Characters that are not seen, or that turn the text around: no place for them. */
static bool is_hidden(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xad ||
           (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2060 && code <= 0x206f) || code == 0xfeff || code >= 0xe0000;
}

/* At most `most` characters, hidden ones as one space, into a small buffer. */
static void clean(struct buf *out, const char *text, size_t most)
{
    size_t size = strlen(text);
    size_t characters = 0;
    bool space = true; /* none at the start, never two */
    for (size_t at = 0; at < size;) {
        uint32_t code = 0;
        size_t length = utf8_next(text + at, size - at, &code);
        bool blank = code == ' ' || is_hidden(code);
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

static void put_quoted(struct pen *pen, const char *text, size_t most)
{
    struct buf small;
    buf_init(&small, most * 4 + 16);
    clean(&small, text, most);
    writer_quote(pen->out, buf_get(&small), small.size);
    buf_release(&small);
}

static void put_column_name(struct pen *pen, const char *name)
{
    dialect_quote(pen->out, pen->dialect, name_cutter_cut(pen->cutter, name), false);
}

static void put_table_name(struct pen *pen, const struct table *table)
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

static void put_references(struct pen *pen, const struct table *table,
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

static void put_samples(struct pen *pen, const struct column *column)
{
    size_t count = column->is_text ? column->samples.count : 0;
    count = count < pen->settings->samples ? count : pen->settings->samples;
    for (size_t i = 0; i < count; i++) {
        (void)buf_text(pen->out, i ? "," : " [");
        put_quoted(pen, column->samples.items[i], SAMPLE_LENGTH);
    }
    (void)buf_text(pen->out, count ? "]" : "");
}

static void put_column(struct pen *pen, const struct table *table,
                       const struct column *column)
{
    put_column_name(pen, column->name);
    if (pen->settings->types && !str_empty(column->type)) {
        struct buf type;
        buf_init(&type, TYPE_LENGTH * 4 + 16);
        clean(&type, column->type, TYPE_LENGTH);
        (void)buf_char(pen->out, ' ');
        (void)buf_add(pen->out, buf_get(&type), type.size);
        buf_release(&type);
    }
    (void)buf_text(pen->out, column->primary ? " PK" : "");
    put_references(pen, table, column);
    if (pen->settings->comment_length && !str_empty(column->comment)) {
        (void)buf_char(pen->out, ' ');
        put_quoted(pen, column->comment, pen->settings->comment_length);
    }
    put_samples(pen, column);
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

/* After the columns: -- 12,000 rows; view; "what it is" */
static void put_remarks(struct pen *pen, const struct table *table)
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
        (void)buf_text(pen->out, "view");
        before = "; ";
    }
    if (pen->settings->comment_length && !str_empty(table->comment)) {
        (void)buf_text(pen->out, before);
        put_quoted(pen, table->comment, pen->settings->comment_length);
    }
}

/* The first `columns` columns; says how many more there are. */
static void put_table(struct pen *pen, const struct table *table, size_t columns)
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

void schema_text_table(struct buf *out, struct arena *arena, enum dialect dialect,
                       const struct table *table,
                       const struct schema_text_settings *settings,
                       struct schema_text_names *names)
{
    struct schema_text_names unwanted = {0};
    struct name_cutter cutter;
    name_cutter_init(&cutter, arena, names ? names : &unwanted, settings->name_length);
    struct pen pen = {out, dialect, settings, &cutter};
    put_table(&pen, table, SIZE_MAX);
    name_cutter_release(&cutter);
}

/* A text that is being filled up to its budget. */
struct page {
    struct arena *arena;
    struct pen pen;
    const struct schema *schema;
    const struct table *const *tables; /* NULL: all of the schema */
    size_t count;
    int budget;
    struct schema_text *text;
};

static const struct table *page_table(const struct page *page, size_t index)
{
    return page->tables ? page->tables[index] : &page->schema->tables.items[index];
}

/* Adds a line if it fits; the line is taken away again if not. */
static bool page_add(struct page *page, const struct table *table, size_t columns)
{
    struct buf *out = page->pen.out;
    size_t before = out->size;
    put_table(&page->pen, table, columns);
    (void)buf_char(out, '\n');
    int tokens = llm_tokens(buf_get(out) + before, out->size - before);
    if (out->full || tokens > page->budget - page->text->tokens) {
        out->full = false;
        buf_truncate(out, before);
        return false;
    }
    page->text->tokens += tokens;
    VEC_PUSH(page->arena, &page->text->tables, table);
    return true;
}

/* All tables in this detail, or nothing. */
static bool page_fill(struct page *page)
{
    for (size_t i = 0; i < page->count; i++) {
        if (!page_add(page, page_table(page, i), SIZE_MAX)) {
            buf_clear(page->pen.out);
            page->text->tokens = 0;
            page->text->tables.count = 0;
            return false;
        }
    }
    return true;
}

/* The first table's columns as far as they go: better than no table at all. */
static void page_add_part(struct page *page, const struct table *table)
{
    size_t columns = table->columns.count;
    while (columns > 0 && !page_add(page, table, columns)) {
        columns = columns * 3 / 4;
    }
    if (columns == 0) { /* the name alone, whatever the budget says */
        int budget = page->budget;
        page->budget = INT32_MAX;
        (void)page_add(page, table, 0);
        page->budget = budget;
    }
}

/* As many as fit, best first. */
static void page_pack(struct page *page)
{
    size_t misses = 0;
    for (size_t i = 0; i < page->count && misses < MOST_MISSES; i++) {
        bool added = page_add(page, page_table(page, i), SIZE_MAX);
        if (!added && i == 0) {
            page_add_part(page, page_table(page, i));
        }
        misses = added ? 0 : misses + 1;
    }
    page->text->left_out = page->count - page->text->tables.count;
}

void schema_text_render(struct arena *arena, const struct schema *schema,
                        const struct table *const *tables, size_t count,
                        const struct schema_text_settings *settings, int token_budget,
                        struct schema_text *out)
{
    *out = (struct schema_text){0};
    enum dialect dialect = DIALECT_ODBC;
    (void)dialect_find(schema->dialect, &dialect);
    struct name_cutter cutter;
    name_cutter_init(&cutter, arena, &out->names, settings->name_length);
    struct buf text;
    buf_init(&text, MOST_TEXT);
    struct schema_text_settings brief = *settings;
    brief.samples = 0;
    brief.comment_length = 0;
    struct page page = {.arena = arena,
                        .pen = {&text, dialect, settings, &cutter},
                        .schema = schema,
                        .tables = tables,
                        .count = tables ? count : schema->tables.count,
                        .budget = token_budget,
                        .text = out};
    if (!page_fill(&page)) {
        out->shortened = true;
        page.pen.settings = &brief;
        if (!page_fill(&page)) {
            page_pack(&page);
        }
    }
    out->text = buf_clone(&text, arena);
    out->size = text.size;
    buf_release(&text);
    name_cutter_release(&cutter);
}
