/*
 * A question as HTTP clients see it: its events, its answer, and the exchanges and
 * streams that follow it. The registry has the running questions and those that ended
 * recently; older ones are read from the store.
 *
 * Ownership: reference counted; the registry and every exchange or stream that uses it
 * have a reference. Fields after `lock` may be used only with the lock held.
 */
#ifndef DGM_SERVER_INQUIRY_H
#define DGM_SERVER_INQUIRY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/id.h"
#include "base/map.h"
#include "dragoman_server.h"

struct exchange;
struct server;
struct stream;

enum { INQUIRY_NAME = 32 };

/*
 * A question as its clients see it: its state, the log of its events, and the streams
 * and requests that wait for it. Reference counted. The log only grows; streams read it
 * at their own speed.
 */
struct inquiry {
    struct server *server;
    atomic_int references;
    char *account;  /* or NULL */
    char *question; /* as it was asked */
    char *session_id;
    char *import; /* the file that is imported as a dataset; NULL: it is a question */
    /* the datasources of the access key that asked, with commas; "" or NULL: all */
    char *reach;

    pthread_mutex_t lock; /* guards the rest */
    char id[ID_SIZE];
    char state[INQUIRY_NAME];
    char status[INQUIRY_NAME];
    char *sql;
    struct buf told;  /* events that are not in the log yet */
    size_t later;     /* number of events in `told` */
    struct buf trace; /* the states so far, as items of a JSON array */
    struct buf log;   /* the events as they are sent to streams */
    size_t *ends;     /* where each event ends in the log */
    /* numbers of the events, if other processes count them too; or NULL */
    int64_t *numbers;
    size_t count; /* number of events in the log */
    size_t capacity;
    int64_t before;   /* number of events of this question before this log */
    struct buf last;  /* the last event: done or error */
    size_t answer_at; /* where the answer object begins in it */
    size_t answer_size;
    unsigned http_status; /* HTTP status for the answer */
    bool rested;
    bool waits; /* it waits for its user */
    /* no longer followed here: streams end, and clients reconnect to another process */
    bool gone;
    bool retold; /* the original events are gone; these are derived from the answer */
    int64_t rested_ms;
    size_t weight; /* its size in bytes when it ended */
    bool registered;
    atomic_bool left; /* the only client that waited for it has disconnected */
    struct stream *streams;
    struct exchange *waiters;
    struct inquiry *next_rested; /* list of ended questions in the registry */
};

/* The observer of the request; its context is the inquiry. */
void inquiry_observe(void *context, const struct dgm_event *event);

/* For a request that is about to start. */
struct inquiry *inquiry_new(struct server *server, const char *account,
                            const char *question, const char *session_id);
/*
 * For a question that another process works on; NULL with an empty error: there is none.
 */
struct inquiry *inquiry_follow(struct exchange *exchange, const char *id,
                               struct dgm_error *error);
/* For an answer from the store: recreates its events. */
struct inquiry *inquiry_replay(struct server *server, const char *answer_json);
void inquiry_ref(struct inquiry *inquiry);
void inquiry_unref(struct inquiry *inquiry);

/* Passes the handle; from now on the question is found by its id. */
void inquiry_accept(struct inquiry *inquiry, struct dgm_question *question);
/* Replies to the exchange when the question ends or waits for its user. If its client
 * disconnects, the question is stopped. */
void inquiry_wait(struct inquiry *inquiry, struct exchange *exchange);
/* Has it ended here, so that another process may have continued it since? */
bool inquiry_is_old(struct inquiry *inquiry);
/* Appends the answer object if it exists, else what is known so far, as JSON. */
void inquiry_write(struct inquiry *inquiry, struct buf *out);

/* ---------------------------------------------------------------- the registry */

enum { REGISTRY_SHARDS = 16 };

struct registry_shard {
    pthread_mutex_t lock;
    struct map inquiries; /* id -> inquiry, a reference each */
};

/*
 * All questions that clients can ask about, running and ended. Ended ones are kept for
 * `keep_ms` and up to `keep_bytes`; after that they are read from the store.
 */
struct registry {
    struct registry_shard shards[REGISTRY_SHARDS];
    pthread_mutex_t lock; /* guards the list of ended questions, oldest first */
    struct inquiry *first;
    struct inquiry **end;
    size_t bytes;
    size_t count;
    int64_t keep_ms;
    size_t keep_bytes;
};

void registry_init(struct registry *registry, int64_t keep_ms, size_t keep_bytes);
void registry_release(struct registry *registry);
/* A reference; NULL if there is none, or if it belongs to another account. */
struct inquiry *registry_get(struct registry *registry, const char *account,
                             const char *id);
/* The same for this caller: a key for certain datasources finds only questions that were
 * asked with such a key; for others the store decides. */
struct inquiry *registry_find(struct exchange *exchange, const char *id);
/* Drops questions that ended long enough ago. */
void registry_sweep(struct registry *registry, int64_t now_ms);
void registry_each_at_work(struct registry *registry, void (*call)(struct inquiry *));

/* Used by inquiry.c. */
void registry_add(struct registry *registry, struct inquiry *inquiry);
void registry_rest(struct registry *registry, struct inquiry *inquiry);
void registry_remove(struct registry *registry, struct inquiry *inquiry);

#endif
