/* Tables as compact text within a token budget. */
#include "knowledge/schema/schema_text.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/vec.h"
#include "knowledge/schema/schema_line.h"
#include "knowledge/schema/schema_lines.h"
#include "llm/llm.h"
#include "model/options/options.h"

enum {
    COMMENT_LENGTH = 80,
    MOST_MISSES = 64, /* tables that did not fit in a row before the rest is not tried */
};
static const size_t MOST_TEXT = (size_t)64 << 20;

struct schema_text_settings schema_text_settings_of(const struct options *options)
{
    return (struct schema_text_settings){
        .samples = options->llm_send_rows ? (size_t)options->prompt_samples : 0,
        .ranges = options->llm_send_rows,
        .name_length = (size_t)options->prompt_name_length,
        .comment_length = COMMENT_LENGTH,
        .types = true,
        .row_counts = true,
        .views = true,
        .literals = options->llm_send_rows,
    };
}

void schema_text_table(struct buf *out, struct arena *arena, enum dialect dialect,
                       const struct table *table,
                       const struct schema_text_settings *settings,
                       struct schema_text_names *names)
{
    struct schema_text_names unwanted = {0};
    struct name_cutter cutter;
    name_cutter_init(&cutter, arena, names ? names : &unwanted, settings->name_length);
    struct line_pen pen = {out, dialect, settings, &cutter};
    schema_line_put(&pen, table, SIZE_MAX);
    name_cutter_release(&cutter);
}

/* A text that is being filled up to its budget. */
struct page {
    struct arena *arena;
    struct buf *out;
    struct schema_lines *lines;
    enum line_detail detail;
    const struct table *const *tables; /* NULL: all of the schema */
    size_t count;
    int budget;
    struct schema_text *text;
};

static const struct table *page_table(const struct page *page, size_t index)
{
    return page->tables ? page->tables[index] : &page->lines->schema->tables.items[index];
}

/* Adds a line if it fits; the line is taken away again if not. */
static bool page_add(struct page *page, const struct table *table, size_t columns)
{
    size_t before = page->out->size;
    int tokens = schema_lines_add(page->lines, page->out, table, page->detail, columns);
    if (page->out->full || tokens > page->budget - page->text->tokens) {
        page->out->full = false;
        buf_truncate(page->out, before);
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
            buf_clear(page->out);
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

void schema_text_from_lines(struct schema_lines *lines, struct arena *arena,
                            const struct table *const *tables, size_t count,
                            int token_budget, struct schema_text *out)
{
    *out = (struct schema_text){0};
    struct buf text;
    buf_init(&text, MOST_TEXT);
    struct page page = {.arena = arena,
                        .out = &text,
                        .lines = lines,
                        .detail = LINE_FULL,
                        .tables = tables,
                        .count = tables ? count : lines->schema->tables.count,
                        .budget = token_budget,
                        .text = out};
    if (!page_fill(&page)) {
        out->shortened = true;
        page.detail = LINE_BRIEF;
        if (!page_fill(&page)) {
            page_pack(&page);
        }
    }
    out->text = buf_clone(&text, arena);
    out->size = text.size;
    out->names = lines->names; /* what is remembered later goes behind this count */
    buf_release(&text);
}

void schema_text_render(struct arena *arena, const struct schema *schema,
                        const struct table *const *tables, size_t count,
                        const struct schema_text_settings *settings, int token_budget,
                        struct schema_text *out)
{
    struct schema_lines lines;
    schema_lines_init(&lines, arena, schema, settings, false);
    schema_text_from_lines(&lines, arena, tables, count, token_budget, out);
    schema_lines_release(&lines);
}
