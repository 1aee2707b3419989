/* FROM: tables, subqueries, table functions, joins and aliases. */
#include "sql/guard_state.h"

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

bool guard_names_in_parentheses(struct guard *guard, bool with_types)
{
    if (!guard_expect_char(guard, '(')) {
        return false;
    }
    do {
        if (!guard_at_name(guard)) {
            return guard_unexpected(guard);
        }
        guard->at++;
        if (with_types && guard->at->kind == TOKEN_WORD && !guard_type(guard)) {
            return false;
        }
    } while (guard_take_char(guard, ','));
    return guard_expect_char(guard, ')');
}

enum { PARTS_MOST = 4 };

/* Words that are no table but change what follows: FROM (SHOW TABLES), FROM ONLY t. */
static bool is_statement_word(const struct token *token)
{
    static const char *const words[] = {"show",    "describe", "summarize", "explain",
                                        "pragma",  "call",     "pivot",     "unpivot",
                                        "execute", "delete",   "update",    "merge",
                                        "only",    "lateral",  "rows",      "recursive"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (token_is(token, words[i])) {
            return true;
        }
    }
    return false;
}

/* a, a.b, a.b.c: returns how many parts, 0 after a refusal. */
static size_t relation_path(struct guard *guard, const struct token **parts)
{
    size_t count = 0;
    do {
        bool word =
            guard->at->kind == TOKEN_WORD &&
            (count > 0 || (guard_at_name(guard) && !is_statement_word(guard->at)));
        if (count == PARTS_MOST || (guard->at->kind != TOKEN_NAME && !word)) {
            guard_unexpected(guard);
            return 0;
        }
        parts[count++] = guard->at++;
    } while (guard_take_char(guard, '.'));
    return count;
}

static bool table_function(struct guard *guard, const struct token *const *parts,
                           size_t count)
{
    if (count > 1) {
        return guard_refuse(guard, parts[0],
                            "Functions of another schema are not allowed.");
    }
    if (guard_dialect(guard, "m") && token_is(parts[0], "json_table")) {
        return guard_json_table(guard);
    }
    guard->unsure++; /* its arguments may name columns of tables before it */
    bool ok = guard_call(guard, parts[0], true);
    guard->unsure--;
    return ok;
}

/* [AS] alias [(columns)] */
static bool relation_alias(struct guard *guard, const char **alias, bool with_types)
{
    bool as = guard_take(guard, KEYWORD_as);
    if (as ? guard_at_name(guard) : guard_at_alias(guard)) {
        *alias = guard->at->text;
        guard->at++;
    } else if (as && !(with_types && guard_at_char(guard, '('))) {
        return guard_unexpected(guard);
    }
    if (guard_at_char(guard, '(') && guard->at[-1].kind != TOKEN_PUNCT) {
        return guard_names_in_parentheses(guard, with_types);
    }
    return true;
}

/* USE INDEX (a, b), FORCE INDEX FOR JOIN (a) … */
static bool index_hints(struct guard *guard)
{
    while (guard_dialect(guard, "m") &&
           (guard_at(guard, KEYWORD_use) || guard_at(guard, KEYWORD_force) ||
            guard_at(guard, KEYWORD_ignore))) {
        guard->at++;
        if (!guard_take(guard, KEYWORD_index) && !guard_take_text(guard, "key")) {
            return guard_unexpected(guard);
        }
        if (!guard_names_in_parentheses(guard, false)) {
            return false;
        }
        guard_take_char(guard, ',');
    }
    if (guard_dialect(guard, "s")) {
        if (guard_at(guard, KEYWORD_not) && guard_next_is(guard, KEYWORD_indexed)) {
            guard->at += 2;
        } else if (guard_at(guard, KEYWORD_indexed) && guard_next_is(guard, KEYWORD_by)) {
            guard->at += 2;
            if (!guard_at_name(guard)) {
                return guard_unexpected(guard);
            }
            guard->at++;
        }
    }
    return true;
}

/* TABLESAMPLE BERNOULLI (10), TABLESAMPLE 10%, FINAL, SAMPLE 0.1 */
static bool samples(struct guard *guard)
{
    if (guard_dialect(guard, "c")) {
        guard_take(guard, KEYWORD_final);
        if (guard_take(guard, KEYWORD_sample)) {
            return guard_expression(guard);
        }
        return true;
    }
    if (!guard_dialect(guard, "dpbo") || !guard_take(guard, KEYWORD_tablesample)) {
        return true;
    }
    if (!guard_take_text(guard, "bernoulli") && !guard_take_text(guard, "system")) {
        guard_take_text(guard, "reservoir");
    }
    bool parentheses = guard_take_char(guard, '(');
    if (guard->at->kind != TOKEN_NUMBER) {
        return guard_unexpected(guard);
    }
    guard->at++;
    if (!guard_take_char(guard, '%') && !guard_take(guard, KEYWORD_rows)) {
        guard_take_text(guard, "percent");
    }
    if (parentheses && !guard_expect_char(guard, ')')) {
        return false;
    }
    if (guard_dialect(guard, "dp") && guard_at_text(guard, "repeatable") &&
        guard->at[2].kind == TOKEN_NUMBER) { /* REPEATABLE (1) */
        guard->at++;
        return guard_parentheses(guard);
    }
    return true;
}

/* What may follow a relation besides its alias. */
static bool with_suffix(struct guard *guard)
{
    if (guard_at(guard, KEYWORD_with) && guard_next_is(guard, KEYWORD_ordinality) &&
        guard_dialect(guard, "pd")) {
        guard->at += 2;
    } else if (guard_at(guard, KEYWORD_with) && guard_next_is(guard, KEYWORD_offset) &&
               guard_dialect(guard, "b")) {
        guard->at += 2;
        const char *alias = "offset";
        guard_take(guard, KEYWORD_as);
        if (guard_at_alias(guard) || guard_at(guard, KEYWORD_offset)) {
            alias = guard->at->text;
            guard->at++;
        }
        guard_scope_alias(guard, alias);
    }
    return true;
}

static void note_place(struct guard *guard, const struct guard_place *place)
{
    if (guard->out->places.count < GUARD_MAX_NAMES) {
        VEC_PUSH(guard->arena, &guard->out->places, *place);
    } else {
        guard->flooded = true;
    }
}

bool guard_relation(struct guard *guard, bool target)
{
    const struct token *parts[PARTS_MOST];
    size_t count = relation_path(guard, parts);
    if (count == 0) {
        return false;
    }
    const char *alias = parts[count - 1]->text;
    const char *name = NULL;
    const struct table *table = NULL;
    bool function = guard_at_char(guard, '(') && !target;
    if (function) {
        if (!table_function(guard, parts, count)) {
            return false;
        }
    } else if (target || !guard_is_derived(guard, parts, count)) {
        if (!guard_table(guard, parts, count, &table, &name)) {
            return false;
        }
    }
    if (guard_dialect(guard, "m") && guard_at(guard, KEYWORD_partition) && !target &&
        guard_next_char(guard, '(')) {
        guard->at++;
        if (!guard_names_in_parentheses(guard, false)) {
            return false;
        }
    }
    bool columns_next = target && guard_at_char(guard, '(');
    if (!samples(guard) || !with_suffix(guard)) {
        return false;
    }
    const struct token *before = guard->at;
    if (!columns_next && !relation_alias(guard, &alias, function)) {
        return false;
    }
    const struct token *behind = guard->at;
    if (!with_suffix(guard) || !samples(guard) || !index_hints(guard)) {
        return false;
    }
    if (name) {
        bool only = parts[0]->start > 0 && parts[0][-1].keyword == KEYWORD_only;
        note_place(guard, &(struct guard_place){.name = name,
                                                .table = table,
                                                .alias = alias,
                                                .start = parts[0][only ? -1 : 0].start,
                                                .name_start = parts[0]->start,
                                                .last_start = parts[count - 1]->start,
                                                .name_end = parts[count - 1]->end,
                                                .alias_start = before[-1].end,
                                                .alias_end = behind[-1].end,
                                                .end = guard->at[-1].end,
                                                .target = target});
    }
    guard_scope_relation(guard, alias, name, table);
    return true;
}

/* (SELECT …) x, ((SELECT …) UNION (SELECT …)) x, (a JOIN b ON …), (a, b) */
static bool from_parentheses(struct guard *guard)
{
    if (!guard_enter(guard)) {
        return false;
    }
    guard->at++;
    bool query = guard_at_query(guard);
    if (query ? !guard_query(guard) : !guard_from(guard)) {
        return false;
    }
    if (!query && guard->query_close == guard->at - 1 &&
        (guard_at_set_operation(guard) || guard_at(guard, KEYWORD_order) ||
         guard_at(guard, KEYWORD_limit))) {
        query = true;
        if (!guard_query_more(guard)) {
            return false;
        }
    }
    if (!guard_at_char(guard, ')')) {
        return guard_unexpected(guard);
    }
    guard->query_close = query ? guard->at : guard->query_close;
    guard->at++;
    guard->depth--;
    const char *alias = NULL;
    if (!relation_alias(guard, &alias, false) || !samples(guard)) {
        return false;
    }
    if (query || alias) {
        guard_scope_relation(guard, alias, NULL, NULL);
    }
    return true;
}

static bool from_item(struct guard *guard)
{
    if (guard_at(guard, KEYWORD_lateral) && guard_dialect(guard, "dpmo")) {
        guard->at++;
    }
    if (guard_at(guard, KEYWORD_only) && guard_dialect(guard, "dp")) {
        guard->at++;
    }
    if (guard_at_char(guard, '(')) {
        return from_parentheses(guard);
    }
    if (guard->at->kind == TOKEN_STRING) {
        return guard_refuse(guard, guard->at,
                            "A text cannot be a table: reading files is not allowed.");
    }
    if (guard_at(guard, KEYWORD_values) && guard_dialect(guard, "d")) {
        const char *alias = NULL;
        if (!guard_query(guard) || !relation_alias(guard, &alias, false)) {
            return false;
        }
        guard_scope_relation(guard, alias, NULL, NULL);
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

static bool join_conditions(struct guard *guard)
{
    for (;;) {
        if (guard_take(guard, KEYWORD_on)) {
            if (!guard_expression(guard)) {
                return false;
            }
        } else if (guard_at(guard, KEYWORD_using) && guard_next_char(guard, '(')) {
            guard->at++;
            if (!guard_names_in_parentheses(guard, false)) {
                return false;
            }
        } else {
            return true;
        }
    }
}

static bool from_chain(struct guard *guard)
{
    if (!from_item(guard) || !guard_pivots(guard)) {
        return false;
    }
    for (size_t size; (size = join_size(guard)) > 0;) {
        bool array = size > 1 && guard->at[size - 2].keyword == KEYWORD_array;
        guard->at += size;
        if (array ? !array_join(guard) : !from_item(guard)) {
            return false;
        }
        if (!guard_pivots(guard)) {
            return false;
        }
        if (!join_conditions(guard)) {
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
