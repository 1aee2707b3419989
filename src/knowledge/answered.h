/*
 * The history of answered questions: an equal question of the same account, on the same
 * schema of the same datasource and with the same constraints, gets the same SQL without
 * a model; its rows are always fetched again. SQL that a user rejected is stored as
 * rejected and never returned. An LRU cache in front of the store. Thread-safe.
 */
#ifndef DGM_KNOWLEDGE_ANSWERED_H
#define DGM_KNOWLEDGE_ANSWERED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "sql/dialect.h"
#include "store/store.h"

struct answered;
struct arena;

struct answered_question {
    const char *account;     /* NULL: the local user */
    const char *datasource;  /* id */
    const char *schema_hash; /* of the schema it is asked on */
    /* As understood, else as typed; case, white space and final punctuation are
     * ignored. */
    const char *text;
    /* The words by which it may be an example for other questions; NULL: it may not be
     * one. */
    const char *taught;
    /* What else decided its meaning: the user's answers and corrections, and the
     * conversation a question leans on ("and last month?"). NULL: it stands alone. */
    const char *constraints;
};

struct answered_pair {
    const char *sql;
    const char *explanation; /* or NULL */
    enum store_verdict verdict;
    /* the probability that it was right, before its rows were known; -1: unknown */
    double score;
};

struct answered_example {
    const char *question;
    const char *sql;
    double score; /* 1: equal texts */
};

struct answered_examples {
    struct answered_example *items; /* best first */
    size_t count;
    size_t capacity;
};

/* Caches `most` entries in memory (0: 4096). store NULL: memory only. Entries older than
 * ttl_s are ignored; 0: never. */
struct answered *answered_new(struct store *store, size_t most, int64_t ttl_s);
void answered_free(struct answered *answered);

/* False with err->code OK if it is unknown. Rejected SQL is found, too: check its
 * verdict. */
bool answered_get(struct answered *answered, struct arena *arena,
                  const struct answered_question *question, struct answered_pair *out,
                  struct err *err);
/*
 * clock_made: the SQL has literals computed from today's date, so it is not stored (true
 * is returned). SQL that was rejected for this question is not stored either, nor SQL
 * that differs from a confirmed one.
 */
bool answered_put(struct answered *answered, const struct answered_question *question,
                  const struct answered_pair *pair, bool clock_made, struct err *err);
/* Stores the user's rating, which overrides everything else. */
bool answered_judge(struct answered *answered, const struct store_answered *judged,
                    struct err *err);
/* Removes SQL that turned out to be wrong. */
bool answered_drop(struct answered *answered, const struct answered_question *question,
                   struct err *err);

/* Similar questions of the same account and schema with their SQL, at most `most`. */
bool answered_near(struct answered *answered, struct arena *arena,
                   const struct answered_question *question, enum dialect dialect,
                   size_t most, struct answered_examples *out, struct err *err);

/* The key: a hash of the five fields, with the text normalized. */
void answered_key(const struct answered_question *question, char out[33]);

#endif
