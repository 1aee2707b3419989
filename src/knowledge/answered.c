/*
 * Questions answered before: the least recently used leave the memory, the store keeps.
 * What the memory holds is believed for a while only, as another process may know better.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/str.h"
#include "knowledge/answered_state.h"

enum { MOST_DEFAULT = 4096, BELIEVED_MS = 30000, BELIEVED_SHARED_MS = 500 };

struct pair {
    char key[33];
    char *sql;
    char *explanation; /* or NULL */
    enum store_verdict verdict;
    double score;
    int64_t stored_at; /* wall clock, seconds */
    int64_t read_at;   /* clock_ms() */
    struct pair *newer;
    struct pair *older;
};

struct answered *answered_new(struct store *store, size_t most, int64_t ttl_s)
{
    struct answered *answered = memory_alloc(sizeof *answered);
    answered->store = store;
    answered->most = most ? most : MOST_DEFAULT;
    answered->ttl_s = ttl_s;
    (void)pthread_mutex_init(&answered->lock, NULL);
    map_init(&answered->by_key, false);
    return answered;
}

static void pair_free(struct pair *pair)
{
    memory_free(pair->sql);
    memory_free(pair->explanation);
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

static void memory_keep(struct answered *answered, const struct store_answered *row)
{
    memory_forget(answered, row->key);
    struct pair *pair = memory_alloc(sizeof *pair);
    (void)snprintf(pair->key, sizeof pair->key, "%s", row->key);
    pair->sql = memory_text(row->sql);
    pair->explanation = row->explanation ? memory_text(row->explanation) : NULL;
    pair->verdict = row->verdict;
    pair->score = row->score;
    pair->stored_at = row->stored_at;
    pair->read_at = clock_ms();
    (void)pthread_mutex_lock(&answered->lock);
    struct pair *raced = map_set(&answered->by_key, row->key, pair);
    if (raced) { /* another thread stored the same question meanwhile */
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

static bool memory_find(struct answered *answered, struct arena *arena, const char *key,
                        struct store_answered *out)
{
    (void)pthread_mutex_lock(&answered->lock);
    struct pair *pair = map_get(&answered->by_key, key);
    bool found =
        pair && (!answered->store ||
                 clock_ms() - pair->read_at <
                     (store_shared(answered->store) ? BELIEVED_SHARED_MS : BELIEVED_MS));
    if (found) {
        pair_unlink(answered, pair);
        pair_link(answered, pair);
        *out =
            (struct store_answered){.sql = arena_text(arena, pair->sql),
                                    .explanation = arena_text(arena, pair->explanation),
                                    .verdict = pair->verdict,
                                    .score = pair->score,
                                    .stored_at = pair->stored_at};
    }
    (void)pthread_mutex_unlock(&answered->lock);
    return found;
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
    hash_text(hash, question->account ? question->account : "");
    hash_text(hash, question->datasource);
    hash_text(hash, question->schema_hash);
    hash_text(hash, fold_question(arena, question->text));
    hash_text(hash, question->constraints ? question->constraints : "");
    hash_hex(hash, out);
    hash_free(hash);
    arena_free(arena);
}

static bool is_old(const struct answered *answered, const struct store_answered *row)
{
    return answered->ttl_s && clock_wall_s() - row->stored_at > answered->ttl_s;
}

/* What is known, from memory or the store; false with err OK when nothing is. */
static bool answered_find(struct answered *answered, struct arena *arena, const char *key,
                          struct store_answered *out, struct err *err)
{
    err_clear(err);
    if (memory_find(answered, arena, key, out)) {
        return !is_old(answered, out);
    }
    if (!answered->store) {
        return false;
    }
    if (!store_answered_get(answered->store, arena, key, out, err)) {
        if (err->code == ERR_OK) {
            memory_forget(answered, key);
        }
        return false;
    }
    memory_keep(answered, out);
    return !is_old(answered, out);
}

bool answered_get(struct answered *answered, struct arena *arena,
                  const struct answered_question *question, struct answered_pair *out,
                  struct err *err)
{
    char key[33];
    struct store_answered row = {0};
    answered_key(question, key);
    if (!answered_find(answered, arena, key, &row, err)) {
        return false;
    }
    *out = (struct answered_pair){row.sql, row.explanation, row.verdict, row.score};
    return true;
}

/* A person's word counts more than what was made since. */
static bool is_kept(const struct store_answered *old, const struct answered_pair *pair)
{
    return pair->verdict == STORE_VERDICT_NONE &&
           (old->verdict == STORE_VERDICT_GOOD || strcmp(old->sql, pair->sql) == 0);
}

bool answered_judge(struct answered *answered, const struct store_answered *judged,
                    struct err *err)
{
    if (answered->store && !store_answered_put(answered->store, judged, err)) {
        return false;
    }
    struct store_answered row = *judged;
    row.stored_at = clock_wall_s();
    memory_keep(answered, &row);
    return true;
}

bool answered_put(struct answered *answered, const struct answered_question *question,
                  const struct answered_pair *pair, bool clock_made, struct err *err)
{
    if (clock_made) {
        return true; /* wrong tomorrow */
    }
    char key[33];
    answered_key(question, key);
    struct arena *arena = arena_new();
    struct store_answered old = {0};
    bool known = answered_find(answered, arena, key, &old, err) && is_kept(&old, pair);
    arena_free(arena);
    struct store_answered row = {
        .key = key,
        .account = question->account,
        .datasource = question->datasource,
        .schema_hash = question->schema_hash,
        .question = str_or_empty(question->taught),
        .sql = pair->sql,
        .explanation = pair->explanation,
        .verdict = pair->verdict,
        .score = pair->score,
    };
    return known || (err->code == ERR_OK && answered_judge(answered, &row, err));
}

bool answered_drop(struct answered *answered, const struct answered_question *question,
                   struct err *err)
{
    char key[33];
    answered_key(question, key);
    memory_forget(answered, key);
    return !answered->store || store_answered_drop(answered->store, key, err);
}
