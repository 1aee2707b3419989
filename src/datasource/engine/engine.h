/*
 * An engine that cannot be stopped runs in a process of its own: it is asked over a
 * socket, and killed when it does not answer. This is the side that asks.
 *
 * The program is started once more as the *spawner*, which loads the engine's library and
 * forks itself for each database; a fork costs about a millisecond. What a process may
 * use, see and call is bounded before it opens anything (engine_host.c).
 */
#ifndef DGM_DATASOURCE_ENGINE_H
#define DGM_DATASOURCE_ENGINE_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "datasource/driver.h"
#include "datasource/engine/engine_wire.h"

enum engine_mode {
    ENGINE_READ,   /* a file that is only read */
    ENGINE_WRITE,  /* a file that one approved write changes */
    ENGINE_MAKE,   /* in memory, made from files; locked by who makes it */
    ENGINE_STAGE,  /* in memory, spills into a folder */
    ENGINE_IMPORT, /* a new file, made from files */
    ENGINE_MODES
};

/* What an engine opens. */
struct engine_setting {
    enum engine_mode mode;
    const char *path;  /* of the database; NULL: in memory */
    const char *spill; /* the folder that it spills to; or NULL */
    int64_t memory_mb;
    int64_t disk_mb;
    /* Files that it may read. Each is opened, passed on and closed again; -1: there is
     * none. */
    int (*file_open)(void *context, size_t index);
    void *context;
    size_t file_count;
    int *places; /* their numbers over there, file_count of them; -1: none */
};

/* A process with one database. */
struct engine {
    atomic_size_t uses;
    pthread_mutex_t lock; /* one request over the control socket at a time */
    struct frame_stream control;
    const struct datasource_limits *limits; /* of the request that is being made */
    int64_t give_up_ms;                     /* when nobody waits for it any more */
    pid_t pid;
    uint64_t spawner;     /* which one made it */
    uint64_t sessions;    /* so far: the number of the next */
    atomic_size_t open;   /* sessions there are now */
    atomic_bool strained; /* a query ran out of memory in it */
    atomic_bool stopped;  /* one was told to end: it may have left memory behind */
    bool writes;
    atomic_bool dead;
    atomic_bool killed; /* by us */
    atomic_bool blamed; /* on a query that did not end in time */
};

/* One connection to the database of an engine, used by one thread. */
struct engine_session {
    struct engine *engine; /* NULL: none */
    struct frame_stream stream;
    struct buf out;
    uint64_t id;
    uint64_t serial; /* of the request that is being made */
    const struct datasource_limits *limits;
    int64_t interrupted_ms; /* when it was first told to end; 0: not yet */
    int64_t grace_ms;       /* how long it has from then on */
    bool unwanted;          /* nobody wants the rest of its rows */
    bool guilty;            /* the engine was killed because of it */
    bool beside;            /* others had the engine when this one came */
    bool appending;
};

/* engine_spawn.c: the program that runs engines. */
/* Starts it, unless it runs; whether it finds the library is not known then. */
bool engine_start(const struct options *options, struct err *err);
/* If it was started and is gone: can it be started again? In a sandbox it cannot. */
bool engine_alive(const struct options *options, struct err *err);
/* Is there one, and does it find the library? Starts it when it must. */
bool engine_ready(const struct options *options, struct err *err);
/* A new process that holds the other end of the socket. */
bool engine_spawn(const struct options *options, int socket, pid_t *pid,
                  uint64_t *spawner, struct err *err);
/* Ends a process and waits until it is gone. */
void engine_end(pid_t pid, uint64_t serial);
/* How it ended: 128 + a signal, or its status; -1 when that is not known. */
int engine_status(pid_t pid, uint64_t serial);

/* engine.c */
/* NULL with the engine's own words in err->detail when it does not open. */
struct engine *engine_open(const struct options *options,
                           const struct engine_setting *setting,
                           const struct datasource_limits *limits, struct err *err);
struct engine *engine_ref(struct engine *engine);
/* The last one closes the database, within a second or by force. NULL is fine. */
void engine_unref(struct engine *engine);
void engine_kill(struct engine *engine);
bool engine_dead(struct engine *engine); /* looks */

/* engine_session.c. After a failure with session->engine->dead the engine is no more. */
bool engine_session_open(struct engine_session *session, struct engine *engine,
                         const struct datasource_limits *limits, struct err *err);
void engine_session_close(struct engine_session *session);
/* A request: begin, put, ask. The answer's kind, or 0 when the engine is gone. */
struct buf *engine_request(struct engine_session *session, enum engine_message kind);
bool engine_send(struct engine_session *session);
enum engine_message engine_answer(struct engine_session *session, size_t most,
                                  struct frame_reader *out);
/* Nobody wants the rest: what comes is thrown away until it has ended. */
void engine_drain(struct engine_session *session, size_t most);
/* Has something come already? */
bool engine_answered(struct engine_session *session);
/* Memory ran out. Was that this session's doing: did it have the engine to itself, as it
 * was made? Else it cannot be known who took what: others, or, which counts where a new
 * process is to be had, one that was stopped before. */
bool engine_starved_alone(struct engine_session *session, bool renewable);
/* The error for an engine that is gone. Returns false. */
bool engine_lost(struct engine_session *session, struct err *err);

/* For tests: the nth frame from now on that is sent or received finds the engine killed;
 * 0: none does. */
void engine_fault_at(int nth);

#endif
