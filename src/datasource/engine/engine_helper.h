/* The processes that run engines: the spawner and the hosts it forks. Code of the main
 * process does not use this header, except for the protocol. */
#ifndef DGM_DATASOURCE_ENGINE_HELPER_H
#define DGM_DATASOURCE_ENGINE_HELPER_H

#include <pthread.h>
#include <stdint.h>

#include "datasource/duckdb/duckdb.h"
#include "datasource/staging/staging_cells.h"
#include "datasource/engine/engine_wire.h"

/* Requests to the spawner; one message each, over SOCK_SEQPACKET. */
enum spawner_request {
    SPAWNER_LOAD = 1, /* load the library */
    SPAWNER_START,    /* start a process; comes with its control socket */
    SPAWNER_KILL,
    SPAWNER_STATUS,
};

struct spawner_message {
    int32_t request;
    int32_t pid;
};

struct spawner_reply {
    int32_t good;
    int32_t number; /* a process id, or an exit status */
    char message[400];
    char detail[800];
};

enum {
    SPAWNER_SOCKET = 3,      /* descriptor number in the spawner */
    HOST_OUT_OF_MEMORY = 99, /* exit status of a host that ran out of memory */
};

/* engine_spawner.c: runs until the other end of its socket is closed. */
int spawner_main(int socket);

/* engine_host.c: a process with one database; does not return. */
struct host {
    struct frame_stream control;
    struct buf out;
    const struct duckdb_library *library;
    duckdb_database database;
    bool is_file;
    pthread_mutex_t lock;
    struct host_session *sessions;
};
_Noreturn void host_main(const struct duckdb_library *library, int socket);

/* The request to open a database. */
struct host_opening {
    int mode; /* enum engine_mode */
    const char *path;
    const char *spill;
    struct options options; /* only the ones that matter here */
};

/* The files that it received. */
struct host_files {
    int *items;
    size_t count, capacity;
};

/* engine_cage.c: enters the sandbox before anything is opened. False if a protection that
 * the system has could not be activated; the report says which. */
struct sandbox_report;
bool host_cage(const struct host_opening *opening, const struct host_files *files,
               struct sandbox_report *report);

/* engine_try.c: tries to break out of the sandbox in one way; returns the exit status. */
int engine_try_main(const char *number);

/* A connection, and the thread that serves it. */
struct host_session {
    struct host *host;
    struct host_session *next;
    uint64_t id;
    struct frame_stream stream;
    struct buf out;
    struct arena *arena; /* of one request */
    duckdb_connection connection;
    uint64_t serial; /* of the running request; 0: none. Guarded by the host's lock. */
    uint64_t enough; /* the request whose remaining rows are not needed; likewise */
    struct host_table *table;
};

/* engine_serve.c */
void *host_session_main(void *context);
bool host_fail(struct host_session *session, enum engine_failure why, const char *text);
bool host_ok(struct host_session *session, uint64_t number);
/* Runs one or more statements without rows; on failure sends the engine's message and
 * returns false. */
bool host_statement(struct host_session *session, const char *sql);

/* engine_table.c: appends rows to a table. */
struct host_table;
bool host_table_begin(struct host_session *session, struct frame_reader *in);
bool host_table_batch(struct host_session *session, struct frame_reader *in);
bool host_table_end(struct host_session *session);
void host_table_drop(struct host_session *session);

#endif
