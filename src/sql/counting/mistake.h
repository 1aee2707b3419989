/*
 * Two mistakes that run without an error and give wrong figures: tables that are joined
 * without a condition, and a column beside an aggregate that is not grouped by, of which
 * some engines show any value.
 */
#ifndef DGM_SQL_COUNTING_MISTAKE_H
#define DGM_SQL_COUNTING_MISTAKE_H

#include "sql/counting/grain.h"

struct foreign_key;

enum mistake_kind { MISTAKE_UNJOINED, MISTAKE_UNGROUPED };

struct mistake {
    enum mistake_kind kind;
    const struct sql_scope *scope;
    const struct sql_relation
        *left; /* UNJOINED: of each part one; UNGROUPED: its owner */
    const struct sql_relation *right;
    const struct sql_node *column; /* UNGROUPED */
    bool crossed;                  /* UNJOINED: CROSS JOIN is written out */
    bool extreme; /* UNGROUPED: beside MIN or MAX, whose row may be meant */
};

struct mistakes {
    struct mistake *items;
    size_t count;
    size_t capacity;
};

/* Tells which columns of two tables belong together where the schema has no key. */
struct mistake_keys {
    /* The key that `from` (one of the two) has to the other one; NULL: it is not known. */
    const struct foreign_key *(*find)(void *context, const struct table *a,
                                      const struct table *b, const struct table **from);
    void *context;
};

/* keys may be NULL: then only those of the schema are known. */
void mistake_find(struct arena *arena, const struct sql_statement *statement,
                  const struct sql_resolved *resolved, const struct mistake_keys *keys,
                  struct mistakes *out);
/* One sentence that names the tables or the column. */
const char *mistake_message(struct arena *arena, const struct mistake *mistake);
/* The statement without it, where there is only one way: joined by the one key that is declared, or
 * found in the data, or that `keys` (may be NULL) knows; or grouped by the column too. NULL: there are
 * several ways. Uses the tree up. */
const char *mistake_mend(struct arena *arena, struct sql_statement *statement,
                         const struct sql_resolved *resolved, const struct schema *schema,
                         const struct mistake_keys *keys, const struct mistake *mistake);

#endif
