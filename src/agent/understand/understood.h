/*
 * What a question means: its tables, joins, conditions and aggregations, and possibly
 * SQL. The built-in parser (READ_LOCALLY) and a model (EVALUATE_TABLES and the stages
 * after it) fill the same struct. Comments name the stage or the file that writes a
 * field. All memory is the run's arena.
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

/* A model's judgement of one table, in the mode per_table. */
struct run_verdict {
    const char *table;
    bool relevant;
    double confidence;
    struct texts columns;
    const char *reasoning;
};

/* Written by per_table.c (understanding.mode: per_table). */
struct run_verdicts {
    struct run_verdict *items;
    size_t count;
    size_t capacity;
    const char *about;  /* identifies the question and the schema that they refer to */
    struct texts asked; /* tables of the calls in progress */
    size_t left;        /* number of tables that no call was made for yet */
};

/* One possible meaning of the question, with its SQL. */
struct run_reading {
    const char *sql;
    const char *words;
    struct texts tables;
    bool by_model; /* a model wrote it; the parser's readings are offered beside it */
};

struct run_readings {
    struct run_reading *items; /* best first */
    size_t count;
    size_t capacity;
};

/* What the parser made of the question (READ_LOCALLY). */
enum solved {
    SOLVED_NOT,    /* the parser did not read it */
    SOLVED_UNSURE, /* its best reading is too unlikely; ask a model */
    SOLVED_BEYOND, /* the parser cannot express it; ask a model */
    SOLVED,        /* struct understanding holds its reading */
    SOLVED_ASKS,   /* run->answer.clarification asks which reading is meant */
    SOLVED_OTHER,  /* not about this database; run->exchange.reply says so */
    SOLVED_FAILS   /* err says why, and there is no model */
};

enum clarity { CLARITY_VAGUE, CLARITY_AMBIGUOUS, CLARITY_CLEAR };

/* A join condition that a reply or a reading states: "a.x = b.y". */
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
        /* PARSE_INTENT: by local rules; a model may still change it */
        intent_provisional;
    bool filter_only; /* understanding.c: the user decided the tables; only filter them */
    struct chosen_tables tables;  /* READ_LOCALLY, EVALUATE_TABLES, REFINE_TABLES */
    struct run_verdicts verdicts; /* per_table.c */
    struct texts
        reasons; /* EVALUATE_TABLES, REFINE_TABLES: why these tables, if stated */
    /* Up to `ordering`: SYNTHESIZE from a reply, or sql_facts.c from its SQL. */
    bool joins_needed;
    struct texts filters;
    struct texts aggregations;
    const char *ordering;
    struct texts joins;                     /* INFER_JOINS: "a.x = b.y" */
    const struct joins_result *joins_found; /* INFER_JOINS, between its two halves */
    enum clarity clarity;                   /* SCORE_INTENT */
    /*
     * From here to `sql_confidence`: understanding.c takes it from a model's reply, or
     * solving.c from the parser's reading. Texts for people have passed saying.h.
     */
    bool whole;                 /* the one reply or reading serves all stages */
    struct texts named;         /* solving.c only: names of the tables of the reading */
    struct stated_joins stated; /* the joins */
    const char *summary;        /* one sentence for people; or NULL */
    struct texts plan;          /* the steps */
    const char *sql;            /* NULL: not given; "": the reply has none */
    bool sql_used;             /* GENERATE_SQL has taken it, or a stage has rejected it */
    const char *explanation;   /* of the SQL, for people; or NULL */
    struct texts assumed;      /* assumptions that the model states, for people */
    double sql_confidence;     /* the model's own probability; below 0: not given */
    const char *cannot;        /* why there is no SQL, for people; or NULL */
    struct clarification back; /* a clarifying question instead; message NULL: none */
    enum solved solved;        /* READ_LOCALLY */
    struct run_readings readings; /* solving.c: including the one in use */
    struct texts cells;           /* cells.c, solving.c: cells that the question names */
    bool cells_known;             /* they have been looked up */
};

#endif
