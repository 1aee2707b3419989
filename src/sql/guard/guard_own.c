/*
 * A database's own functions and operators under the names of built-in ones. The list of
 * harmless functions speaks of the built-in ones; which of the two a call means depends
 * on types, blanks and quotes, and is not certain here. So neither is called.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/str.h"
#include "sql/guard/guard_state.h"

static bool is_operator(const char *name)
{
    return !isalnum((unsigned char)*name) && *name != '_';
}

void guard_own_add(struct schema *schema, enum dialect dialect, const char *name)
{
    char *lower = str_lower(schema->arena, name);
    if (is_operator(lower) || function_find(dialect, lower)) {
        VEC_PUSH(schema->arena, &schema->functions, lower);
    }
}

void guard_own_add_type(struct schema *schema, const char *name)
{
    VEC_PUSH(schema->arena, &schema->types, str_lower(schema->arena, name));
}

/* Operators that PostgreSQL calls for a word or for another spelling. ORDER BY, GROUP BY
 * and UNION go by operator classes: tables of types with such are not read at all. */
static const struct {
    const char *operator;
    const char *words; /* or signs, each between blanks */
} silent[] = {
    {"=", " in any some all using natural case nullif distinct "},
    {"<>", " != in any some all distinct "},
    {"<", " between overlaps "},
    {">", " between overlaps "},
    {"<=", " between overlaps "},
    {">=", " between overlaps "},
    {"~~", " like any some all "},
    {"!~~", " like any some all "},
    {"~~*", " ilike any some all "},
    {"!~~*", " ilike any some all "},
    {"~", " similar "},
    {"!~", " similar "},
};

/* Is it among words between blanks? */
static bool is_among(const char *words, const char *text)
{
    size_t size = strlen(text);
    for (const char *at = words; size && (at = strchr(at, ' ')) && at[1]; at++) {
        if (strncasecmp(at + 1, text, size) == 0 && at[1 + size] == ' ') {
            return true;
        }
    }
    return false;
}

static bool uses_operator(const struct token *token, const char *operator)
{
    bool used = token_is_punct(token, operator);
    for (size_t i = 0; i < sizeof silent / sizeof *silent && !used; i++) {
        used = str_equal(silent[i].operator, operator) && token->kind != TOKEN_STRING &&
               is_among(silent[i].words, token->text);
    }
    return used;
}

static const struct token *operator_used(const struct tokens *tokens,
                                         const char *operator)
{
    for (size_t i = 0; i < tokens->count; i++) {
        if (uses_operator(&tokens->items[i], operator)) {
            return &tokens->items[i];
        }
    }
    return NULL;
}

static const struct token *token_of(const struct tokens *tokens, const char *name)
{
    for (size_t i = 0; i < tokens->count; i++) {
        if (str_equal_nocase(tokens->items[i].text, name)) {
            return &tokens->items[i];
        }
    }
    return NULL;
}

static bool called(const struct texts *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++) {
        if (str_equal(names->items[i], name)) {
            return true;
        }
    }
    return false;
}

/* The first of them that a statement uses, and where; NULL: none. */
static const char *own_used(const struct schema *schema, const struct texts *functions,
                            const struct tokens *tokens, const struct token **at)
{
    for (size_t i = 0; schema && i < schema->functions.count; i++) {
        const char *name = schema->functions.items[i];
        bool operator= is_operator(name);
        *at = operator? operator_used(tokens, name) : token_of(tokens, name);
        if (operator? *at != NULL : called(functions, name)) {
            return name;
        }
    }
    return NULL;
}

/* A type with such functions that a cast names, or the list of columns of a function. */
static const char *type_used(const struct schema *schema, const struct texts *types)
{
    for (size_t i = 0; i < types->count; i++) {
        if (called(&schema->types, types->items[i])) {
            return types->items[i];
        }
    }
    return NULL;
}

/* What PostgreSQL calls for a cast, a comparison or an order is named nowhere: a table
 * with such a type is not read at all. */
static bool unnamed(struct guard *guard, const struct tokens *tokens)
{
    static const char hint[] =
        "Only the setting allow_own_types of the datasource allows this.";
    const struct schema *schema = guard->schema;
    if (schema->own_code) {
        return guard_refuse(guard, NULL,
                            "This database has %.200s of its own, which any statement "
                            "could call. %s",
                            schema->own_code, hint);
    }
    for (size_t i = 0; i < guard->out->tables.count; i++) {
        const struct table *table = schema_table(schema, guard->out->tables.items[i]);
        if (table && table->own_code) {
            return guard_refuse(guard, token_of(tokens, table->bare_name),
                                "The table '%.60s' is not read: %.250s. %s", table->name,
                                table->own_code, hint);
        }
    }
    const char *type = type_used(schema, &guard->out->types);
    return !type || guard_refuse(guard, token_of(tokens, type),
                                 "The cast to '%.60s' is not allowed: this database has "
                                 "a function of its own for it. %s",
                                 type, hint);
}

const char *guard_own_used(struct arena *arena, enum dialect dialect,
                           const struct schema *schema, const struct guard_result *passed)
{
    struct tokens tokens = {0};
    const struct token *at = NULL;
    lexer_run(arena, dialect, passed->sql, strlen(passed->sql), &tokens);
    const char *name = own_used(schema, &passed->functions, &tokens, &at);
    return schema && !name ? type_used(schema, &passed->types) : name;
}

bool guard_own(struct guard *guard, const struct tokens *tokens)
{
    const struct token *at = NULL;
    const char *name = own_used(guard->schema, &guard->out->functions, tokens, &at);
    if (!name) {
        return !guard->schema || unnamed(guard, tokens);
    }
    return guard_refuse(guard, at,
                        is_operator(name)
                            ? "The operator %.60s is not allowed: this database has one "
                              "of its own with that name, which would be called in place "
                              "of the built-in one."
                            : "The function %.60s is not allowed: this database has one "
                              "of its own with that name, which could be called in place "
                              "of the built-in one.",
                        name);
}
