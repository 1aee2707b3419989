/* The store in a SQLite file: opening, closing, and the table of its functions. */
#include "store/sqlite.h"

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

enum { BUSY_MS = 5000 };

struct sqlite_store *store_sqlite_of(struct store *store)
{
    return store->state;
}

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

/* Makes folder (0700) and file (0600) first, as SQLite would make them readable to all.
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
        return store_query_fail(
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
            return code == SQLITE_OK ? true : store_query_fail(db, code, err);
        }
        (void)sqlite3_sleep(5);
    }
}

/* The usual call finds the version right and is done: every command pays for this. */
static bool connection_prepare(sqlite3 *db, struct err *err)
{
    (void)sqlite3_extended_result_codes(db, 1);
    (void)sqlite3_busy_timeout(db, BUSY_MS);
    (void)sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    (void)sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    int version = 0;
    if (!store_migrate_version(db, &version, err)) {
        return false;
    }
    if (version < store_migrate_latest() &&
        (!wal_switch(db, err) || !store_migrate_to(db, store_migrate_latest(), err))) {
        return false;
    }
    int code = sqlite3_exec(db, "PRAGMA synchronous = NORMAL", NULL, NULL, NULL);
    return code == SQLITE_OK ? true : store_query_fail(db, code, err);
}

sqlite3 *store_sqlite_connect(const char *path, struct err *err)
{
    if (!str_equal(path, ":memory:") && !file_prepare(path, err)) {
        return NULL;
    }
    sqlite3 *db = NULL;
    int code = sqlite3_open_v2(
        path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
        NULL);
    bool ok =
        code == SQLITE_OK ? connection_prepare(db, err) : store_query_fail(db, code, err);
    if (!ok) {
        (void)sqlite3_close(db);
        return NULL;
    }
    return db;
}

static bool sqlite_open(struct store *store, const struct options *options,
                        struct err *err)
{
    struct arena *arena = arena_new();
    sqlite3 *db = store_sqlite_connect(store_sqlite_path(arena, options), err);
    arena_free(arena);
    if (!db) {
        return false;
    }
    struct sqlite_store *state = memory_alloc(sizeof *state);
    (void)pthread_mutex_init(&state->lock, NULL);
    state->db = db;
    state->queue = store_sqlite_queue_new(state, options->store_commit_ms);
    store->state = state;
    return true;
}

static void sqlite_close(struct store *store)
{
    struct sqlite_store *state = store_sqlite_of(store);
    store_sqlite_queue_free(state->queue);
    for (size_t i = 0; i < STORE_QUERIES; i++) {
        (void)sqlite3_finalize(state->statements[i]);
    }
    if (sqlite3_close(state->db) != SQLITE_OK) {
        LOG(LOG_STORE, LOG_ERROR, "a statement was still open when the store was closed");
    }
    (void)pthread_mutex_destroy(&state->lock);
    memory_free(state);
}

static bool sqlite_flush(struct store *store, struct err *err)
{
    return store_sqlite_queue_flush(store_sqlite_of(store)->queue, err);
}

static void question_save(struct store *store, const struct store_question *question)
{
    store_sqlite_queue_save(store_sqlite_of(store)->queue, question);
}

static void question_lost(struct store *store, const struct err *why)
{
    store_sqlite_queue_lost(store_sqlite_of(store)->queue, why);
}

const struct store_driver sqlite_store_driver = {
    .name = "sqlite",
    .opens = opens,
    .open = sqlite_open,
    .close = sqlite_close,
    .flush = sqlite_flush,
    .session_create = store_sqlite_session_create,
    .session_get = store_sqlite_session_get,
    .session_list = store_sqlite_session_list,
    .session_delete = store_sqlite_session_delete,
    .message_add = store_sqlite_message_add,
    .message_list = store_sqlite_message_list,
    .question_save = question_save,
    .question_lost = question_lost,
    .question_get = store_sqlite_question_get,
    .question_claim = store_sqlite_question_claim,
    .question_list = store_sqlite_question_list,
    .question_expired = store_sqlite_question_expired,
    .question_unrested = store_sqlite_question_unrested,
    .source_put = store_sqlite_source_put,
    .source_list = store_sqlite_source_list,
    .source_delete = store_sqlite_source_delete,
    .schema_put = store_sqlite_schema_put,
    .schema_get = store_sqlite_schema_get,
    .answered_put = store_sqlite_answered_put,
    .answered_get = store_sqlite_answered_get,
    .answered_drop = store_sqlite_answered_drop,
    .answered_list = store_sqlite_answered_list,
    .values_put = store_sqlite_values_put,
    .values_get = store_sqlite_values_get,
    .values_drop = store_sqlite_values_drop,
    .lesson_put = store_sqlite_lesson_put,
    .lesson_get = store_sqlite_lesson_get,
    .lesson_list = store_sqlite_lesson_list,
    .lesson_delete = store_sqlite_lesson_delete,
    .lesson_used = store_sqlite_lesson_used,
    .dataset_put = store_sqlite_dataset_put,
    .dataset_get = store_sqlite_dataset_get,
    .dataset_list = store_sqlite_dataset_list,
    .dataset_delete = store_sqlite_dataset_delete,
    .key_put = store_sqlite_key_put,
    .key_get = store_sqlite_key_get,
    .key_list = store_sqlite_key_list,
    .key_delete = store_sqlite_key_delete,
    .key_used = store_sqlite_key_used,
    .key_spend = store_sqlite_key_spend,
    .key_spent = store_sqlite_key_spent,
    .schema_before = store_sqlite_schema_before,
    .past_list = store_sqlite_past_list,
    .past_delete = store_sqlite_past_delete,
    .past_clean = store_sqlite_past_clean,
    .record_put = store_sqlite_record_put,
    .record_change = store_sqlite_record_change,
    .record_get = store_sqlite_record_get,
    .record_list = store_sqlite_record_list,
    .record_delete = store_sqlite_record_delete,
    .audit = store_sqlite_audit,
    .clean = store_sqlite_clean,
    .backup = store_sqlite_backup,
    .restore = store_sqlite_restore,
};
