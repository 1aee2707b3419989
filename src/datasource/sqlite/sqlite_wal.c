/*
 * Databases in WAL mode. SQLite reads them with the help of two files beside the
 * database, -wal and -shm, which the last connection removes, but only if it may write.
 * Ours may not, so they would stay.
 *
 * Where the database is writable for us SQLite itself is asked to tidy up in the end.
 * Where it is not, and nobody has it open (there is no -wal), the file is read as it lies
 * there, without these files and without locks. That is only right as long as nobody
 * writes: so every reading ends with a look whether somebody did, and then counts for
 * nothing.
 */
#include "datasource/sqlite/sqlite_driver.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"

enum {
    /* Two changes of a file within one tick of the kernel's clock have the same time: a
     * file that was changed this lately is not frozen yet. */
    SETTLED_MS = 100,
    URI_MOST = 16384,
};

/* The size of the -wal file; -1: there is none. */
static int64_t wal_size(const char *path)
{
    struct stat status;
    struct arena *arena = arena_new();
    bool there = stat(arena_format(arena, "%s-wal", path), &status) == 0;
    arena_free(arena);
    return there ? (int64_t)status.st_size : -1;
}

static int64_t age_ms(const struct sqlite_identity *identity)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (now.tv_sec - identity->changed.tv_sec) * 1000 +
           (now.tv_nsec - identity->changed.tv_nsec) / 1000000;
}

/* "file:/a%20b.db?immutable=1": every byte that means something in a URI is written as a
 * number. */
static int open_frozen(const char *path, sqlite3 **db)
{
    struct buf uri;
    buf_init(&uri, URI_MOST);
    (void)buf_text(&uri, "file:");
    for (const char *at = path; *at; at++) {
        if (strchr("%?#", *at) || *at < ' ' || (at == path + 1 && *at == '/')) {
            (void)buf_format(&uri, "%%%02X", (unsigned)(unsigned char)*at);
        } else {
            (void)buf_char(&uri, *at);
        }
    }
    (void)buf_text(&uri, "?immutable=1");
    int result = uri.full ? SQLITE_CANTOPEN
                          : sqlite3_open_v2(buf_get(&uri), db,
                                            SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX |
                                                SQLITE_OPEN_URI,
                                            NULL);
    buf_release(&uri);
    return result;
}

/* Nobody has it open, and it was not changed a moment ago. */
static bool is_at_rest(const char *path, struct sqlite_identity *identity)
{
    for (int tries = 0; tries < 2; tries++) {
        if (!sqlite_identify(path, identity) || wal_size(path) >= 0) {
            return false;
        }
        int64_t age = age_ms(identity);
        if (age >= SETTLED_MS) {
            return true;
        }
        const struct timespec pause = {.tv_nsec = SETTLED_MS * 1000000L};
        (void)nanosleep(&pause, NULL);
    }
    return false;
}

/* SQLite makes its two files when something is read for the first time. */
static bool can_read(sqlite3 *db)
{
    return sqlite3_exec(db, "PRAGMA schema_version", NULL, NULL, NULL) == SQLITE_OK;
}

void sqlite_wal_open(struct sqlite_connection *connection, const char *path)
{
    struct sqlite_header header;
    sqlite3 *frozen = NULL;
    sqlite_header_read(connection, &header);
    if (!header.wal || wal_size(path) >= 0) {
        return; /* it is or was in use: SQLite handles that */
    }
    if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 && can_read(connection->db)) {
        connection->made_wal = true;
        return;
    }
    if (is_at_rest(path, &connection->frozen_as) &&
        open_frozen(path, &frozen) == SQLITE_OK) {
        (void)sqlite3_close(connection->db);
        connection->db = frozen;
        connection->frozen = true;
        return;
    }
    (void)sqlite3_close(frozen);
}

bool sqlite_wal_at_rest(const char *path, const struct sqlite_identity *frozen_as,
                        const struct sqlite_identity *now)
{
    return sqlite_identity_equal(frozen_as, now) && wal_size(path) < 0;
}

bool sqlite_wal_held(const struct sqlite_connection *connection, const char *path,
                     struct err *err)
{
    struct sqlite_identity now;
    if (!connection->frozen || (sqlite_identify(path, &now) &&
                                sqlite_wal_at_rest(path, &connection->frozen_as, &now))) {
        return true;
    }
    (void)err_set(err, ERR_DATABASE_LOCKED, "'%s' was changed while it was read.",
                  file_base_name(path));
    return err_hint(err, "Ask again.");
}

void sqlite_wal_tidy(const struct sqlite_state *state)
{
    sqlite3 *db = NULL;
    int64_t size = state->made_wal ? wal_size(state->path) : -1;
    if (size < 0 || (size > 0 && !state->wrote)) {
        return; /* what others have written into it is theirs to move */
    }
    /* The last one to close it removes both files, under SQLite's own locks; when
     * somebody else has the database open, nothing happens. */
    if (sqlite3_open_v2(state->path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
                        NULL) == SQLITE_OK) {
        (void)can_read(db);
    }
    (void)sqlite3_close(db);
}
