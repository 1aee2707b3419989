/*
 * The answer: the same struct and the same JSON for library, command line and HTTP.
 *
 * All texts live in the run's arena.
 */
#ifndef DGM_MODEL_ANSWER_H
#define DGM_MODEL_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"
#include "model/brain.h"
#include "model/clarification.h"
#include "model/intent.h"
#include "model/chart.h"
#include "model/rows.h"

struct writer;

/* One state that the question has passed, with its share of time, tokens and cost. */
struct trace_entry {
    const char *state;
    const char *event; /* what the stage said; NULL while it is running */
    double ms;
    int calls; /* LLM calls made in it */
    int tokens_in;
    int tokens_out;
    double cost;
    const char *cache; /* which cache had the schemas: "L1", "L2", "none"; or NULL */
};

struct trace {
    struct trace_entry *items;
    size_t count;
    size_t capacity;
};

/*
 * How sure the answer is. `score` is the probability that it is right; the four factors
 * and the reasons, in the same order, explain it and can only lower it.
 */
struct confidence {
    bool known;
    double score;
    double schema_match; /* 0 .. 0.3 */
    double complexity;   /* 0 .. 0.2 */
    double clarity;      /* 0 .. 0.3 */
    double validity;     /* 0 .. 0.2 */
    struct texts reasons;
};

/* The score in a word: "sure", "likely" or "unsure". */
const char *confidence_label(double score);

/* How the question was understood. */
struct parsed {
    double confidence; /* in the intent; -1: unknown */
    struct texts entities;
    struct texts filters;
    const char *time_range; /* or NULL */
};

/*
 * What the SQL does, for people: its steps, and the tables, joins and conditions in it.
 */
struct plan {
    struct texts steps;
    struct texts tables;
    struct texts joins;
    struct texts filters;
    struct texts aggregations;
    const char *ordering;
};

/* Why the first SQL failed. */
struct diagnosis {
    const char *type; /* "UNKNOWN_COLUMN", "SYNTAX", …; NULL: nothing was wrong */
    const char *cause;
    const char *suggestion;
    const char *error; /* the message of the database or of the name check */
};

/* An SQL text that failed. */
struct answer_attempt {
    const char *sql;
    const struct err *error;
};

struct answer_attempts {
    struct answer_attempt *items;
    size_t count;
    size_t capacity;
};

/* A word of the question that the SQL does not take into account. */
struct unplaced_word {
    const char *word;
    int64_t position; /* byte in the question */
    const char
        *role; /* "subject", "restriction", "name", "number", "period", "operation" */
    /* "users.status": the column whose values `nearest` are; or NULL */
    const char *column;
    struct texts nearest; /* what may have been meant */
};

struct unplaced {
    struct unplaced_word *items;
    size_t count;
    size_t capacity;
};

/* An alternative reading of the question; its number is its index. */
struct answer_reading {
    const char *words;
    const char *differs; /* what it says that the others do not, in at most 15 words */
    bool used;           /* the answer uses this one */
};

struct answer_readings {
    struct answer_reading *items;
    size_t count;
    size_t capacity;
};

/*
 * What the question cost at the model service, and what was saved. Sums over all its
 * calls, also over those before a restart.
 */
struct usage {
    int calls;
    int tokens_in;
    int tokens_out;
    double cost; /* US dollars; 0 when the model's price is unknown */
    bool cost_known;
    int saved_calls;  /* calls saved by a cache or a fused reply */
    int saved_tokens; /* prompt tokens saved by the parser; an estimate */
};

/*
 * Filled stage by stage by the run that owns it, and written as JSON when the run is
 * final or waits for its user. A field that is NULL, empty or negative is left out of
 * the JSON. All memory is in the arena of the run.
 */
struct answer {
    const char *query_id;
    const char *session_id;
    const char *status; /* one of eight words, listed in docs/api.md */
    const char *state;  /* the internal state, finer than `status` */
    const char *type;   /* "rows", "text", "schema", "clarification", "write", "error" */
    const char *question;
    const char *rewritten;
    const char
        *parameters; /* of a saved query: values by name, as a JSON object; or NULL */
    enum intent intent;
    struct parsed parsed;
    const char *datasource;
    struct texts tables;
    const char *summary;
    struct plan plan;
    const char *reasoning;
    const char *sql;
    struct rows rows;
    bool has_rows;
    struct chart_wish wish;   /* how the question says that the rows are to be shown */
    const char *text;         /* the answer in a sentence; NULL: see answer_text() */
    const char *message;      /* one sentence about what was done; NULL: nothing ran */
    const char *explanation;  /* a reply in words, or the SQL explained */
    bool words_placed;        /* `unplaced` has been determined */
    struct unplaced unplaced; /* words that the SQL does not take into account */
    int words_assumed;        /* words that were assumed to mean a part of the SQL */
    struct texts assumptions; /* these assumptions, in sentences */
    struct answer_readings readings; /* numbered alternatives */
    struct confidence confidence;
    bool parser_asked;         /* the parser has read the question */
    double parser_probability; /* the probability that its reading is right */
    enum brain_kind brain;     /* what wrote the SQL; in an answer never AUTO */
    const char *engine;        /* "sqlite", … */
    const char *engine_reason;
    struct clarification clarification;
    const struct err *error;    /* or NULL */
    const char *corrected_from; /* the SQL that failed first */
    struct diagnosis diagnosis; /* why it did */
    /* the failed SQL texts, oldest first, if none worked */
    struct answer_attempts attempts;
    struct texts lessons; /* lessons that were used */
    struct texts warnings;
    struct texts system_warnings; /* those of them that only the asker sees */
    const char *signature;
    const char *schema_hash;
    bool stale;
    struct texts dates_used;
    struct texts follow_ups;
    struct usage usage;
    struct trace trace;
    int64_t rows_touched; /* writes: number of rows, previewed or changed; -1 otherwise */
};

/* The answer in words: the sentence made from the rows, or the reply if there is no SQL. NULL:
 * there is no answer. */
const char *answer_text(const struct answer *answer);
void answer_init(struct answer *answer); /* empty: no error, no rows touched */
/* The whole object; fields that are empty are left out. */
void answer_write(const struct answer *answer, struct writer *writer);

#endif
