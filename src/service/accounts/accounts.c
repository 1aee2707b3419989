/* A cache of access keys that are read from the store again after half a second, so that
 * a revoked key is refused by all processes soon. */
#include "service/accounts/accounts.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/memory.h"
#include "base/str.h"
#include "model/actor.h"
#include "store/store.h"

enum { MINUTE_MS = 60000 };

_Static_assert(sizeof((struct dgm_access *)0)->actor == ACTOR_SIZE, "has its name");

struct accounts *accounts_new(void)
{
    struct accounts *accounts = memory_alloc(sizeof *accounts);
    (void)pthread_mutex_init(&accounts->lock, NULL);
    map_init(&accounts->keys, false);
    return accounts;
}

static void key_free(struct account_key *key)
{
    memory_free(key->identity);
    memory_free(key);
}

void accounts_free(struct accounts *accounts)
{
    if (!accounts) {
        return;
    }
    struct map_entry *entry = NULL;
    for (size_t at = 0; (entry = map_next(&accounts->keys, &at));) {
        key_free(entry->value);
    }
    map_release(&accounts->keys);
    (void)pthread_mutex_destroy(&accounts->lock);
    memory_free(accounts);
}

/* Updates the cached key from the store; its usage counters stay. */
static void accounts_take(struct account_key *key, const struct store_key *row)
{
    struct dgm_access *access = &key->access;
    (void)snprintf(key->hash, sizeof key->hash, "%s", str_or_empty(row->hash));
    (void)snprintf(access->key_id, sizeof access->key_id, "%s", row->id);
    (void)snprintf(access->account, sizeof access->account, "%s", row->account);
    (void)snprintf(access->datasources, sizeof access->datasources, "%s",
                   str_or_empty(row->datasources));
    access->scopes = (unsigned)row->scopes;
    key->rate_per_minute = row->rate_per_minute;
    key->concurrent = row->concurrent;
    key->daily_tokens = row->daily_tokens;
    key->expires_at = row->expires_at;
    key->last_used_at =
        row->last_used_at > key->last_used_at ? row->last_used_at : key->last_used_at;
    key->read_ms = clock_ms();
    if (row->identity && !key->identity) { /* it never changes: "TIME,SUB,SID JSON" */
        const char *json = strchr(row->identity, ' ');
        key->identity = memory_text(json ? json + 1 : "{}");
    }
    actor_name(access->actor, access->account, key->identity);
}

/* A question of a revoked key may still be running, so the entry stays until it ends. */
static void drop(struct accounts *accounts, const char *id, struct account_key *key)
{
    if (key && key->at_work == 0 && key->owed == 0) {
        (void)map_remove(&accounts->keys, id);
        key_free(key);
    }
}

/* A read that overlaps a change may be out of date. */
static unsigned version_of(const struct accounts *accounts, const struct account_key *key)
{
    return accounts->forgets + (key ? key->changes : 0);
}

static void accounts_keep(struct accounts *accounts, const struct store_key *row,
                          int64_t day, int64_t spent, unsigned version)
{
    struct account_key *key = map_get(&accounts->keys, row->id);
    bool fresh = version_of(accounts, key) == version;
    if (!key) {
        key = memory_alloc(sizeof *key);
        key->requests = (double)row->rate_per_minute;
        key->filled_ms = clock_ms();
        (void)map_set(&accounts->keys, row->id, key);
    }
    accounts_take(key, row);
    key->day = day;
    key->spent = spent;
    if (!fresh) {
        key->read_ms -= 2 * ACCOUNTS_FRESH_MS;
    }
}

struct account_key *accounts_known(const struct accounts *accounts, const char *id)
{
    struct account_key *key = map_get(&accounts->keys, id);
    bool fresh =
        key && (key->of_token || (clock_ms() - key->read_ms <= ACCOUNTS_FRESH_MS &&
                                  key->day == limits_day()));
    return fresh ? key : NULL;
}

struct account_key *accounts_key(struct accounts *accounts, struct store *store,
                                 const char *id, struct err *err)
{
    struct account_key *key = accounts_known(accounts, id);
    if (key) {
        return key;
    }
    key = map_get(&accounts->keys, id);
    unsigned version = version_of(accounts, key);
    struct arena *arena = arena_new();
    struct store_key row = {0};
    int64_t spent = 0;
    int64_t day = limits_day();
    /* Other requests do not wait for the store meanwhile. */
    (void)pthread_mutex_unlock(&accounts->lock);
    bool ok = store_key_get(store, arena, id, &row, err) &&
              (!row.daily_tokens || store_key_spent(store, id, day, &spent, err));
    (void)pthread_mutex_lock(&accounts->lock);
    if (ok) {
        accounts_keep(accounts, &row, day, spent, version);
    } else if (err->code == ERR_KEY_NOT_FOUND) {
        drop(accounts, id, map_get(&accounts->keys, id));
    }
    arena_free(arena);
    return ok ? map_get(&accounts->keys, id) : NULL;
}

/* Those of which nothing runs are made again when they come back. */
static void drop_tokens(struct accounts *accounts)
{
    struct map_entry *entry = NULL;
    for (size_t at = 0; (entry = map_next(&accounts->keys, &at));) {
        struct account_key *key = entry->value;
        if (key->of_token && key->at_work == 0 && key->owed == 0) {
            (void)map_remove(&accounts->keys, key->access.key_id);
            memory_free(key);
            accounts->tokens--;
        }
    }
}

struct account_key *accounts_token(struct accounts *accounts,
                                   const struct dgm_access *access, struct err *err)
{
    struct account_key *key = map_get(&accounts->keys, access->key_id);
    if (!key) {
        if (accounts->tokens >= ACCOUNTS_TOKENS_MOST) {
            drop_tokens(accounts);
        }
        if (accounts->tokens >= ACCOUNTS_TOKENS_MOST) {
            (void)err_set(err, ERR_BUSY, "Too many accounts are at work.");
            return NULL;
        }
        key = memory_alloc(sizeof *key);
        key->of_token = true;
        key->filled_ms = clock_ms() - MINUTE_MS;
        (void)map_set(&accounts->keys, access->key_id, key);
        accounts->tokens++;
    }
    key->access = *access;
    return key;
}

void accounts_forget(struct accounts *accounts, const char *id)
{
    (void)pthread_mutex_lock(&accounts->lock);
    accounts->forgets++;
    struct account_key *key = map_get(&accounts->keys, id);
    if (key) {
        key->read_ms = clock_ms() - ACCOUNTS_FRESH_MS - 1;
        drop(accounts, id, key);
    }
    (void)pthread_mutex_unlock(&accounts->lock);
}
