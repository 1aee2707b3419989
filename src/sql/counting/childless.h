/*
 * Things without anything to count: "the number of pets of each owner" has a row for an
 * owner without pets, which an inner join drops.
 */
#ifndef DGM_SQL_COUNTING_CHILDLESS_H
#define DGM_SQL_COUNTING_CHILDLESS_H

#include "sql/counting/grain.h"

struct childless {
    const struct sql_relation *parent;  /* the things that the groups are */
    const struct sql_relation *counted; /* the rows that are counted for them */
    bool keyed;       /* grouped by the parent's key, so that each group is one of them */
    bool filtered;    /* only some rows of the counted relations are asked for */
    bool ascending;   /* the first groups in an ascending order are asked for */
    bool first;       /* a LIMIT: only some groups are asked for */
    bool below;       /* HAVING COUNT(…) < n */
    const char *kept; /* the statement with a group for each of them, with 0 */
    const char *count; /* a query: how many groups there are then, and how many have 0 */
};

/* False: the SELECT that gives the answer does not count or add up rows for each row of
 * another table, or its form does not allow the change. */
bool childless_find(struct arena *arena, const struct sql_statement *statement,
                    const struct sql_resolved *resolved, struct childless *out);

/*
 * COUNT(*) / COUNT(DISTINCT owner_id) FROM pets leaves out the owners without pets: the
 * statement with the number of rows of `parent` in the place of the second count. Rows
 * without an owner are not counted. `others`: the same over the owners with pets. NULL: it
 * has another form. Uses the tree up.
 */
const char *childless_divide(struct arena *arena, struct sql_statement *statement,
                             const struct sql_resolved *resolved,
                             const struct schema *schema, const struct table **parent,
                             const char **others);

/* Whether it is grouped by the key of another table only: without that, childless_join() needs no tree. */
bool childless_is_joinable(const struct sql_statement *statement,
                           const struct sql_resolved *resolved,
                           const struct schema *schema);

/*
 * SELECT owner_id, COUNT(*) FROM pets GROUP BY owner_id names no owners: the same statement joined with
 * them, which childless_find() can read. NULL: it has another form. Uses the tree up.
 */
const char *childless_join(struct arena *arena, struct sql_statement *statement,
                           const struct sql_resolved *resolved,
                           const struct schema *schema);

#endif
