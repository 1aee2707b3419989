/* A changed object becomes SQL, by the same writer as the parser's queries. */
#include "parser/parts/parts.h"

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/ir/ir_grammar.h"
#include "parser/parts/parts_state.h"
#include "parser/to_sql/rebuild.h"

enum { CELLS_MOST = 50 };

static bool refuse(struct err *err, const struct err *trouble)
{
    (void)err_set(err, ERR_CANNOT_ANSWER, "No query can be made of these parts.");
    (void)err_detail(err, "%s", trouble->message);
    return err_hint(err, "Undo the last change, or change the SQL instead.");
}

static bool write_sql(struct parts *parts, const struct ir_query *query, const char **sql,
                      const char **words, struct err *err)
{
    const struct parts_request *request = parts->request;
    struct rebuild_request rebuilding = {.schema = parts->schema,
                                         .values = &parts->values,
                                         .dialect = request->dialect,
                                         .question = request->question,
                                         .today = request->today,
                                         .headings = true};
    struct rebuild_result result = {0};
    struct ir_tokens tokens = {0};
    struct err trouble;
    err_clear(&trouble);
    if (!ir_tree_write(parts->arena, query, &tokens, &trouble) ||
        !ir_check(&tokens, parts->schema, parts->values.count, &trouble) ||
        !rebuild_sql(parts->arena, &rebuilding, &tokens, &result, &trouble)) {
        return refuse(err, &trouble);
    }
    if (result.cross_join) {
        (void)err_set(&trouble, ERR_CANNOT_ANSWER,
                      "Nothing says how the rows of these tables belong together.");
        return refuse(err, &trouble);
    }
    *sql = result.sql;
    return !words || rebuild_words(parts->arena, &rebuilding, &tokens, words, err);
}

bool parts_change(struct parts *parts, const json_t *changed, struct parts_change *out,
                  struct err *err)
{
    struct parts_making making = {
        .parts = parts,
        .query = arena_array(parts->arena, 1, sizeof(struct ir_query)),
        .err = err};
    *making.query = *parts->query;
    if (!parts_compose(&making, changed) || !parts_sources(&making) ||
        !write_sql(parts, making.query, &out->sql, &out->words, err)) {
        return false;
    }
    out->said = parts_said(&making);
    return out->said || err_set(err, ERR_INVALID_DATA, "Nothing was changed.");
}

bool parts_values_sql(struct parts *parts, const char *column, const char *search,
                      const char **sql, struct err *err)
{
    struct arena *arena = parts->arena;
    int number = parts_column_named(parts, column);
    if (number < 0) {
        return err_set(err, ERR_INVALID_DATA, "There is no column '%.80s'.",
                       str_or_empty(column));
    }
    if (search && strlen(search) > PARTS_TEXT) {
        return err_set(err, ERR_INVALID_DATA, "The text to search for is too long.");
    }
    struct ir_node *node = ir_node_column(arena, number, false);
    struct ir_node *star = ir_node_token(arena, (struct ir_token){IR_COLUMN, 0});
    struct ir_node *count = ir_node_call(arena, IR_COUNT, star, NULL);
    struct ir_query query = {.set = IR_PAD};
    struct ir_source source = {.table = parts->schema->columns[number].table};
    query.where = ir_node_call(arena, IR_NOT_NULL, node, NULL);
    if (!str_empty(search) && parts->schema->columns[number].type == IR_TYPE_TEXT) {
        query.where =
            ir_node_call(arena, IR_CONTAINS, node, parts_value(parts, search, true));
    }
    VEC_PUSH(arena, &query.sources, source);
    VEC_PUSH(arena, &query.select, node);
    VEC_PUSH(arena, &query.select, count);
    VEC_PUSH(arena, &query.group, node);
    VEC_PUSH(arena, &query.order, ((struct ir_order){count, true}));
    VEC_PUSH(arena, &query.order, ((struct ir_order){node, false}));
    query.limit = parts_value(parts, arena_format(arena, "%d", CELLS_MOST), false);
    return write_sql(parts, &query, sql, NULL, err);
}
