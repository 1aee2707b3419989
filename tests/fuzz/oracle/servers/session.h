/* A run: statements made, judged and run, what they were seen to do, and the figures. */
#ifndef DGM_TESTS_ORACLE_SESSION_H
#define DGM_TESTS_ORACLE_SESSION_H

#include "corpus.h"
#include "judge.h"

enum { WATCH_EVERY = 1000, FINDINGS_MOST = 40 };

struct counts {
    long long judged;
    long long refused;
    long long allowed;
    long long done;    /* ran without an error */
    long long failed;  /* with one */
    long long limited; /* until the limit of time */
    long long own;     /* called what allow_own_types allows */
    long long findings;
};

struct session {
    const struct judge *judge;
    struct vocabulary words;
    struct corpus corpus;
    struct counts counts;
    struct arena *arena; /* for one statement */
    const char *root;
    const char *proof;
    long long statements;
    int64_t seconds; /* 0: as long as it takes */
    int64_t started_ms;
    uint64_t seed;
    uint64_t number; /* of the next statement */
    uint32_t generated;
    bool show_allowed;
    bool show_errors;
    bool show_refused;
    bool gone;                    /* the server is */
    uint64_t recent[WATCH_EVERY]; /* statements since the world was looked at */
    size_t recent_count;
    char *kinds[FINDINGS_MOST]; /* of findings, each told once */
    size_t kind_count;
};

/* 0: nothing was found. */
int session_run(struct session *session);
int session_prove(struct session *session);

/* reduce.c: the shortest statement that is still found to do the same. */
const char *reduce_statement(struct session *session, struct arena *arena,
                             const char *sql, const char *what);
/* The guard, then the server. False: the guard refused it. */
bool session_judge(struct session *session, struct arena *arena, const char *sql,
                   size_t size, struct outcome *out);

#endif
