/* Queries: WITH, SELECT, VALUES, UNION and its like. */
#include "sql/guard/guard_state.h"

#include "base/str.h"

static bool query_within(struct guard *guard, const struct sql_node *query,
                         struct guard_cte *cte, bool compound);

static bool values_row(struct guard *guard, const struct sql_node *row)
{
    if (!guard_expect(guard, row, SQL_TUPLE)) {
        return false;
    }
    for (size_t i = 0; i < row->count; i++) {
        if (!guard_value(guard, row->children[i])) {
            return false;
        }
    }
    return true;
}

static bool values_rows(struct guard *guard, const struct sql_node *values)
{
    for (size_t i = 0; i < values->count; i++) {
        if (!values_row(guard, values->children[i])) {
            return false;
        }
    }
    guard_output_values(guard, values);
    return true;
}

/* One SELECT or VALUES; `query` is the one whose ORDER BY and LIMIT end it, or NULL. */
static bool query_core(struct guard *guard, const struct sql_node *core,
                       const struct sql_node *query, bool compound)
{
    struct guard_scope *scope = ARENA_NEW(guard->arena, struct guard_scope);
    bool values = core->kind == SQL_VALUES;
    guard_scope_open(guard, scope);
    if (values ? !values_rows(guard, core) : !guard_select(guard, core)) {
        return false;
    }
    const struct guard_output *output = guard->output;
    if (query && !guard_tail(guard, query, compound)) {
        return false;
    }
    guard->output = output;
    if (!values) {
        guard_output_select(guard);
    }
    guard_scope_close(guard);
    guard->closed = scope;
    return true;
}

/* ORDER BY and LIMIT behind a query in parentheses. */
static bool tail_outside(struct guard *guard, const struct sql_node *query)
{
    /* PostgreSQL reads (SELECT … FROM t) ORDER BY t.x as if no parentheses were there */
    struct guard_scope *inner = guard->closed;
    bool reopened = guard_dialect(guard, "po") && inner && inner->parent == guard->scope;
    if (reopened) {
        inner->references = (struct guard_references){0};
        guard->scope = inner;
    }
    guard->unsure++;
    bool ok = guard_tail(guard, query, true);
    guard->unsure--;
    if (reopened && ok) {
        guard_scope_close(guard);
    }
    return ok;
}

/* ClickHouse reads ORDER BY and LIMIT before UNION as those of one SELECT; the tree has a
 * query of its own for it, which stands in no parentheses. */
static bool is_bare(const struct guard *guard, const struct sql_node *query)
{
    const struct token *first = guard_first(guard, query);
    return guard_dialect(guard, "c") && first->start > 0 &&
           !token_is_punct(first - 1, "(");
}

static bool query_term(struct guard *guard, const struct sql_node *term,
                       const struct sql_node *query, bool compound)
{
    if (!guard_listed(guard, term)) {
        return false;
    }
    if (term->kind == SQL_SELECT || term->kind == SQL_VALUES) {
        return query_core(guard, term, query, compound);
    }
    if (term->kind != SQL_QUERY) {
        return guard_unexpected(guard, guard_first(guard, term));
    }
    return query_within(guard, term, NULL, compound && is_bare(guard, term)) &&
           (!query || tail_outside(guard, query));
}

/* SELECT … UNION SELECT …, in the order of the text */
struct terms {
    struct term {
        const struct sql_node *operation; /* before it; NULL for the first */
        const struct sql_node *node;
    } * items;
    size_t count;
    size_t capacity;
};

/* The left side of set operations is as long as the statement, the right one is not: only
 * INTERSECT stands there without parentheses. */
static bool collect_terms(struct guard *guard, const struct sql_node *body,
                          const struct sql_node *operation, struct terms *terms)
{
    struct guard_spine spine = {0};
    if (!guard_enter(guard, body)) {
        return false;
    }
    for (; sql_is(body, SQL_SET_OPERATION); body = body->children[PAIR_LEFT]) {
        if (!guard_expect(guard, body, SQL_SET_OPERATION)) {
            return false;
        }
        VEC_PUSH(guard->arena, &spine, body);
    }
    VEC_PUSH(guard->arena, terms, ((struct term){operation, body}));
    for (size_t i = spine.count; i > 0; i--) {
        const struct sql_node *one = spine.items[i - 1];
        if (!guard_listed(guard, one->children[PAIR_RIGHT]) ||
            !collect_terms(guard, one->children[PAIR_RIGHT], one, terms)) {
            return false;
        }
    }
    guard->depth--;
    return true;
}

/* `cte` becomes visible to the terms after the first UNION. */
static bool query_terms(struct guard *guard, const struct sql_node *query,
                        struct guard_cte *cte, bool compound)
{
    const struct sql_node *body = query->children[QUERY_BODY];
    struct terms terms = {0};
    if (!guard_listed(guard, body) || !collect_terms(guard, body, NULL, &terms)) {
        return false;
    }
    const struct guard_output *first = NULL; /* names the columns of all */
    for (size_t i = 0; i < terms.count; i++) {
        const struct term *term = &terms.items[i];
        if (cte && term->operation && str_equal(term->operation->text, "UNION")) {
            cte->visible = true;
        }
        if (!query_term(guard, term->node, i + 1 == terms.count ? query : NULL,
                        compound || i > 0)) {
            return false;
        }
        first = i == 0 ? guard->output : first;
        guard->output = first;
        if (cte && i == 0) {
            cte->output = guard_output_renamed(guard, first, &cte->names);
        }
    }
    return true;
}

/* The body of a CTE may name itself after its first UNION: before that the name is a
 * table. Taking a table for a CTE would let it pass unseen, so the CTE must be certain.
 */
static bool cte_body(struct guard *guard, const struct sql_node *body,
                     struct guard_cte *cte, bool recursive)
{
    struct guard_cte *outer = guard->ctes;
    if (recursive) {
        guard->ctes = cte;
    }
    if (!guard_listed(guard, body)) {
        return false;
    }
    bool own = !sql_child(body, QUERY_WITH);
    bool ok = query_within(guard, body, own ? cte : NULL, false);
    cte->output = guard_output_renamed(guard, guard->output, &cte->names);
    guard->ctes = outer;
    return ok;
}

/* ClickHouse: name, database.name, (name), + name */
static bool is_name_alone(const struct sql_node *value)
{
    while (sql_is(value, SQL_UNARY) && str_equal(value->text, "+")) {
        value = value->children[SINGLE_VALUE];
    }
    return sql_is(value, SQL_COLUMN);
}

/* ClickHouse: WITH 5 AS n */
static bool check_named_value(struct guard *guard, const struct sql_node *node)
{
    const struct sql_node *value = node->children[SINGLE_VALUE];
    if (!guard_value(guard, value)) {
        return false;
    }
    struct guard_cte *named = ARENA_NEW(guard->arena, struct guard_cte);
    *named = (struct guard_cte){.outer = guard->ctes,
                                .visible = true,
                                .value = true,
                                .renames = is_name_alone(value),
                                .name = guard_last(guard, node)};
    guard->ctes = named;
    return true;
}

static bool check_cte(struct guard *guard, const struct sql_node *node, bool recursive)
{
    if (!guard_listed(guard, node)) {
        return false;
    }
    if (node->kind == SQL_CTE_VALUE) {
        return check_named_value(guard, node);
    }
    if (!guard_expect(guard, node, SQL_CTE)) {
        return false;
    }
    struct guard_cte *cte = ARENA_NEW(guard->arena, struct guard_cte);
    *cte = (struct guard_cte){.outer = guard->ctes, .name = guard_first(guard, node)};
    guard_note(guard, &guard->out->ctes, node->text);
    const struct sql_node *names = node->children[CTE_COLUMNS];
    for (size_t i = 0; names && i < names->count; i++) {
        if (!guard_expect(guard, names, SQL_LIST) ||
            !guard_expect(guard, names->children[i], SQL_NAME)) {
            return false;
        }
        guard_output_name(guard, &cte->names, guard_first(guard, names->children[i]));
    }
    if (!cte_body(guard, node->children[CTE_BODY], cte,
                  recursive || guard_dialect(guard, "s"))) {
        return false;
    }
    cte->visible = true;
    guard->ctes = cte;
    return true;
}

static bool query_with(struct guard *guard, const struct sql_node *query)
{
    const struct sql_node *with = query->children[QUERY_WITH];
    if (with && !guard_expect(guard, with, SQL_LIST)) {
        return false;
    }
    for (size_t i = 0; with && i < with->count; i++) {
        if (!check_cte(guard, with->children[i], sql_has(query, FLAG_RECURSIVE))) {
            return false;
        }
    }
    return true;
}

/* `cte`: the query is its body; compound: it stands behind UNION, without parentheses */
static bool query_within(struct guard *guard, const struct sql_node *query,
                         struct guard_cte *cte, bool compound)
{
    if (!guard_expect(guard, query, SQL_QUERY) || !guard_enter(guard, query)) {
        return false;
    }
    struct guard_cte *outer = guard->ctes;
    /* its WITH also names expressions */
    int named = query->children[QUERY_WITH] && guard_dialect(guard, "c");
    guard->unsure += named;
    bool ok = query_with(guard, query) && query_terms(guard, query, cte, compound);
    guard->unsure -= named;
    guard->ctes = outer;
    guard->depth--;
    return ok;
}

bool guard_query(struct guard *guard, const struct sql_node *query)
{
    return query_within(guard, query, NULL, false);
}
