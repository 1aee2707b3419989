/* The ways two tables can be joined: declared keys first, equal names where there are
 * none. */
#ifndef DGM_PARSER_IR_EDGES_H
#define DGM_PARSER_IR_EDGES_H

#include <stdbool.h>

struct arena;
struct ir_schema;

/* Fills schema->edges from its tables, columns and keys. */
void ir_edges_find(struct arena *arena, struct ir_schema *schema);
/* May two columns be set equal to join their tables? Not a name and a number, nor an id
 * and a salary. */
bool ir_columns_meet(const struct ir_schema *schema, int a, int b);

#endif
