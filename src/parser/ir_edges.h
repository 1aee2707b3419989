/* The ways two tables can be joined: declared keys first, equal names where there are
 * none. */
#ifndef DGM_PARSER_IR_EDGES_H
#define DGM_PARSER_IR_EDGES_H

struct arena;
struct ir_schema;

/* Fills schema->edges from its tables, columns and keys. */
void ir_edges_find(struct arena *arena, struct ir_schema *schema);

#endif
