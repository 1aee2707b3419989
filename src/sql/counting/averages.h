/*
 * Averages that do not weigh each row alike, and ratios of sums over different rows. The average of the averages of the stores
 * gives a store with one order as much weight as one with a thousand; the average of
 * total / quantity gives each line the same weight, whatever its quantity.
 */
#ifndef DGM_SQL_COUNTING_AVERAGES_H
#define DGM_SQL_COUNTING_AVERAGES_H

#include "sql/resolve/resolve.h"

enum averages_kind {
    AVERAGES_OF_AVERAGES, /* AVG(x) where x is AVG(y) of a subquery or CTE with groups */
    AVERAGES_OF_VIEW,     /* AVG(v.avg_total): the name of a view's column says it */
    AVERAGES_OF_RATIOS,   /* AVG(a / b) */
    AVERAGES_OF_PARTS     /* SUM(a) / SUM(b), where some rows have only one of both */
};

struct averages {
    enum averages_kind kind;
    const struct sql_scope *scope;       /* the SELECT in which the outer AVG stands */
    struct sql_node *call;               /* OF_PARTS: the quotient */
    const struct sql_relation *relation; /* what gives the inner averages; or NULL */
    const struct sql_node *select;       /* OF_AVERAGES: its SELECT */
    const struct sql_node *inner;        /* OF_AVERAGES: AVG(y); OF_RATIOS: a / b */
};

struct averages_list {
    struct averages *items;
    size_t count;
    size_t capacity;
};

void averages_find(struct arena *arena, const struct sql_statement *statement,
                   const struct sql_resolved *resolved, struct averages_list *out);

/* The statement with this average over all rows alike: the sum of the values by their
 * number, or the ratio of the sums. NULL: its form does not allow that. Uses the tree up. */
const char *averages_weigh(struct arena *arena, struct sql_statement *statement,
                           const struct averages *average);
/* A query with two figures, `written` and `overall`, both over all groups together. NULL:
 * it cannot be asked by itself. Uses the tree up. */
const char *averages_both(struct arena *arena, struct sql_statement *statement,
                          const struct averages *average);

#endif
