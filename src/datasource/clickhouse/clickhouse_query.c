/* Is a text one query and nothing else? The driver's own look, behind the guard's: words
 * that begin another statement, a second statement, and clauses that write or change
 * settings are refused before they are sent. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "datasource/clickhouse/clickhouse_driver.h"
#include "sql/lexer.h"

static bool clickhouse_query_refuse(struct err *err, const char *message)
{
    return err_set(err, ERR_UNSAFE, "%s", message);
}

/* A word that begins a statement of another kind. */
static bool begins_other(const struct token *token)
{
    static const char *const words[] = {
        "insert",  "update", "delete", "create",   "drop",     "alter",  "truncate",
        "rename",  "attach", "detach", "optimize", "grant",    "revoke", "set",
        "system",  "kill",   "use",    "exchange", "check",    "show",   "describe",
        "desc",    "exists", "watch",  "explain",  "undrop",   "move",   "backup",
        "restore", "begin",  "commit", "rollback", "parallel", "copy"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (token_is(token, words[i])) {
            return true;
        }
    }
    return false;
}

/* SETTINGS a = 1, INTO OUTFILE 'x', FORMAT CSV behind the query */
static bool clause_is_foul(const struct token *token)
{
    bool named = token[1].kind == TOKEN_WORD || token[1].kind == TOKEN_NAME;
    if (token_is(token, "settings")) {
        return named && token_is_punct(&token[2], "=");
    }
    if (token_is(token, "into")) {
        return token_is(&token[1], "outfile");
    }
    return token_is(token, "format") && token[1].kind == TOKEN_WORD &&
           (token[2].kind == TOKEN_END || token_is_punct(&token[2], ";") ||
            token_is_punct(&token[2], ")") || token_is(&token[2], "settings"));
}

static bool tokens_judge(const struct tokens *tokens, size_t *size, struct err *err)
{
    size_t first = 0;
    while (token_is_punct(&tokens->items[first], "(")) {
        first++;
    }
    if (tokens->items[first].kind == TOKEN_END ||
        token_is_punct(&tokens->items[first], ";")) {
        return err_set(err, ERR_INVALID_SQL, "There is no SQL.");
    }
    if (begins_other(&tokens->items[first])) {
        return clickhouse_query_refuse(err, "Only a query that reads may run.");
    }
    for (size_t i = first; i < tokens->count; i++) {
        const struct token *token = &tokens->items[i];
        if (token_is_punct(token, ";")) {
            *size = token->start;
            return tokens->items[i + 1].kind == TOKEN_END ||
                   clickhouse_query_refuse(err, "Only one statement may run at a time.");
        }
        if (clause_is_foul(token)) {
            return clickhouse_query_refuse(
                err, "SETTINGS, FORMAT and INTO OUTFILE may not be used.");
        }
    }
    return true;
}

bool clickhouse_query_only(const char *sql, size_t *size, struct err *err)
{
    struct arena *arena = arena_new();
    struct tokens tokens = {0};
    *size = strlen(sql);
    lexer_run(arena, DIALECT_CLICKHOUSE, sql, *size, &tokens);
    bool ok = tokens_judge(&tokens, size, err);
    arena_free(arena);
    return ok;
}
