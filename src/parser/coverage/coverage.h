/*
 * Does the SQL take every word of its question into account? A word is used if it names a
 * table, a column, a value, a period, a number or an operation in the SQL, or is known to
 * carry no meaning. All other words are reported to the user.
 */
#ifndef DGM_PARSER_COVERAGE_H
#define DGM_PARSER_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

struct feature_schema;
struct network;
struct parser;
struct sql_statement;
struct value_index;

enum coverage_role {
    COVERAGE_SUBJECT,     /* what is counted or listed: "how many cars" */
    COVERAGE_RESTRICTION, /* an adjective or noun that says which: "banned users" */
    COVERAGE_NAME,        /* a proper name, or quoted text */
    COVERAGE_NUMBER,
    COVERAGE_PERIOD,    /* "in March", and no date is compared */
    COVERAGE_OPERATION, /* "average", and nothing is averaged */
    COVERAGE_ROLES
};

const char *coverage_role_name(enum coverage_role role);

struct coverage_word {
    const char *text; /* as it was written */
    size_t position;  /* byte in the question */
    enum coverage_role role;
    bool open;      /* a period that leaves open which days are meant */
    bool by_custom; /* a period or state that was read by its usual meaning */
    bool doubtful;  /* and others are used as well */
    bool is_time;   /* a time of day, which is no value of a list */
    bool joined;    /* what it may have asked for is a table */
    bool is_verb;   /* says what is done: no value of a list */
    bool apart; /* the SQL is near to it and means something else: stands for no part */
    const char
        *taken_for;      /* the part of the SQL that it may have asked for; NULL: none */
    const char *unasked; /* a condition that no word asked for, perhaps written because of
                          * this one; NULL: none */
    const char
        *elsewhere; /* the table that the SQL leaves out and that has this name, or a
                            * column of it; or NULL */
    const char *elsewhere_column;         /* that column; NULL: it is the table's name */
    const char *table;                    /* where a value was looked for; or NULL */
    const char *column;                   /* whose values are the nearest; or NULL */
    const struct coverage_weight *weight; /* where it was weighed; or NULL */
    struct texts nearest; /* values of that column, else names of tables or columns */
};

/* How likely a left-over word says which rows are meant. */
struct coverage_weight {
    const double *traits; /* COVERAGE_TRAITS numbers */
    const char *nearest;  /* the table or column in use that it is most like; or NULL */
    double chance;
};

struct coverage_words {
    struct coverage_word *items;
    size_t count;
    size_t capacity;
};

struct coverage_request {
    const struct feature_schema *schema;
    const struct value_index *index; /* or NULL */
    const char *question;
    const struct sql_statement *statement;
    const struct texts
        *known;        /* words explained elsewhere, such as by lessons; or NULL */
    const char *today; /* 2024-05-15, for "3 months ago"; NULL: not known */
    const struct parser
        *parser; /* whose network weighs words, for parser_cover(); or NULL */
    const struct network *network; /* that of it */
    bool all; /* also words that were weighed and found to ask for nothing */
};

/* The unused words in the order of the question; everything is in the arena. False: the
 * SQL could not be parsed. */
bool coverage_find(struct arena *arena, const struct coverage_request *request,
                   struct coverage_words *out);

#endif
