/*
 * Figures that count a row more than once. SUM(stores.target) over stores joined with
 * orders adds the target of a store once for each of its orders: what a join repeats, a
 * sum, a count or an average must not take as it comes.
 */
#ifndef DGM_SQL_COUNTING_FANOUT_H
#define DGM_SQL_COUNTING_FANOUT_H

#include "sql/counting/grain.h"

/* An aggregate over rows that a join repeats. */
struct fanout {
    const struct sql_scope *scope;
    struct sql_node *call;               /* SUM(…), COUNT(x) */
    const struct sql_relation *subject;  /* whose rows are counted too often */
    const struct sql_relation *repeater; /* whose rows repeat them */
    const struct grain_key *key;         /* by which the subject's rows differ */
    bool star;                /* COUNT(*), if the subject is what it should count */
    bool counts;              /* COUNT: its rows and not its values are asked for */
    bool looked_up;           /* each row of the repeater has one row of the subject */
    bool grouped_by_repeater; /* so that counting once changes what is asked */
};

struct fanouts {
    struct fanout *items;
    size_t count;
    size_t capacity;
};

/* Every aggregate of the statement that is certain to be over repeated rows, wherever the
 * data have such rows. Keys must be known: without any, nothing is said. */
void fanout_find(struct arena *arena, const struct sql_statement *statement,
                 const struct sql_resolved *resolved, struct fanouts *out);

/* The name of an aggregate that more rows of the same values change. */
bool fanout_is_additive(enum dialect dialect, const struct sql_node *call);
/* A column whose value belongs to each use of the thing and not to the thing alone: the
 * price of a product is paid with every sale. */
bool fanout_is_rate(const char *column);

/*
 * The statement with the chosen figures of one SELECT over each row of their subjects
 * once; NULL: its form does not allow that. The tree of the statement is used up: read it
 * again from the new text.
 */
const char *fanout_once(struct arena *arena, struct sql_statement *statement,
                        const struct sql_resolved *resolved,
                        const struct fanouts *chosen);
/* A query with two figures, `written` and `once`: the aggregate as it stands, and over
 * each row once, both without groups. NULL: it cannot be asked by itself. */
const char *fanout_both(struct arena *arena, const struct sql_statement *statement,
                        const struct schema *schema, const struct fanout *fanout);

#endif
