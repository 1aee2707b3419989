/*
 * What MySQL's read-only mode lets pass although it is no mere reading: other kinds of
 * statements, files, locks, waiting, variables that stay in the session. The guard has
 * its list of what may be; this is the driver's own of what may not.
 */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "datasource/mysql/mysql_driver.h"
#include "sql/lexer.h"

static bool among(const char *text, const char *const *words)
{
    for (; *words; words++) {
        if (str_equal_nocase(text, *words)) {
            return true;
        }
    }
    return false;
}

static bool refused(const char *what, struct err *err)
{
    return err_set(err, ERR_UNSAFE, "%s", what);
}

/* A function is called by its bare or by its quoted name. */
static bool call_bad(const struct token *token)
{
    static const char *const functions[] = {"load_file",
                                            "sleep",
                                            "benchmark",
                                            "get_lock",
                                            "release_lock",
                                            "is_free_lock",
                                            "is_used_lock",
                                            "release_all_locks",
                                            "nextval",
                                            "setval",
                                            "lastval",
                                            "sys_exec",
                                            "sys_eval",
                                            "last_insert_id",
                                            "master_pos_wait",
                                            "source_pos_wait",
                                            "lib_mysqludf",
                                            "master_gtid_wait",
                                            "wait_for_executed_gtid_set",
                                            NULL};
    return (token->kind == TOKEN_WORD || token->kind == TOKEN_NAME) &&
           token_is_punct(token + 1, "(") && among(token->text, functions);
}

static bool token_check(const struct token *token, struct err *err)
{
    static const char *const words[] = {"into", "procedure", "lock", NULL};
    if (token->kind == TOKEN_BAD) {
        (void)err_set(err, ERR_INVALID_SQL, "The SQL holds %s.", token->text);
        err->position = (int)token->start;
        return false;
    }
    if (token->kind == TOKEN_PARAM || token_is_punct(token, ":=")) {
        return refused("Variables may not be used.", err);
    }
    if (token_is_punct(token, ";") && token[1].kind != TOKEN_END) {
        return refused("Only one statement may run at a time.", err);
    }
    if ((token->kind == TOKEN_WORD && among(token->text, words)) ||
        (token_is(token, "for") &&
         (token_is(token + 1, "update") || token_is(token + 1, "share")))) {
        return refused("Only a query that reads may run.", err);
    }
    if (call_bad(token)) {
        return refused("The query calls a function that does more than read.", err);
    }
    return true;
}

bool mysql_gate(const char *sql, struct err *err)
{
    static const char *const starts[] = {"select", "with", "values", NULL};
    struct arena *arena = arena_new();
    struct tokens tokens;
    lexer_run(arena, DIALECT_MYSQL, sql, strlen(sql), &tokens);
    size_t first = 0;
    while (token_is_punct(&tokens.items[first], "(")) {
        first++;
    }
    bool ok = true;
    const struct token *start = &tokens.items[first];
    for (size_t i = 0; ok && i < tokens.count; i++) {
        ok = token_check(&tokens.items[i], err);
    }
    if (ok && start->kind == TOKEN_END) {
        ok = err_set(err, ERR_INVALID_SQL, "There is no statement.");
    } else if (ok && (start->kind != TOKEN_WORD || !among(start->text, starts))) {
        ok = refused("Only a query that reads may run.", err);
    }
    arena_free(arena);
    return ok;
}
