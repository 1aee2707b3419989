/* What can be chosen for the parts of a query: tables and columns that a join or two away
 * from it. */
#include <stdlib.h>

#include "base/arena.h"
#include "base/vec.h"
#include "base/writer.h"
#include "parser/parts/parts.h"
#include "parser/parts/parts_state.h"

enum { JOINS_MOST = 3, COLUMNS_MOST = 400, FAR = JOINS_MOST + 1 };

struct used {
    const struct ir_schema *schema;
    int *far;
};

static void find_used(void *context, struct ir_node *node)
{
    const struct used *used = context;
    if (ir_node_is_column(node)) {
        used->far[used->schema->columns[node->token.index].table] = 0;
    }
}

/* How many joins each table is away from those of the query. */
static int *distances(const struct parts *parts)
{
    const struct ir_schema *schema = parts->schema;
    int *far = arena_array(parts->arena, (size_t)schema->table_count + 1, sizeof *far);
    struct used used = {schema, far};
    for (int i = 0; i < schema->table_count; i++) {
        far[i] = parts->query ? FAR : 0;
    }
    if (!parts->query) {
        return far;
    }
    for (size_t i = 0; i < parts->query->sources.count; i++) {
        far[parts->query->sources.items[i].table] = 0;
    }
    ir_query_walk(parts->query, find_used, &used);
    for (int round = 0; round < JOINS_MOST; round++) {
        for (int i = 0; i < schema->edge_count; i++) {
            int *from = &far[schema->edges[i].from_table];
            int *to = &far[schema->edges[i].to_table];
            *to = *from + 1 < *to ? *from + 1 : *to;
            *from = *to + 1 < *from ? *to + 1 : *from;
        }
    }
    return far;
}

static void write_words(struct writer *writer, const char *key, const struct texts *words)
{
    writer_key(writer, key);
    writer_array(writer);
    for (size_t i = 0; i < words->count; i++) {
        writer_text(writer, words->items[i]);
    }
    writer_array_end(writer);
}

static void write_column(const struct parts *parts, int number, struct writer *writer)
{
    static const char *const types[] = {[IR_TYPE_TEXT] = "text",
                                        [IR_TYPE_NUMBER] = "number",
                                        [IR_TYPE_TIME] = "time",
                                        [IR_TYPE_BOOLEAN] = "boolean",
                                        [IR_TYPE_OTHER] = "other"};
    const struct ir_column *column = &parts->schema->columns[number];
    bool key = parts_is_key(parts->schema, number);
    struct texts figures = {0};
    struct texts tests = {0};
    for (const struct parts_word *word = parts_figures; word->word; word++) {
        bool counts = word->keyword == IR_COUNT || word->keyword == IR_COUNT_DISTINCT;
        if (parts_figure_fits(word->keyword, column) && (counts || !key)) {
            VEC_PUSH(parts->arena, &figures, word->word);
        }
    }
    parts_filter_tests(column, &tests, parts->arena);
    writer_object(writer);
    writer_key_text(writer, "column", parts_column_name(parts, number));
    writer_key_text(writer, "label",
                    parts_words(parts, ir_node_column(parts->arena, number, false)));
    writer_key_text(writer, "table", parts->schema->tables[column->table].name);
    writer_key_text(writer, "type", types[column->type]);
    if (key) {
        writer_key_bool(writer, "key", true);
    }
    write_words(writer, "figures", &figures);
    write_words(writer, "tests", &tests);
    writer_object_end(writer);
}

static void write_tables(const struct parts *parts, const int *far, struct writer *writer)
{
    writer_key(writer, "tables");
    writer_array(writer);
    for (int round = 0; round < FAR; round++) {
        for (int i = 0; i < parts->schema->table_count; i++) {
            if (far[i] == round) {
                writer_text(writer, parts->schema->tables[i].name);
            }
        }
    }
    writer_array_end(writer);
}

void parts_write_choices(const struct parts *parts, struct writer *writer)
{
    const struct ir_schema *schema = parts->schema;
    const int *far = distances(parts);
    int written = 0;
    writer_object(writer);
    write_tables(parts, far, writer);
    writer_key(writer, "columns");
    writer_array(writer);
    for (int round = 0; round < FAR; round++) {
        for (int i = 1; i < schema->column_count && written < COLUMNS_MOST; i++) {
            if (far[schema->columns[i].table] == round) {
                write_column(parts, i, writer);
                written++;
            }
        }
    }
    writer_array_end(writer);
    writer_object_end(writer);
}
