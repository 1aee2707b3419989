/*
 * Which rows of a join can come more than once. From the keys of the tables and the
 * conditions that say "equal", it follows which relations have at most one row for each
 * row of another; whatever is not among them repeats that row.
 */
#ifndef DGM_SQL_COUNTING_GRAIN_H
#define DGM_SQL_COUNTING_GRAIN_H

#include "sql/resolve/resolve.h"

enum { GRAIN_RELATIONS = 32 }; /* a query with more is not looked at */

/* left.column = right.column; or a column that has one value. */
struct grain_equality {
    size_t left;
    size_t right; /* GRAIN_FIXED: a value that is the same for all rows */
    const struct sql_output *left_column;
    const struct sql_output *right_column;
};

enum { GRAIN_FIXED = GRAIN_RELATIONS };

struct grain_equalities {
    struct grain_equality *items;
    size_t count;
    size_t capacity;
};

struct grain_key {
    const struct sql_output **items; /* no column at all: there is only one row */
    size_t count;
    size_t capacity;
};

struct grain_keys {
    struct grain_key *items;
    size_t count;
    size_t capacity;
};

struct grain {
    struct arena *arena;
    const struct sql_resolved *resolved;
    const struct sql_scope *scope;
    struct grain_equalities equalities;
    struct grain_keys keys[GRAIN_RELATIONS]; /* of each relation; none: not known */
    int depth; /* subqueries that were followed to find keys */
};

/* False when the SELECT cannot be judged: too many relations, or made of parts whose rows
 * are not known. */
bool grain_read(struct arena *arena, const struct sql_resolved *resolved,
                const struct sql_scope *scope, struct grain *out);

/* Marks every relation of which there is at most one row for each row of those that are
 * marked already. True when all are. */
bool grain_close(const struct grain *grain, bool *marked);
/* The same within a group of GROUP BY, in which what is grouped by has one value. */
bool grain_close_group(const struct grain *grain, bool *marked);

/* Is the column one that GROUP BY names? */
bool grain_is_grouped(const struct grain *grain, size_t relation,
                      const struct sql_output *column);
/* The shortest key of a relation; NULL: none is known. */
const struct grain_key *grain_key_of(const struct grain *grain, size_t relation);

/* The parts of a condition that must all hold. */
struct grain_conjuncts {
    const struct sql_node **items;
    size_t count;
    size_t capacity;
};
void grain_conjuncts(struct arena *arena, const struct sql_node *condition,
                     struct grain_conjuncts *out);
/* The relations of this SELECT that an expression refers to, also from inside its
 * subqueries. False: one of its names is not certain. */
bool grain_relations_in(const struct grain *grain, const struct sql_node *node,
                        bool *marked);

#endif
