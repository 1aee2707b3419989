/*
 * A question as its clients see it: the events so far, its answer once there is one, who
 * streams it and who waits for it. The registry has the running questions and those
 * that ended recently; older ones come from the store.
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

struct inquiry {
    struct server *server;
    atomic_int references;
    char *account;  /* or NULL */
    char *question; /* as it was asked */
    char *session_id;
    char *import; /* the file that becomes a dataset; NULL: it is a question */
    char *reach;  /* the datasources of the key it was asked with; "": all, or NULL */

    pthread_mutex_t lock; /* guards the rest */
    char id[ID_SIZE];
    char state[INQUIRY_NAME];
    char status[INQUIRY_NAME];
    char *sql;
    struct buf told;  /* events that are not in the log yet */
    size_t later;     /* how many */
    struct buf trace; /* the states so far, as items of a JSON array */
    struct buf log;   /* the events, as they are sent */
    size_t *ends;     /* where each event ends in the log */
    int64_t *numbers; /* of each, where other processes count them, too; or NULL */
    size_t count;     /* of the events in the log */
    size_t capacity;
    int64_t before;   /* events of this question before this log */
    struct buf last;  /* the event that ends it: done or error */
    size_t answer_at; /* where the answer object lies in it */
    size_t answer_size;
    unsigned http_status; /* that goes with it */
    bool rested;
    bool waits;  /* for its user */
    bool gone;   /* followed no more: streams end, and are taken up again elsewhere */
    bool retold; /* its events are gone: these are what its answer tells of them */
    int64_t rested_ms;
    size_t weight; /* its size in bytes when it ended */
    bool registered;
    atomic_bool left; /* its client, who alone waited for it */
    struct stream *streams;
    struct exchange *waiters;
    struct inquiry *next_rested; /* in the registry */
};

/* The observer of a question's request; context is the inquiry. */
void inquiry_observe(void *context, const struct dgm_event *event);

/* For a request that is about to be asked. */
struct inquiry *inquiry_new(struct server *server, const char *account,
                            const char *question, const char *session_id);
/*
 * For a question that another process works on; NULL with an empty error: there is none.
 */
struct inquiry *inquiry_follow(struct exchange *exchange, const char *id,
                               struct dgm_error *error);
/* For an answer that came from the store: its events again, up to its end. */
struct inquiry *inquiry_replay(struct server *server, const char *answer_json);
void inquiry_ref(struct inquiry *inquiry);
void inquiry_unref(struct inquiry *inquiry);

/* Hands the handle over: the question is known by its id from now on. */
void inquiry_accept(struct inquiry *inquiry, struct dgm_question *question);
/* The exchange is replied to when the question rests; its client's leaving stops it. */
void inquiry_wait(struct inquiry *inquiry, struct exchange *exchange);
/* Whether it has ended here, and may have continued in another process since. */
bool inquiry_is_old(struct inquiry *inquiry);
/* The answer object if it is there, or what is known so far. Appends JSON. */
void inquiry_write(struct inquiry *inquiry, struct buf *out);

/* ---------------------------------------------------------------- the registry */

enum { REGISTRY_SHARDS = 16 };

struct registry_shard {
    pthread_mutex_t lock;
    struct map inquiries; /* id -> inquiry, a reference each */
};

struct registry {
    struct registry_shard shards[REGISTRY_SHARDS];
    pthread_mutex_t lock; /* guards the list of those that rest, oldest first */
    struct inquiry *first;
    struct inquiry **end;
    size_t bytes;
    size_t count;
    int64_t keep_ms;
    size_t keep_bytes;
};

void registry_init(struct registry *registry, int64_t keep_ms, size_t keep_bytes);
void registry_release(struct registry *registry);
/* A reference, or NULL. Those of other accounts are not there. */
struct inquiry *registry_get(struct registry *registry, const char *account,
                             const char *id);
/* The same for who asks here: with a key for certain datasources only those that were
 * asked with such a key; of others the store knows what may be seen. */
struct inquiry *registry_find(struct exchange *exchange, const char *id);
/* Lets go of what has rested long enough. */
void registry_sweep(struct registry *registry, int64_t now_ms);
void registry_each_at_work(struct registry *registry, void (*call)(struct inquiry *));

/* Used by inquiry.c. */
void registry_add(struct registry *registry, struct inquiry *inquiry);
void registry_rest(struct registry *registry, struct inquiry *inquiry);
void registry_remove(struct registry *registry, struct inquiry *inquiry);

#endif
