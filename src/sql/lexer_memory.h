/*
 * The guard, the limit, the description and more read the same text one after the other.
 * A thread remembers the tokens of the last few short texts and gives copies of them.
 */
#ifndef DGM_SQL_LEXER_MEMORY_H
#define DGM_SQL_LEXER_MEMORY_H

#include "sql/lexer.h"

/* False: not remembered. What is given is as if it had just been read. */
bool lexer_recall(struct arena *arena, enum dialect dialect, const char *sql, size_t size,
                  struct tokens *out);
void lexer_remember(enum dialect dialect, const char *sql, size_t size,
                    const struct tokens *tokens);

#endif
