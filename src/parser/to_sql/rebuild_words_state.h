/* What the writer of sentences knows; shared by its files only. */
#ifndef DGM_PARSER_REBUILD_WORDS_STATE_H
#define DGM_PARSER_REBUILD_WORDS_STATE_H

#include "base/buf.h"
#include "parser/ir/ir_schema.h"
#include "parser/ir/ir_tree.h"
#include "parser/to_sql/rebuild.h"

struct wording {
    struct arena *arena;
    const struct ir_schema *schema;
    const struct ir_values *values;
    struct ir_query *query;
    struct buf *out;
};

void words_name(struct buf *out, const char *name);
void words_query(struct wording *wording, struct ir_query *query);
void words_source(struct wording *wording); /* the tables it is about */

/* rebuild_words_parts.c */
void words_expression(struct wording *wording, const struct ir_node *node);
void words_bare(struct wording *wording, const struct ir_node *node); /* without "the" */
void words_condition(struct wording *wording, const struct ir_node *node);
const char *words_value(const struct wording *wording, const struct ir_node *node);

#endif
