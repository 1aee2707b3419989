/*
 * Questions answered before: the same question on the same schema gets the same SQL
 * without asking anybody. Only for questions that stand alone: one that leans on the
 * conversation
 * ("and last month?") must not be looked up or kept. A small memory in front of the
 * store. Thread-safe.
 */
#ifndef DGM_KNOWLEDGE_ANSWERED_H
#define DGM_KNOWLEDGE_ANSWERED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct answered;
struct arena;
struct store;

struct answered_question {
    const char *datasource;  /* id */
    const char *schema_hash; /* of the schema it is asked on */
    const char *text; /* as typed; case, spaces and the end's punctuation do not count */
};

/* Remembers `most` pairs in memory (0: 4096). NULL store: in memory only. */
struct answered *answered_new(struct store *store, size_t most);
void answered_free(struct answered *answered);

/* False with err->code OK when it is not known. */
bool answered_get(struct answered *answered, struct arena *arena,
                  const struct answered_question *question, const char **sql,
                  struct err *err);
/* clock_made: the SQL holds literals computed from today's date. Such SQL is wrong
 * tomorrow and is not kept (true is returned: nothing failed). */
bool answered_put(struct answered *answered, const struct answered_question *question,
                  const char *sql, bool clock_made, struct err *err);
/* The SQL turned out wrong: forget it. */
bool answered_drop(struct answered *answered, const struct answered_question *question,
                   struct err *err);

/* The key: a hash over the three with the text folded. */
void answered_key(const struct answered_question *question, char out[33]);

#endif
