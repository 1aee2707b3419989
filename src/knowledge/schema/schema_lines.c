/* The lines of all tables, each written at most once. */
#include "knowledge/schema/schema_lines.h"

#include "base/arena.h"
#include "base/buf.h"
#include "knowledge/schema/schema_line.h"
#include "llm/llm.h"

void schema_lines_init(struct schema_lines *lines, struct arena *arena,
                       const struct schema *schema,
                       const struct schema_text_settings *settings, bool keep)
{
    *lines =
        (struct schema_lines){.arena = arena, .schema = schema, .dialect = DIALECT_ODBC};
    (void)dialect_find(schema->dialect, &lines->dialect);
    lines->settings[LINE_FULL] = *settings;
    lines->settings[LINE_BRIEF] = *settings;
    lines->settings[LINE_BRIEF].samples = 0;
    lines->settings[LINE_BRIEF].ranges = false;
    lines->settings[LINE_BRIEF].comment_length = 0;
    lines->settings[LINE_BRIEF].views = false;
    for (size_t i = 0; keep && i < LINE_DETAILS; i++) {
        lines->kept[i] =
            arena_array(arena, schema->tables.count, sizeof(struct schema_line));
    }
    name_cutter_init(&lines->cutter, arena, &lines->names, settings->name_length);
}

void schema_lines_release(struct schema_lines *lines)
{
    name_cutter_release(&lines->cutter);
}

/* Where the line is kept; NULL when it is not, or the table is of another schema. */
static struct schema_line *kept_at(const struct schema_lines *lines,
                                   const struct table *table, enum line_detail detail)
{
    const struct tables *tables = &lines->schema->tables;
    if (!lines->kept[detail] || table < tables->items ||
        table >= tables->items + tables->count) {
        return NULL;
    }
    return &lines->kept[detail][table - tables->items];
}

int schema_lines_add(struct schema_lines *lines, struct buf *out,
                     const struct table *table, enum line_detail detail, size_t columns)
{
    struct schema_line *kept = columns == SIZE_MAX ? kept_at(lines, table, detail) : NULL;
    if (kept && kept->text) {
        (void)buf_add(out, kept->text, kept->size);
        return kept->tokens;
    }
    size_t before = out->size;
    struct line_pen pen = {out, lines->dialect, &lines->settings[detail], &lines->cutter};
    schema_line_put(&pen, table, columns);
    (void)buf_char(out, '\n');
    size_t size = out->size - before;
    int tokens = llm_tokens(buf_get(out) + before, size);
    if (kept && !out->full) {
        *kept = (struct schema_line){
            arena_copy(lines->arena, buf_get(out) + before, size), size, tokens};
    }
    return tokens;
}
