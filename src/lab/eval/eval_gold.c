/* Runs the known SQL with plain SQLite. */
#include "lab/eval/eval_gold.h"

#include <sqlite3.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "model/rows.h"

enum { MOST_MS = 10000, MOST_ROWS = 20000, OPCODES = 10000 };

static int too_long(void *context)
{
    const int64_t *until = context;
    return clock_ms() > *until;
}

static struct value cell_of(sqlite3_stmt *row, int column)
{
    switch (sqlite3_column_type(row, column)) {
    case SQLITE_INTEGER:
        return (struct value){.kind = VALUE_INT,
                              .integer = sqlite3_column_int64(row, column)};
    case SQLITE_FLOAT:
        return (struct value){.kind = VALUE_REAL,
                              .real = sqlite3_column_double(row, column)};
    case SQLITE_NULL:
        return (struct value){.kind = VALUE_NULL};
    default: {
        const char *text = (const char *)sqlite3_column_text(row, column);
        return (struct value){
            .kind = VALUE_TEXT,
            .text = {text ? text : "", (size_t)sqlite3_column_bytes(row, column)}};
    }
    }
}

static bool read_rows(sqlite3_stmt *statement, struct rows *rows)
{
    int count = sqlite3_column_count(statement);
    struct rows_column *columns =
        arena_array(rows->arena, (size_t)count, sizeof *columns);
    struct value *cells = arena_array(rows->arena, (size_t)count, sizeof *cells);
    for (int i = 0; i < count; i++) {
        columns[i] = (struct rows_column){sqlite3_column_name(statement, i), ""};
    }
    rows_set_columns(rows, columns, (size_t)count);
    int code = SQLITE_ROW;
    while (rows->count < MOST_ROWS && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        for (int i = 0; i < count; i++) {
            cells[i] = cell_of(statement, i);
        }
        rows_add(rows, cells);
    }
    return code == SQLITE_ROW || code == SQLITE_DONE;
}

bool eval_gold(const char *path, const char *sql, struct rows *rows)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    int64_t until = clock_ms() + MOST_MS;
    bool ok = sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK;
    if (ok) {
        sqlite3_progress_handler(db, OPCODES, too_long, &until);
        ok = sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK &&
             statement && read_rows(statement, rows);
    }
    (void)sqlite3_finalize(statement);
    (void)sqlite3_close(db);
    return ok;
}
