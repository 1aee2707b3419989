/*
 * SQL into tokens, true to the dialect. Never fails on odd input: what it cannot read is
 * TOKEN_BAD with a reason, and the guard refuses it.
 */
#ifndef DGM_SQL_LEXER_H
#define DGM_SQL_LEXER_H

#include <stdbool.h>
#include <stddef.h>

#include "sql/dialect.h"
#include "sql/keyword.h"

struct arena;

enum token_kind {
    TOKEN_END,
    TOKEN_WORD,   /* keyword or plain name; `text` keeps the spelling */
    TOKEN_NAME,   /* quoted name; `text` is unquoted */
    TOKEN_STRING, /* `text` is the value */
    TOKEN_NUMBER,
    TOKEN_BLOB,
    TOKEN_PARAM, /* ? :x @x $1 */
    TOKEN_PUNCT, /* ( ) , ; . and operators; `text` is the whole operator */
    TOKEN_BAD,   /* `text` says why */
};

struct token {
    enum token_kind kind;
    enum keyword keyword; /* of a TOKEN_WORD; KEYWORD_NONE otherwise */
    const char *text;
    size_t start; /* bytes in the source */
    size_t end;
};

enum { LEXER_ENDS = 8 }; /* a reader may look this far ahead */

struct tokens {
    struct token *items; /* ends with LEXER_ENDS times TOKEN_END */
    size_t count;        /* without the end */
    size_t capacity;
};

/* Comments and white space are dropped. */
void lexer_run(struct arena *arena, enum dialect dialect, const char *sql, size_t size,
               struct tokens *out);
bool token_is(const struct token *token,
              const char *word); /* a plain word, case folded */
bool token_is_punct(const struct token *token, const char *punct);

#endif
