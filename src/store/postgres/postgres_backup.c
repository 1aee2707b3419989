/*
 * A backup of a store in PostgreSQL is a SQLite store, and any such file can be restored
 * into PostgreSQL: one kind of backup for both, and the way from one to the other.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "store/migrate.h"
#include "store/postgres/postgres_backend.h"
#include "store/sqlite/sqlite_backend.h"

enum {
    ROWS_AT_ONCE = 500,
    PARTS_AT_ONCE = 4, /* of a megabyte each */
    COLUMNS_MOST = 32,
    SQL_MOST = 8192,
    BINARY = 1,
    TYPE_BYTES = 17,
    TYPE_INTEGER = 20,
    TYPE_REAL = 701,
};

struct table {
    const char *name;
    const char *columns; /* with commas in between */
    const char *places;  /* as many values: ?1, ?2; $1, $2 in PostgreSQL's words */
    int count;
    bool numbered;
};

struct tables {
    struct table *items;
    size_t count;
    size_t capacity;
};

struct copy {
    struct arena *arena;
    sqlite3 *file;
    PGconn *link;
    struct tables tables;
    struct err *err;
};

static sqlite3_stmt *ask_file(struct copy *copy, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(copy->file, sql, -1, &statement, NULL);
    if (code != SQLITE_OK) {
        (void)store_sqlite_fail(copy->file, code, copy->err);
    }
    return statement;
}

static bool describe(struct copy *copy, struct table *table, char sign)
{
    struct buf columns;
    struct buf places;
    buf_init(&columns, SQL_MOST);
    buf_init(&places, SQL_MOST);
    sqlite3_stmt *row = ask_file(
        copy, arena_format(copy->arena, "SELECT name FROM pragma_table_info('%s')",
                           table->name));
    while (row && sqlite3_step(row) == SQLITE_ROW && table->count < COLUMNS_MOST) {
        const char *name = (const char *)sqlite3_column_text(row, 0);
        table->numbered = table->numbered || str_equal(name, "number");
        (void)buf_format(&columns, "%s%s", table->count ? ", " : "", name);
        table->count++;
        (void)buf_format(&places, "%s%c%d", table->count > 1 ? ", " : "", sign,
                         table->count);
    }
    (void)sqlite3_finalize(row);
    table->columns = buf_clone(&columns, copy->arena);
    table->places = buf_clone(&places, copy->arena);
    buf_release(&columns);
    buf_release(&places);
    return row != NULL;
}

/* Both have the same tables: their names are those of the file. */
static bool list_tables(struct copy *copy, char sign)
{
    sqlite3_stmt *row =
        ask_file(copy, "SELECT name FROM sqlite_master WHERE type = 'table'"
                       " AND name NOT LIKE 'sqlite_%' ORDER BY name");
    while (row && sqlite3_step(row) == SQLITE_ROW) {
        struct table *table = VEC_ADD(copy->arena, &copy->tables);
        table->name = arena_text(copy->arena, (const char *)sqlite3_column_text(row, 0));
    }
    (void)sqlite3_finalize(row);
    bool ok = row != NULL;
    for (size_t i = 0; ok && i < copy->tables.count; i++) {
        ok = describe(copy, &copy->tables.items[i], sign);
    }
    return ok;
}

static int64_t number_of(const char *bytes)
{
    uint64_t number = 0;
    for (int i = 0; i < 8; i++) {
        number = number << 8 | (unsigned char)bytes[i];
    }
    return (int64_t)number;
}

static int bind_value(sqlite3_stmt *to, const PGresult *from, int row, int column)
{
    const char *data = PQgetvalue(from, row, column);
    int size = PQgetlength(from, row, column);
    Oid type = PQftype(from, column);
    if (PQgetisnull(from, row, column)) {
        return sqlite3_bind_null(to, column + 1);
    }
    if (type == TYPE_INTEGER) {
        return sqlite3_bind_int64(to, column + 1, number_of(data));
    }
    if (type == TYPE_REAL) {
        int64_t bits = number_of(data);
        double real = 0;
        memcpy(&real, &bits, sizeof real);
        return sqlite3_bind_double(to, column + 1, real);
    }
    return type == TYPE_BYTES
               ? sqlite3_bind_blob(to, column + 1, data, size, SQLITE_STATIC)
               : sqlite3_bind_text(to, column + 1, data, size, SQLITE_STATIC);
}

static bool keep_rows(struct copy *copy, sqlite3_stmt *to, const PGresult *from)
{
    int code = SQLITE_DONE;
    for (int row = 0; row < PQntuples(from) && code == SQLITE_DONE; row++) {
        code = SQLITE_OK;
        for (int column = 0; column < PQnfields(from) && code == SQLITE_OK; column++) {
            code = bind_value(to, from, row, column);
        }
        code = code == SQLITE_OK ? sqlite3_step(to) : code;
        (void)sqlite3_reset(to);
    }
    return code == SQLITE_DONE || store_sqlite_fail(copy->file, code, copy->err);
}

static bool save_table(struct copy *copy, const struct table *table)
{
    sqlite3_stmt *to =
        ask_file(copy, arena_format(copy->arena, "INSERT INTO %s(%s) VALUES(%s)",
                                    table->name, table->columns, table->places));
    bool ok =
        to && store_postgres_run(copy->link,
                                 arena_format(copy->arena,
                                              "DECLARE rows CURSOR FOR SELECT %s FROM %s",
                                              table->columns, table->name),
                                 copy->err);
    const char *fetch = arena_format(
        copy->arena, "FETCH %d FROM rows",
        str_equal(table->name, "dataset_parts") ? PARTS_AT_ONCE : ROWS_AT_ONCE);
    for (bool more = ok; ok && more;) {
        PGresult *rows =
            PQexecParams(copy->link, fetch, 0, NULL, NULL, NULL, NULL, BINARY);
        ok = PQresultStatus(rows) == PGRES_TUPLES_OK
                 ? keep_rows(copy, to, rows)
                 : store_postgres_fail(rows, copy->err);
        more = ok && PQntuples(rows) > 0;
        PQclear(rows);
    }
    (void)sqlite3_finalize(to);
    return ok && store_postgres_run(copy->link, "CLOSE rows", copy->err);
}

static bool file_run(struct copy *copy, const char *sql)
{
    int code = sqlite3_exec(copy->file, sql, NULL, NULL, NULL);
    return code == SQLITE_OK || store_sqlite_fail(copy->file, code, copy->err);
}

static bool save_all(struct copy *copy)
{
    bool ok = store_postgres_run(copy->link,
                                 "SET idle_in_transaction_session_timeout = 0;"
                                 "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
                                 copy->err) &&
              file_run(copy, "BEGIN") && list_tables(copy, '?');
    for (size_t i = 0; ok && i < copy->tables.count; i++) {
        ok = save_table(copy, &copy->tables.items[i]);
    }
    return ok && file_run(copy, "COMMIT") &&
           file_run(copy, "PRAGMA journal_mode = DELETE");
}

bool store_postgres_backup(struct store *store, const char *path, struct err *err)
{
    const struct postgres_connection *own =
        (const struct postgres_connection *)store_connection_of(store);
    if (!store_queue_flush(store->queue, err) || !store_sqlite_reserve(path, err)) {
        return false;
    }
    struct copy copy = {.arena = arena_new(), .err = err};
    copy.file = store_sqlite_connect(path, err);
    copy.link = copy.file ? store_postgres_link(own->url, err) : NULL;
    bool ok = copy.link && save_all(&copy);
    if (copy.link) {
        PQfinish(copy.link);
    }
    (void)sqlite3_close(copy.file);
    arena_free(copy.arena);
    if (!ok) {
        (void)unlink(path);
    }
    return ok;
}

/* Values as texts: PostgreSQL knows the types of its columns. */
static bool give_row(struct copy *copy, const struct table *table, sqlite3_stmt *from)
{
    const char *data[COLUMNS_MOST] = {NULL};
    int sizes[COLUMNS_MOST] = {0};
    int formats[COLUMNS_MOST] = {0};
    char numbers[COLUMNS_MOST][32];
    for (int i = 0; i < table->count; i++) {
        int type = sqlite3_column_type(from, i);
        data[i] = type == SQLITE_NULL   ? NULL
                  : type == SQLITE_BLOB ? sqlite3_column_blob(from, i)
                                        : (const char *)sqlite3_column_text(from, i);
        sizes[i] = sqlite3_column_bytes(from, i);
        formats[i] = type == SQLITE_BLOB;
        if (type == SQLITE_BLOB && !data[i]) {
            data[i] = ""; /* one without bytes */
        }
        if (type == SQLITE_FLOAT) {
            (void)snprintf(numbers[i], sizeof numbers[i], "%.17g",
                           sqlite3_column_double(from, i));
            data[i] = numbers[i];
        }
    }
    PGresult *result =
        PQexecPrepared(copy->link, "give", table->count, data, sizes, formats, 0);
    bool ok = PQresultStatus(result) == PGRES_COMMAND_OK ||
              store_postgres_fail(result, copy->err);
    PQclear(result);
    return ok;
}

static bool give_prepare(struct copy *copy, const struct table *table)
{
    const char *sql = arena_format(copy->arena, "INSERT INTO %s(%s) VALUES(%s)",
                                   table->name, table->columns, table->places);
    PGresult *result = PQprepare(copy->link, "give", sql, 0, NULL);
    bool ok = PQresultStatus(result) == PGRES_COMMAND_OK ||
              store_postgres_fail(result, copy->err);
    PQclear(result);
    return ok;
}

static bool give_table(struct copy *copy, const struct table *table)
{
    bool ok = give_prepare(copy, table);
    sqlite3_stmt *from =
        ok ? ask_file(copy, arena_format(copy->arena, "SELECT %s FROM %s", table->columns,
                                         table->name))
           : NULL;
    ok = from != NULL;
    int code = SQLITE_ROW;
    while (ok && (code = sqlite3_step(from)) == SQLITE_ROW) {
        ok = give_row(copy, table, from);
    }
    if (ok && code != SQLITE_DONE) {
        ok = store_sqlite_fail(copy->file, code, copy->err);
    }
    (void)sqlite3_finalize(from);
    ok = ok && store_postgres_run(copy->link, "DEALLOCATE give", copy->err);
    return ok &&
           (!table->numbered ||
            store_postgres_run(
                copy->link,
                arena_format(copy->arena,
                             "SELECT setval(pg_get_serial_sequence('%s', 'number'),"
                             " (SELECT coalesce(max(number), 0) + 1 FROM %s), false)",
                             table->name, table->name),
                copy->err));
}

static bool give_all(struct copy *copy)
{
    bool ok = store_postgres_run(copy->link,
                                 "SET idle_in_transaction_session_timeout = 0; BEGIN",
                                 copy->err) &&
              list_tables(copy, '$');
    for (size_t i = 0; ok && i < copy->tables.count; i++) {
        ok = store_postgres_run(
            copy->link,
            arena_format(copy->arena, "TRUNCATE %s", copy->tables.items[i].name),
            copy->err);
    }
    for (size_t i = 0; ok && i < copy->tables.count; i++) {
        ok = give_table(copy, &copy->tables.items[i]);
    }
    return ok && store_postgres_run(copy->link, "COMMIT", copy->err);
}

bool store_postgres_restore(const char *path, const struct options *options,
                            struct err *err)
{
    struct copy copy = {.arena = arena_new(), .err = err};
    copy.file =
        store_sqlite_backup_open(path, err); /* of this version, whatever it was */
    struct store_connection *ready =         /* makes the tables, refuses a newer store */
        copy.file ? postgres_store_backend.connect(options, err) : NULL;
    copy.link = ready ? store_postgres_link(options->store_url, err) : NULL;
    bool ok = copy.link && give_all(&copy);
    if (copy.link) {
        PQfinish(copy.link);
    }
    if (ready) {
        postgres_store_backend.close(ready);
    }
    (void)sqlite3_close(copy.file);
    arena_free(copy.arena);
    return ok;
}
