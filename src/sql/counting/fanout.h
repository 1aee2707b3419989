/*
 * Figures that count a row more than once. SUM(stores.target) over stores joined with
 * orders adds the target of a store once for each of its orders: what a join repeats, a
 * sum, a count or an average must not take as it comes.
 */
#ifndef DGM_SQL_COUNTING_FANOUT_H
#define DGM_SQL_COUNTING_FANOUT_H

#include "sql/counting/grain.h"
#include "sql/counting/indicator.h"

/* An aggregate over rows that a join repeats. */
struct fanout {
    const struct sql_scope *scope;
    struct sql_node *call;               /* SUM(…), COUNT(x) */
    const struct sql_relation *subject;  /* whose rows are counted too often */
    const struct sql_relation *repeater; /* whose rows repeat them */
    const struct grain_key *key;         /* by which the subject's rows differ */
    bool star; /* COUNT(*), if the subject is what it should count */
    struct indicator
        indicator;            /* likewise, but only those for which its condition holds */
    bool counts;              /* COUNT: its rows and not its values are asked for */
    bool looked_up;           /* each row of the repeater has one row of the subject */
    bool rate;                /* the value is one that is often meant for each use */
    bool whole;               /* paid for the whole thing: shipping of an order */
    bool mixed;               /* one of several values in SUM(a.x - b.y): told only */
    bool grouped_by_repeater; /* each row counts once within each group */
    struct sql_node *within;  /* then: what is grouped by; NULL: it cannot be written */
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
/*
 * The statement with the chosen figures of one SELECT over each row of their subjects
 * once, or once within each group if these are of the rows that repeat it; NULL: its form does not allow that. The tree of the statement is used up: read it
 * again from the new text.
 */
const char *fanout_once(struct arena *arena, struct sql_statement *statement,
                        const struct sql_resolved *resolved,
                        const struct fanouts *chosen);
/* A query with two figures, `written` and `once`: the aggregate as it stands, and over
 * each row once, both over all groups together. NULL: it cannot be asked by itself. */
const char *fanout_both(struct arena *arena, const struct sql_statement *statement,
                        const struct schema *schema, const struct fanout *fanout);

#endif
