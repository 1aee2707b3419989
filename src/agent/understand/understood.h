/*
 * What was understood of a question: which tables, joined how, filtered and added up by
 * what. The built-in parser (READ_LOCALLY) and a model (EVALUATE_TABLES and the stages
 * after it) fill the same struct; whoever writes a field is named beside it.
 */
#ifndef DGM_AGENT_UNDERSTOOD_H
#define DGM_AGENT_UNDERSTOOD_H

#include "base/vec.h"
#include "model/clarification.h"
#include "model/schema.h"

struct joins_result;

/* A table that may matter for the question. */
struct chosen_table {
    const struct table *table;
    double confidence;
    struct texts columns;
    const char *reasoning;
};

struct chosen_tables {
    struct chosen_table *items;
    size_t count;
    size_t capacity;
};

/* What a model said of one table, asked for by itself. */
struct run_verdict {
    const char *table;
    bool relevant;
    double confidence;
    struct texts columns;
    const char *reasoning;
};

/* understanding.mode: per_table. Written by per_table.c. */
struct run_verdicts {
    struct run_verdict *items;
    size_t count;
    size_t capacity;
    const char *about;  /* the question and the schema that they are about */
    struct texts asked; /* tables that the calls on their way are about */
    size_t left;        /* tables that later waves are about */
};

/* A way to read the question that the parser found, or that a model wrote. */
struct run_reading {
    const char *sql;
    const char *words;
    struct texts tables;
    bool by_model; /* a model's SQL, beside which the parser's is offered */
};

struct run_readings {
    struct run_reading *items; /* best first */
    size_t count;
    size_t capacity;
};

enum solved {
    SOLVED_NOT,    /* the parser was not to read it */
    SOLVED_UNSURE, /* it is not sure enough: a model is asked */
    SOLVED_BEYOND, /* it cannot do what is asked: a model is */
    SOLVED,        /* the struct holds its reading */
    SOLVED_ASKS,   /* run->answer.clarification asks which reading is meant */
    SOLVED_OTHER,  /* no question for this database: run->exchange.reply says so */
    SOLVED_FAILS   /* err says why, and there is no model to ask */
};

enum clarity { CLARITY_VAGUE, CLARITY_AMBIGUOUS, CLARITY_CLEAR };

/* A join as it was stated: "a.x = b.y". */
struct stated_join {
    const char *condition;
    double confidence;
};

struct stated_joins {
    struct stated_join *items;
    size_t count;
    size_t capacity;
};

struct understanding {
    bool
        intent_provisional; /* PARSE_INTENT: by local rules; the model may still differ */
    bool filter_only; /* the user decided the tables: they are filtered, not chosen */
    struct chosen_tables tables;  /* READ_LOCALLY, EVALUATE_TABLES, REFINE_TABLES */
    struct run_verdicts verdicts; /* what a model said of each table by itself */
    struct texts reasons; /* why these tables and not others, as far as a model said */
    bool joins_needed;    /* this and the next four: SYNTHESIZE, or the parser */
    struct texts filters;
    struct texts aggregations;
    const char *ordering;
    struct texts joins;                     /* INFER_JOINS: "a.x = b.y" */
    const struct joins_result *joins_found; /* between the two halves of INFER_JOINS */
    enum clarity clarity;                   /* SCORE_INTENT */
    bool whole; /* one reply, or the parser's reading, holds the part of every stage */
    struct texts named;         /* the parser's reading: names of its tables */
    struct stated_joins stated; /* joins that the reply or the reading states */
    const char *summary;        /* in one sentence; harmless to show; or NULL */
    struct texts plan;          /* its steps */
    const char *sql;            /* or NULL; "" where a reply holds none */
    bool sql_used; /* GENERATE_SQL took it, or a stage has found that it does not fit */
    const char *explanation; /* of the SQL; harmless to show; or NULL */
    struct texts assumed;    /* what the model decided besides; harmless to show */
    double sql_confidence;   /* how sure the model says it is of the SQL; below 0: not */
    const char *cannot;      /* why there is no SQL; harmless to show; or NULL */
    struct clarification back;    /* asked instead of SQL; without a message: nothing */
    enum solved solved;           /* what the parser made of the question */
    struct run_readings readings; /* the parser's, the one in use included */
    struct texts cells;           /* of the database that the question names */
    bool cells_known;             /* they were looked for */
};

#endif
