/* Who comes in with which key: keys as they are known right now, and what each of them
 * has used up. */
#ifndef DGM_SERVICE_ACCOUNTS_H
#define DGM_SERVICE_ACCOUNTS_H

#include <pthread.h>

#include "base/map.h"
#include "dragoman_server.h"
#include "store/secrets/secret.h"

struct err;
struct store;

enum {
    ACCOUNTS_KEYS_MOST = 10000,
    ACCOUNTS_FRESH_MS = 500, /* after this a key is looked up again: it may be revoked */
    ACCOUNTS_ID_SIZE = 17,   /* 16 hexadecimal digits */
};

/* A key in memory. There are no more of them than the store may hold. */
struct account_key {
    char hash[SECRET_HASH_SIZE];
    struct dgm_access access; /* as its bearer gets it */
    int64_t rate_per_minute;
    int64_t concurrent;
    int64_t daily_tokens;
    int64_t expires_at;
    int64_t last_used_at;
    int64_t read_ms; /* when it was read; clock_ms() */

    double requests; /* left in the bucket; see limits.c */
    int64_t filled_ms;
    int64_t empty_until_ms; /* of a shared store: no bucket has any before that */
    int64_t at_work;        /* questions of this process */
    int64_t owed;           /* ended questions that the shared store still counts */
    int64_t spent;          /* tokens on `day` */
    int64_t day;
    unsigned changes; /* counted up when what was read is out of date */
};

struct accounts {
    pthread_mutex_t lock; /* guards all of it */
    struct map keys;      /* id -> struct account_key */
    unsigned forgets;     /* see accounts_forget */
};

struct accounts *accounts_new(void);
void accounts_free(struct accounts *accounts);

/* The key of this id as the store has it now or half a second ago; with the lock held,
 * which is let go of while the store is asked. NULL: KEY_NOT_FOUND, or what the store
 * said. */
struct account_key *accounts_key(struct accounts *accounts, struct store *store,
                                 const char *id, struct err *err);
/* The same without asking; NULL: it is not known, or not any more. */
struct account_key *accounts_known(const struct accounts *accounts, const char *id);
/* Look it up again before it is used the next time. */
void accounts_forget(struct accounts *accounts, const char *id);

/* limits.c; the first two with the lock held. They count what is used here: of a store
 * that is shared, limits_shared.c asks the store in their place. */
bool limits_request(struct account_key *key, struct err *err);
bool limits_question(const struct account_key *key, struct err *err);
/* Refusals; the last one is true when there is a reason for it. */
bool limits_too_many(int64_t wait_ms, int64_t per_minute, struct err *err);
bool limits_busy(int64_t at_work, struct err *err);
bool limits_spent_up(int64_t spent, int64_t most, struct err *err);
int64_t limits_day(void);

/* limits_shared.c; without the lock: they ask a shared store. */
bool limits_request_shared(struct accounts *accounts, struct store *store, const char *id,
                           int64_t per_minute, struct err *err);
bool limits_enter_shared(struct store *store, const struct account_key *like,
                         struct err *err);
/* The last one that entered does not count: it was refused. */
void limits_drop(struct accounts *accounts, const char *id);
/* Reports ended questions to the store, now or when it is available again. */
void limits_pay(struct accounts *accounts, struct store *store, const char *id);

struct dgm;
/*
 * A question begins: false if the key has too many running questions or no tokens left.
 * An access without a key has no limits.
 */
bool limits_enter(struct dgm *dgm, const struct dgm_access *access, struct err *err);
/* A question that another process left goes on here: it counts, limit or not. */
void limits_take_over(struct dgm *dgm, const char *key_id);
/* It has ended, or never began; tokens: its cost this time. */
void limits_leave(struct dgm *dgm, const char *key_id, int64_t tokens);
/* Tells the shared store what it could not be told before. */
void limits_settle(struct dgm *dgm);

#endif
