/* The relations between items of the network's input: their codes, and those of a schema.
 */
#ifndef DGM_PARSER_RELATIONS_H
#define DGM_PARSER_RELATIONS_H

#include <stddef.h>
#include <stdint.h>

struct ir_schema;

enum relation {
#define RELATION(name, text) RELATION_##name,
#include "parser/link/relations.def"
#undef RELATION
    RELATION_COUNT
};

enum { RELATIONS_ALONE = RELATION_QH }; /* those without a conversation */
enum { RELATION_NEAR = 4 }; /* distances are told apart up to this many words */

/* The blocks of the input, in their order. */
enum relation_block {
    BLOCK_QUESTION,
    BLOCK_VALUE,
    BLOCK_TABLE,
    BLOCK_COLUMN,
    BLOCK_HISTORY,
    BLOCKS
};

const char *relation_text(int relation); /* "" for none */
/* What holds between items of two blocks when nothing else does. */
enum relation relation_default(enum relation_block row, enum relation_block column);
/* From a word of the question to one that is `distance` words after it. */
enum relation relation_distance(int distance);

/* Some tables and columns of a schema, in ascending order; columns[0] is 0, the `*`. */
struct selection {
    const int *tables;
    size_t table_count;
    const int *columns;
    size_t column_count;
};

/* Fills (tables + columns)² codes; rows are `stride` codes apart. */
void relations_of_schema(const struct ir_schema *schema,
                         const struct selection *selection, uint8_t *out, size_t stride);

#endif
