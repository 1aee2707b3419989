/* Inside of the lexer: what its files share. */
#ifndef DGM_SQL_LEXER_STATE_H
#define DGM_SQL_LEXER_STATE_H

#include "sql/lexer.h"

/* One text while it is split into tokens. */
struct lexer {
    struct arena *arena;
    enum dialect dialect;
    const struct dialect_info *info;
    const char *sql;
    size_t size;
    size_t at;
    char *pool; /* room for all token texts: no token's text is longer than its source */
    struct tokens *out;
    bool stopped; /* after the first TOKEN_BAD nothing more is read */
};

/* The byte `ahead` of the current one; 0 past the end (the text itself holds no NUL). */
unsigned char lexer_peek(const struct lexer *lexer, size_t ahead);
void lexer_add(struct lexer *lexer, enum token_kind kind, const char *text, size_t start);
void lexer_bad(struct lexer *lexer, size_t start, const char *why);

/* Each tries to read its thing at the current place; false: it is something else. */
bool lexer_quoted(struct lexer *lexer); /* strings and quoted names of every sort */
bool lexer_operator(struct lexer *lexer);

#endif
