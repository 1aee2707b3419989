/* Who comes in with which key: keys as they are known right now, and what each of them
 * has used up. */
#ifndef DGM_SERVICE_ACCOUNTS_H
#define DGM_SERVICE_ACCOUNTS_H

#include <pthread.h>

#include "base/map.h"
#include "dragoman.h"
#include "store/secret.h"

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
    int64_t at_work; /* questions */
    int64_t spent;   /* tokens on `day` */
    int64_t day;
};

struct accounts {
    pthread_mutex_t lock; /* guards all of it */
    struct map keys;      /* id -> struct account_key */
};

struct accounts *accounts_new(void);
void accounts_free(struct accounts *accounts);

/* The key of this id as the store has it now or half a second ago; with the lock held.
 * NULL: KEY_NOT_FOUND, or what the store said. */
struct account_key *accounts_key(struct accounts *accounts, struct store *store,
                                 const char *id, struct err *err);
/* Look it up again before it is used the next time. */
void accounts_forget(struct accounts *accounts, const char *id);

/* limits.c; the first two with the lock held. */
bool limits_request(struct account_key *key, struct err *err);
bool limits_question(struct account_key *key, struct err *err);
int64_t limits_day(void);

struct dgm;
/* A question begins: false when the bearer has too many at work or no tokens left. An
 * access without a key has no limits. */
bool limits_enter(struct dgm *dgm, const struct dgm_access *access, struct err *err);
/* It is at rest, or never began; tokens: what it has cost this time. */
void limits_leave(struct dgm *dgm, const char *key_id, int64_t tokens);

#endif
