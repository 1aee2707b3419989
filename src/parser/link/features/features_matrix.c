/* The relations of all pairs of items, written out for the network. */
#include <string.h>

#include "parser/link/features/features_state.h"
#include "parser/ir/ir_schema.h"

/* Among words of one text, and tokens of one query: how far one is from the other. What is
 * near to none stays as it is. */
static void put_distances(uint8_t *out, size_t count, size_t first, size_t words)
{
    for (int i = 0; i < (int)words; i++) {
        uint8_t *row = out + (first + (size_t)i) * count + first;
        for (int j = 0; j < (int)words; j++) {
            enum relation near = relation_distance(j - i);
            if (near != RELATION_QQ) {
                row[j] = (uint8_t)near;
            }
        }
    }
}

void features_matrix(const struct features *features, const struct feature_schema *schema,
                     uint8_t *out)
{
    size_t count = features->count;
    size_t sizes[BLOCKS] = {
        [BLOCK_QUESTION] = features->tokens.count,
        [BLOCK_VALUE] = features->values.count,
        [BLOCK_TABLE] = features->selection.table_count,
        [BLOCK_COLUMN] = features->selection.column_count,
        [BLOCK_HISTORY] = features->history,
    };
    size_t row = 0;
    for (int block = 0; block < BLOCKS; block++) {
        for (size_t i = 0; i < sizes[block]; i++, row++) {
            uint8_t *at = out + row * count;
            for (int other = 0; other < BLOCKS; other++) {
                memset(at,
                       (int)relation_default((enum relation_block)block,
                                             (enum relation_block)other),
                       sizes[other]);
                at += sizes[other];
            }
        }
    }
    put_distances(out, count, 0, features->tokens.count);
    put_distances(out, count, count - features->history, features->history);
    size_t first = sizes[BLOCK_QUESTION] + sizes[BLOCK_VALUE];
    relations_of_schema(schema->schema, &features->selection, out + first * count + first,
                        count);
    for (size_t i = 0; i < features->relations.count; i++) {
        const struct feature_relation *relation = &features->relations.items[i];
        out[relation->row * count + relation->column] = relation->code;
    }
}
