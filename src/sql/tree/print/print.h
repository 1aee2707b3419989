/*
 * Writes a tree as SQL of a dialect. Comments, odd spellings and needless parentheses of
 * the text that was read are gone; parentheses stand wherever two readers could disagree
 * about which operator binds tighter.
 */
#ifndef DGM_SQL_TREE_PRINT_H
#define DGM_SQL_TREE_PRINT_H

#include "sql/tree/tree.h"

struct arena;
struct buf;

void sql_print(struct buf *out, enum dialect dialect, const struct sql_node *node);

/* Writes a node its own way and says true, or leaves it to the printer. */
typedef bool sql_print_instead(void *context, const struct sql_node *node);

/* The same; `instead` is asked about everything below the node. It writes to `out`. */
void sql_print_with(struct buf *out, enum dialect dialect, const struct sql_node *node,
                    sql_print_instead *instead, void *context);

/* Which bytes a node became. Children come before their parents. */
struct sql_piece {
    const struct sql_node *node;
    size_t start;
    size_t end;
};

struct sql_pieces {
    struct sql_piece *items;
    size_t count;
    size_t capacity;
};

/* The same, and where each node stands in what was written. */
void sql_print_pieces(struct arena *arena, struct buf *out, enum dialect dialect,
                      const struct sql_node *node, struct sql_pieces *pieces);

#endif
