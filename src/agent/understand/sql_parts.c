/* A query taken apart into what the stages talk about. */
#include "agent/understand/sql_parts.h"

#include "base/arena.h"
#include "base/str.h"
#include "sql/function.h"
#include "sql/statement.h"

struct walk {
    struct arena *arena;
    enum dialect dialect;
    struct sql_parts *out;
};

static const char *print(const struct walk *walk, const struct sql_node *node)
{
    return sql_statement_print(walk->arena, walk->dialect, node);
}

static bool adds_up(const struct walk *walk, const struct sql_node *node)
{
    if (node->kind == SQL_CALL &&
        function_has(function_find(walk->dialect, node->text), 'a')) {
        return true;
    }
    for (size_t i = 0; i < node->count; i++) {
        if (node->children[i] && adds_up(walk, node->children[i])) {
            return true;
        }
    }
    return false;
}

static void add_items(struct walk *walk, const struct sql_node *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const char *text = print(walk, list->children[i]);
        VEC_PUSH(walk->arena, &walk->out->items, text);
        if (adds_up(walk, list->children[i])) {
            VEC_PUSH(walk->arena, &walk->out->aggregations, text);
        }
    }
}

static void add_list(struct walk *walk, const struct sql_node *list, struct texts *out)
{
    for (size_t i = 0; list && i < list->count; i++) {
        VEC_PUSH(walk->arena, out, print(walk, list->children[i]));
    }
}

static bool is_operator(const struct sql_node *node, const char *operator)
{
    return node->kind == SQL_BINARY && str_equal(node->text, operator);
}

/* One of several conditions that must all hold. */
static void add_condition(struct walk *walk, const struct sql_node *node,
                          struct texts *out)
{
    if (is_operator(node, "AND")) {
        add_condition(walk, node->children[PAIR_LEFT], out);
        add_condition(walk, node->children[PAIR_RIGHT], out);
        return;
    }
    const char *text = print(walk, node);
    bool either = is_operator(node, "OR");
    VEC_PUSH(walk->arena, out, either ? arena_format(walk->arena, "(%s)", text) : text);
}

static void add_conditions(struct walk *walk, const struct sql_node *node,
                           struct texts *out)
{
    if (node && is_operator(node, "AND")) {
        add_condition(walk, node, out);
    } else if (node) {
        VEC_PUSH(walk->arena, out, print(walk, node));
    }
}

static void add_joins(struct walk *walk, const struct sql_node *node)
{
    if (node->kind == SQL_JOIN) {
        add_joins(walk, node->children[JOIN_LEFT]);
        add_joins(walk, node->children[JOIN_RIGHT]);
        add_conditions(walk, node->children[JOIN_ON], &walk->out->joins);
    } else if (node->kind == SQL_LIST || node->kind == SQL_JOIN_GROUP) {
        for (size_t i = 0; i < node->count; i++) {
            if (node->children[i]) {
                add_joins(walk, node->children[i]);
            }
        }
    }
}

static void add_select(struct walk *walk, const struct sql_node *select)
{
    add_items(walk, select->children[SELECT_ITEMS]);
    if (select->children[SELECT_FROM]) {
        add_joins(walk, select->children[SELECT_FROM]);
    }
    add_conditions(walk, select->children[SELECT_PREWHERE], &walk->out->filters);
    add_conditions(walk, select->children[SELECT_WHERE], &walk->out->filters);
    add_list(walk, select->children[SELECT_GROUP], &walk->out->groups);
    add_conditions(walk, select->children[SELECT_HAVING], &walk->out->conditions);
}

static void add_limit(struct walk *walk, const struct sql_node *query)
{
    const struct sql_node *limit = query->children[QUERY_LIMIT];
    const struct sql_node *offset = query->children[QUERY_OFFSET];
    if (limit) {
        walk->out->limit =
            arena_format(walk->arena, "%s%s%s", print(walk, limit),
                         offset ? " OFFSET " : "", offset ? print(walk, offset) : "");
    }
}

void sql_parts_read(struct arena *arena, const struct sql_statement *statement,
                    struct sql_parts *out)
{
    struct walk walk = {.arena = arena, .dialect = statement->dialect, .out = out};
    const struct sql_node *node = statement->root;
    *out = (struct sql_parts){0};
    while (sql_is(node, SQL_QUERY) || sql_is(node, SQL_SET_OPERATION)) {
        if (node->kind == SQL_QUERY &&
            !sql_is(node->children[QUERY_BODY], SQL_SET_OPERATION)) {
            add_list(&walk, node->children[QUERY_ORDER], &out->order);
            add_limit(&walk, node);
        }
        node = node->children[node->kind == SQL_QUERY ? QUERY_BODY : PAIR_LEFT];
    }
    if (sql_is(node, SQL_SELECT)) {
        add_select(&walk, node);
    }
}

static void add_step(struct arena *arena, struct texts *out, const char *before,
                     const struct texts *texts, const char *between)
{
    if (texts->count) {
        VEC_PUSH(arena, out,
                 arena_format(arena, "%s %s.", before, str_join(arena, texts, between)));
    }
}

void sql_parts_steps(struct arena *arena, const struct sql_parts *parts,
                     const struct texts *tables, struct texts *out)
{
    add_step(arena, out, "Read", tables, ", ");
    add_step(arena, out, "Join them where", &parts->joins, " and ");
    add_step(arena, out, "Keep the rows where", &parts->filters, " and ");
    add_step(arena, out, "Make a group for each", &parts->groups, ", ");
    add_step(arena, out, "Work out", &parts->aggregations, ", ");
    add_step(arena, out, "Keep the groups where", &parts->conditions, " and ");
    add_step(arena, out, "Sort by", &parts->order, ", ");
    if (parts->limit) {
        VEC_PUSH(arena, out, arena_format(arena, "Take the first %s.", parts->limit));
    }
}
