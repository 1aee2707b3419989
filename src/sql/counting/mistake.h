/*
 * Two mistakes that run without an error and give wrong figures: tables that are joined
 * without a condition, and a column beside an aggregate that is not grouped by, of which
 * some engines show any value.
 */
#ifndef DGM_SQL_COUNTING_MISTAKE_H
#define DGM_SQL_COUNTING_MISTAKE_H

#include "sql/counting/grain.h"

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

void mistake_find(struct arena *arena, const struct sql_statement *statement,
                  const struct sql_resolved *resolved, struct mistakes *out);
/* One sentence that names the tables or the column. */
const char *mistake_message(struct arena *arena, const struct mistake *mistake);
/* The statement without it, where there is only one way: joined by the one declared key,
 * or grouped by the column too. NULL: there are several ways. Uses the tree up. */
const char *mistake_mend(struct arena *arena, struct sql_statement *statement,
                         const struct sql_resolved *resolved, const struct schema *schema,
                         const struct mistake *mistake);

#endif
