/*
 * What a request costs before dragoman does anything: libmicrohttpd, set up as in src/server, answers with the bytes
 * of a file. Further ways add what plain SQL cannot do without. See bench/README.md.
 */
#include <arpa/inet.h>
#include <microhttpd.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/id.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/workers.h"
#include "store/store.h"

enum {
    HTTP_THREADS = 4, /* as server.threads and agent.workers give on two cores */
    WORKERS = 8,
    CONNECTION_MEMORY = 8 * 1024,
    REPLY_MOST = 1024 * 1024,
};

/* Each way does what those before it do. */
enum way { AT_ONCE, BY_WORKER, WITH_QUERY, WITH_STORE, WAYS };

static const char *const names[WAYS] = {"at-once", "worker", "query", "store"};

struct floor {
    enum way way;
    const char *database;
    const char *sql;
    const char *reply;
    struct MHD_Response *response;
    struct workers *workers;
    struct store *store;
};

/* A request that a worker is to answer. */
struct request {
    struct floor *floor;
    struct MHD_Connection *connection;
    bool ready;
};

static _Thread_local sqlite3_stmt *statement; /* of this worker; until the process ends */

static void query(const struct floor *floor)
{
    sqlite3 *db = NULL;
    if (!statement &&
        (sqlite3_open_v2(floor->database, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX,
                         NULL) != SQLITE_OK ||
         sqlite3_prepare_v2(db, floor->sql, -1, &statement, NULL) != SQLITE_OK)) {
        (void)fprintf(stderr, "floor: %s\n", sqlite3_errmsg(db));
        exit(1);
    }
    while (sqlite3_step(statement) == SQLITE_ROW) {}
    (void)sqlite3_reset(statement);
}

static void save(const struct floor *floor)
{
    char id[ID_SIZE];
    id_new("q", id);
    const struct store_question question = {.id = id,
                                            .account = "",
                                            .state = "FINISHED",
                                            .text = floor->sql,
                                            .answer = floor->reply,
                                            .updated_at = 1};
    store_question_save(floor->store, &question);
}

static void work(void *context)
{
    struct request *request = context;
    const struct floor *floor = request->floor;
    if (floor->way >= WITH_QUERY) {
        query(floor);
    }
    if (floor->way >= WITH_STORE) {
        save(floor);
    }
    request->ready = true;
    MHD_resume_connection(request->connection);
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection,
                              const char *url, const char *method, const char *version,
                              const char *data, size_t *size, void **state)
{
    struct floor *floor = context;
    struct request *request = *state;
    (void)url;
    (void)method;
    (void)version;
    (void)data;
    if (!request) {
        request = memory_alloc(sizeof *request);
        *request = (struct request){.floor = floor, .connection = connection};
        *state = request;
        return MHD_YES;
    }
    if (*size) {
        *size = 0;
        return MHD_YES;
    }
    if (floor->way != AT_ONCE && !request->ready) {
        MHD_suspend_connection(connection);
        workers_submit(floor->workers, work, request);
        return MHD_YES;
    }
    return MHD_queue_response(connection, MHD_HTTP_OK, floor->response);
}

static void completed(void *context, struct MHD_Connection *connection, void **state,
                      enum MHD_RequestTerminationCode code)
{
    (void)context;
    (void)connection;
    (void)code;
    memory_free(*state);
}

static struct MHD_Daemon *listen_on_loopback(struct floor *floor)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    return MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME |
                                MHD_USE_ITC | MHD_USE_TURBO,
                            0, NULL, NULL, handle, floor, MHD_OPTION_SOCK_ADDR, &address,
                            MHD_OPTION_THREAD_POOL_SIZE, (unsigned)HTTP_THREADS,
                            MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY,
                            MHD_OPTION_NOTIFY_COMPLETED, completed, NULL, MHD_OPTION_END);
}

static bool floor_open(struct floor *floor, char **arguments, struct arena *arena)
{
    struct err err = {0};
    size_t size = 0;
    struct options options = {
        .store_url = "", .store_folder = arguments[5], .store_commit_ms = 20};
    floor->way = WAYS;
    for (int i = 0; i < WAYS; i++) {
        floor->way = str_equal(arguments[1], names[i]) ? (enum way)i : floor->way;
    }
    char *reply = file_read(arena, arguments[2], REPLY_MOST, &size, &err);
    floor->reply = reply;
    floor->database = arguments[3];
    floor->sql = arguments[4];
    floor->store = reply ? store_open(&options, &err) : NULL;
    if (floor->way == WAYS || !reply || !floor->store) {
        (void)fprintf(stderr, "floor: %s\n", err.message);
        return false;
    }
    floor->workers = workers_new(WORKERS);
    floor->response =
        MHD_create_response_from_buffer(size, reply, MHD_RESPMEM_PERSISTENT);
    return MHD_add_response_header(floor->response, "Content-Type", "application/json") ==
           MHD_YES;
}

int main(int count, char **arguments)
{
    struct floor floor = {0};
    struct arena *arena = arena_new();
    if (count != 6) {
        (void)fputs("usage: floor at-once|worker|query|store REPLY-FILE DB SQL FOLDER\n",
                    stderr);
        return 2;
    }
    sigset_t end;
    int signal = 0;
    (void)sigemptyset(&end);
    (void)sigaddset(&end, SIGTERM);
    (void)pthread_sigmask(SIG_BLOCK, &end, NULL); /* in all threads */
    struct MHD_Daemon *daemon =
        floor_open(&floor, arguments, arena) ? listen_on_loopback(&floor) : NULL;
    if (!daemon) {
        return 1;
    }
    (void)printf("Listening on http://127.0.0.1:%d\n",
                 (int)MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
    (void)fflush(stdout);
    (void)sigwait(&end, &signal);
    _exit(0); /* the threads hold nothing that must be given back */
}
