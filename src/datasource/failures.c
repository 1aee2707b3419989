/* Names and places in the messages of database engines, and the sentences about them. */
#include "datasource/failures.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"
#include "sql/lexer.h"

bool failure_tell_refused(struct err *err)
{
    return err_set(err, ERR_INVALID_SQL, "The database did not accept the SQL.");
}

const char *failure_name_copy(char name[FAILURE_NAME], const char *from, size_t size)
{
    size = utf8_cut(from, size, size < FAILURE_NAME - 1 ? size : FAILURE_NAME - 1);
    memcpy(name, from, size);
    name[size] = '\0';
    return name;
}

bool failure_phrase_tell(const struct failure_phrase *phrases, const char *said,
                         struct err *err)
{
    for (; phrases->before; phrases++) {
        const char *from = strstr(said, phrases->before);
        from = from ? from + strlen(phrases->before) : NULL;
        const char *to = !from               ? NULL
                         : phrases->after[0] ? strstr(from, phrases->after)
                                             : from + strlen(from);
        if (to) {
            char name[FAILURE_NAME];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
            (void)err_set(err, ERR_INVALID_SQL, phrases->text,
                          failure_name_copy(name, from, (size_t)(to - from)));
#pragma GCC diagnostic pop
            return true;
        }
    }
    (void)failure_tell_refused(err);
    return false;
}

bool failure_name_after(char name[FAILURE_NAME], const char *said, const char *before)
{
    const char *from = before ? strstr(said, before) : NULL;
    name[0] = '\0';
    if (!from) {
        return false;
    }
    from += strlen(before);
    char quote = *from && strchr("`'\"", *from) ? *from++ : '\0';
    const char ends[] = {quote, '\n', '\0'};
    size_t size = strcspn(from, quote ? ends : " (;,\n");
    while (!quote && size > 0 && strchr(".:", from[size - 1])) {
        size--; /* of the sentence */
    }
    (void)failure_name_copy(name, from, size);
    return size > 0;
}

const char *failure_last_part(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && dot[1] ? dot + 1 : name;
}

bool failure_tell_missing(enum failure_thing thing, const char *name, struct err *err)
{
    static const struct {
        const char *thing;
        const char *rest;
    } words[] = {
        [FAILURE_COLUMN] = {"Column", "."},
        [FAILURE_TABLE] = {"Table", "."},
        [FAILURE_DATABASE] = {"Database", "."},
        [FAILURE_FUNCTION] = {"Function", "."},
        [FAILURE_FUNCTION_FOR] = {"Function", " for these arguments."},
    };
    return err_set(err, ERR_INVALID_SQL, "%s '%s' does not exist%s", words[thing].thing,
                   name, words[thing].rest);
}

int failure_place_of(enum dialect dialect, const char *sql, const char *name)
{
    bool exact = dialect == DIALECT_CLICKHOUSE; /* two names there, if the case differs */
    struct arena *arena = arena_new();
    struct tokens tokens = {0};
    int place = -1;
    lexer_run(arena, dialect, sql, strlen(sql), &tokens);
    for (size_t i = 0; place < 0 && i < tokens.count; i++) {
        const struct token *token = &tokens.items[i];
        bool same =
            exact ? str_equal(token->text, name) : str_equal_nocase(token->text, name);
        if (same && (token->kind == TOKEN_WORD || token->kind == TOKEN_NAME)) {
            place = (int)token->start;
        }
    }
    arena_free(arena);
    return place;
}

int failure_place_after(const char *sql, size_t from, long characters)
{
    size_t size = strlen(sql);
    for (; characters > 0 && from < size; characters--) {
        uint32_t code = 0;
        size_t step = utf8_next(sql + from, size - from, &code);
        from += step ? step : 1;
    }
    return (int)from;
}

bool failure_tell_syntax(const char *sql, int place, struct err *err)
{
    enum { WORD_MOST = 60 };
    if (place < 0 || (size_t)place >= strlen(sql)) {
        return err_set(err, ERR_INVALID_SQL, "The SQL ends too early.");
    }
    const char *at = sql + place;
    size_t word = strcspn(at, " \t\r\n,;()");
    word = word > 0 ? word : 1;
    word = utf8_cut(at, word, word < WORD_MOST ? word : WORD_MOST);
    (void)err_set(err, ERR_INVALID_SQL, "The SQL has a syntax error near '%.*s'.",
                  (int)word, at);
    err->position = place;
    return false;
}
