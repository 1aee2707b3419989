/* The accepted answers of a question, and its difficulty. */
#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "base/vec.h"
#include "lab/eval/eval_compare.h"
#include "lab/eval/eval_gold.h"
#include "lab/eval/eval_state.h"
#include "sql/describe/describe.h"
#include "sql/statement.h"

static void known_add(struct arena *arena, const struct eval_database *database,
                      const char *sql, struct eval_known *out)
{
    struct sql_statement statement;
    (void)sql_statement_read(arena, DIALECT_SQLITE, sql, strlen(sql), &statement);
    struct eval_answer answer = {.ordered = sql_statement_ordered(&statement)};
    rows_init(&answer.rows, arena);
    if (eval_gold(database->source->path, sql, &answer.rows)) {
        VEC_PUSH(arena, out, answer);
    }
}

void eval_known_read(struct arena *arena, const struct eval_database *database,
                     const json_t *item, struct eval_known *out)
{
    const char *query = json_text_at(item, "query");
    size_t index = 0;
    const json_t *also = NULL;
    if (query) {
        known_add(arena, database, query, out);
    }
    json_array_foreach(json_array_at(item, "also"), index, also)
    {
        if (json_is_string(also)) {
            known_add(arena, database, json_string_value(also), out);
        }
    }
}

bool eval_known_has(struct arena *arena, const struct eval_known *known,
                    struct eval_database *database, const char *sql)
{
    struct rows got;
    if (known->count == 0 || !eval_database_run(database, sql, arena, &got)) {
        return false;
    }
    for (size_t i = 0; i < known->count; i++) {
        const struct eval_answer *answer = &known->items[i];
        if (eval_same(arena, &answer->rows, &got, answer->ordered)) {
            return true;
        }
    }
    return false;
}

int eval_level(struct arena *arena, const char *sql)
{
    struct sql_shape shape;
    struct sql_statement statement;
    (void)sql_statement_read(arena, DIALECT_SQLITE, sql, strlen(sql), &statement);
    describe_shape(&statement, &shape);
    int weight = shape.joins + 2 * shape.subqueries + 2 * shape.set_operations +
                 (shape.group_by ? 1 : 0) + (shape.order_by ? 1 : 0) + 2 * shape.windows;
    return weight == 0 ? 0 : weight <= 1 ? 1 : weight <= 3 ? 2 : 3;
}
