/*
 * Expressions as chains: operand, operator, operand … Precedence does not matter here;
 * what matters is that every word has a known part to play.
 */
#include "sql/guard/guard_state.h"

#include <string.h>

static bool is_structure(const char *text)
{
    static const char *const structure[] = {"(", ")", ",", ";",  ".",  "[", "]",
                                            "{", "}", ":", "::", ":=", "=>"};
    for (size_t i = 0; i < sizeof structure / sizeof *structure; i++) {
        if (strcmp(text, structure[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool at_operand(const struct token *token)
{
    return token->kind == TOKEN_NAME || token->kind == TOKEN_STRING ||
           token->kind == TOKEN_NUMBER || token_is_punct(token, "(") ||
           (token->kind == TOKEN_WORD && !keyword_reserved(token->keyword));
}

static bool take_prefix(struct guard *guard)
{
    const struct token *token = guard->at;
    bool prefix = false;
    if (token->kind == TOKEN_PUNCT) {
        prefix = strchr("+-~!@", token->text[0]) && token->text[1] == '\0';
        prefix =
            prefix || strcmp(token->text, "|/") == 0 || strcmp(token->text, "||/") == 0;
        prefix = prefix || (guard_at_char(guard, '#') && guard_dialect(guard, "d") &&
                            token[1].kind == TOKEN_NUMBER);
    } else if (token->keyword == KEYWORD_not) {
        prefix = true;
    } else if (token->keyword == KEYWORD_any || token->keyword == KEYWORD_all ||
               token->keyword == KEYWORD_some) {
        prefix = guard_next_char(guard, '(') && !guard_dialect(guard, "c");
    } else if (token->keyword == KEYWORD_binary) {
        prefix = guard_dialect(guard, "m") && at_operand(token + 1);
    }
    guard->at += prefix;
    return prefix;
}

/* [1], [1:3], ['key'] */
static bool subscript(struct guard *guard)
{
    guard->at++;
    while (!guard_at_char(guard, ']')) {
        if (guard_take_char(guard, ':') || guard_take_char(guard, ',')) {
            continue;
        }
        if (guard_at_char(guard, '-') && guard_next_char(guard, ':')) {
            guard->at++;
        } else if (!guard_expression(guard)) {
            return false;
        }
    }
    guard->at++;
    return true;
}

/* .field, .1, .* and DuckDB's .function(…) after a value that begins at `base`. Values of
 * SQLite and MySQL have no fields: what is a value here, such as NULL, is a name to
 * MariaDB when a dot follows. */
static bool member(struct guard *guard, const struct token *base)
{
    if (guard_dialect(guard, "po")) {
        return guard_field(guard, base);
    }
    if (guard_dialect(guard, "sm")) {
        return guard_unexpected(guard);
    }
    guard->at++;
    const struct token *name = guard->at;
    if (name->kind == TOKEN_NUMBER || guard_at_char(guard, '*')) {
        guard->at++;
        return true;
    }
    if (name->kind != TOKEN_WORD && name->kind != TOKEN_NAME) {
        return guard_unexpected(guard);
    }
    guard->at++;
    if (guard_at_char(guard, '(')) {
        return guard_dialect(guard, "d") ? guard_method(guard, name)
                                         : guard_unexpected(guard);
    }
    return true;
}

static bool collation(struct guard *guard)
{
    guard->at++;
    do {
        if (!guard_at_name(guard) && guard->at->kind != TOKEN_STRING) {
            return guard_unexpected(guard);
        }
        guard->at++;
    } while (guard_take_char(guard, '.'));
    return true;
}

/* Takes whatever hangs on the end of the value that begins at `base`. */
static bool take_postfixes(struct guard *guard, const struct token *base)
{
    for (;;) {
        bool ok = true;
        if (token_is_punct(guard->at, "::")) {
            guard->at++;
            ok = guard_type(guard);
        } else if (guard_at_char(guard, '[')) {
            ok = subscript(guard);
        } else if (guard_at_char(guard, '.')) {
            ok = member(guard, base);
        } else if (guard_at(guard, KEYWORD_collate)) {
            ok = collation(guard);
        } else if (guard_at(guard, KEYWORD_isnull) || guard_at(guard, KEYWORD_notnull)) {
            guard->at++;
        } else if (guard_at(guard, KEYWORD_not) && guard_next_is(guard, KEYWORD_null)) {
            guard->at += 2;
        } else {
            return true;
        }
        if (!ok) {
            return false;
        }
    }
}

enum link { LINK_NONE, LINK_OPERAND, LINK_DONE, LINK_REFUSED };

/* ClickHouse takes IN (name), IN ((database.name)) for a table, as IN name. */
static bool at_name_in_parentheses(const struct guard *guard)
{
    const struct token *at = guard->at;
    while (token_is_punct(at, "(")) {
        at++;
    }
    bool name = at->kind == TOKEN_NAME ||
                (at->kind == TOKEN_WORD && !keyword_reserved(at->keyword));
    if (at == guard->at || !name) {
        return false;
    }
    at++;
    while (token_is_punct(at, ".") &&
           (at[1].kind == TOKEN_WORD || at[1].kind == TOKEN_NAME)) {
        at += 2;
    }
    return token_is_punct(at, ")");
}

static enum link take_name_in_parentheses(struct guard *guard)
{
    size_t depth = 0;
    for (; guard_take_char(guard, '('); depth++) {}
    if (!guard_relation_set(guard)) {
        return LINK_REFUSED;
    }
    for (; depth > 0; depth--) {
        if (!guard_expect_char(guard, ')')) {
            return LINK_REFUSED;
        }
    }
    return LINK_DONE;
}

/* ClickHouse drops a plus before a name, so IN (+ name) is a table, too. No honest query
 * has it. */
static bool at_plus_and_name(const struct guard *guard)
{
    const struct token *at = guard->at;
    bool plus = false;
    for (; token_is_punct(at, "(") || token_is_punct(at, "+"); at++) {
        plus = plus || token_is_punct(at, "+");
    }
    return plus && (at->kind == TOKEN_NAME || at->kind == TOKEN_WORD);
}

/* IN (…); in SQLite and ClickHouse also IN table, which reads a table without FROM. */
static enum link take_in(struct guard *guard)
{
    guard->at++;
    if (guard_dialect(guard, "c") && at_plus_and_name(guard)) {
        guard_refuse(guard, guard->at, "A plus before a name behind IN is not allowed.");
        return LINK_REFUSED;
    }
    if (guard_dialect(guard, "c") && at_name_in_parentheses(guard)) {
        return take_name_in_parentheses(guard);
    }
    if (guard_at_char(guard, '(')) {
        if (guard_next_char(guard, ')')) {
            guard->at += 2;
            return LINK_DONE;
        }
        return LINK_OPERAND;
    }
    if (guard_dialect(guard, "sc") && guard_at_name(guard)) {
        return guard_relation_set(guard) ? LINK_DONE : LINK_REFUSED;
    }
    if (guard_dialect(guard, "dbc") || guard->loose_in) {
        return LINK_OPERAND;
    }
    guard_unexpected(guard);
    return LINK_REFUSED;
}

/* IS [NOT] x, IS [NOT] DISTINCT FROM x */
static enum link take_is(struct guard *guard)
{
    guard->at++;
    guard_take(guard, KEYWORD_not);
    if (guard_take(guard, KEYWORD_distinct)) {
        if (!guard_take(guard, KEYWORD_from)) {
            guard_unexpected(guard);
            return LINK_REFUSED;
        }
        return LINK_OPERAND;
    }
    return guard_take(guard, KEYWORD_unknown) ? LINK_DONE : LINK_OPERAND;
}

static const struct word_operator {
    enum keyword keyword;
    const char *dialects;
    enum keyword second; /* must follow and is taken too */
} word_operators[] = {
    {KEYWORD_and, "sdpmcbo", KEYWORD_NONE},    {KEYWORD_or, "sdpmcbo", KEYWORD_NONE},
    {KEYWORD_like, "sdpmcbo", KEYWORD_NONE},   {KEYWORD_between, "sdpmcbo", KEYWORD_NONE},
    {KEYWORD_escape, "sdpmcbo", KEYWORD_NONE}, {KEYWORD_ilike, "dpc", KEYWORD_NONE},
    {KEYWORD_glob, "sd", KEYWORD_NONE},        {KEYWORD_regexp, "smc", KEYWORD_NONE},
    {KEYWORD_rlike, "m", KEYWORD_NONE},        {KEYWORD_match, "s", KEYWORD_NONE},
    {KEYWORD_similar, "dp", KEYWORD_to},       {KEYWORD_sounds, "m", KEYWORD_like},
    {KEYWORD_overlaps, "p", KEYWORD_NONE},     {KEYWORD_xor, "m", KEYWORD_NONE},
    {KEYWORD_div, "mc", KEYWORD_NONE},         {KEYWORD_mod, "mc", KEYWORD_NONE},
};

static enum link take_word_operator(struct guard *guard)
{
    for (size_t i = 0; i < sizeof word_operators / sizeof *word_operators; i++) {
        const struct word_operator *word = &word_operators[i];
        if (!guard_at(guard, word->keyword) || !guard_dialect(guard, word->dialects)) {
            continue;
        }
        guard->at++;
        if (word->second != KEYWORD_NONE && !guard_take(guard, word->second)) {
            guard_unexpected(guard);
            return LINK_REFUSED;
        }
        if (word->keyword == KEYWORD_between) {
            guard_take_text(guard, "symmetric");
        }
        return LINK_OPERAND;
    }
    return LINK_NONE;
}

static enum link take_link(struct guard *guard)
{
    const struct token *token = guard->at;
    if (token->kind == TOKEN_PUNCT) {
        bool colon = guard_at_char(guard, ':') && guard_dialect(guard, "c");
        if (is_structure(token->text) && !colon) {
            return LINK_NONE;
        }
        guard->at++;
        return LINK_OPERAND;
    }
    if (token->kind != TOKEN_WORD) {
        return LINK_NONE;
    }
    if (guard_at(guard, KEYWORD_global) && guard_dialect(guard, "c")) {
        guard->at++;
    }
    if (guard_at(guard, KEYWORD_not) && !guard_next_is(guard, KEYWORD_indexed)) {
        guard->at++; /* NOT LIKE, NOT IN, NOT BETWEEN … */
        if (!guard_at(guard, KEYWORD_in) && !guard_at(guard, KEYWORD_like) &&
            take_word_operator(guard) == LINK_NONE) {
            guard_unexpected(guard);
            return LINK_REFUSED;
        }
        if (guard_at(guard, KEYWORD_like)) {
            guard->at++;
        }
        return guard_at(guard, KEYWORD_in) ? take_in(guard) : LINK_OPERAND;
    }
    if (guard_at(guard, KEYWORD_in)) {
        return take_in(guard);
    }
    if (guard_at(guard, KEYWORD_is)) {
        return take_is(guard);
    }
    if (guard_at(guard, KEYWORD_at) && guard_next_is(guard, KEYWORD_time) &&
        token_is(guard->at + 2, "zone")) {
        guard->at += 3;
        return LINK_OPERAND;
    }
    if (guard_dialect(guard, "m") && guard_at_text(guard, "member") &&
        token_is(guard->at + 1, "of")) {
        guard->at += 2;
        return LINK_OPERAND;
    }
    return take_word_operator(guard);
}

/* ((x)): the one operand inside parentheses is that of the whole. */
static const struct token *operand_inside(const struct guard *guard,
                                          const struct token *base)
{
    if (!token_is_punct(base, "(")) {
        return base;
    }
    for (; guard->single && base < guard->single; base++) {
        if (!token_is_punct(base, "(")) {
            return NULL;
        }
    }
    return guard->single;
}

/* x IS NULL in its short forms is a value of its own. */
static bool has_test(const struct token *from, const struct token *end)
{
    for (; from < end; from++) {
        if (from->keyword == KEYWORD_isnull || from->keyword == KEYWORD_notnull ||
            from->keyword == KEYWORD_not) {
            return true;
        }
    }
    return false;
}

/* Leaves the operand in guard->single when there is but one, and no operator. */
static bool check_chain(struct guard *guard)
{
    enum link link = LINK_OPERAND;
    const struct token *single = NULL;
    bool first = true;
    while (link != LINK_NONE) {
        const struct token *base = NULL;
        const struct token *start = guard->at;
        if (link == LINK_OPERAND) {
            while (take_prefix(guard)) {}
            base = guard->at;
            guard->single = NULL;
            if (!guard_operand(guard)) {
                return false;
            }
        }
        const struct token *behind = guard->at;
        single = first && base == start ? operand_inside(guard, base) : NULL;
        first = false;
        if (!take_postfixes(guard, base)) {
            return false;
        }
        single = has_test(behind, guard->at) ? NULL : single;
        link = take_link(guard);
        if (link == LINK_REFUSED) {
            return false;
        }
    }
    guard->single = single;
    return true;
}

bool guard_expression(struct guard *guard)
{
    if (!guard_enter(guard)) {
        return false;
    }
    bool ok = check_chain(guard);
    guard->depth--;
    return ok;
}

bool guard_expression_list(struct guard *guard)
{
    do {
        if (!guard_expression(guard)) {
            return false;
        }
    } while (guard_take_char(guard, ','));
    return true;
}

bool guard_parentheses(struct guard *guard)
{
    guard->at++;
    bool query = guard_at_query(guard);
    if (query ? !guard_query(guard) : !guard_expression_list(guard)) {
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
    if (query) {
        guard->query_close = guard->at;
    }
    guard->at++;
    return true;
}
