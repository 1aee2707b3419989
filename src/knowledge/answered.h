/*
 * Questions answered before: an equal question of the same account, on the same schema of
 * the same datasource and with the same constraints, gets the same SQL without asking
 * anybody; its rows are always fresh. What its asker called wrong is kept as wrong, so
 * that nobody offers it again. A small memory in front of the store. Thread-safe.
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
    /* As understood, else as typed; case, spaces and the end's punctuation do not
     * count. */
    const char *text;
    /* The words by which it may be an example for others. NULL: it is for nobody. */
    const char *taught;
    /* What else decided its meaning: the user's answers and corrections, and the
     * conversation a question leans on ("and last month?"). NULL: it stands alone. */
    const char *constraints;
};

struct answered_pair {
    const char *sql;
    const char *explanation; /* or NULL */
    enum store_verdict verdict;
    double score; /* how likely it was right, before its rows were seen; -1: not known */
};

struct answered_example {
    const char *question;
    const char *sql;
    double score; /* 1: the same words */
};

struct answered_examples {
    struct answered_example *items; /* best first */
    size_t count;
    size_t capacity;
};

/* Remembers `most` pairs in memory (0: 4096). NULL store: in memory only. Pairs older
 * than ttl_s are not known any more; 0: they do not age. */
struct answered *answered_new(struct store *store, size_t most, int64_t ttl_s);
void answered_free(struct answered *answered);

/* False with err->code OK when it is not known. A pair called wrong is known, too: look
 * at its verdict. */
bool answered_get(struct answered *answered, struct arena *arena,
                  const struct answered_question *question, struct answered_pair *out,
                  struct err *err);
/* clock_made: the SQL holds literals computed from today's date. Such SQL is wrong
 * tomorrow and is not kept (true is returned: nothing failed). Neither is SQL that was
 * called wrong for this question, nor another one than that which was confirmed. */
bool answered_put(struct answered *answered, const struct answered_question *question,
                  const struct answered_pair *pair, bool clock_made, struct err *err);
/* The asker's word on it, which holds whatever was known before. */
bool answered_judge(struct answered *answered, const struct store_answered *judged,
                    struct err *err);
/* The SQL turned out wrong: forget it. */
bool answered_drop(struct answered *answered, const struct answered_question *question,
                   struct err *err);

/* Questions of the same account and schema that are nearly this one, with their SQL, at
 * most `most`. */
bool answered_near(struct answered *answered, struct arena *arena,
                   const struct answered_question *question, enum dialect dialect,
                   size_t most, struct answered_examples *out, struct err *err);

/* The key: a hash over the five with the text folded. */
void answered_key(const struct answered_question *question, char out[33]);

#endif
