/*
 * The built-in brain: a question and a schema in, queries with probabilities out. No
 * model, no key, no network, no thread of its own. Immutable after opening, so any number
 * of questions may use it at once.
 */
#ifndef DGM_PARSER_PARSER_H
#define DGM_PARSER_PARSER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "sql/dialect.h"

struct err;
struct judgement;
struct parser;
struct schema;
struct value_index;

/* By a weights file; parser_of: by one in memory that outlives it. */
struct parser *parser_open(const char *path, struct err *err);
struct parser *parser_of(const void *data, size_t size, struct err *err);
/* By the weights that are part of the program. */
struct parser *parser_built_in(struct err *err);
void parser_close(struct parser *parser);

/* How a result looks, by its first thousand rows. */
struct parser_looks {
    double nulls;            /* share of the cells */
    double repeated;         /* share of the rows that were there before */
    size_t null_columns;     /* nothing but NULL */
    size_t constant_columns; /* the same in all of several rows */
    size_t text_columns;
    size_t number_columns;
    size_t date_columns; /* text that begins like a date */
    size_t year_columns; /* numbers that may all be years; they are number columns, too */
    bool many;           /* there are more rows */
    bool zero;           /* a single cell, and it is 0 */
    bool negative;       /* some number is below 0 */
    uint64_t things;     /* equal for equal first columns */
};

/* What running a candidate gave. */
struct parser_outcome {
    int64_t limit_ms; /* set before it is run: as long as it may take */
    int64_t *steps;   /* likewise: the steps it may take, where the engine counts them */
    bool ok;
    bool late;       /* it took longer: nothing is known of it, and nothing against it */
    bool empty;      /* no row, or a single NULL or 0 */
    uint64_t result; /* equal for equal results */
    size_t rows;
    size_t columns;
    struct parser_looks looks;
};

struct rows;
/* Fills all but `ok` from the rows; ordered: the SQL asks for their order, which counts. */
void parser_outcome_of(const struct rows *rows, bool ordered, struct parser_outcome *out);

/* What the network wrote, before anything is chosen. */
struct parser_candidate {
    const char *sql; /* NULL: it makes no query */
    double log_probability;
    struct parser_outcome outcome;
    const struct judgement *judgement; /* NULL: it makes no query, or it does not run */
    size_t group;       /* number of the first candidate with the same result */
    const int *outputs; /* its tokens as outputs of the network; -1: not in its input */
    size_t output_count;
};

struct parser_request {
    struct schema *schema;
    const struct value_index *index; /* or NULL */
    const char *question;
    enum dialect dialect;
    const char *today;             /* 2024-03-15 */
    const char *previous_question; /* of the same conversation, with its SQL; or NULL */
    const char *previous_sql;
    const char *older_question; /* the one before that; or NULL */
    size_t width;               /* of the beam; 0: 6 */
    bool headings;              /* what is computed gets a name for people to read */
    /* Runs a candidate under the caller's guard and limits; NULL: nothing is run. */
    void (*run)(void *context, const char *sql, struct parser_outcome *out);
    void *context;
    bool counts_steps; /* it keeps to them, so time need not be short */
    /* Is told of every candidate in order, best first; or NULL. */
    void (*note)(void *context, const struct parser_candidate *candidate);
};

struct parser_reading {
    const char *sql;
    const char *words; /* the same in plain English */
    struct texts tables;
    double log_probability;
    double score;
    size_t rank; /* in the beam */
    struct parser_outcome outcome;
    bool inferred_join;
};

/* A cell of the database that words of the question name. */
struct parser_cell {
    const char *table;
    const char *column;
    const char *text;
};

struct parser_cells {
    struct parser_cell *items;
    size_t count;
    size_t capacity;
};

struct parser_answer {
    struct parser_reading *items; /* best first, results all different */
    size_t count;
    size_t capacity;
    double probability; /* that the first one is right */
    const char *beyond; /* what the question asks for and the parser cannot do, or NULL */
    struct parser_cells cells; /* there also when there is no reading */
    bool follow_up;            /* the first one changes the previous SQL */
};

/* Everything in the arena. False with a reason when there is no reading at all. */
bool parser_answer(struct parser *parser, struct arena *arena,
                   const struct parser_request *request, struct parser_answer *out,
                   struct err *err);

/* Schemas as the parser sees them: the last few are kept. Any thread may use them. They need no
 * weights, so whoever only asks for the coverage does not pay for a network. */
struct parser_schemas;
struct parser_schemas *parser_schemas_new(void);
void parser_schemas_free(struct parser_schemas *schemas); /* NULL is fine */
/* Before its first question: the parser uses these, which outlive it, instead of its own. */
void parser_share(struct parser *parser, struct parser_schemas *schemas);

struct coverage_request;
struct coverage_words;
/* The words of a question that its SQL gives no place (coverage.h). request->schema is filled in from
 * the schema. */
bool parser_cover(struct parser_schemas *schemas, struct arena *arena,
                  struct schema *schema, const struct coverage_request *request,
                  struct coverage_words *out);

#endif
