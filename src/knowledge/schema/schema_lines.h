/*
 * The lines of a schema's tables, each written at most once: most questions on a large
 * schema show tables that an earlier one showed too.
 */
#ifndef DGM_KNOWLEDGE_SCHEMA_LINES_H
#define DGM_KNOWLEDGE_SCHEMA_LINES_H

#include "knowledge/schema/schema_names.h"
#include "knowledge/schema/schema_text.h"

enum line_detail {
    LINE_FULL,  /* as the settings say */
    LINE_BRIEF, /* without comments and samples */
    LINE_DETAILS
};

struct schema_line {
    const char *text; /* with its end of line; NULL: not written yet */
    size_t size;
    int tokens;
};

struct schema_lines {
    struct arena *arena;
    const struct schema *schema;
    enum dialect dialect;
    struct schema_text_settings settings[LINE_DETAILS];
    struct schema_line *kept[LINE_DETAILS]; /* by table; NULL: lines are not kept */
    struct name_cutter cutter;
    struct schema_text_names names;
};

/* keep false: for one text, nothing is remembered but the names. */
void schema_lines_init(struct schema_lines *lines, struct arena *arena,
                       const struct schema *schema,
                       const struct schema_text_settings *settings, bool keep);
void schema_lines_release(struct schema_lines *lines);
/* Appends a table's line (the first `columns` columns; SIZE_MAX: all); returns its
 * tokens. */
int schema_lines_add(struct schema_lines *lines, struct buf *out,
                     const struct table *table, enum line_detail detail, size_t columns);

/*
 * schema_text.c: as schema_text_render, from lines that are kept. One thread at a time.
 */
void schema_text_from_lines(struct schema_lines *lines, struct arena *arena,
                            const struct table *const *tables, size_t count,
                            int token_budget, struct schema_text *out);

#endif
