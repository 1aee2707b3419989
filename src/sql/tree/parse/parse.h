/*
 * Reads one statement of any dialect into a tree. What cannot be read is an error with a
 * place and a reason; nothing is guessed. Reading says nothing about whether the
 * statement may run: that is the guard's business.
 */
#ifndef DGM_SQL_TREE_PARSE_H
#define DGM_SQL_TREE_PARSE_H

#include "sql/tree/tree.h"

struct tokens;

struct sql_parsed {
    struct sql_node
        *root; /* QUERY, INSERT, UPDATE or DELETE; NULL when it could not be read */
    const char *reason; /* one sentence when root is NULL */
    bool placed;        /* the reason is about the byte at `position` */
    size_t position;
    bool malformed; /* not SQL of this dialect; otherwise SQL that is never allowed */
    bool single;    /* the tokens are those of one statement, readable or not */
};

void sql_parse(struct arena *arena, enum dialect dialect, const char *sql, size_t size,
               struct sql_parsed *out);
/* The same; the tokens are kept for the caller. */
void sql_parse_tokens(struct arena *arena, enum dialect dialect, const char *sql,
                      size_t size, struct tokens *tokens, struct sql_parsed *out);

/* The reason when a statement has more levels than are read. */
#define SQL_TOO_DEEP "The query is nested too deeply."

#endif
