/* SQLite: the program that it would run. */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "judge.h"

static sqlite3 *database;

static bool open_sqlite(const char *root)
{
    struct arena *arena = arena_new();
    struct err err;
    size_t size;
    static const char *const files[] = {"tests/fixtures/guard/honest/shop.sql",
                                        "tests/fixtures/dialects/tables.sql"};
    bool ok = sqlite3_open(":memory:", &database) == SQLITE_OK;
    for (size_t i = 0; ok && i < sizeof files / sizeof *files; i++) {
        char *sql = file_read(arena, arena_format(arena, "%s/%s", root, files[i]),
                              1 << 20, &size, &err);
        ok = sql && sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK;
    }
    arena_free(arena);
    return ok;
}

static bool read_sqlite(const char *sql, struct buf *out)
{
    sqlite3_stmt *statement = NULL;
    struct buf text;
    buf_init(&text, 1 << 20);
    (void)buf_format(&text, "EXPLAIN %s", sql);
    bool ok =
        sqlite3_prepare_v2(database, text.data, -1, &statement, NULL) == SQLITE_OK &&
        statement;
    while (ok && sqlite3_step(statement) == SQLITE_ROW) {
        for (int i = 1; i < 7; i++) {
            const char *cell = (const char *)sqlite3_column_text(statement, i);
            (void)buf_format(out, "%s ", cell ? cell : "");
        }
        (void)buf_char(out, '\n');
    }
    (void)sqlite3_finalize(statement);
    buf_release(&text);
    return ok;
}

const struct judge judge_sqlite = {"sqlite", DIALECT_SQLITE, open_sqlite, read_sqlite,
                                   false};
