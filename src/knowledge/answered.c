/* Questions answered before: the least recently used leave the memory, the store keeps.
 */
#include "knowledge/answered.h"

#include <ctype.h>
#include <pthread.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/str.h"
#include "store/store.h"

enum { MOST_DEFAULT = 4096 };

struct pair {
    char key[33];
    char *sql;
    struct pair *newer;
    struct pair *older;
};

struct answered {
    struct store *store; /* or NULL */
    size_t most;
    pthread_mutex_t lock;
    struct map by_key;
    struct pair *newest;
    struct pair *oldest;
};

struct answered *answered_new(struct store *store, size_t most)
{
    struct answered *answered = memory_alloc(sizeof *answered);
    answered->store = store;
    answered->most = most ? most : MOST_DEFAULT;
    (void)pthread_mutex_init(&answered->lock, NULL);
    map_init(&answered->by_key, false);
    return answered;
}

static void pair_free(struct pair *pair)
{
    memory_free(pair->sql);
    memory_free(pair);
}

void answered_free(struct answered *answered)
{
    if (!answered) {
        return;
    }
    while (answered->newest) {
        struct pair *pair = answered->newest;
        answered->newest = pair->older;
        pair_free(pair);
    }
    map_release(&answered->by_key);
    (void)pthread_mutex_destroy(&answered->lock);
    memory_free(answered);
}

static void pair_unlink(struct answered *answered, struct pair *pair)
{
    *(pair->newer ? &pair->newer->older : &answered->newest) = pair->older;
    *(pair->older ? &pair->older->newer : &answered->oldest) = pair->newer;
}

static void pair_link(struct answered *answered, struct pair *pair)
{
    pair->newer = NULL;
    pair->older = answered->newest;
    *(answered->newest ? &answered->newest->newer : &answered->oldest) = pair;
    answered->newest = pair;
}

static void memory_forget(struct answered *answered, const char *key)
{
    (void)pthread_mutex_lock(&answered->lock);
    struct pair *pair = map_remove(&answered->by_key, key);
    if (pair) {
        pair_unlink(answered, pair);
        pair_free(pair);
    }
    (void)pthread_mutex_unlock(&answered->lock);
}

static void memory_keep(struct answered *answered, const char *key, const char *sql)
{
    memory_forget(answered, key);
    struct pair *pair = memory_alloc(sizeof *pair);
    memcpy(pair->key, key, sizeof pair->key);
    pair->sql = memory_text(sql);
    (void)pthread_mutex_lock(&answered->lock);
    struct pair *raced = map_set(&answered->by_key, key, pair);
    if (raced) { /* another thread kept the same question in between */
        pair_unlink(answered, raced);
        pair_free(raced);
    }
    pair_link(answered, pair);
    while (answered->by_key.count > answered->most) {
        struct pair *last = answered->oldest;
        (void)map_remove(&answered->by_key, last->key);
        pair_unlink(answered, last);
        pair_free(last);
    }
    (void)pthread_mutex_unlock(&answered->lock);
}

static const char *memory_find(struct answered *answered, struct arena *arena,
                               const char *key)
{
    const char *sql = NULL;
    (void)pthread_mutex_lock(&answered->lock);
    struct pair *pair = map_get(&answered->by_key, key);
    if (pair) {
        pair_unlink(answered, pair);
        pair_link(answered, pair);
        sql = arena_text(arena, pair->sql);
    }
    (void)pthread_mutex_unlock(&answered->lock);
    return sql;
}

static bool memory_holds(struct answered *answered, const char *key, const char *sql)
{
    (void)pthread_mutex_lock(&answered->lock);
    const struct pair *pair = map_get(&answered->by_key, key);
    bool holds = pair && strcmp(pair->sql, sql) == 0;
    (void)pthread_mutex_unlock(&answered->lock);
    return holds;
}

/* Case does not matter, except between quotes: there it may be part of a value. */
static void fold_case(char *text)
{
    char quote = 0;
    for (char *at = text; *at; at++) {
        bool opens = *at == '"' ||
                     (*at == '\'' && (at == text || !isalnum((unsigned char)at[-1])));
        if (quote ? *at == quote : opens) {
            quote = quote ? 0 : *at;
        } else if (!quote) {
            *at = (char)tolower((unsigned char)*at);
        }
    }
}

static char *fold_question(struct arena *arena, const char *text)
{
    static const char *const ends[] = {"?", "!", ".", ",",  ";",
                                       ":", " ", "…", "？", "。"};
    char *folded = str_squeeze(arena, text);
    bool cut = true;
    while (cut) {
        cut = false;
        for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
            if (str_ends(folded, ends[i])) {
                folded[strlen(folded) - strlen(ends[i])] = '\0';
                cut = true;
            }
        }
    }
    fold_case(folded);
    return folded;
}

void answered_key(const struct answered_question *question, char out[33])
{
    struct arena *arena = arena_new();
    struct hash *hash = hash_new();
    hash_text(hash, question->datasource);
    hash_text(hash, question->schema_hash);
    hash_text(hash, fold_question(arena, question->text));
    hash_hex(hash, out);
    hash_free(hash);
    arena_free(arena);
}

bool answered_get(struct answered *answered, struct arena *arena,
                  const struct answered_question *question, const char **sql,
                  struct err *err)
{
    char key[33];
    answered_key(question, key);
    err_clear(err);
    *sql = memory_find(answered, arena, key);
    if (*sql) {
        return true;
    }
    if (!answered->store || !store_answered_get(answered->store, arena, key, sql, err)) {
        return false;
    }
    memory_keep(answered, key, *sql);
    return true;
}

bool answered_put(struct answered *answered, const struct answered_question *question,
                  const char *sql, bool clock_made, struct err *err)
{
    char key[33];
    answered_key(question, key);
    if (clock_made || memory_holds(answered, key, sql)) {
        return true; /* wrong tomorrow, or kept already: a write less */
    }
    if (answered->store && !store_answered_put(answered->store, key, question->datasource,
                                               question->text, sql, err)) {
        return false;
    }
    memory_keep(answered, key, sql);
    return true;
}

bool answered_drop(struct answered *answered, const struct answered_question *question,
                   struct err *err)
{
    char key[33];
    answered_key(question, key);
    memory_forget(answered, key);
    return !answered->store || store_answered_drop(answered->store, key, err);
}
