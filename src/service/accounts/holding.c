/* What was let in may lose its right while it lasts: keys are revoked, sessions end, tokens
 * expire. */
#include <string.h>

#include "base/clock.h"
#include "base/str.h"
#include "base/vec.h"
#include "service/accounts/accounts.h"
#include "service/questions/question.h"
#include "store/store.h"

/* access NULL: whatever the key may do. True if the store does not reply: a key is gone only
 * if the store says so. */
static bool key_holds(struct dgm *dgm, const char *id, const struct dgm_access *access)
{
    struct err err;
    err_clear(&err);
    if (!instance_store(dgm, &err)) {
        return true;
    }
    struct accounts *accounts = dgm->accounts;
    (void)pthread_mutex_lock(&accounts->lock);
    const struct account_key *key = accounts_key(accounts, dgm->agent.store, id, &err);
    bool holds = err.code != ERR_KEY_NOT_FOUND;
    if (key) {
        bool ended = key->expires_at && key->expires_at <= clock_wall_s();
        bool same = !access || (key->access.scopes == access->scopes &&
                                str_equal(key->access.datasources, access->datasources));
        holds = !ended && same;
    }
    (void)pthread_mutex_unlock(&accounts->lock);
    return holds;
}

bool dgm_access_holds(struct dgm *dgm, const struct dgm_access *access)
{
    if (!access || !*access->key_id) {
        return true; /* the local user */
    }
    return access->until_s ? clock_wall_s() < access->until_s
                           : key_holds(dgm, access->key_id, access);
}

size_t accounts_stop(struct dgm *dgm, const char *key_id)
{
    enum { AT_ONCE = 64 }; /* a next call stops the others */
    struct dgm_question *found[AT_ONCE];
    size_t count = 0;
    (void)pthread_mutex_lock(&dgm->lock);
    for (struct dgm_question *at = dgm->live; at && count < AT_ONCE; at = at->next) {
        if (str_equal(at->key_id, key_id)) {
            (void)atomic_fetch_add(&at->references, 1);
            found[count++] = at;
        }
    }
    (void)pthread_mutex_unlock(&dgm->lock);
    for (size_t i = 0; i < count; i++) {
        run_stop(found[i]->run, STOP_USER);
        question_unref(found[i]);
    }
    return count;
}

static bool has(const struct texts *ids, const char *id)
{
    for (size_t i = 0; i < ids->count; i++) {
        if (str_equal(ids->items[i], id)) {
            return true;
        }
    }
    return false;
}

size_t dgm_stop_revoked(struct dgm *dgm)
{
    struct texts ids = {0};
    size_t stopped = 0;
    struct arena *arena = arena_new();
    (void)pthread_mutex_lock(&dgm->lock);
    for (const struct dgm_question *at = dgm->live; at; at = at->next) {
        bool by_key = *at->key_id && !str_starts(at->key_id, ACCOUNTS_TOKEN);
        if (by_key && !has(&ids, at->key_id)) {
            VEC_PUSH(arena, &ids, arena_text(arena, at->key_id));
        }
    }
    (void)pthread_mutex_unlock(&dgm->lock);
    for (size_t i = 0; i < ids.count; i++) {
        stopped +=
            key_holds(dgm, ids.items[i], NULL) ? 0 : accounts_stop(dgm, ids.items[i]);
    }
    arena_free(arena);
    return stopped;
}
