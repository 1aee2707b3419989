/* SELECT … FROM … WHERE … as a query of the IR. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/ir/ir_schema.h"
#include "parser/from_sql/sql_to_ir_state.h"

/* Steps over what is in the brackets, to read FROM before SELECT. */
static size_t find_from(const struct sql_reading *reading)
{
    int depth = 0;
    for (size_t i = reading->at; i < reading->tokens.count; i++) {
        const struct token *token = &reading->tokens.items[i];
        if (token_is_punct(token, "(")) {
            depth++;
        } else if (token_is_punct(token, ")")) {
            if (depth-- == 0) {
                break;
            }
        } else if (depth == 0 && token_is(token, "from")) {
            return i;
        } else if (depth == 0 &&
                   (token_is_punct(token, ";") || token_is(token, "union") ||
                    token_is(token, "intersect") || token_is(token, "except"))) {
            break;
        }
    }
    return 0;
}

/* T.* as the table's token; NULL when that is not what comes next. */
static struct ir_node *read_table_star(struct sql_reading *reading,
                                       const struct sql_scope *scope)
{
    const struct token *name = sql_peek(reading, 0);
    if ((name->kind != TOKEN_WORD && name->kind != TOKEN_NAME) ||
        !token_is_punct(sql_peek(reading, 1), ".") ||
        !token_is_punct(sql_peek(reading, 2), "*")) {
        return NULL;
    }
    for (size_t i = 0; i < scope->entries.count; i++) {
        const struct sql_entry *entry = &scope->entries.items[i];
        if (!str_equal_nocase(entry->alias, name->text)) {
            continue;
        }
        if (entry->second) {
            return sql_fail(reading, "All columns of a second copy.");
        }
        reading->at += 3;
        if (scope->entries.count == 1) {
            return ir_node_column(reading->arena, 0, false);
        }
        return ir_node_token(reading->arena, (struct ir_token){IR_TABLE, entry->table});
    }
    return sql_fail(reading, "There is no table '%s' here.", name->text);
}

static const char *node_name(const struct sql_reading *reading,
                             const struct ir_node *node)
{
    return ir_node_is_column(node) ? reading->schema->columns[node->token.index].name
                                   : NULL;
}

static void read_item(struct sql_reading *reading, struct sql_scope *scope)
{
    struct ir_node *node;
    const char *name;
    if (sql_eat_punct(reading, "*")) {
        node = ir_node_column(reading->arena, 0, false);
    } else {
        node = read_table_star(reading, scope);
        node = node ? node : sql_read_condition(reading);
    }
    name = node_name(reading, node);
    if (node->kind == IR_NODE_ITEM && scope->entries.count == 1 &&
        scope->entries.items[0].names) {
        name = scope->entries.items[0].names->items[node->item - 1];
    }
    bool as = sql_eat(reading, "as");
    const struct token *next = sql_peek(reading, 0);
    if (as || sql_is_name(next) || next->kind == TOKEN_STRING) {
        if (!token_is(next, "from") || as) {
            name = next->text;
            reading->at++;
            struct sql_alias alias = {name, node};
            VEC_PUSH(reading->arena, &scope->aliases, alias);
        }
    }
    VEC_PUSH(reading->arena, &scope->query->select, node);
    VEC_PUSH(reading->arena, &scope->names, name);
}

/* `1` in GROUP BY and ORDER BY is the first thing selected. */
static struct ir_node *read_or_position(struct sql_reading *reading,
                                        const struct sql_scope *scope)
{
    const struct token *token = sql_peek(reading, 0);
    const struct token *after = sql_peek(reading, 1);
    int64_t position;
    if (token->kind == TOKEN_NUMBER &&
        !(after->kind == TOKEN_PUNCT && strchr("+-*/%|", after->text[0])) &&
        str_to_int(token->text, &position) && position >= 1 &&
        position <= (int64_t)scope->query->select.count) {
        reading->at++;
        return scope->query->select.items[position - 1];
    }
    return sql_read_expression(reading);
}

static void read_group(struct sql_reading *reading, struct sql_scope *scope)
{
    sql_need(reading, "by");
    do {
        struct ir_node *node = read_or_position(reading, scope);
        VEC_PUSH(reading->arena, &scope->query->group, node);
    } while (sql_eat_punct(reading, ","));
    if (sql_eat(reading, "having")) {
        scope->query->having = sql_read_condition(reading);
    }
}

static void read_order(struct sql_reading *reading, struct sql_scope *scope)
{
    sql_need(reading, "by");
    scope->in_order = true;
    do {
        struct ir_order order = {read_or_position(reading, scope), false};
        if (sql_eat(reading, "desc")) {
            order.descending = true;
        } else {
            (void)sql_eat(reading, "asc");
        }
        if (sql_eat(reading, "nulls")) {
            reading->at++;
        }
        VEC_PUSH(reading->arena, &scope->query->order, order);
    } while (sql_eat_punct(reading, ","));
    scope->in_order = false;
}

static struct ir_node *read_count(struct sql_reading *reading)
{
    const struct token *token = sql_peek(reading, 0);
    int64_t number;
    if (token->kind != TOKEN_NUMBER || !str_to_int(token->text, &number)) {
        return sql_fail(reading, "A limit must be a number.");
    }
    reading->at++;
    if (number == 1) {
        return ir_node_token(reading->arena, (struct ir_token){IR_FIXED, IR_FIXED_ONE});
    }
    return sql_number(reading, token->text);
}

static void read_limit(struct sql_reading *reading, struct sql_scope *scope)
{
    struct ir_query *query = scope->query;
    query->limit = read_count(reading);
    if (sql_eat(reading, "offset")) {
        query->offset = read_count(reading);
    } else if (sql_eat_punct(reading, ",")) {
        query->offset = query->limit;
        query->limit = read_count(reading);
    }
    if (sql_eat(reading, "per")) { /* our own: the first N of each */
        do {
            VEC_PUSH(reading->arena, &query->per, sql_read_expression(reading));
        } while (sql_eat_punct(reading, ","));
    }
}

/* SELECT without FROM: one row of the first table asked in the queries inside. */
static void borrow_source(void *context, struct ir_node *node)
{
    struct sql_scope *scope = context;
    if (node->kind == IR_NODE_QUERY && scope->query->sources.count == 0) {
        scope->query->sources = node->query->sources;
    }
}

static void read_without_from(struct sql_reading *reading, struct sql_scope *scope)
{
    do {
        read_item(reading, scope);
    } while (sql_eat_punct(reading, ","));
    for (size_t i = 0; i < scope->query->select.count; i++) {
        ir_node_walk(scope->query->select.items[i], borrow_source, scope);
    }
    if (scope->query->sources.count == 0) {
        sql_fail(reading, "A query without a table.");
        return;
    }
    struct ir_source *source = ARENA_NEW(reading->arena, struct ir_source);
    source->table = scope->query->sources.items[0].table;
    scope->query->sources.items = source;
    scope->query->sources.count = scope->query->sources.capacity = 1;
    scope->query->limit =
        ir_node_token(reading->arena, (struct ir_token){IR_FIXED, IR_FIXED_ONE});
}

static void read_select(struct sql_reading *reading, struct sql_scope *scope)
{
    sql_need(reading, "select");
    scope->query->distinct = sql_eat(reading, "distinct");
    size_t start = reading->at;
    size_t from = find_from(reading);
    if (from == 0) {
        read_without_from(reading, scope);
        return;
    }
    reading->at = from + 1;
    sql_read_from(reading, scope);
    size_t end = reading->at;
    if (reading->failed) {
        return;
    }
    reading->at = start;
    do {
        read_item(reading, scope);
    } while (sql_eat_punct(reading, ","));
    if (!reading->failed && reading->at != from) {
        sql_fail(reading, "Cannot read on at '%s'.", sql_peek(reading, 0)->text);
    }
    reading->at = reading->failed ? reading->at : end;
    if (sql_eat(reading, "where")) {
        scope->query->where = sql_read_condition(reading);
    }
}

static void read_set(struct sql_reading *reading, struct sql_scope *scope)
{
    static const struct {
        const char *word;
        enum ir_keyword keyword;
    } rows[] = {{"intersect", IR_INTERSECT}, {"union", IR_UNION}, {"except", IR_EXCEPT}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!sql_eat(reading, rows[i].word)) {
            continue;
        }
        scope->query->set = rows[i].keyword;
        if (sql_eat(reading, "all")) {
            if (rows[i].keyword != IR_UNION) {
                sql_fail(reading, "ALL is known for UNION only.");
            }
            scope->query->set = IR_UNION_ALL;
        }
        (void)sql_eat(reading, "distinct");
        bool before = reading->right_part;
        reading->right_part = scope->query->limit == NULL;
        scope->query->set_query = sql_read_query(reading, scope->around, NULL);
        reading->right_part = before;
        return;
    }
}

static void read_withs(struct sql_reading *reading)
{
    if (!sql_eat(reading, "with")) {
        return;
    }
    if (reading->depth > 1) { /* read_with counts on the list staying as it is */
        sql_fail(reading, "WITH inside a query.");
        return;
    }
    do {
        struct sql_with with = {sql_peek(reading, 0)->text, 0};
        reading->at++;
        sql_need(reading, "as");
        sql_need(reading, "(");
        with.start = reading->at;
        VEC_PUSH(reading->arena, &reading->withs, with);
        for (int depth = 1; depth > 0 && sql_peek(reading, 0)->kind != TOKEN_END;) {
            depth += sql_next_punct(reading, "(") - sql_next_punct(reading, ")");
            reading->at++;
        }
    } while (sql_eat_punct(reading, ","));
}

struct ir_query *sql_read_query(struct sql_reading *reading, struct sql_scope *around,
                                struct texts *names)
{
    struct sql_scope *scope = ARENA_NEW(reading->arena, struct sql_scope);
    scope->query = ARENA_NEW(reading->arena, struct ir_query);
    scope->around = around;
    if (++reading->depth > SQL_DEPTH_MAX) {
        sql_fail(reading, "The query is too deep.");
        return scope->query;
    }
    struct sql_scope *before = reading->scope;
    bool right_part = reading->right_part;
    reading->right_part = false;
    read_withs(reading);
    reading->scope = scope;
    read_select(reading, scope);
    if (sql_eat(reading, "group")) {
        read_group(reading, scope);
    }
    if (sql_eat(reading, "order")) {
        read_order(reading, scope);
    }
    if (sql_eat(reading, "limit")) {
        read_limit(reading, scope);
    }
    if (!reading->failed && scope->query->from) {
        (void)sql_merge(reading, scope, right_part);
    } else if (!reading->failed) {
        sql_settle_joins(reading, scope);
    }
    if (!reading->failed) {
        sql_settle_shares(scope->query);
    }
    read_set(reading, scope);
    reading->scope = before;
    reading->depth--;
    if (names) {
        *names = scope->names;
    }
    return scope->query;
}
