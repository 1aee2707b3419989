/* Usage of a key that several processes serve: counted in the shared store, so that the
 * limit holds for all together. */
#include <stdio.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "base/str.h"
#include "base/vec.h"
#include "service/accounts/accounts.h"
#include "service/instance.h"
#include "store/store.h"

bool limits_request_shared(struct accounts *accounts, struct store *store, const char *id,
                           int64_t per_minute, struct err *err)
{
    int64_t wait_ms = 0;
    if (per_minute <= 0) {
        return true;
    }
    if (!store_meter_request(store, id, per_minute, &wait_ms, err)) {
        return false;
    }
    if (wait_ms == 0) {
        return true;
    }
    /* No process may serve the key before that time, so refusals need no store access. */
    (void)pthread_mutex_lock(&accounts->lock);
    struct account_key *key = map_get(&accounts->keys, id);
    if (key) {
        key->empty_until_ms = clock_ms() + wait_ms;
    }
    (void)pthread_mutex_unlock(&accounts->lock);
    return limits_too_many(wait_ms, per_minute, err);
}

bool limits_enter_shared(struct store *store, const struct account_key *like,
                         struct err *err)
{
    const char *id = like->access.key_id;
    int64_t spent = 0;
    int64_t at_work = 0;
    bool entered = false;
    if (like->daily_tokens > 0 &&
        (!store_key_spent(store, id, limits_day(), &spent, err) ||
         limits_spent_up(spent, like->daily_tokens, err))) {
        return false;
    }
    if (like->concurrent <= 0) {
        return true;
    }
    return store_meter_enter(store, id, like->concurrent, &entered, &at_work, err) &&
           (entered || limits_busy(at_work, err));
}

void limits_drop(struct accounts *accounts, const char *id)
{
    (void)pthread_mutex_lock(&accounts->lock);
    struct account_key *key = map_get(&accounts->keys, id);
    if (key) {
        key->at_work -= key->at_work > 0;
    }
    (void)pthread_mutex_unlock(&accounts->lock);
}

/* Takes the pending count; back: adds what could not be reported. */
static int64_t owed(struct accounts *accounts, const char *id, int64_t back)
{
    int64_t count = 0;
    (void)pthread_mutex_lock(&accounts->lock);
    struct account_key *key = map_get(&accounts->keys, id);
    if (key) {
        count = back ? 0 : key->owed;
        key->owed = back + (back ? key->owed : 0);
    }
    (void)pthread_mutex_unlock(&accounts->lock);
    return count;
}

void limits_pay(struct accounts *accounts, struct store *store, const char *id)
{
    struct err err;
    err_clear(&err);
    int64_t count = owed(accounts, id, 0);
    if (count > 0 && !store_meter_leave(store, id, count, &err)) {
        LOG(LOG_SERVICE, LOG_WARN, "finished questions still count: %s", err.message);
        (void)owed(accounts, id, count);
    }
}

void limits_settle(struct dgm *dgm)
{
    struct accounts *accounts = dgm->accounts;
    struct texts late = {0};
    struct map_entry *entry = NULL;
    struct arena *arena = arena_new();
    (void)pthread_mutex_lock(&accounts->lock);
    for (size_t at = 0; (entry = map_next(&accounts->keys, &at));) {
        if (((const struct account_key *)entry->value)->owed > 0) {
            VEC_PUSH(arena, &late, arena_text(arena, entry->key));
        }
    }
    (void)pthread_mutex_unlock(&accounts->lock);
    for (size_t i = 0; i < late.count; i++) {
        limits_pay(accounts, dgm->agent.store, late.items[i]);
    }
    arena_free(arena);
}

void limits_take_over(struct dgm *dgm, const char *key_id)
{
    struct err err;
    int64_t at_work = 0;
    bool counted = false;
    bool entered = false;
    err_clear(&err);
    (void)pthread_mutex_lock(&dgm->accounts->lock);
    struct account_key *key = accounts_key(dgm->accounts, dgm->agent.store, key_id, &err);
    if (key) { /* else it was revoked meanwhile, and has no limits any more */
        key->at_work++;
        counted = key->concurrent > 0;
    }
    (void)pthread_mutex_unlock(&dgm->accounts->lock);
    if (counted &&
        !store_meter_enter(dgm->agent.store, key_id, 0, &entered, &at_work, &err)) {
        LOG(LOG_SERVICE, LOG_WARN, "a question does not count: %s", err.message);
    }
}
