/* The SQLite driver: opening, checking and running; the other slots have their own files.
 */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/memory.h"
#include "datasource/sqlite/sqlite_driver.h"

void sqlite_quote(struct buf *out, const char *name)
{
    (void)buf_quote(out, name, '"');
}

static const char *path_of(sqlite3 *db)
{
    const char *path = sqlite3_db_filename(db, "main");
    return path ? path : "";
}

sqlite3_stmt *sqlite_prepare_own(struct sqlite_connection *connection, const char *sql,
                                 struct err *err)
{
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(connection->db, sql, -1, &statement, NULL);
    if (result != SQLITE_OK) {
        (void)sqlite_fail(connection, result, path_of(connection->db), err);
        return NULL;
    }
    return statement;
}

/* White space, comments and semicolons only? SQLite itself is asked. */
static bool tail_is_empty(struct sqlite_connection *connection, const char *tail)
{
    while (*tail) {
        sqlite3_stmt *more = NULL;
        const char *next = tail;
        int result = sqlite3_prepare_v2(connection->db, tail, -1, &more, &next);
        (void)sqlite3_finalize(more);
        if (result != SQLITE_OK || more) {
            return false;
        }
        if (next == tail) {
            break;
        }
        tail = next;
    }
    return true;
}

static void touch(struct sqlite_connection *connection, const char *table)
{
    struct buf sql;
    sqlite3_stmt *statement = NULL;
    buf_init(&sql, 4096);
    (void)buf_text(&sql, "SELECT 1 FROM ");
    sqlite_quote(&sql, table);
    (void)sqlite3_prepare_v2(connection->db, buf_get(&sql), -1, &statement, NULL);
    (void)sqlite3_finalize(statement);
    buf_release(&sql);
}

/* A virtual table's constructor writes to its own shadow tables' statements, which the
 * authorizer refuses. It runs once for each connection and schema: here, in our name. */
static void meet_virtual_tables(struct sqlite_connection *connection)
{
    sqlite3_stmt *list = NULL;
    connection->own_sql = true;
    touch(connection, "json_each");
    touch(connection, "json_tree");
    (void)sqlite3_prepare_v2(connection->db,
                             "SELECT name FROM sqlite_master WHERE type = 'table'"
                             " AND sql LIKE 'CREATE VIRTUAL%' LIMIT 1000",
                             -1, &list, NULL);
    while (list && sqlite3_step(list) == SQLITE_ROW) {
        touch(connection, (const char *)sqlite3_column_text(list, 0));
    }
    (void)sqlite3_finalize(list);
    connection->own_sql = false;
}

sqlite3_stmt *sqlite_prepare_one(struct sqlite_connection *connection, const char *sql,
                                 struct err *err)
{
    sqlite3_stmt *statement = NULL;
    const char *tail = sql;
    int result = sqlite3_prepare_v2(connection->db, sql, -1, &statement, &tail);
    if (result != SQLITE_OK && connection->refused[0]) {
        meet_virtual_tables(connection);
        connection->refused[0] = '\0';
        result = sqlite3_prepare_v2(connection->db, sql, -1, &statement, &tail);
    }
    if (result != SQLITE_OK) {
        (void)sqlite_fail(connection, result, path_of(connection->db), err);
        return NULL;
    }
    if (!statement) {
        (void)err_set(err, ERR_INVALID_SQL, "There is no SQL statement.");
        return NULL;
    }
    if (!tail_is_empty(connection, tail)) {
        (void)sqlite3_finalize(statement);
        (void)err_set(err, ERR_UNSAFE, "Only one statement may run at a time.");
        err->position = (int)(tail - sql);
        return NULL;
    }
    return statement;
}

static sqlite3_stmt *prepare_read(struct sqlite_connection *connection, const char *sql,
                                  struct err *err)
{
    sqlite3_stmt *statement = sqlite_prepare_one(connection, sql, err);
    /* What reads has columns: REINDEX without an index counts as read-only, too. */
    if (statement &&
        (!sqlite3_stmt_readonly(statement) || sqlite3_column_count(statement) == 0)) {
        (void)sqlite3_finalize(statement);
        (void)err_set(err, ERR_UNSAFE, "The statement would change the database.");
        return NULL;
    }
    return statement;
}

/* Why the file could not be used, in better words than the engine's. */
static bool open_failed(const char *path, struct err *err)
{
    struct file_head head;
    struct err ignored;
    err_clear(&ignored);
    if (err->code == ERR_INVALID_SQL) { /* our own SQL is right, so the file is not */
        struct err engine = *err;
        (void)err_set(err, ERR_NOT_A_DATABASE, "'%s' is damaged or from a newer SQLite.",
                      file_base_name(path));
        return err_detail(err, "%s", engine.detail);
    }
    if (err->code == ERR_NOT_A_DATABASE && file_head_read(path, &head, &ignored) &&
        file_head_is_duckdb(&head)) {
        return err_hint(err, "It is a DuckDB file: name it duckdb://… or .duckdb.");
    }
    return false;
}

static bool sqlite_open_source(struct datasource *source, struct err *err)
{
    /* Not opened by us: closing a file drops every lock that SQLite holds on it in this
     * process. An empty file is a SQLite database that holds nothing yet. */
    enum { SMALLEST_PAGE = 512 };
    struct sqlite_identity identity;
    if (!file_source_check(source->path, err)) {
        return false;
    }
    if (sqlite_identify(source->path, &identity) && identity.size > 0 &&
        identity.size < SMALLEST_PAGE) { /* SQLite would take it for an empty one */
        return err_set(err, ERR_NOT_A_DATABASE, "'%s' is not a SQLite database.",
                       file_base_name(source->path));
    }
    struct sqlite_state *state = ARENA_NEW(source->arena, struct sqlite_state);
    sqlite_pool_init(state, source->path);
    source->state = state;
    /* The first signature proves that it can be read, and leaves a connection open: while
     * one is, the file's inode cannot be given to another file. */
    char signature[33];
    if (sqlite_signature(source, NULL, signature, err)) {
        return true;
    }
    sqlite_pool_release(state);
    source->state = NULL;
    return open_failed(source->path, err);
}

static void sqlite_close_source(struct datasource *source)
{
    if (source->state) {
        sqlite_pool_release(source->state);
        source->state = NULL;
    }
}

static bool sqlite_check(struct datasource *source, const char *sql,
                         const struct datasource_limits *limits, struct err *err)
{
    struct sqlite_connection *connection =
        sqlite_take(source, SQLITE_FOR_READING, limits, err);
    if (!connection) {
        return false;
    }
    /* Compiling asks the schema that the connection knows, not the file: what it kept is
     * as good an answer. And it is likely to be run next. */
    sqlite3_stmt *statement = sqlite_kept_take(connection, sql);
    statement = statement ? statement : prepare_read(connection, sql, err);
    bool ok = statement != NULL;
    sqlite_kept_give(connection, statement);
    sqlite_glance_keep(source->state, connection);
    sqlite_give(source, connection);
    return ok;
}

static struct value cell_text(struct arena *scratch, sqlite3_stmt *statement, int column)
{
    struct value value = {.kind = VALUE_TEXT};
    const char *data = (const char *)sqlite3_column_text(statement, column);
    size_t size = (size_t)sqlite3_column_bytes(statement, column);
    value.text.data = data ? text_clean(scratch, data, &size) : "";
    value.text.size = data ? size : 0;
    return value;
}

struct value sqlite_cell(struct arena *scratch, sqlite3_stmt *statement, int column)
{
    struct value value = {.kind = VALUE_NULL};
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
        value.kind = VALUE_INT;
        value.integer = sqlite3_column_int64(statement, column);
        break;
    case SQLITE_FLOAT:
        value.kind = VALUE_REAL;
        value.real = sqlite3_column_double(statement, column);
        break;
    case SQLITE_TEXT:
        return cell_text(scratch, statement, column);
    case SQLITE_BLOB:
        value.kind = VALUE_BLOB;
        value.text.data = sqlite3_column_blob(statement, column);
        value.text.size = (size_t)sqlite3_column_bytes(statement, column);
        value.text.data = value.text.data ? value.text.data : "";
        break;
    default:
        break;
    }
    return value;
}

static bool send_columns(sqlite3_stmt *statement, size_t count,
                         const struct datasource_sink *sink, struct arena *arena)
{
    struct rows_column *columns = arena_array(arena, count, sizeof *columns);
    for (size_t i = 0; i < count; i++) {
        const char *name = sqlite3_column_name(statement, (int)i);
        const char *type = sqlite3_column_decltype(statement, (int)i);
        size_t size = name ? strlen(name) : 0;
        columns[i].name = name ? text_clean(arena, name, &size) : "";
        columns[i].type = type ? type : "";
    }
    return sink->columns(sink->context, columns, count);
}

/* A statement that is ready to give rows. */
struct reading {
    sqlite3_stmt *statement;
    bool begun; /* the first step is done, with this result */
    int first;
    bool builtin; /* LIKE is SQLite's own meanwhile */
};

/* Steps until the end, the cap or the sink says stop; SQLite's result. */
static int send_rows(const struct reading *reading, size_t count,
                     const struct datasource_limits *limits,
                     const struct datasource_sink *sink, struct arena *arena)
{
    sqlite3_stmt *statement = reading->statement;
    struct value *cells = memory_array(count, sizeof *cells);
    int64_t most = limits && limits->max_rows > 0 ? limits->max_rows : INT64_MAX - 1;
    int result = SQLITE_ROW;
    for (int64_t sent = 0; sent <= most; sent++) {
        result = sent == 0 && reading->begun ? reading->first : sqlite3_step(statement);
        if (result != SQLITE_ROW) {
            break;
        }
        for (size_t i = 0; i < count; i++) {
            cells[i] = sqlite_cell(arena, statement, (int)i);
        }
        if (!sink->row(sink->context, cells)) {
            break;
        }
        arena_reset(arena);
    }
    memory_free(cells);
    return result == SQLITE_ROW ? SQLITE_DONE : result;
}

/* Where LIKE only asks how texts begin SQLite's own does no harm, and an index helps it.
 * Whatever was compiled with ours is of no use any more. */
static void prepare_again(struct sqlite_connection *connection, const char *sql,
                          struct reading *reading, struct err *err)
{
    (void)sqlite3_finalize(reading->statement);
    sqlite_kept_drop(connection);
    reading->builtin = sqlite_text_like_builtin(connection, true);
    reading->statement = prepare_read(connection, sql, err);
}

/* Is there a compiled one that still holds? Only its first step tells. */
static bool read_kept(struct sqlite_connection *connection, const char *sql,
                      struct reading *reading)
{
    reading->statement = sqlite_kept_take(connection, sql);
    if (!reading->statement) {
        return false;
    }
    if (!sqlite_bound_apply(connection, sql)) {
        reading->begun = true;
        reading->first = sqlite3_step(reading->statement);
        if (!sqlite_kept_stale(reading->statement, reading->first)) {
            return true;
        }
        sqlite_bound_lift(connection);
        memset(connection->bounds, 0, sizeof connection->bounds);
    }
    (void)sqlite3_finalize(reading->statement);
    *reading = (struct reading){0};
    return false;
}

static bool read_begin(struct sqlite_connection *connection, const char *sql,
                       struct reading *reading, struct err *err)
{
    *reading = (struct reading){0};
    if (read_kept(connection, sql, reading)) {
        return true;
    }
    reading->statement = prepare_read(connection, sql, err);
    if (reading->statement && sqlite_bound_apply(connection, sql)) {
        prepare_again(connection, sql, reading, err);
    }
    return reading->statement != NULL;
}

static void read_end(struct sqlite_connection *connection, struct reading *reading)
{
    if (reading->builtin) {
        (void)sqlite3_finalize(reading->statement);
        if (!sqlite_text_like_builtin(connection, false)) {
            connection->generation--; /* closed instead of used again */
        }
    } else {
        sqlite_kept_give(connection, reading->statement);
    }
    sqlite_bound_lift(connection);
}

static bool sqlite_execute(struct datasource *source, const char *sql,
                           const struct datasource_limits *limits,
                           const struct datasource_sink *sink, struct err *err)
{
    struct sqlite_connection *connection =
        sqlite_take(source, SQLITE_FOR_READING, limits, err);
    if (!connection) {
        return false;
    }
    bool ok = false;
    struct reading reading;
    if (read_begin(connection, sql, &reading, err)) {
        struct arena *scratch = arena_new();
        size_t count = (size_t)sqlite3_column_count(reading.statement);
        int result = SQLITE_DONE;
        if (send_columns(reading.statement, count, sink, scratch)) {
            result = send_rows(&reading, count, limits, sink, scratch);
        }
        ok = result == SQLITE_DONE || sqlite_fail(connection, result, source->path, err);
        arena_free(scratch);
    }
    ok = sqlite_wal_held(connection, source->path, err) && ok;
    read_end(connection, &reading);
    sqlite_give(source, connection);
    return ok;
}

static const char *const sqlite_schemes[] = {"sqlite", "sqlite3", NULL};
static const char *const sqlite_extensions[] = {".db", ".sqlite", ".sqlite3", ".db3",
                                                NULL};

extern const struct datasource_driver datasource_sqlite;
const struct datasource_driver datasource_sqlite = {
    .name = "sqlite",
    .dialect = DIALECT_SQLITE,
    .schemes = sqlite_schemes,
    .extensions = sqlite_extensions,
    .local = true,
    .counts_steps = true,
    .open = sqlite_open_source,
    .close = sqlite_close_source,
    .signature = sqlite_signature,
    .describe = sqlite_describe,
    .profile = sqlite_profile,
    .check = sqlite_check,
    .estimate = sqlite_estimate,
    .execute = sqlite_execute,
    .write = sqlite_write,
};
