/*
 * Tells without a query whether anything was committed: by the header of the WAL index, which every commit of every
 * process changes (https://www.sqlite.org/walformat.html). It is in memory that all connections share.
 */
#include <stdatomic.h>
#include <string.h>

#include "store/sqlite/sqlite_backend.h"

enum {
    INDEX_BLOCK = 32768, /* bytes that SQLite maps at once */
    INDEX_VERSION = 3007000,
    HEADER_WORDS = sizeof(struct store_moment) / sizeof(uint32_t),
};

static bool has_wal(sqlite3 *db)
{
    sqlite3_stmt *statement = NULL;
    bool wal = sqlite3_prepare_v2(db, "PRAGMA journal_mode", -1, &statement, NULL) ==
                   SQLITE_OK &&
               sqlite3_step(statement) == SQLITE_ROW &&
               strcmp((const char *)sqlite3_column_text(statement, 0), "wal") == 0;
    (void)sqlite3_finalize(statement);
    return wal;
}

/* It stays where it is while the connection is open. */
const uint32_t *store_sqlite_index(sqlite3 *db)
{
    sqlite3_file *file = NULL;
    volatile void *block = NULL;
    if (!has_wal(db) ||
        sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK ||
        !file || !file->pMethods || file->pMethods->iVersion < 2 ||
        file->pMethods->xShmMap(file, 0, INDEX_BLOCK, 0, &block) != SQLITE_OK || !block) {
        return NULL;
    }
    const uint32_t *index = (const uint32_t *)(uintptr_t)block;
    return *index == INDEX_VERSION ? index : NULL;
}

/* The header is there twice. A writer changes the second one first: while both are the same, they are whole. */
bool store_sqlite_moment(const struct store_connection *connection,
                         struct store_moment *out)
{
    const uint32_t *index = ((const struct sqlite_connection *)connection)->index;
    bool same = index != NULL;
    for (size_t i = 0; same && i < HEADER_WORDS; i++) {
        out->words[i] = __atomic_load_n(&index[i], __ATOMIC_RELAXED);
    }
    atomic_thread_fence(memory_order_acquire);
    for (size_t i = 0; same && i < HEADER_WORDS; i++) {
        same =
            __atomic_load_n(&index[HEADER_WORDS + i], __ATOMIC_RELAXED) == out->words[i];
    }
    return same;
}
