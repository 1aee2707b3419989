/*
 * One SQL statement, read once: its text, its tokens and its tree. Whoever needs to know
 * something about a statement (the guard, policies, limits, descriptions, planning) asks
 * the tree; nobody reads the text a second time. What runs is printed from the tree.
 *
 * Everything lives in the arena that was given to sql_statement_read().
 */
#ifndef DGM_SQL_STATEMENT_H
#define DGM_SQL_STATEMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "sql/dialect.h"
#include "sql/lexer.h"
#include "sql/tree/tree.h"

struct arena;

struct sql_statement {
    enum dialect dialect;
    const char *text; /* as it was given; not copied */
    size_t size;
    struct tokens tokens;  /* for places in the text */
    struct sql_node *root; /* QUERY, INSERT, UPDATE or DELETE; NULL: not readable */
    const char *reason;    /* one sentence when root is NULL */
    bool placed;           /* the reason is about the byte at `position` of the text */
    size_t position;
    bool malformed; /* not SQL of this dialect; otherwise SQL that is never allowed */
    bool single;    /* the tokens are those of one statement, readable or not */
};

/* False when the text is not one statement of the dialect; `reason` says why. */
bool sql_statement_read(struct arena *arena, enum dialect dialect, const char *sql,
                        size_t size, struct sql_statement *out);

/* The same with a tree of its own, which may be changed; its places are still in the text. */
struct sql_statement sql_statement_copy(struct arena *arena,
                                        const struct sql_statement *statement);

/* Do its rows come in an order that it asks for? An ORDER BY of a subquery, a window or an
 * aggregate orders no rows of the result. */
bool sql_statement_ordered(const struct sql_statement *statement);

/* The same statement to the engine: names and functions that are not in quotes may differ in
 * their case, where the dialect does not mind. Of texts that cannot be read the words
 * are compared. */
bool sql_statement_same(const struct sql_statement *a, const struct sql_statement *b);

/* The statement as SQL of a dialect, without comments and odd spellings. */
const char *sql_statement_print(struct arena *arena, enum dialect dialect,
                                const struct sql_node *root);

#endif
