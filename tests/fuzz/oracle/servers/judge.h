/* A server that judges the guard: statements that the guard allowed run on it. */
#ifndef DGM_TESTS_ORACLE_JUDGE_H
#define DGM_TESTS_ORACLE_JUDGE_H

#include "base/arena.h"
#include "model/schema.h"
#include "place.h"
#include "sql/guard.h"
#include "vocabulary.h"

/* Stands in everything that must never be read, and in what a trap says. */
#define CANARY "canary-5e1f"

enum { WHAT_SIZE = 240 };

enum outcome_kind {
    OUTCOME_DONE,    /* it ran to its end */
    OUTCOME_FAILED,  /* with an error of the server */
    OUTCOME_LIMITED, /* until the limit of time */
    OUTCOME_GONE     /* the server is no more */
};

struct outcome {
    enum outcome_kind kind;
    char what[WHAT_SIZE];  /* it did, or would do, what it must not; "": nothing */
    char error[WHAT_SIZE]; /* of the server */
    bool own; /* it called what the datasource allows of the database's own */
};

struct judge {
    const char *name;
    enum dialect dialect;
    const struct place *place;
    /* A private server and its canary world. 77: this machine has no such server. */
    int (*start)(struct arena *arena, const char *root, struct vocabulary *words);
    void (*stop)(void);
    struct schema *(*schema)(void); /* what the guard is told; borrowed */
    /* judged NULL: run it whatever the server understands by it. */
    void (*run)(const char *sql, const struct guard_result *judged, struct outcome *out);
    /* Is the world as it was? Else what changed; the next call compares with now. */
    bool (*unchanged)(char what[WHAT_SIZE]);
};

extern const struct judge judge_postgres;
extern const struct judge judge_postgres_own;
extern const struct judge judge_mysql;
extern const struct judge judge_clickhouse;

#endif
