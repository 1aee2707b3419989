/* Sample values, row counts and statistics of one SQLite table, at a bounded price. */
#include "datasource/sqlite/sqlite_driver.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

enum {
    SCAN_ROWS = 10000,    /* rows looked at for samples and shares */
    EXACT_ROWS = 1000000, /* up to here rows are counted and extremes looked for */
    BATCH_COLUMNS = 100,  /* columns per statement */
    SAMPLE_BYTES = 100,   /* a longer text is no value one would ask for */
    SQL_MOST = 1 << 20,
};

struct profiling {
    struct sqlite_connection *connection;
    struct table *table;
    struct arena *arena;
    const char *path;
    struct buf sql;
    bool whole; /* the scanned rows are all there are */
};

/* Runs the built SQL to its first row. NULL on failure. */
static sqlite3_stmt *profile_ask(struct profiling *work, struct err *err)
{
    sqlite3_stmt *statement =
        sqlite_prepare_own(work->connection, buf_get(&work->sql), err);
    if (!statement) {
        return NULL;
    }
    int result = sqlite3_step(statement);
    if (result != SQLITE_ROW && result != SQLITE_DONE) {
        (void)sqlite_fail(work->connection, result, work->path, err);
        (void)sqlite3_finalize(statement);
        return NULL;
    }
    return statement;
}

static bool count_of(struct profiling *work, const char *before, const char *after,
                     int64_t *count, struct err *err)
{
    buf_clear(&work->sql);
    (void)buf_text(&work->sql, before);
    sqlite_quote(&work->sql, work->table->name);
    (void)buf_text(&work->sql, after);
    sqlite3_stmt *statement = profile_ask(work, err);
    if (!statement) {
        return false;
    }
    *count = sqlite3_column_int64(statement, 0);
    (void)sqlite3_finalize(statement);
    return true;
}

/* The largest rowid is found in no time and is a fair guess for a large table. */
static bool rows_count(struct profiling *work, struct err *err)
{
    struct table *table = work->table;
    int64_t guess = -1;
    struct err ignored;
    err_clear(&ignored);
    if (!table->is_view && !table_column(table, "rowid") &&
        count_of(work, "SELECT max(rowid) FROM ", "", &guess, &ignored) &&
        guess > EXACT_ROWS) {
        table->row_count = guess;
        return true;
    }
    char after[64];
    (void)snprintf(after, sizeof after, " LIMIT %d)", EXACT_ROWS + 1);
    int64_t count = 0;
    if (!count_of(work, "SELECT count(*) FROM (SELECT 1 FROM ", after, &count, err)) {
        return false;
    }
    table->row_count = count;
    table->row_count_exact = count <= EXACT_ROWS;
    work->whole = count <= SCAN_ROWS;
    return true;
}

static const char *extreme_text(struct profiling *work, sqlite3_stmt *statement, int at)
{
    struct value value = sqlite_cell(work->arena, statement, at);
    if (value.kind == VALUE_TEXT && !text_is_date(value.text.data, value.text.size)) {
        return NULL;
    }
    if (value.kind == VALUE_NULL || value.kind == VALUE_BLOB) {
        return NULL;
    }
    struct buf text;
    buf_init(&text, 256);
    value_print(&text, &value);
    const char *kept = buf_clone(&text, work->arena);
    buf_release(&text);
    return kept;
}

/* Shares of NULL and numbers of distinct values over the first rows. */
static bool shares_read(struct profiling *work, size_t from, size_t to, struct err *err)
{
    struct buf *sql = &work->sql;
    buf_clear(sql);
    (void)buf_text(sql, "SELECT count(*)");
    for (size_t i = from; i < to; i++) {
        /* Distinct values of a part say little about the whole, and cost the most. */
        (void)buf_format(sql, ", count(c%zu), ", i);
        if (work->whole) {
            (void)buf_format(sql, "count(DISTINCT c%zu)", i);
        } else {
            (void)buf_text(sql, "-1");
        }
    }
    (void)buf_text(sql, " FROM (SELECT ");
    for (size_t i = from; i < to; i++) {
        (void)buf_text(sql, i > from ? ", " : "");
        sqlite_quote(sql, work->table->columns.items[i].name);
        (void)buf_format(sql, " AS c%zu", i);
    }
    (void)buf_text(sql, " FROM ");
    sqlite_quote(sql, work->table->name);
    (void)buf_format(sql, " LIMIT %d)", SCAN_ROWS);
    sqlite3_stmt *statement = profile_ask(work, err);
    if (!statement) {
        return false;
    }
    int64_t rows = sqlite3_column_int64(statement, 0);
    for (size_t i = from; rows > 0 && i < to; i++) {
        struct column *column = &work->table->columns.items[i];
        int at = (int)(1 + 2 * (i - from));
        column->null_share =
            1.0 - (double)sqlite3_column_int64(statement, at) / (double)rows;
        column->distinct = sqlite3_column_int64(statement, at + 1);
    }
    (void)sqlite3_finalize(statement);
    return true;
}

static bool indexed_first(const struct table *table, const char *column)
{
    for (size_t i = 0; i < table->indexes.count; i++) {
        const struct texts *columns = &table->indexes.items[i].columns;
        if (columns->count > 0 && str_equal_nocase(columns->items[0], column)) {
            return true;
        }
    }
    return false;
}

/* Are the extremes of this column worth asking for, and affordable? */
static bool extremes_wanted(const struct table *table, const struct column *column)
{
    if (type_is_bytes(column->type)) {
        return false;
    }
    bool small = table->row_count_exact && table->row_count <= EXACT_ROWS;
    return small || (!table->is_view && indexed_first(table, column->name));
}

/* In a small table one pass finds all; in a large one each index end is looked up. */
static bool extremes_read(struct profiling *work, size_t from, size_t to, struct err *err)
{
    struct table *table = work->table;
    struct buf *sql = &work->sql;
    buf_clear(sql);
    (void)buf_text(sql, "SELECT 0");
    for (size_t i = from; i < to; i++) {
        struct column *column = &table->columns.items[i];
        const char *const ends[] = {"min", "max"};
        for (size_t end = 0; end < 2; end++) {
            if (!extremes_wanted(table, column)) {
                (void)buf_text(sql, ", NULL");
                continue;
            }
            (void)buf_format(sql, table->row_count_exact ? ", %s(" : ", (SELECT %s(",
                             ends[end]);
            sqlite_quote(sql, column->name);
            (void)buf_text(sql, ")");
            if (!table->row_count_exact) {
                (void)buf_text(sql, " FROM ");
                sqlite_quote(sql, table->name);
                (void)buf_text(sql, ")");
            }
        }
    }
    if (table->row_count_exact) {
        (void)buf_text(sql, " FROM ");
        sqlite_quote(sql, table->name);
    }
    sqlite3_stmt *statement = profile_ask(work, err);
    if (!statement) {
        return false;
    }
    for (size_t i = from; i < to; i++) {
        int at = (int)(1 + 2 * (i - from));
        table->columns.items[i].least = extreme_text(work, statement, at);
        table->columns.items[i].greatest = extreme_text(work, statement, at + 1);
    }
    (void)sqlite3_finalize(statement);
    return true;
}

/* The most frequent words of a text column among the first rows. */
static bool samples_read(struct profiling *work, struct column *column, int samples,
                         struct err *err)
{
    struct buf *sql = &work->sql;
    buf_clear(sql);
    (void)buf_text(sql, "SELECT v FROM (SELECT ");
    sqlite_quote(sql, column->name);
    (void)buf_text(sql, " AS v FROM ");
    sqlite_quote(sql, work->table->name);
    (void)buf_format(sql,
                     " LIMIT %d) WHERE typeof(v) = 'text' AND v <> '' AND length(v) <= %d"
                     " GROUP BY v ORDER BY count(*) DESC, v LIMIT %d",
                     SCAN_ROWS, SAMPLE_BYTES, samples);
    sqlite3_stmt *statement = profile_ask(work, err);
    if (!statement) {
        return false;
    }
    int result = sqlite3_data_count(statement) > 0 ? SQLITE_ROW : SQLITE_DONE;
    for (; result == SQLITE_ROW; result = sqlite3_step(statement)) {
        struct value value = sqlite_cell(work->arena, statement, 0);
        VEC_PUSH(work->arena, &column->samples,
                 arena_copy(work->arena, value.text.data, value.text.size));
    }
    bool ok =
        result == SQLITE_DONE || sqlite_fail(work->connection, result, work->path, err);
    (void)sqlite3_finalize(statement);
    return ok;
}

static bool holds_words(const struct column *column)
{
    static const char *const words[] = {"CHAR", "TEXT", "CLOB", "STRING", "ENUM"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_contains_nocase(column->type, words[i])) {
            return true;
        }
    }
    return column->is_text || column->type[0] == '\0';
}

static bool profile_run(struct profiling *work, int samples, struct err *err)
{
    struct table *table = work->table;
    if (!rows_count(work, err)) {
        return false;
    }
    for (size_t from = 0; from < table->columns.count; from += BATCH_COLUMNS) {
        size_t to = from + BATCH_COLUMNS;
        to = to < table->columns.count ? to : table->columns.count;
        if (!shares_read(work, from, to, err) || !extremes_read(work, from, to, err)) {
            return false;
        }
    }
    for (size_t i = 0; samples > 0 && i < table->columns.count; i++) {
        struct column *column = &table->columns.items[i];
        if (holds_words(column) && !samples_read(work, column, samples, err)) {
            return false;
        }
    }
    return true;
}

bool sqlite_profile(struct datasource *source, struct schema *schema, struct table *table,
                    struct arena *arena, int samples,
                    const struct datasource_limits *limits, struct err *err)
{
    (void)schema;
    struct profiling work = {.table = table, .arena = arena, .path = source->path};
    work.connection = sqlite_take(source, SQLITE_FOR_SCHEMA, limits, err);
    if (!work.connection) {
        return false;
    }
    buf_init(&work.sql, SQL_MOST);
    bool ok = profile_run(&work, samples, err) &&
              sqlite_wal_held(work.connection, source->path, err);
    buf_release(&work.sql);
    /* It has read every table once; what comes after on this connection is page one. */
    (void)sqlite3_db_release_memory(work.connection->db);
    sqlite_give(source, work.connection);
    return ok;
}
