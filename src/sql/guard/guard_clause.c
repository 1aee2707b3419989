/* The clauses of one SELECT: its list, WHERE, GROUP BY, ORDER BY, LIMIT and the rest. */
#include "sql/guard/guard_state.h"

#include <strings.h>

/* Options after a star: EXCLUDE (a), EXCEPT (a), REPLACE (x AS a), RENAME (a AS b). */
bool guard_star_options(struct guard *guard)
{
    for (;;) {
        bool except = guard_at(guard, KEYWORD_except) && guard_next_char(guard, '(') &&
                      guard_dialect(guard, "bc") &&
                      guard->at[2].keyword != KEYWORD_select;
        if (except || (guard_at(guard, KEYWORD_exclude) && guard_dialect(guard, "d"))) {
            guard->at++;
            if (guard_at_char(guard, '(')) {
                if (!guard_names_in_parentheses(guard, false, NULL)) {
                    return false;
                }
            } else if (guard_at_name(guard)) {
                guard->at++;
            } else {
                return guard_unexpected(guard);
            }
        } else if ((guard_at(guard, KEYWORD_replace) ||
                    guard_at(guard, KEYWORD_rename)) &&
                   guard_next_char(guard, '(') && guard_dialect(guard, "dbc")) {
            guard->at += 2;
            do {
                if (!guard_expression(guard)) {
                    return false;
                }
                if (guard_take(guard, KEYWORD_as)) {
                    if (!guard_at_name(guard)) {
                        return guard_unexpected(guard);
                    }
                    guard->at++;
                }
            } while (guard_take_char(guard, ','));
            if (!guard_expect_char(guard, ')')) {
                return false;
            }
        } else {
            return true;
        }
    }
}

/* After AS nearly every word may be a name; these would swallow a clause. */
static bool swallows_clause(const struct token *token)
{
    return token->keyword == KEYWORD_from || token->keyword == KEYWORD_into ||
           token->keyword == KEYWORD_select || token->keyword == KEYWORD_where ||
           token->keyword == KEYWORD_union;
}

static bool select_alias(struct guard *guard, const struct token **alias)
{
    bool as = guard_take(guard, KEYWORD_as);
    const struct token *token = guard->at;
    bool named = token->kind == TOKEN_NAME ||
                 (token->kind == TOKEN_STRING && (as || guard_dialect(guard, "sm")));
    if (named || (as ? token->kind == TOKEN_WORD && !swallows_clause(token)
                     : guard_at_alias(guard))) {
        guard_scope_alias(guard, token->text);
        *alias = token;
        guard->at++;
        return true;
    }
    return !as || guard_unexpected(guard);
}

static bool select_item(struct guard *guard)
{
    /* DuckDB writes an alias before its expression too: SELECT total: sum(x) */
    if (guard_dialect(guard, "d") && guard_at_name(guard) &&
        guard_next_char(guard, ':')) {
        guard_scope_alias(guard, guard->at->text);
        guard->at += 2;
    }
    const struct token *start = guard->at;
    if (!guard_expression(guard)) {
        return false;
    }
    if (token_is_punct(guard->at - 1, "*")) {
        guard_scope_star(guard);
        if (!guard_star_options(guard)) {
            return false;
        }
    }
    const struct token *end = guard->at;
    const struct token *alias = NULL;
    if (!select_alias(guard, &alias)) {
        return false;
    }
    guard_output_item(guard, start, end, alias);
    return true;
}

bool guard_select_list(struct guard *guard)
{
    if (guard_take(guard, KEYWORD_distinct)) {
        if (guard_at(guard, KEYWORD_on) && guard_dialect(guard, "dpc")) {
            guard->at++;
            if (!guard_at_char(guard, '(') || !guard_parentheses(guard)) {
                return guard_at_char(guard, '(') ? false : guard_unexpected(guard);
            }
        }
    } else {
        guard_take(guard, KEYWORD_all);
    }
    if (guard_dialect(guard, "o") && guard_at(guard, KEYWORD_top) &&
        guard->at[1].kind == TOKEN_NUMBER) {
        guard->at += 2;
    }
    if (guard_dialect(guard, "m") && guard->at->kind == TOKEN_WORD &&
        (strncasecmp(guard->at->text, "sql_", 4) == 0 ||
         token_is(guard->at, "high_priority"))) {
        return guard_unexpected(
            guard); /* they change how the server works, or its state */
    }
    if (guard_dialect(guard, "b") && guard_at(guard, KEYWORD_as)) {
        guard->at++;
        if (!guard_take(guard, KEYWORD_struct) && !guard_take_text(guard, "value")) {
            return guard_unexpected(guard);
        }
    }
    if (guard_at(guard, KEYWORD_from) && guard_dialect(guard, "p")) {
        return true; /* EXISTS (SELECT FROM t) */
    }
    do {
        if (guard_at(guard, KEYWORD_from) && guard_dialect(guard, "db")) {
            return true; /* a comma at the end of the list */
        }
        if (!select_item(guard)) {
            return false;
        }
    } while (guard_take_char(guard, ','));
    return true;
}

static bool grouping_sets(struct guard *guard)
{
    guard->at += 2;
    if (!guard_expect_char(guard, '(')) {
        return false;
    }
    do {
        if (guard_at_char(guard, '(') && guard_next_char(guard, ')')) {
            guard->at += 2;
        } else if (!guard_expression(guard)) {
            return false;
        }
    } while (guard_take_char(guard, ','));
    return guard_expect_char(guard, ')');
}

static bool clause_group(struct guard *guard)
{
    if (!guard_take(guard, KEYWORD_by)) {
        return guard_unexpected(guard);
    }
    if (guard_take(guard, KEYWORD_all)) {
        return guard_dialect(guard, "dcb") || (guard->at--, guard_unexpected(guard));
    }
    do {
        bool sets =
            guard_at(guard, KEYWORD_grouping) && guard_next_is(guard, KEYWORD_sets);
        if (sets ? !grouping_sets(guard) : !guard_expression(guard)) {
            return false;
        }
    } while (guard_take_char(guard, ','));
    if (guard_at(guard, KEYWORD_with) && guard_dialect(guard, "mc")) {
        guard->at++;
        if (!guard_take(guard, KEYWORD_rollup) && !guard_take(guard, KEYWORD_cube) &&
            !guard_take(guard, KEYWORD_totals)) {
            return guard_unexpected(guard);
        }
    }
    return true;
}

/* ClickHouse: WITH FILL FROM a TO b STEP c makes rows, so the bounds must be small. */
static bool with_fill(struct guard *guard)
{
    const struct token *start = guard->at;
    guard->at += 2;
    while (guard_take(guard, KEYWORD_from) || guard_take(guard, KEYWORD_to) ||
           guard_take_text(guard, "step")) {
        if (!guard_expression(guard)) {
            return false;
        }
    }
    return guard_size_bounds(guard, start + 1, start + 2, guard->at);
}

static bool order_item(struct guard *guard)
{
    if (guard_at(guard, KEYWORD_all) && guard_dialect(guard, "dc")) {
        guard->at++;
    } else if (!guard_expression(guard)) {
        return false;
    }
    if (!guard_take(guard, KEYWORD_asc)) {
        guard_take(guard, KEYWORD_desc);
    }
    if (guard_take(guard, KEYWORD_nulls) && !guard_take(guard, KEYWORD_first) &&
        !guard_take(guard, KEYWORD_last)) {
        return guard_unexpected(guard);
    }
    if (guard_dialect(guard, "c") && guard_at(guard, KEYWORD_with) &&
        token_is(guard->at + 1, "fill")) {
        return with_fill(guard);
    }
    return true;
}

bool guard_order_by(struct guard *guard)
{
    if (!guard_take(guard, KEYWORD_by)) {
        return guard_unexpected(guard);
    }
    do {
        if (!order_item(guard)) {
            return false;
        }
    } while (guard_take_char(guard, ','));
    return true;
}

static bool clause_limit(struct guard *guard)
{
    if (guard_take(guard, KEYWORD_all)) {
        return true;
    }
    if (guard_dialect(guard, "d") && guard->at->kind == TOKEN_NUMBER &&
        guard_next_char(guard, '%') && guard->at[2].kind != TOKEN_NUMBER) {
        guard->at += 2; /* LIMIT 10% */
        return true;
    }
    if (!guard_expression(guard)) {
        return false;
    }
    if (guard_take_char(guard, ',') && !guard_expression(guard)) {
        return false;
    }
    if (guard_at(guard, KEYWORD_by) && guard_dialect(guard, "c")) {
        guard->at++;
        return guard_expression_list(guard);
    }
    if (guard_at(guard, KEYWORD_with) && guard_next_is(guard, KEYWORD_ties)) {
        guard->at += 2;
    }
    return true;
}

static bool clause_offset(struct guard *guard)
{
    if (!guard_expression(guard)) {
        return false;
    }
    if (!guard_take(guard, KEYWORD_rows)) {
        guard_take(guard, KEYWORD_row);
    }
    return true;
}

/* FETCH FIRST 5 ROWS ONLY */
static bool clause_fetch(struct guard *guard)
{
    if (!guard_take(guard, KEYWORD_first) && !guard_take_text(guard, "next")) {
        return guard_unexpected(guard);
    }
    if (guard->at->kind == TOKEN_NUMBER) {
        guard->at++;
    }
    if (!guard_take(guard, KEYWORD_rows) && !guard_take(guard, KEYWORD_row)) {
        return guard_unexpected(guard);
    }
    if (guard_at(guard, KEYWORD_with) && guard_next_is(guard, KEYWORD_ties)) {
        guard->at += 2;
        return true;
    }
    return guard_take(guard, KEYWORD_only) || guard_unexpected(guard);
}

/* WINDOW w AS (…), … */
static bool clause_window(struct guard *guard)
{
    do {
        if (!guard_at_name(guard)) {
            return guard_unexpected(guard);
        }
        guard->at++;
        if (!guard_take(guard, KEYWORD_as) || !guard_at_char(guard, '(')) {
            return guard_unexpected(guard);
        }
        if (!guard_window(guard)) {
            return false;
        }
    } while (guard_take_char(guard, ','));
    return true;
}

/* USING SAMPLE 10%, USING SAMPLE 100 ROWS, USING SAMPLE reservoir(50 ROWS) */
static bool clause_sample(struct guard *guard)
{
    if (!guard_take(guard, KEYWORD_sample)) {
        return guard_unexpected(guard);
    }
    bool method = guard_take_text(guard, "reservoir") ||
                  guard_take_text(guard, "bernoulli") || guard_take_text(guard, "system");
    if (method && !guard_expect_char(guard, '(')) {
        return false;
    }
    if (guard->at->kind != TOKEN_NUMBER) {
        return guard_unexpected(guard);
    }
    guard->at++;
    if (!guard_take_char(guard, '%') && !guard_take(guard, KEYWORD_rows)) {
        guard_take_text(guard, "percent");
    }
    return !method || guard_expect_char(guard, ')');
}

static bool refuse_clause(struct guard *guard)
{
    const struct token *token = guard->at - 1;
    static const struct {
        enum keyword keyword;
        const char *why;
    } reasons[] = {
        {KEYWORD_into, "INTO is not allowed: it writes what it selects."},
        {KEYWORD_for, "FOR UPDATE and its like are not allowed: they lock rows."},
        {KEYWORD_lock, "LOCK IN SHARE MODE is not allowed: it locks rows."},
        {KEYWORD_procedure, "PROCEDURE is not allowed."},
        {KEYWORD_settings, "SETTINGS is not allowed: it changes how the query runs."},
        {KEYWORD_format, "FORMAT is not allowed."},
        {KEYWORD_returning, "RETURNING is not allowed."},
    };
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        if (reasons[i].keyword == token->keyword) {
            return guard_refuse(guard, token, "%s", reasons[i].why);
        }
    }
    guard->at--;
    return guard_unexpected(guard);
}

static const struct clause {
    enum keyword keyword;
    const char *dialects;
    bool (*check)(struct guard *guard); /* the keyword is taken already */
} clauses[] = {
    {KEYWORD_select, "d", guard_select_list},
    {KEYWORD_from, "sdpmcbo", guard_from},
    {KEYWORD_prewhere, "c", guard_expression},
    {KEYWORD_where, "sdpmcbo", guard_expression},
    {KEYWORD_group, "sdpmcbo", clause_group},
    {KEYWORD_having, "sdpmcbo", guard_expression},
    {KEYWORD_window, "sdpmcbo", clause_window},
    {KEYWORD_qualify, "dcbo", guard_expression},
    {KEYWORD_using, "d", clause_sample},
    {KEYWORD_order, "sdpmcbo", guard_order_by},
    {KEYWORD_limit, "sdpmcbo", clause_limit},
    {KEYWORD_offset, "sdpmcbo", clause_offset},
    {KEYWORD_fetch, "pdco", clause_fetch},
    {KEYWORD_into, "sdpmcbo", refuse_clause},
    {KEYWORD_for, "sdpmcbo", refuse_clause},
    {KEYWORD_lock, "m", refuse_clause},
    {KEYWORD_procedure, "m", refuse_clause},
    {KEYWORD_settings, "c", refuse_clause},
    {KEYWORD_format, "c", refuse_clause},
    {KEYWORD_returning, "sdpm", refuse_clause},
};

enum { CLAUSES = sizeof clauses / sizeof *clauses };

static const struct clause *clause_at(const struct guard *guard)
{
    for (size_t i = 0; i < CLAUSES && guard->at->keyword != KEYWORD_NONE; i++) {
        if (guard_at(guard, clauses[i].keyword) &&
            guard_dialect(guard, clauses[i].dialects)) {
            return &clauses[i];
        }
    }
    return NULL;
}

/* Clauses that belong to a whole query, not to one SELECT. */
static bool is_tail(const struct clause *clause)
{
    return clause->check == refuse_clause || clause->keyword == KEYWORD_order ||
           clause->keyword == KEYWORD_limit || clause->keyword == KEYWORD_offset ||
           clause->keyword == KEYWORD_fetch;
}

/* Clauses in any order, each once but LIMIT (ClickHouse has LIMIT n BY, then LIMIT n). */
static bool check_clauses(struct guard *guard, bool compound, bool tail)
{
    bool seen[CLAUSES] = {false};
    const struct clause *clause;
    while ((clause = clause_at(guard))) {
        bool again = seen[clause - clauses] && clause->keyword != KEYWORD_limit;
        if (again || (tail && !is_tail(clause))) {
            return guard_unexpected(guard);
        }
        seen[clause - clauses] = true;
        guard->at++;
        /* after UNION, ORDER BY sorts by the names of the first SELECT */
        bool outside = compound && clause->keyword == KEYWORD_order;
        guard->unsure += outside;
        bool ok = clause->check(guard);
        guard->unsure -= outside;
        if (!ok) {
            return false;
        }
    }
    return true;
}

bool guard_clauses(struct guard *guard, bool compound)
{
    return check_clauses(guard, compound, false);
}

bool guard_tail(struct guard *guard)
{
    /* PostgreSQL reads (SELECT … FROM t) ORDER BY t.x as if no parentheses were there */
    struct guard_scope *inner = guard->closed;
    bool reopened = guard_dialect(guard, "po") && inner && inner->parent == guard->scope;
    if (reopened) {
        inner->references = (struct guard_references){0};
        guard->scope = inner;
    }
    guard->unsure++;
    bool ok = check_clauses(guard, true, true);
    guard->unsure--;
    if (reopened && ok) {
        guard_scope_close(guard);
    }
    return ok;
}
