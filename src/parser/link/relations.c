/* Relations between items; those of tables and columns among each other. */
#include "parser/link/relations.h"

#include <string.h>

#include "base/memory.h"
#include "parser/ir/ir_schema.h"

static const char *const texts[] = {
#define RELATION(name, text) [RELATION_##name] = (text),
#include "parser/link/relations.def"
#undef RELATION
};

const char *relation_text(int relation)
{
    return relation >= 0 && relation < RELATION_COUNT ? texts[relation] : "";
}

enum relation relation_default(enum relation_block row, enum relation_block column)
{
    if (row == BLOCK_HISTORY) {
        return (enum relation)(RELATION_HQ + (int)column);
    }
    if (column == BLOCK_HISTORY) {
        return (enum relation)(RELATION_QH + (int)row);
    }
    return (enum relation)(RELATION_QQ + (int)row * BLOCK_HISTORY + (int)column);
}

enum relation relation_distance(int distance)
{
    if (distance < -RELATION_NEAR || distance > RELATION_NEAR) {
        return RELATION_QQ;
    }
    return (enum relation)(RELATION_WORD_SELF + distance);
}

/* A matrix being filled. */
struct schema_matrix {
    const struct ir_schema *schema;
    const struct selection *selection;
    uint8_t *out;
    size_t stride;
    int *table_at;  /* table of the schema -> row, or -1 */
    int *column_at; /* column of the schema -> row, or -1 */
};

static void put(struct schema_matrix *matrix, int row, int column, enum relation code)
{
    if (row >= 0 && column >= 0) {
        matrix->out[(size_t)row * matrix->stride + (size_t)column] = (uint8_t)code;
    }
}

static void fill_defaults(struct schema_matrix *matrix)
{
    size_t tables = matrix->selection->table_count;
    size_t count = tables + matrix->selection->column_count;
    for (size_t row = 0; row < count; row++) {
        uint8_t *at = matrix->out + row * matrix->stride;
        enum relation_block block = row < tables ? BLOCK_TABLE : BLOCK_COLUMN;
        memset(at, (int)relation_default(block, BLOCK_TABLE), tables);
        memset(at + tables, (int)relation_default(block, BLOCK_COLUMN), count - tables);
        at[row] = RELATION_SELF;
    }
}

/* Columns of a table are neighbours in a selection. */
static void fill_tables(struct schema_matrix *matrix)
{
    const struct selection *selection = matrix->selection;
    int base = (int)selection->table_count;
    for (int i = 1; i < (int)selection->column_count; i++) {
        const struct ir_column *column = &matrix->schema->columns[selection->columns[i]];
        int table = matrix->table_at[column->table];
        put(matrix, table, base + i,
            column->primary ? RELATION_HAS_PRIMARY : RELATION_HAS);
        put(matrix, base + i, table, column->primary ? RELATION_PRIMARY_IN : RELATION_IN);
        for (int j = i + 1;
             j < (int)selection->column_count &&
             matrix->schema->columns[selection->columns[j]].table == column->table;
             j++) {
            put(matrix, base + i, base + j, RELATION_SAME_TABLE);
            put(matrix, base + j, base + i, RELATION_SAME_TABLE);
        }
    }
}

static void fill_edges(struct schema_matrix *matrix)
{
    const struct ir_schema *schema = matrix->schema;
    for (int i = 0; i < schema->edge_count; i++) {
        const struct ir_edge *edge = &schema->edges[i];
        int from = matrix->table_at[edge->from_table];
        int to = matrix->table_at[edge->to_table];
        put(matrix, matrix->column_at[edge->from], matrix->column_at[edge->to],
            RELATION_ALIKE);
        put(matrix, matrix->column_at[edge->to], matrix->column_at[edge->from],
            RELATION_ALIKE);
        if (from != to) {
            put(matrix, from, to, RELATION_TABLE_ALIKE);
            put(matrix, to, from, RELATION_TABLE_ALIKE);
        }
    }
}

static void fill_keys(struct schema_matrix *matrix)
{
    const struct ir_schema *schema = matrix->schema;
    for (int i = 0; i < schema->key_count; i++) {
        const struct ir_key *key = &schema->keys[i];
        int from = matrix->column_at[key->from];
        int to = matrix->column_at[key->to];
        int from_table = matrix->table_at[schema->columns[key->from].table];
        int to_table = matrix->table_at[schema->columns[key->to].table];
        if (from != to) {
            put(matrix, from, to, RELATION_REFERS);
            put(matrix, to, from, RELATION_REFERRED);
        }
        if (from_table != to_table) {
            put(matrix, from_table, to_table, RELATION_TABLE_REFERS);
            put(matrix, to_table, from_table, RELATION_TABLE_REFERRED);
        }
    }
}

void relations_of_schema(const struct ir_schema *schema,
                         const struct selection *selection, uint8_t *out, size_t stride)
{
    struct schema_matrix matrix = {schema, selection, out, stride, NULL, NULL};
    matrix.table_at = memory_array((size_t)schema->table_count + 1, sizeof(int));
    matrix.column_at = memory_array((size_t)schema->column_count + 1, sizeof(int));
    memset(matrix.table_at, 0xFF, (size_t)schema->table_count * sizeof(int));
    memset(matrix.column_at, 0xFF, (size_t)schema->column_count * sizeof(int));
    for (size_t i = 0; i < selection->table_count; i++) {
        matrix.table_at[selection->tables[i]] = (int)i;
    }
    for (size_t i = 0; i < selection->column_count; i++) {
        matrix.column_at[selection->columns[i]] = (int)(selection->table_count + i);
    }
    fill_defaults(&matrix);
    fill_tables(&matrix);
    fill_edges(&matrix);
    fill_keys(&matrix);
    memory_free(matrix.table_at);
    memory_free(matrix.column_at);
}
