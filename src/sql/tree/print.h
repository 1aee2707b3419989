/*
 * Writes a tree as SQL of a dialect. Comments, odd spellings and needless parentheses of
 * the text that was read are gone; parentheses stand wherever two readers could disagree
 * about which operator binds tighter.
 */
#ifndef DGM_SQL_TREE_PRINT_H
#define DGM_SQL_TREE_PRINT_H

#include "sql/tree/tree.h"

struct buf;

void sql_print(struct buf *out, enum dialect dialect, const struct sql_node *node);

#endif
