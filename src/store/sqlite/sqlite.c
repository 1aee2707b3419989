/* The store in a SQLite file: opening, closing, and the table of its functions. */
#include "store/sqlite/sqlite_backend.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/str.h"
#include "store/migrate.h"

enum { BUSY_MS = 5000 };

static bool opens(const char *url)
{
    return !*url || str_equal(url, "memory:") || str_starts(url, "sqlite:");
}

char *store_sqlite_path(struct arena *arena, const struct options *options)
{
    const char *url = options->store_url ? options->store_url : "";
    if (str_equal(url, "memory:")) {
        return arena_text(arena, ":memory:");
    }
    if (str_starts(url, "sqlite://")) {
        return arena_text(arena, url + strlen("sqlite://"));
    }
    if (str_starts(url, "sqlite:")) {
        return arena_text(arena, url + strlen("sqlite:"));
    }
    const char *folder =
        str_empty(options->store_folder) ? folder_data(arena) : options->store_folder;
    return arena_format(arena, "%s/dragoman.db", folder);
}

/*
 * Makes folder (0700) and file (0600) first, as SQLite would make them readable to all.
 */
static bool file_prepare(const char *path, struct err *err)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 && errno == ENOENT) {
        struct arena *arena = arena_new();
        char *folder = arena_text(arena, path);
        char *slash = strrchr(folder, '/');
        if (slash && slash != folder) {
            *slash = '\0';
            struct err quiet = {0}; /* its message names the path; ours below does not */
            (void)folder_create(folder, &quiet);
        }
        arena_free(arena);
        fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    }
    if (fd < 0) {
        int number = errno;
        return store_sqlite_fail(
            NULL, number == ENOSPC || number == EDQUOT ? SQLITE_FULL : SQLITE_CANTOPEN,
            err);
    }
    (void)close(fd);
    return true;
}

/* The switch to WAL needs the file for itself and does not wait by the busy handler. */
static bool wal_switch(sqlite3 *db, struct err *err)
{
    int64_t deadline = clock_ms() + BUSY_MS;
    for (;;) {
        int code = sqlite3_exec(db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
        if (code != SQLITE_BUSY || clock_ms() > deadline) {
            return code == SQLITE_OK ? true : store_sqlite_fail(db, code, err);
        }
        (void)sqlite3_sleep(5);
    }
}

/*
 * Rows of questions are some 4 KB each: in pages of that size each has one of its own,
 * half of it unused, and SQLite writes page by page. Only a file that is new can choose.
 */
static bool pages_choose(sqlite3 *db, struct err *err)
{
    int code = sqlite3_exec(db, "PRAGMA page_size = 16384", NULL, NULL, NULL);
    return code == SQLITE_OK ? true : store_sqlite_fail(db, code, err);
}

/* The usual call finds the version right and is done: every command pays for this. */
static bool connection_prepare(sqlite3 *db, struct err *err)
{
    (void)sqlite3_extended_result_codes(db, 1);
    (void)sqlite3_busy_timeout(db, BUSY_MS);
    (void)sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    (void)sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    int version = 0;
    if (!store_sqlite_version(db, &version, err)) {
        return false;
    }
    if (version == 0 && !pages_choose(db, err)) {
        return false;
    }
    if (version < store_migrate_latest() &&
        (!wal_switch(db, err) ||
         !store_sqlite_migrate(db, store_migrate_latest(), err))) {
        return false;
    }
    /* 1 MB of pages: what grows at its end needs the last few */
    int code = sqlite3_exec(db, "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -1000",
                            NULL, NULL, NULL);
    return code == SQLITE_OK ? true : store_sqlite_fail(db, code, err);
}

static sqlite3 *file_open(const char *path, struct err *err)
{
    sqlite3 *db = NULL;
    int code = sqlite3_open_v2(
        path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
        NULL);
    bool ok = code == SQLITE_OK ? connection_prepare(db, err)
                                : store_sqlite_fail(db, code, err);
    if (!ok) {
        (void)sqlite3_close(db);
        return NULL;
    }
    return db;
}

sqlite3 *store_sqlite_connect(const char *path, struct err *err)
{
    if (!str_equal(path, ":memory:") && !file_prepare(path, err)) {
        return NULL;
    }
    return file_open(path, err);
}

static struct store_connection *connection_new(sqlite3 *db)
{
    if (!db) {
        return NULL;
    }
    struct sqlite_connection *own = memory_alloc(sizeof *own);
    own->head.backend = &sqlite_store_backend;
    (void)pthread_mutex_init(&own->head.lock, NULL);
    own->db = db;
    own->index = store_sqlite_index(db);
    return &own->head;
}

static struct store_connection *sqlite_connect(const struct options *options,
                                               struct err *err)
{
    struct arena *arena = arena_new();
    sqlite3 *db = store_sqlite_connect(store_sqlite_path(arena, options), err);
    arena_free(arena);
    return connection_new(db);
}

/* By SQLite alone: a descriptor of ours on the same file would, when it is closed, drop
 * the locks that the other connection holds. What is in memory has one connection. */
static struct store_connection *sqlite_again(const struct store_connection *like,
                                             struct err *err)
{
    const char *path =
        sqlite3_db_filename(((const struct sqlite_connection *)like)->db, "main");
    return str_empty(path) ? NULL : connection_new(file_open(path, err));
}

static void sqlite_close(struct store_connection *connection)
{
    struct sqlite_connection *own = (struct sqlite_connection *)connection;
    for (size_t i = 0; i < STORE_QUERIES; i++) {
        (void)sqlite3_finalize(own->cursors[i].statement);
    }
    if (sqlite3_close(own->db) != SQLITE_OK) {
        LOG(LOG_STORE, LOG_ERROR, "a statement was still open when the store was closed");
    }
    (void)pthread_mutex_destroy(&own->head.lock);
    memory_free(own);
}

const struct store_backend sqlite_store_backend = {
    .name = "sqlite",
    .connections = 1,
    .opens = opens,
    .connect = sqlite_connect,
    .connect_again = sqlite_again,
    .close = sqlite_close,
    .start = store_sqlite_start,
    .next = store_sqlite_next,
    .end = store_sqlite_end,
    .text = store_sqlite_text,
    .integer = store_sqlite_integer,
    .real = store_sqlite_real,
    .changes = store_sqlite_changes,
    .moment = store_sqlite_moment,
    .backup = store_sqlite_backup,
    .restore = store_sqlite_restore,
};
