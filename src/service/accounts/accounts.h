/* Access keys and their usage: a cache of the store's keys, with counters for their
 * limits. */
#ifndef DGM_SERVICE_ACCOUNTS_H
#define DGM_SERVICE_ACCOUNTS_H

#include <pthread.h>

#include "base/map.h"
#include "dragoman_server.h"
#include "store/secrets/secret.h"

struct arena;
struct dgm;
struct err;
struct store;

enum {
    ACCOUNTS_KEYS_MOST = 10000,
    /* a cached key older than this is read again, because it may have been revoked */
    ACCOUNTS_FRESH_MS = 500,
    ACCOUNTS_ID_SIZE = 17, /* 16 hexadecimal digits */
    ACCOUNTS_TOKENS_MOST = 20000,
};

/* Before the ids under which the usage of accounts with tokens is counted. */
#define ACCOUNTS_TOKEN "oidc-"

/* A cached key. There are at most as many as the store may hold. */
struct account_key {
    char hash[SECRET_HASH_SIZE];
    struct dgm_access access; /* the access that callers with this key get */
    int64_t rate_per_minute;
    int64_t concurrent;
    int64_t daily_tokens;
    bool of_token; /* of an account that signs in with tokens; not in the store */
    int64_t expires_at;
    int64_t last_used_at;
    int64_t read_ms; /* clock_ms() when it was read */

    double requests; /* requests left in the token bucket; see limits.c */
    int64_t filled_ms;
    /* with a shared store: no request is allowed before this time */
    int64_t empty_until_ms;
    int64_t at_work; /* running questions in this process */
    int64_t owed;    /* ended questions that the shared store does not know of yet */
    int64_t spent;   /* tokens used on `day` */
    int64_t day;
    char *identity;   /* of a person who signed in; or NULL */
    unsigned changes; /* incremented when the cached copy is out of date */
};

struct accounts {
    pthread_mutex_t lock; /* guards all fields */
    struct map keys;      /* id -> struct account_key */
    size_t tokens;        /* how many of them are of_token */
    unsigned forgets;     /* see accounts_forget */
};

struct accounts *accounts_new(void);
void accounts_free(struct accounts *accounts);

/* The key with this id, at most half a second old. Call it with the lock held; the lock
 * is released while the store is read. NULL: KEY_NOT_FOUND, or the store's error. */
struct account_key *accounts_key(struct accounts *accounts, struct store *store,
                                 const char *id, struct err *err);
/* The cached key only; NULL: not cached. */
struct account_key *accounts_known(const struct accounts *accounts, const char *id);
/* The usage of an account that signs in with tokens; made when it is new. Call it with the
 * lock held. NULL: BUSY, there are too many. */
struct account_key *accounts_token(struct accounts *accounts,
                                   const struct dgm_access *access, struct err *err);
/* Makes the next use read the key again. */
void accounts_forget(struct accounts *accounts, const char *id);
/* holding.c: stops questions that run here for the key; returns their number. */
size_t accounts_stop(struct dgm *dgm, const char *key_id);

/* limits.c; call the first two with the lock held. They count the usage of this process;
 * for a shared store limits_shared.c asks the store instead. */
bool limits_request(struct account_key *key, struct err *err);
/* Fill err; the last one returns true if the limit is reached. */
bool limits_too_many(int64_t wait_ms, int64_t per_minute, struct err *err);
bool limits_busy(int64_t at_work, struct err *err);
bool limits_spent_up(int64_t spent, int64_t most, struct err *err);
int64_t limits_day(void);

/* limits_shared.c; call without the lock, because they access the shared store. */
bool limits_request_shared(struct accounts *accounts, struct store *store, const char *id,
                           int64_t per_minute, struct err *err);
bool limits_enter_shared(struct store *store, const struct account_key *like,
                         struct err *err);
/* Undoes the last enter: the question was refused. */
void limits_drop(struct accounts *accounts, const char *id);
/* Reports ended questions to the store, or keeps them until it is available again. */
void limits_pay(struct accounts *accounts, struct store *store, const char *id);

/* key.c: stores a key with the scopes, datasources and identity in *out, and gives it an
 * id and a secret. */
struct dgm_key;
struct store_key;
bool accounts_make_key(struct dgm *dgm, struct arena *arena, const struct dgm_key *key,
                       struct store_key *out, char secret[SECRET_SIZE], struct err *err);
/* "read", "ask" or "admin" as bits of enum dgm_scope; 0: no such scope. */
unsigned accounts_scope_bits(const char *name);
const char *accounts_scope_name(enum dgm_scope scope);

/*
 * Counts a question; false if the key has too many running questions or no tokens left.
 * An access without a key has no limits.
 */
bool limits_enter(struct dgm *dgm, const struct dgm_access *access, struct err *err);
/* Counts a question that this process took over, even beyond the limit. */
void limits_take_over(struct dgm *dgm, const char *key_id);
/* Call when a question has ended or did not start; tokens: its cost. */
void limits_leave(struct dgm *dgm, const char *key_id, int64_t tokens);
/* Reports pending usage to the shared store. */
void limits_settle(struct dgm *dgm);

#endif
