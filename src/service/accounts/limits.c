/* Limits per key: requests per minute, questions at once, tokens per day. */
#include <math.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "base/str.h"
#include "service/accounts/accounts.h"
#include "service/instance.h"
#include "store/store.h"

enum { DAY_S = 24 * 60 * 60, BUSY_RETRY_S = 1 };

int64_t limits_day(void)
{
    return clock_wall_s() / DAY_S;
}

bool limits_too_many(int64_t wait_ms, int64_t per_minute, struct err *err)
{
    int wait_s = (int)((wait_ms + 999) / 1000);
    (void)err_set(err, ERR_RATE_LIMITED,
                  "The key's %lld requests per minute are used up.",
                  (long long)per_minute);
    err->retry_after_s = wait_s;
    return err_hint(err, "Wait %d s, then try again.", wait_s);
}

bool limits_busy(int64_t at_work, struct err *err)
{
    (void)err_set(err, ERR_RATE_LIMITED,
                  "The key has %lld running questions already, which is its limit.",
                  (long long)at_work);
    err->retry_after_s = BUSY_RETRY_S;
    return false;
}

bool limits_spent_up(int64_t spent, int64_t most, struct err *err)
{
    if (most <= 0 || spent < most) {
        return false;
    }
    (void)err_set(err, ERR_TOKENS_SPENT, "The key's %lld tokens of today are used up.",
                  (long long)most);
    err->retry_after_s = (int)(DAY_S - clock_wall_s() % DAY_S);
    return true;
}

/*
 * A token bucket with one minute's capacity: short bursts are allowed.
 */
bool limits_request(struct account_key *key, struct err *err)
{
    if (key->rate_per_minute <= 0) {
        return true;
    }
    int64_t now = clock_ms();
    double per_ms = (double)key->rate_per_minute / 60000.0;
    double most = (double)key->rate_per_minute;
    key->requests = fmin(most, key->requests + per_ms * (double)(now - key->filled_ms));
    key->filled_ms = now;
    if (key->requests >= 1.0) {
        key->requests -= 1.0;
        return true;
    }
    return limits_too_many((int64_t)ceil((1.0 - key->requests) / per_ms),
                           key->rate_per_minute, err);
}

static bool limits_question(const struct account_key *key, struct err *err)
{
    if (key->concurrent > 0 && key->at_work >= key->concurrent) {
        return limits_busy(key->at_work, err);
    }
    return !limits_spent_up(key->spent, key->daily_tokens, err);
}

/* Questions of all keys of an account; with the lock held. */
static int64_t account_at_work(struct accounts *accounts, const char *account)
{
    int64_t count = 0;
    size_t at = 0;
    for (const struct map_entry *entry; (entry = map_next(&accounts->keys, &at));) {
        const struct account_key *key = entry->value;
        count += str_equal(key->access.account, account) ? key->at_work : 0;
    }
    return count;
}

static bool limits_account(struct dgm *dgm, const struct account_key *key,
                           struct err *err)
{
    int64_t most = dgm->options->service_account_questions;
    if (most <= 0 || account_at_work(dgm->accounts, key->access.account) < most) {
        return true;
    }
    (void)err_set(err, ERR_RATE_LIMITED,
                  "The account has %lld running questions already, which is its limit.",
                  (long long)most);
    err->retry_after_s = BUSY_RETRY_S;
    return err_hint(
        err, "Wait for one of them, or ask for a higher service.account_questions.");
}

bool limits_enter(struct dgm *dgm, const struct dgm_access *access, struct err *err)
{
    if (!access || !*access->key_id) {
        return true;
    }
    if (!instance_store(dgm, err)) {
        return false;
    }
    struct store *store = dgm->agent.store;
    struct account_key like = {0};
    bool shared = store_shared(store);
    (void)pthread_mutex_lock(&dgm->accounts->lock);
    struct account_key *key = accounts_key(dgm->accounts, store, access->key_id, err);
    bool ok =
        key && limits_account(dgm, key, err) && (shared || limits_question(key, err));
    if (ok) {
        key->at_work++;
        like = *key;
    }
    (void)pthread_mutex_unlock(&dgm->accounts->lock);
    if (!key && err->code == ERR_KEY_NOT_FOUND) {
        return err_set(err, ERR_UNAUTHORIZED, "The key is not valid.");
    }
    if (ok && shared && !limits_enter_shared(store, &like, err)) {
        limits_drop(dgm->accounts, access->key_id);
        return false;
    }
    return ok;
}

void limits_leave(struct dgm *dgm, const char *key_id, int64_t tokens)
{
    struct err err;
    err_clear(&err);
    if (tokens > 0 &&
        !store_key_spend(dgm->agent.store, key_id, limits_day(), tokens, &err)) {
        LOG(LOG_SERVICE, LOG_WARN, "the cost of a question could not be stored: %s",
            err.message);
    }
    bool counted = false;
    (void)pthread_mutex_lock(&dgm->accounts->lock);
    struct account_key *key = map_get(&dgm->accounts->keys, key_id);
    if (key) {
        key->at_work -= key->at_work > 0;
        counted = store_shared(dgm->agent.store) && key->concurrent > 0;
        if (tokens > 0 && key->daily_tokens > 0) { /* the store knows best */
            key->read_ms -= 2 * ACCOUNTS_FRESH_MS;
            key->changes++;
        }
        key->owed += counted;
    }
    (void)pthread_mutex_unlock(&dgm->accounts->lock);
    if (counted) {
        limits_pay(dgm->accounts, dgm->agent.store, key_id);
    }
}
