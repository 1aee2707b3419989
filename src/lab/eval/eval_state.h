/* What the files of an evaluation share. */
#ifndef DGM_LAB_EVAL_STATE_H
#define DGM_LAB_EVAL_STATE_H

#include <jansson.h>

#include "base/buf.h"
#include "base/map.h"
#include "model/rows.h"
#include "dragoman_lab.h"
#include "service/instance.h"

enum { EVAL_LEVELS = 4, EVAL_FILE_MOST = 1024 * 1024 * 1024 };

struct parser;
struct parser_candidate;
struct value_index;
struct writer;

/* A database of the set, opened once. */
struct eval_database {
    struct datasource *source;
    struct schema *schema;
    struct value_index *index;
};

/* The answers that count as right: of `query`, and of each of `also`. */
struct eval_known {
    struct eval_answer {
        struct rows rows;
        bool ordered;
    } * items;
    size_t count;
    size_t capacity;
};

/* The answer to one question as a user would have seen it. */
enum { EVAL_WORD = 64 };

struct eval_row {
    const char *database;
    const char *question;
    size_t turns_before;
    double probability; /* of the brain that answered */
    double score;       /* shown; lower where words, joins or rows are doubtful */
    bool right;
    double before;            /* score of the turn before; negative: there was none */
    bool changes;             /* read as a change of the turn before */
    char unplaced[EVAL_WORD]; /* the first word without a place; "": none */
};

struct eval {
    const struct dgm_eval_request *request;
    const struct options *options;
    struct parser *parser; /* or NULL: the machine is asked */
    struct dgm *dgm;
    size_t by_parser; /* of the machine's answers */
    int64_t calls;    /* to the model */
    int64_t tokens;
    size_t failed; /* questions, in the machine */
    struct err first_error;
    bool hopeless;        /* there is no model */
    struct map databases; /* id -> struct eval_database */
    struct buf predictions;
    struct buf candidates;
    double *ms;
    size_t done;
    size_t right[EVAL_LEVELS];
    size_t total[EVAL_LEVELS];
    /* words of the question, in the machine (tests/trust) */
    size_t odd;         /* questions with a word that has no place */
    size_t odd_told;    /* it is in the answer, or there is none */
    size_t odd_assumed; /* of these, only as what it was taken to mean */
    size_t plain;       /* all other questions */
    size_t doubted;     /* a word of theirs was found to have no place */
    size_t assumed;     /* or was only taken to mean something */
    size_t silent;      /* no reading at all */
    size_t missing;     /* their database could not be read */
    double *sure;       /* per question: probability, negative when wrong */
    struct eval_row *rows;
};

/* One question on its way. */
struct eval_question {
    struct eval_database *database;
    struct arena *arena;
    const json_t *item;
    const char *text;
    struct eval_known *known;
};

struct eval_guess {
    const char *sql; /* NULL: none */
    double probability;
    double score;
    double before; /* score of the turn before; negative: there was none */
    bool changes;  /* read as a change of the turn before */
    char unplaced[EVAL_WORD];
};

/* eval_database.c */
struct eval_database *eval_database_get(struct eval *eval, const char *id,
                                        struct err *err); /* opened on first use */
void eval_databases_close(struct eval *eval);
bool eval_database_run(struct eval_database *database, const char *sql,
                       struct arena *arena, struct rows *rows);
/* The same within a limit; err says what stopped it. */
bool eval_database_try(struct eval_database *database, const char *sql, int64_t limit_ms,
                       int64_t *steps, struct arena *arena, struct rows *rows,
                       struct err *err);

/* eval_known.c */
void eval_known_read(struct arena *arena, const struct eval_database *database,
                     const json_t *item, struct eval_known *out);
bool eval_known_has(struct arena *arena, const struct eval_known *known,
                    struct eval_database *database, const char *sql);
int eval_level(struct arena *arena, const char *sql); /* 0 to EVAL_LEVELS - 1 */

/* eval_parser.c: the parser by itself. */
void eval_parser_ask(struct eval *eval, const struct eval_question *question,
                     struct eval_guess *out);

/* eval_agent.c: the whole machine, with a model. */
bool eval_agent_open(struct eval *eval, const json_t *list, size_t count,
                     struct err *err);
void eval_agent_close(struct eval *eval); /* never opened is fine */
void eval_agent_ask(struct eval *eval, const struct eval_question *question,
                    struct eval_guess *out);

/* eval_candidates.c: one line of JSON per question. */
struct eval_candidates {
    struct eval_database *database;
    struct eval_known *known;
    struct arena *arena;
    struct writer *writer;
    size_t rank;
};
void eval_candidates_begin(struct eval_candidates *candidates, const json_t *item,
                           size_t number);
void eval_candidates_add(struct eval_candidates *candidates,
                         const struct parser_candidate *candidate);
void eval_candidates_end(struct eval_candidates *candidates);

/* eval_calibration.c: scores beside how often they were right. */
void eval_calibration_write(const struct eval *eval, struct writer *writer);
void eval_rows_write(const struct eval *eval, struct writer *writer);
char *eval_rows_csv(const struct eval *eval); /* the caller's to free */

/* eval_figures.c: the report; the caller's to free. Sorts the lists it reads. */
char *eval_figures(struct eval *eval);

#endif
