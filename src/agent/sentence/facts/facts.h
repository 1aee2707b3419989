/*
 * What the SQL says about its result, as far as the rows alone do not: what a column adds up,
 * what is counted, whether a row is missing.
 */
#ifndef DGM_AGENT_SENTENCE_FACTS_H
#define DGM_AGENT_SENTENCE_FACTS_H

#include <stdbool.h>
#include <stddef.h>

struct run;

enum fact_kind {
    FACT_PLAIN,   /* a value of a row of a table */
    FACT_COUNT,   /* how many */
    FACT_SUM,     /* added up */
    FACT_COMPUTED /* anything else that is computed from several rows */
};

struct fact_unit {
    const char *text; /* "€", "km"; NULL: none is known */
    bool symbol;      /* of a currency: may stand before the number */
};

/* "2026-01-01" and the first day after it; "": none */
struct fact_span {
    char from[11];
    char until[11];
};

struct fact_column {
    enum fact_kind kind;
    bool adds;          /* the values of all groups together are the total */
    bool truth;         /* 1 is yes, 0 is no */
    const char *things; /* FACT_COUNT: what is counted, "orders"; or NULL */
    const char *thing;  /* "order"; or NULL */
    const char *values; /* FACT_COUNT: of this column, how many different ones; or NULL */
    struct fact_unit unit;
    struct fact_span span;   /* the figure is of this period alone */
    const char *span_things; /* a count in it: of these; or NULL */
    const char *span_thing;
    bool difference; /* of two figures */
    struct fact_span
        minus; /* then: of the one that is taken away, as `span` of the other */
};

enum { FACTS_COLUMNS = 12, FACTS_UNORDERED = FACTS_COLUMNS };

struct facts {
    struct fact_column columns[FACTS_COLUMNS]; /* of the first columns */
    const char *things; /* each row is one of these: "riders"; or NULL */
    const char *thing;
    const char *searched; /* what the conditions are about: "orders"; or NULL */
    bool filtered;        /* there are conditions */
    bool picked;   /* groups that a condition on them does not hold for are left out */
    bool distinct; /* no two rows are equal */
    bool whole;    /* every row or group that fits the conditions is in the rows */
    bool lacking;  /* there may be groups without a row that would count 0 */
    bool keyed;    /* no group is in two rows that differ only in what is not shown */
    bool untied;   /* the row after the last one is known to be different */
    size_t order;  /* the column by which the rows are ordered; or FACTS_UNORDERED */
    bool descending;
    char today[11];    /* "2026-11-19"; "": not known */
    char data_end[11]; /* the last date, if the conditions ask for later ones; or "" */
};

/* The facts of the run's answer, whose rows are there. Texts are in run->scratch. */
void facts_read(struct run *run, struct facts *out);
/* facts_end.c: sets `data_end` if nothing was found because the data end earlier. */
void facts_find_end(struct run *run, struct facts *facts);

#endif
