/*
 * The client side of an engine: a library that cannot be interrupted reliably (DuckDB)
 * runs in a separate process, is sent requests over a socket, and is killed when it does
 * not reply in time.
 *
 * The program is started once more as the *spawner*, which loads the library and forks
 * itself for each database; a fork takes about a millisecond. Before a forked process
 * opens anything, its resources, files and system calls are restricted (engine_host.c).
 */
#ifndef DGM_DATASOURCE_ENGINE_H
#define DGM_DATASOURCE_ENGINE_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "datasource/driver.h"
#include "datasource/engine/engine_wire.h"

enum engine_mode {
    ENGINE_READ,   /* a file, for reading */
    ENGINE_WRITE,  /* a file, for one approved write */
    ENGINE_MAKE,   /* in memory, made from files; its maker locks it */
    ENGINE_STAGE,  /* in memory, spills to a folder */
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
    /* Files that it may read. Each is opened, passed to the process and closed here; -1:
     * missing. */
    int (*file_open)(void *context, size_t index);
    void *context;
    size_t file_count;
    /* output: their numbers in the process, file_count of them; -1: missing */
    int *places;
};

/* A process with one open database; reference counted. Sessions have a reference each. */
struct engine {
    atomic_size_t uses;
    pthread_mutex_t lock; /* held during a request on the control socket */
    struct frame_stream control;
    const struct datasource_limits *limits; /* of the current request */
    int64_t give_up_ms; /* after this time nobody waits for the reply */
    pid_t pid;
    uint64_t spawner;     /* the spawner that forked it */
    uint64_t sessions;    /* number of the next session */
    atomic_size_t open;   /* number of open sessions */
    atomic_bool strained; /* a query ran out of memory in it */
    atomic_bool stopped;  /* one was told to end: it may have left memory behind */
    bool writes;
    atomic_bool dead;
    atomic_bool killed; /* killed by us */
    atomic_bool blamed; /* killed because a query did not end in time */
};

/* A connection to the database of an engine; used by one thread at a time. */
struct engine_session {
    struct engine *engine; /* NULL: none */
    struct frame_stream stream;
    struct buf out;
    uint64_t id;
    uint64_t serial; /* number of the current request */
    const struct datasource_limits *limits;
    int64_t interrupted_ms; /* when it was first interrupted; 0: not yet */
    int64_t grace_ms;       /* time between the interrupt and the kill */
    bool unwanted;          /* the remaining rows are discarded */
    bool guilty;            /* the engine was killed because of this session */
    bool beside;            /* other sessions were open when this one was opened */
    bool appending;
};

/* engine_spawn.c: the spawner process. */
/* Starts it if necessary; it does not wait until the library is loaded. */
bool engine_start(const struct options *options, struct err *err);
/* If it has ended: can it be started again? Not from inside a sandbox. */
bool engine_alive(const struct options *options, struct err *err);
/* Is it running, with the library loaded? Starts it if necessary. */
bool engine_ready(const struct options *options, struct err *err);
/* Forks a process that gets the other end of the socket. */
bool engine_spawn(const struct options *options, int socket, pid_t *pid,
                  uint64_t *spawner, struct err *err);
/* Kills a process and waits until it has ended. */
void engine_end(pid_t pid, uint64_t serial);
/* Its exit status, or 128 + signal; -1: unknown. */
int engine_status(pid_t pid, uint64_t serial);

/* engine.c */
/* NULL if it cannot be opened; err->detail is the engine's message. */
struct engine *engine_open(const struct options *options,
                           const struct engine_setting *setting,
                           const struct datasource_limits *limits, struct err *err);
struct engine *engine_ref(struct engine *engine);
/* Releasing the last reference closes the database, by force after a second. NULL is
 * allowed. */
void engine_unref(struct engine *engine);
void engine_kill(struct engine *engine);
bool engine_dead(struct engine *engine); /* Checks whether the process has ended. */

/* engine_session.c. If a call fails and session->engine->dead is set, the process has
 * ended. */
bool engine_session_open(struct engine_session *session, struct engine *engine,
                         const struct datasource_limits *limits, struct err *err);
void engine_session_close(struct engine_session *session);
/* A request: begin, put, ask. Returns the kind of the reply; 0: the process has ended. */
struct buf *engine_request(struct engine_session *session, enum engine_message kind);
bool engine_send(struct engine_session *session);
enum engine_message engine_answer(struct engine_session *session, size_t most,
                                  struct frame_reader *out);
/* Discards the remaining rows of a reply, up to its end. */
void engine_drain(struct engine_session *session, size_t most);
/* Has a part of the reply arrived? */
bool engine_answered(struct engine_session *session);
/* Memory ran out. Was that this session's doing: did it have the engine to itself, as it
 * was made? Else it cannot be known who took what: others, or, which counts where a new
 * process is to be had, one that was stopped before. */
bool engine_starved_alone(struct engine_session *session, bool renewable);
/* The error for an engine that is gone. Returns false. */
bool engine_lost(struct engine_session *session, struct err *err);

/* For tests: kills the engine at the nth frame from now that is sent or received; 0:
 * off. */
void engine_fault_at(int nth);

#endif
