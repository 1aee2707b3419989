/* FROM: subqueries, joins, and the words that end an alias. */
#include "sql/guard/guard_state.h"

/* Words that begin something when they stand where an alias could. */
static const struct soft_word {
    enum keyword keyword;
    const char *dialects;
    enum keyword next;  /* only before this word, or */
    const char *follow; /* only before this punctuation; both absent: always */
} soft_words[] = {
    {KEYWORD_window, "sdpmcbo", KEYWORD_NONE, NULL},
    {KEYWORD_qualify, "dcbo", KEYWORD_NONE, NULL},
    {KEYWORD_prewhere, "c", KEYWORD_NONE, NULL},
    {KEYWORD_final, "c", KEYWORD_NONE, NULL},
    {KEYWORD_sample, "c", KEYWORD_NONE, NULL},
    {KEYWORD_settings, "c", KEYWORD_NONE, NULL},
    {KEYWORD_format, "c", KEYWORD_NONE, NULL},
    {KEYWORD_lock, "m", KEYWORD_NONE, NULL},
    {KEYWORD_procedure, "m", KEYWORD_NONE, NULL},
    {KEYWORD_returning, "sdpm", KEYWORD_NONE, NULL},
    {KEYWORD_minus, "o", KEYWORD_NONE, NULL},
    {KEYWORD_tablesample, "dpbo", KEYWORD_NONE, NULL},
    {KEYWORD_pivot, "dbo", KEYWORD_NONE, NULL},
    {KEYWORD_unpivot, "dbo", KEYWORD_NONE, NULL},
    {KEYWORD_straight_join, "m", KEYWORD_NONE, NULL},
    {KEYWORD_indexed, "s", KEYWORD_by, NULL},
    {KEYWORD_use, "m", KEYWORD_NONE, NULL},
    {KEYWORD_force, "m", KEYWORD_NONE, NULL},
    {KEYWORD_ignore, "m", KEYWORD_NONE, NULL},
    {KEYWORD_partition, "m", KEYWORD_NONE, "("},
    {KEYWORD_array, "c", KEYWORD_join, NULL},
    {KEYWORD_exclude, "d", KEYWORD_NONE, NULL},
};

/* Words that may stand before JOIN. */
static const struct join_word {
    enum keyword keyword;
    const char *dialects;
} join_words[] = {
    {KEYWORD_natural, "sdpmcbo"}, {KEYWORD_inner, "sdpmcbo"}, {KEYWORD_left, "sdpmcbo"},
    {KEYWORD_right, "sdpmcbo"},   {KEYWORD_full, "sdpmcbo"},  {KEYWORD_outer, "sdpmcbo"},
    {KEYWORD_cross, "sdpmcbo"},   {KEYWORD_asof, "dc"},       {KEYWORD_semi, "dc"},
    {KEYWORD_anti, "dc"},         {KEYWORD_positional, "d"},  {KEYWORD_any, "c"},
    {KEYWORD_all, "c"},           {KEYWORD_global, "c"},      {KEYWORD_array, "c"},
    {KEYWORD_paste, "c"},
};

/* How many tokens make up the join at the current place; 0: no join. */
static size_t join_size(const struct guard *guard)
{
    if (guard_at(guard, KEYWORD_straight_join) && guard_dialect(guard, "m")) {
        return 1;
    }
    bool apply = guard_dialect(guard, "o") && token_is(guard->at + 1, "apply");
    if (apply && (guard_at(guard, KEYWORD_cross) || guard_at(guard, KEYWORD_outer))) {
        return 2; /* SQL Server's LATERAL */
    }
    for (size_t i = 0; i < 5; i++) {
        enum keyword keyword = guard->at[i].keyword;
        if (keyword == KEYWORD_join) {
            return i + 1;
        }
        bool found = false;
        for (size_t j = 0; j < sizeof join_words / sizeof *join_words && !found; j++) {
            found = keyword == join_words[j].keyword &&
                    guard_dialect(guard, join_words[j].dialects);
        }
        if (!found) {
            return 0; /* the end token is no join word, so this stays inside */
        }
    }
    return 0;
}

bool guard_at_alias(const struct guard *guard)
{
    if (!guard_at_name(guard) || guard->at->kind == TOKEN_NAME) {
        return guard->at->kind == TOKEN_NAME;
    }
    if (guard->at->keyword == KEYWORD_NONE) {
        return true;
    }
    for (size_t i = 0; i < sizeof soft_words / sizeof *soft_words; i++) {
        const struct soft_word *soft = &soft_words[i];
        if (guard_at(guard, soft->keyword) && guard_dialect(guard, soft->dialects) &&
            (soft->next == KEYWORD_NONE || guard_next_is(guard, soft->next)) &&
            (!soft->follow || guard_next_char(guard, soft->follow[0]))) {
            return false;
        }
    }
    return join_size(guard) == 0;
}

bool guard_names_in_parentheses(struct guard *guard, bool with_types,
                                struct guard_output *names)
{
    if (!guard_expect_char(guard, '(')) {
        return false;
    }
    do {
        if (!guard_at_name(guard)) {
            return guard_unexpected(guard);
        }
        guard_output_name(guard, names, guard->at);
        guard->at++;
        if (with_types && guard->at->kind == TOKEN_WORD && !guard_type(guard)) {
            return false;
        }
    } while (guard_take_char(guard, ','));
    return guard_expect_char(guard, ')');
}

/* SELECT …; a JOIN b ON …; a, b: what stands in parentheses, up to the closing one */
static bool parentheses_inside(struct guard *guard, bool *query)
{
    *query = guard_at_query(guard);
    if (*query ? !guard_query(guard) : !guard_from(guard)) {
        return false;
    }
    if (!*query && guard->query_close == guard->at - 1 &&
        (guard_at_set_operation(guard) || guard_at(guard, KEYWORD_order) ||
         guard_at(guard, KEYWORD_limit))) {
        *query = true;
        return guard_query_more(guard);
    }
    return true;
}

/* (SELECT …) x, ((SELECT …) UNION (SELECT …)) x, (a JOIN b ON …), (a, b) */
static bool from_parentheses(struct guard *guard, bool lateral)
{
    if (!guard_enter(guard)) {
        return false;
    }
    guard->at++;
    bool query;
    size_t first = guard->scope->relations.count;
    struct guard_range outside = guard->scope->visible;
    guard->scope->visible = (struct guard_range){0, lateral ? first : 0};
    if (!parentheses_inside(guard, &query)) {
        return false;
    }
    guard->scope->visible = outside;
    if (!guard_at_char(guard, ')')) {
        return guard_unexpected(guard);
    }
    guard->query_close = query ? guard->at : guard->query_close;
    guard->at++;
    guard->depth--;
    struct guard_alias alias = {0};
    if (!guard_relation_alias(guard, &alias, false) || !guard_samples(guard)) {
        return false;
    }
    if (query) {
        guard_scope_derived(guard, &alias, guard->output);
    } else if (alias.token) {
        guard_scope_derived(guard, &alias, guard_output_joined(guard, first));
    }
    return true;
}

static bool from_item(struct guard *guard, bool lateral)
{
    if (guard_at(guard, KEYWORD_lateral) && guard_dialect(guard, "dpmo")) {
        guard->at++;
        lateral = true;
    }
    if (guard_at(guard, KEYWORD_only) && guard_dialect(guard, "dp")) {
        guard->at++;
    }
    if (guard_at_char(guard, '(')) {
        return from_parentheses(guard, lateral);
    }
    if (guard->at->kind == TOKEN_STRING) {
        return guard_refuse(guard, guard->at,
                            "A text cannot be a table: reading files is not allowed.");
    }
    if (guard_at(guard, KEYWORD_values) && guard_dialect(guard, "d")) {
        struct guard_alias alias = {0};
        if (!guard_query(guard) || !guard_relation_alias(guard, &alias, false)) {
            return false;
        }
        guard_scope_derived(guard, &alias, NULL);
        return true;
    }
    return guard_relation(guard, false);
}

/* ClickHouse: ARRAY JOIN tags AS tag, … */
static bool array_join(struct guard *guard)
{
    do {
        if (!guard_expression(guard)) {
            return false;
        }
        if (guard_take(guard, KEYWORD_as)) {
            if (!guard_at_name(guard)) {
                return guard_unexpected(guard);
            }
            guard_scope_alias(guard, guard->at->text);
            guard->at++;
        }
    } while (guard_take_char(guard, ','));
    return true;
}

/* ON …, USING (…). A condition sees the relations of its join: those from `first` on. */
static bool join_conditions(struct guard *guard, size_t first, size_t *waiting)
{
    struct guard_range outside = guard->scope->visible;
    bool ok = true;
    while (ok) {
        if (guard_take(guard, KEYWORD_on)) {
            size_t count = guard->scope->relations.count;
            /* a JOIN b JOIN c ON … ON …: which it is cannot be told here */
            guard->scope->visible = (struct guard_range){first, *waiting ? 0 : count};
            ok = guard_expression(guard);
            guard->scope->visible = outside;
        } else if (guard_at(guard, KEYWORD_using) && guard_next_char(guard, '(')) {
            guard->at++;
            ok = guard_names_in_parentheses(guard, false, NULL);
        } else {
            break;
        }
        *waiting -= *waiting > 0;
    }
    return ok;
}

/* Whether the join of these words has a condition: not so CROSS and NATURAL. */
static bool needs_condition(const struct token *words, size_t size)
{
    return size == 1 ||
           (words[0].keyword != KEYWORD_cross && words[0].keyword != KEYWORD_natural);
}

static bool from_chain(struct guard *guard)
{
    size_t first = guard->scope->relations.count;
    size_t waiting = 0; /* joins whose condition has not come yet */
    if (!from_item(guard, false) || !guard_pivots(guard)) {
        return false;
    }
    for (size_t size; (size = join_size(guard)) > 0;) {
        const struct token *words = guard->at;
        bool array = size > 1 && words[size - 2].keyword == KEYWORD_array;
        bool apply = token_is(&words[size - 1], "apply");
        guard->at += size;
        if (array ? !array_join(guard) : !from_item(guard, apply)) {
            return false;
        }
        if (!guard_pivots(guard)) {
            return false;
        }
        bool comes = guard_at(guard, KEYWORD_on) || guard_at(guard, KEYWORD_using);
        waiting += needs_condition(words, size) && !comes;
        if (!join_conditions(guard, first, &waiting)) {
            return false;
        }
    }
    return true;
}

bool guard_from(struct guard *guard)
{
    do {
        if (!from_chain(guard)) {
            return false;
        }
    } while (guard_take_char(guard, ','));
    return true;
}
