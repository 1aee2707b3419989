/* One relation of FROM: a table, a CTE or a function, its alias and what may follow it.
 */
#include "sql/guard/guard_state.h"

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
    struct guard_range outside = guard->scope->visible;
    guard->scope->visible = (struct guard_range){0, guard->scope->relations.count};
    guard->unsure++; /* its arguments may name columns of tables before it */
    bool ok = guard_call(guard, parts[0], true);
    guard->unsure--;
    guard->scope->visible = outside;
    return ok;
}

bool guard_relation_alias(struct guard *guard, struct guard_alias *alias, bool with_types)
{
    bool as = guard_take(guard, KEYWORD_as);
    if (as ? guard_at_name(guard) : guard_at_alias(guard)) {
        alias->token = guard->at;
        guard->at++;
    } else if (as && !(with_types && guard_at_char(guard, '('))) {
        return guard_unexpected(guard);
    }
    if (guard_at_char(guard, '(') && guard->at[-1].kind != TOKEN_PUNCT) {
        return guard_names_in_parentheses(guard, with_types, &alias->names);
    }
    return true;
}

void guard_scope_derived(struct guard *guard, const struct guard_alias *alias,
                         const struct guard_output *output)
{
    const struct token *name = alias->token;
    guard_scope_relation(
        guard, &(struct guard_relation){
                   .alias = name ? name->text : NULL,
                   .exact = name ? guard_folded(guard, name) : NULL,
                   .output = guard_output_renamed(guard, output, &alias->names)});
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
        if (!guard_names_in_parentheses(guard, false, NULL)) {
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
bool guard_samples(struct guard *guard)
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

/* What is known of one relation while it is read. */
struct named {
    const struct token *parts[PARTS_MOST];
    size_t count;
    const char *name; /* of a table; NULL: a CTE or a function */
    const struct table *table;
    const struct guard_output *output;
    struct guard_alias alias;
    bool target;
    bool set; /* behind IN */
};

static const struct token *last_part(const struct named *named)
{
    return named->parts[named->count - 1];
}

static const char *alias_text(const struct named *named)
{
    return named->alias.token ? named->alias.token->text : last_part(named)->text;
}

/* The alias stands between the tokens `before` and `behind`. */
static void note_place(struct guard *guard, const struct named *named,
                       const struct token *before, const struct token *behind)
{
    const struct token *first = named->parts[0];
    bool only = first->start > 0 && first[-1].keyword == KEYWORD_only;
    struct guard_place place = {.name = named->name,
                                .table = named->table,
                                .alias = alias_text(named),
                                .start = first[only ? -1 : 0].start,
                                .name_start = first->start,
                                .last_start = last_part(named)->start,
                                .name_end = last_part(named)->end,
                                .alias_start = before[-1].end,
                                .alias_end = behind[-1].end,
                                .end = guard->at[-1].end,
                                .target = named->target,
                                .set = named->set};
    if (guard->out->places.count < GUARD_MAX_NAMES) {
        VEC_PUSH(guard->arena, &guard->out->places, place);
    } else {
        guard->flooded = true;
    }
}

/* The name of a table, a CTE or a function, which it calls. */
static bool relation_name(struct guard *guard, struct named *named, bool *function)
{
    named->count = relation_path(guard, named->parts);
    if (named->count == 0) {
        return false;
    }
    *function = guard_at_char(guard, '(') && !named->target;
    if (*function) {
        return table_function(guard, named->parts, named->count);
    }
    if (named->target || !guard_is_derived(guard, named->parts, named->count)) {
        return guard_table(guard, named->parts, named->count, &named->table,
                           &named->name);
    }
    const struct guard_cte *cte = guard_cte_named(guard, named->parts[0]);
    named->output = cte ? cte->output : NULL;
    return true;
}

/* The columns that the alias's list calls otherwise, and those of a function. */
static void relation_columns(struct guard *guard, struct named *named,
                             const struct token *function_end, bool ordinality)
{
    static const struct guard_output none = {.starred = true};
    if (function_end) {
        const struct token *name = last_part(named);
        named->output = guard_output_function(guard, name, name + 2, function_end,
                                              named->alias.token);
    }
    if (ordinality && named->output) {
        struct guard_output *more = ARENA_NEW(guard->arena, struct guard_output);
        *more = (struct guard_output){0};
        for (size_t i = 0; i < named->output->count; i++) {
            VEC_PUSH(guard->arena, more, named->output->items[i]);
        }
        VEC_PUSH(guard->arena, more, ((struct guard_column){.name = "ordinality"}));
        named->output = more;
    }
    bool renamed = named->alias.names.count > 0;
    named->output = guard_output_renamed(
        guard, renamed && named->table && !named->output ? &none : named->output,
        &named->alias.names);
}

bool guard_relation_set(struct guard *guard)
{
    struct named named = {0};
    struct guard_scope scope;
    bool function = false;
    const struct guard_cte *value = guard_value_named(guard, guard->at);
    if (value && value->renames) {
        return guard_refuse(guard, guard->at,
                            "'%.80s' stands for a name: write that name behind IN, as it "
                            "may be a table.",
                            guard->at->text);
    }
    if (value) {
        guard->at++;
        return true;
    }
    guard_scope_open(guard, &scope);
    if (!relation_name(guard, &named, &function)) {
        return false;
    }
    if (named.name) {
        named.set = true;
        note_place(guard, &named, guard->at, guard->at);
    }
    if (named.table) {
        guard_note(guard, &guard->out->wholes, named.table->name);
    }
    guard_scope_close(guard);
    return true;
}

bool guard_relation(struct guard *guard, bool target)
{
    struct named named = {.target = target};
    bool function = false;
    if (!relation_name(guard, &named, &function)) {
        return false;
    }
    const struct token *function_end = function ? guard->at - 1 : NULL;
    if (guard_dialect(guard, "m") && guard_at(guard, KEYWORD_partition) && !target &&
        guard_next_char(guard, '(')) {
        guard->at++;
        if (!guard_names_in_parentheses(guard, false, NULL)) {
            return false;
        }
    }
    bool columns_next = target && guard_at_char(guard, '(');
    bool ordinality = guard_next_is(guard, KEYWORD_ordinality);
    if (!guard_samples(guard) || !with_suffix(guard)) {
        return false;
    }
    const struct token *before = guard->at;
    if (!columns_next && !guard_relation_alias(guard, &named.alias, function)) {
        return false;
    }
    const struct token *behind = guard->at;
    ordinality = ordinality || guard_next_is(guard, KEYWORD_ordinality);
    if (!with_suffix(guard) || !guard_samples(guard) || !index_hints(guard)) {
        return false;
    }
    if (named.name) {
        note_place(guard, &named, before, behind);
    }
    relation_columns(guard, &named, function_end, ordinality);
    const struct token *known = named.alias.token ? named.alias.token : last_part(&named);
    guard_scope_relation(guard,
                         &(struct guard_relation){.alias = known->text,
                                                  .exact = guard_folded(guard, known),
                                                  .name = named.name,
                                                  .table = named.table,
                                                  .output = named.output});
    return true;
}
