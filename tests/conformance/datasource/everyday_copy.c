/* The everyday databases as SQLite files, and their tables and rows as another engine's
 * SQL. */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "conformance.h"

enum { FILE_MAX = 4 << 20, SCRIPT_MAX = 64 << 20, BATCH = 400 };

struct copying {
    struct arena *arena;
    enum dialect dialect;
    sqlite3 *from;
    struct buf out;
};

static void run_file(struct arena *arena, sqlite3 *db, const char *name)
{
    struct err err;
    size_t size;
    char *message = NULL;
    const char *path = arena_format(arena, "%s/%s.sql", DRAGOMAN_EVERYDAY, name);
    const char *text = file_read(arena, path, FILE_MAX, &size, &err);
    if (!text || sqlite3_exec(db, text, NULL, NULL, &message) != SQLITE_OK) {
        fail_msg("%s: %s", path, text ? message : err.message);
    }
}

void everyday_make(struct arena *arena, const char *name, const char *path)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "BEGIN", NULL, NULL, NULL), SQLITE_OK);
    run_file(arena, db, "dice");
    run_file(arena, db, name);
    assert_int_equal(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

/* What the engine under test calls a type of SQLite's. */
static const char *type_for(const char *type)
{
    for (const struct kind_type *row = kind->copy->types; row->there; row++) {
        if (str_starts_nocase(type, row->there)) {
            return row->here;
        }
    }
    fail_msg("no type for '%s'", type);
    return "";
}

static void write_cell(struct copying *copying, sqlite3_stmt *row, int column,
                       const char *type)
{
    struct buf *out = &copying->out;
    const char *text = (const char *)sqlite3_column_text(row, column);
    if (!text) {
        buf_text(out, "NULL");
    } else if (str_starts_nocase(type, "BOOL") && kind->copy->booleans) {
        buf_text(out, text[0] == '1' ? "TRUE" : "FALSE");
    } else if (sqlite3_column_type(row, column) != SQLITE_TEXT) {
        buf_text(out, text);
    } else {
        buf_text(out, "'");
        for (; *text; text++) {
            buf_text(out, *text == '\'' ? "'" : "");
            buf_add(out, text, 1);
        }
        buf_text(out, "'");
    }
}

static sqlite3_stmt *ask(struct copying *copying, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(copying->from, sql, -1, &statement, NULL) != SQLITE_OK) {
        fail_msg("%s: %s", sql, sqlite3_errmsg(copying->from));
    }
    return statement;
}

static void write_name(struct copying *copying, const char *name)
{
    dialect_quote(&copying->out, copying->dialect, name, false);
}

static void write_column(struct copying *copying, const char *name, const char *type,
                         bool must)
{
    const char *here = type_for(type);
    write_name(copying, name);
    buf_text(&copying->out, " ");
    if (kind->copy->nullable) {
        buf_format(&copying->out, "%s%s%s", must ? "" : kind->copy->nullable, here,
                   must ? "" : ")");
    } else {
        buf_format(&copying->out, "%s%s", here, must ? " NOT NULL" : "");
    }
}

static void write_key(struct copying *copying, const struct texts *primary)
{
    if (kind->copy->table_end) {
        return;
    }
    for (size_t i = 0; i < primary->count; i++) {
        buf_text(&copying->out, i == 0 ? ", PRIMARY KEY (" : ", ");
        write_name(copying, primary->items[i]);
        buf_text(&copying->out, i + 1 == primary->count ? ")" : "");
    }
}

static void write_rows(struct copying *copying, const char *table,
                       const struct texts *types)
{
    struct buf *out = &copying->out;
    sqlite3_stmt *row =
        ask(copying, arena_format(copying->arena, "SELECT * FROM \"%s\"", table));
    for (size_t count = 0; sqlite3_step(row) == SQLITE_ROW; count++) {
        if (count % BATCH == 0) {
            buf_text(out, count ? ";\nINSERT INTO " : "INSERT INTO ");
            write_name(copying, table);
        }
        buf_text(out, count % BATCH ? ", (" : " VALUES (");
        for (int i = 0; i < (int)types->count; i++) {
            buf_text(out, i ? ", " : "");
            write_cell(copying, row, i, types->items[i]);
        }
        buf_text(out, ")");
    }
    sqlite3_finalize(row);
    buf_text(out, ";\n");
}

static void copy_table(struct copying *copying, const char *table)
{
    struct texts types = {0};
    struct texts primary = {0};
    buf_text(&copying->out, "CREATE TABLE ");
    write_name(copying, table);
    sqlite3_stmt *row =
        ask(copying, arena_format(copying->arena,
                                  "SELECT name, type, pk, \"notnull\" FROM "
                                  "pragma_table_info('%s')",
                                  table));
    while (sqlite3_step(row) == SQLITE_ROW) {
        const char *name =
            arena_text(copying->arena, (const char *)sqlite3_column_text(row, 0));
        const char *type =
            arena_text(copying->arena, (const char *)sqlite3_column_text(row, 1));
        bool key = sqlite3_column_int(row, 2) > 0;
        buf_text(&copying->out, types.count ? ", " : " (");
        write_column(copying, name, type, key || sqlite3_column_int(row, 3));
        VEC_PUSH(copying->arena, &types, type);
        if (key) {
            VEC_PUSH(copying->arena, &primary, name);
        }
    }
    sqlite3_finalize(row);
    write_key(copying, &primary);
    buf_format(&copying->out, ")%s;\n",
               kind->copy->table_end ? kind->copy->table_end : "");
    write_rows(copying, table, &types);
}

char *everyday_copy(struct arena *arena, enum dialect dialect, const char *path)
{
    struct copying copying = {.arena = arena, .dialect = dialect};
    assert_int_equal(sqlite3_open_v2(path, &copying.from, SQLITE_OPEN_READONLY, NULL),
                     SQLITE_OK);
    buf_init(&copying.out, SCRIPT_MAX);
    sqlite3_stmt *row =
        ask(&copying, "SELECT name FROM sqlite_master WHERE type = 'table' "
                      "AND name NOT IN ('dice', 'sqlite_sequence')");
    while (sqlite3_step(row) == SQLITE_ROW) {
        copy_table(&copying,
                   arena_text(arena, (const char *)sqlite3_column_text(row, 0)));
    }
    sqlite3_finalize(row);
    sqlite3_close(copying.from);
    char *text = buf_clone(&copying.out, arena);
    buf_release(&copying.out);
    return text;
}
