/* Queries: WITH, SELECT, VALUES, UNION and its like. */
#include "sql/guard/guard_state.h"

bool guard_at_query(const struct guard *guard)
{
    return guard_at(guard, KEYWORD_select) || guard_at(guard, KEYWORD_with) ||
           guard_at(guard, KEYWORD_values) ||
           (guard_at(guard, KEYWORD_from) && guard_dialect(guard, "d"));
}

bool guard_at_set_operation(const struct guard *guard)
{
    return guard_at(guard, KEYWORD_union) || guard_at(guard, KEYWORD_intersect) ||
           guard_at(guard, KEYWORD_except) ||
           (guard_at(guard, KEYWORD_minus) && guard_dialect(guard, "o"));
}

static bool values_rows(struct guard *guard)
{
    const struct token *first = ++guard->at;
    do {
        if (guard_dialect(guard, "m")) {
            guard_take(guard, KEYWORD_row);
        }
        if (!guard_at_char(guard, '(')) {
            return guard_unexpected(guard);
        }
        if (!guard_parentheses(guard)) {
            return false;
        }
    } while (guard_take_char(guard, ','));
    guard_output_values(guard, first);
    return true;
}

static bool select_core(struct guard *guard, bool compound)
{
    struct guard_scope *scope = ARENA_NEW(guard->arena, struct guard_scope);
    guard_scope_open(guard, scope);
    bool ok = true;
    bool values = guard_at(guard, KEYWORD_values);
    if (guard_take(guard, KEYWORD_select)) {
        ok = guard_select_list(guard);
    } else if (values) {
        ok = values_rows(guard);
    } else {
        scope->star = true; /* DuckDB: FROM t, with or without a SELECT behind it */
    }
    const struct guard_output *output = guard->output;
    ok = ok && guard_clauses(guard, compound);
    if (ok) {
        guard->output = output;
        if (!values) {
            guard_output_select(guard);
        }
        guard_scope_close(guard);
        guard->closed = scope;
    }
    return ok;
}

static bool query_term(struct guard *guard, bool compound)
{
    if (guard_at_char(guard, '(')) {
        guard->at++;
        if (!guard_query(guard)) {
            return false;
        }
        if (!guard_at_char(guard, ')')) {
            return guard_unexpected(guard);
        }
        guard->query_close = guard->at++;
        return guard_tail(guard);
    }
    if (guard_at(guard, KEYWORD_with)) {
        return guard_query(guard);
    }
    if (guard_at_query(guard)) {
        return select_core(guard, compound);
    }
    if (guard_at(guard, KEYWORD_insert) || guard_at(guard, KEYWORD_update) ||
        guard_at(guard, KEYWORD_delete) || guard_at_text(guard, "merge")) {
        return guard_refuse(guard, guard->at,
                            "A write inside a query or behind WITH is not allowed.");
    }
    return guard_unexpected(guard);
}

/* UNION ALL term … ; `cte` becomes visible to the terms after the first UNION. */
static bool query_terms(struct guard *guard, struct guard_cte *cte)
{
    const struct guard_output *first = guard->output; /* names the columns of all */
    while (guard_at_set_operation(guard)) {
        bool is_union = guard_at(guard, KEYWORD_union);
        guard->at++;
        if (!guard_take(guard, KEYWORD_all)) {
            guard_take(guard, KEYWORD_distinct);
        }
        if (guard_at(guard, KEYWORD_by) && guard_dialect(guard, "d")) {
            guard->at++;
            if (!guard_take_text(guard, "name")) {
                return guard_unexpected(guard);
            }
        }
        if (cte && is_union) {
            cte->visible = true;
        }
        if (!query_term(guard, true)) {
            return false;
        }
        guard->output = first;
    }
    return true;
}

bool guard_query_more(struct guard *guard)
{
    return query_terms(guard, NULL) && guard_tail(guard);
}

/* The body of a CTE may name itself after its first UNION: before that the name is a
 * table. Taking a table for a CTE would let it pass unseen, so the CTE must be certain.
 */
static bool cte_body(struct guard *guard, struct guard_cte *cte, bool recursive,
                     const struct guard_output *names)
{
    if (!guard_expect_char(guard, '(')) {
        return false;
    }
    struct guard_cte *outer = guard->ctes;
    if (recursive) {
        guard->ctes = cte;
    }
    bool ok;
    if (guard_at(guard, KEYWORD_with)) {
        ok = guard_query(guard);
    } else {
        ok = query_term(guard, false);
        cte->output = guard_output_renamed(guard, guard->output, names);
        ok = ok && query_terms(guard, cte);
    }
    cte->output = guard_output_renamed(guard, guard->output, names);
    guard->ctes = outer;
    return ok && guard_expect_char(guard, ')');
}

static bool is_name(const struct token *token)
{
    return token->kind == TOKEN_WORD || token->kind == TOKEN_NAME;
}

/* ClickHouse: name, database.name, (name), + name */
static bool is_name_alone(const struct token *at, const struct token *end)
{
    while (token_is_punct(at, "(") || token_is_punct(at, "+")) {
        at++;
    }
    if (!is_name(at++)) {
        return false;
    }
    while (token_is_punct(at, ".") && is_name(at + 1)) {
        at += 2;
    }
    while (at < end && token_is_punct(at, ")")) {
        at++;
    }
    return at >= end;
}

static bool check_cte(struct guard *guard, bool recursive)
{
    const struct token *from = guard->at;
    if (guard_dialect(guard, "c") &&
        !(guard_at_name(guard) && guard_next_is(guard, KEYWORD_as) &&
          token_is_punct(guard->at + 2, "("))) {
        if (!guard_expression(guard)) { /* ClickHouse: WITH 5 AS n */
            return false;
        }
        if (!guard_take(guard, KEYWORD_as) || !guard_at_name(guard)) {
            return guard_unexpected(guard);
        }
        struct guard_cte *value = ARENA_NEW(guard->arena, struct guard_cte);
        *value = (struct guard_cte){.outer = guard->ctes,
                                    .visible = true,
                                    .value = true,
                                    .renames = is_name_alone(from, guard->at - 1)};
        value->name = guard->at++;
        guard->ctes = value;
        return true;
    }
    if (!guard_at_name(guard)) {
        return guard_unexpected(guard);
    }
    struct guard_cte *cte = ARENA_NEW(guard->arena, struct guard_cte);
    cte->name = guard->at++;
    cte->outer = guard->ctes;
    guard_note(guard, &guard->out->ctes, cte->name->text);
    struct guard_output names = {0};
    if (guard_at_char(guard, '(') && !guard_names_in_parentheses(guard, false, &names)) {
        return false;
    }
    if (!guard_take(guard, KEYWORD_as)) {
        return guard_unexpected(guard);
    }
    if (guard_dialect(guard, "sdp")) {
        guard_take(guard, KEYWORD_not);
        guard_take(guard, KEYWORD_materialized);
    }
    if (!cte_body(guard, cte, recursive || guard_dialect(guard, "s"), &names)) {
        return false;
    }
    cte->visible = true;
    guard->ctes = cte;
    return true;
}

static bool check_query(struct guard *guard)
{
    if (guard_take(guard, KEYWORD_with)) {
        bool recursive = guard_take(guard, KEYWORD_recursive);
        guard->unsure += guard_dialect(guard, "c"); /* its WITH also names expressions */
        do {
            if (!check_cte(guard, recursive)) {
                return false;
            }
        } while (guard_take_char(guard, ','));
        bool ok = query_term(guard, false) && query_terms(guard, NULL);
        guard->unsure -= guard_dialect(guard, "c");
        return ok;
    }
    return query_term(guard, false) && query_terms(guard, NULL);
}

bool guard_query(struct guard *guard)
{
    if (!guard_enter(guard)) {
        return false;
    }
    struct guard_cte *outer = guard->ctes;
    bool ok = check_query(guard);
    guard->ctes = outer;
    guard->depth--;
    return ok;
}
