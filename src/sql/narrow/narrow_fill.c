/* Conditions of a policy for one caller: the account and the claims of the sign-in as
 * literals. Each literal is read again and must be one text with just that value; what
 * runs is printed from the tree that the condition becomes. */
#include <ctype.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/utf8.h"
#include "sql/narrow/narrow_state.h"

enum {
    PLACES_MOST = 64, /* in one condition */
    VALUE_MOST = 512, /* bytes of a claim */
    LIST_MOST = 256,  /* values of a claim that is a list */
};

/* Who asks. Without a caller, every place becomes a text. */
struct filling {
    struct arena *arena;
    enum dialect dialect;
    const struct narrow_rules *rules; /* NULL: no caller */
    const char *condition;
    struct tokens tokens;
    bool missing; /* a claim that is not there, or cannot be a value */
};

/* Does `:account` stand here? Where a dialect has no such parameters it is a colon with the word right behind it;
 * behind a value, as in a slice or a map, the colon is the dialect's own. */
static bool is_account(const char *condition, const struct token *token)
{
    static const char name[] = ":account";
    const char *text = condition + token->start;
    size_t size = sizeof name - 1;
    if (strncmp(text, name, size) != 0 || isalnum((unsigned char)text[size]) ||
        text[size] == '_' || text[size] == '$') {
        return false;
    }
    char before = token->start ? text[-1] : ' ';
    return token->kind == TOKEN_PARAM ||
           (token->end <= token->start + 1 && strchr(" \t\r\n(,=<>", before));
}

/* The text as a literal that the dialect reads as this text and nothing else; or NULL. */
static const char *literal_of(struct filling *filling, const char *text)
{
    struct tokens tokens = {0};
    size_t size = strlen(text);
    bool plain = size <= VALUE_MOST && utf8_valid(text, size, NULL);
    for (size_t i = 0; i < size && plain; i++) {
        plain = (unsigned char)text[i] >= ' ' && text[i] != '\x7f';
    }
    if (!plain) {
        return NULL;
    }
    const char *literal = narrow_literal(filling->arena, filling->dialect, text);
    lexer_run(filling->arena, filling->dialect, literal, strlen(literal), &tokens);
    bool same = tokens.count == 1 && tokens.items[0].kind == TOKEN_STRING &&
                str_equal(tokens.items[0].text, text);
    return same ? literal : NULL;
}

static const char *value_of(struct filling *filling, const json_t *value)
{
    if (json_is_integer(value)) {
        return arena_format(filling->arena, "(%lld)",
                            (long long)json_integer_value(value));
    }
    if (json_is_boolean(value)) {
        return literal_of(filling, json_is_true(value) ? "true" : "false");
    }
    const char *text = json_string_value(value);
    return text ? literal_of(filling, text) : NULL;
}

/* May a list stand here? Only alone in IN (…). */
static bool is_list_place(const struct filling *filling, size_t token, size_t end)
{
    const struct token *items = filling->tokens.items;
    const char *behind = filling->condition + end;
    return token >= 2 && token_is_punct(&items[token - 1], "(") &&
           token_is(&items[token - 2], "in") && behind[strspn(behind, " \t\r\n")] == ')';
}

static const char *list_of(struct filling *filling, const json_t *list)
{
    const char *all = NULL;
    size_t count = json_array_size(list);
    for (size_t i = 0; i < count && count <= LIST_MOST; i++) {
        const char *one = value_of(filling, json_array_get(list, i));
        if (!one) {
            return NULL;
        }
        all = all ? arena_format(filling->arena, "%s, %s", all, one) : one;
    }
    return all;
}

/* What stands for the claim; NULL: nothing can. */
static const char *claim_of(struct filling *filling, const char *name, size_t token,
                            size_t end)
{
    const json_t *value = json_object_get(filling->rules->claims, name);
    size_t count = json_array_size(value);
    if (!json_is_array(value)) {
        return value_of(filling, value);
    }
    return is_list_place(filling, token, end) ? list_of(filling, value)
           : count == 1 ? value_of(filling, json_array_get(value, 0))
                        : NULL;
}

/* What stands for the token; NULL: it is none of ours. *end is where its place ends. */
static const char *stands_for(struct filling *filling, size_t index, size_t *end)
{
    const struct token *token = &filling->tokens.items[index];
    const struct narrow_rules *rules = filling->rules;
    const char *name = NULL;
    size_t at = token->start;
    size_t size = 0;
    if (is_account(filling->condition, token)) {
        *end = token->start + strlen(":account");
        return narrow_literal(filling->arena, filling->dialect,
                              str_or_empty(rules ? rules->account : NULL));
    }
    if (filling->condition[at] != '{' ||
        !policy_claim_at(filling->condition, &at, &name, &size) || at != token->start) {
        return NULL;
    }
    *end = (size_t)(name + size + 1 - filling->condition);
    const char *value =
        rules ? claim_of(filling, arena_copy(filling->arena, name, size), index, *end)
              : NULL;
    filling->missing = filling->missing || !value;
    return value ? value : "''";
}

/* Fills the first place; false: there is none. BigQuery's tokens end at a colon, so each
 * is looked for anew. */
static bool fill_first(struct filling *filling)
{
    filling->tokens = (struct tokens){0};
    lexer_run(filling->arena, filling->dialect, filling->condition,
              strlen(filling->condition), &filling->tokens);
    for (size_t i = 0; i < filling->tokens.count; i++) {
        size_t start = filling->tokens.items[i].start;
        size_t end = 0;
        const char *text = stands_for(filling, i, &end);
        if (text) {
            filling->condition =
                arena_format(filling->arena, "%.*s%s%s", (int)start, filling->condition,
                             text, filling->condition + end);
            return true;
        }
    }
    return false;
}

static const char *fill(struct filling *filling)
{
    for (int i = 0; i < PLACES_MOST && fill_first(filling); i++) {}
    if (filling->rules && filling->missing) {
        return "1 = 0"; /* whatever the condition would make of a missing value */
    }
    struct tokens tokens = {0};
    lexer_run(filling->arena, filling->dialect, filling->condition,
              strlen(filling->condition), &tokens);
    if (!tokens.count) {
        return "";
    }
    size_t start = tokens.items[0].start;
    return arena_copy(filling->arena, filling->condition + start,
                      tokens.items[tokens.count - 1].end - start);
}

const char *narrow_fill(struct arena *arena, enum dialect dialect,
                        const struct narrow_rules *rules, const char *condition)
{
    struct filling filling = {
        .arena = arena, .dialect = dialect, .rules = rules, .condition = condition};
    return fill(&filling);
}

const char *narrow_fill_any(struct arena *arena, enum dialect dialect,
                            const char *condition)
{
    struct filling filling = {.arena = arena, .dialect = dialect, .condition = condition};
    return fill(&filling);
}
