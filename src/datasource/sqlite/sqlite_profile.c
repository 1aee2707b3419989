/* Samples and statistics of one SQLite table: runs the SQL of the profiler here. */
#include "datasource/sqlite/sqlite_driver.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "datasource/profile/profile.h"

struct profile_run {
    struct sqlite_connection *connection;
    const char *path;
    struct arena *scratch; /* of one statement's cells */
};

static int row_hand_out(sqlite3_stmt *statement, size_t columns, struct arena *scratch,
                        bool (*row)(void *, const char *const *), void *work)
{
    int result = SQLITE_ROW;
    const char **texts = arena_array(scratch, columns, sizeof *texts);
    for (bool more = true; more && (result = sqlite3_step(statement)) == SQLITE_ROW;) {
        for (size_t i = 0; i < columns; i++) {
            struct value value = sqlite_cell(scratch, statement, (int)i);
            texts[i] = profile_cell(scratch, &value);
        }
        more = row(work, texts);
    }
    return result;
}

static bool rows_run(void *context, const char *sql, size_t columns,
                     bool (*row)(void *, const char *const *), void *work,
                     struct err *err)
{
    struct profile_run *run = context;
    sqlite3_stmt *statement = sqlite_prepare_own(run->connection, sql, err);
    if (!statement) {
        return false;
    }
    int result = row_hand_out(statement, columns, run->scratch, row, work);
    bool ok = result == SQLITE_ROW || result == SQLITE_DONE ||
              sqlite_fail(run->connection, result, run->path, err);
    (void)sqlite3_finalize(statement);
    arena_reset(run->scratch);
    return ok;
}

static void name_quote(void *context, struct buf *out, const char *name)
{
    (void)context;
    sqlite_quote(out, name);
}

static bool guess_row(void *context, const char *const *texts)
{
    int64_t *guess = context;
    if (texts[0]) {
        (void)str_to_int(texts[0], guess);
    }
    return false;
}

/* A row has a byte for each column and three more. Rowids that people chose, or that
 * began somewhere, may be far above what the file can hold. */
static bool is_plausible(struct profile_run *run, const struct table *table,
                         int64_t guess)
{
    int64_t bytes = -1;
    struct err ignored;
    err_clear(&ignored);
    (void)rows_run(run,
                   "SELECT page_count * page_size FROM pragma_page_count(), "
                   "pragma_page_size()",
                   1, guess_row, &bytes, &ignored);
    return bytes < 0 || guess <= bytes / (int64_t)(table->columns.count + 3);
}

/* The largest rowid is found in no time and is a fair guess for a large table. Tables
 * without one fail to say, and are counted. */
static int64_t rows_guess(struct profile_run *run, const struct table *table)
{
    int64_t guess = -1;
    struct buf sql;
    struct err ignored;
    if (table->is_view || table_column(table, "rowid")) {
        return -1;
    }
    err_clear(&ignored);
    buf_init(&sql, 1 << 16);
    (void)buf_text(&sql, "SELECT max(rowid) FROM ");
    sqlite_quote(&sql, table->name);
    (void)rows_run(run, buf_get(&sql), 1, guess_row, &guess, &ignored);
    buf_release(&sql);
    return is_plausible(run, table, guess) ? guess : -1;
}

bool sqlite_profile(struct datasource *source, struct schema *schema, struct table *table,
                    struct arena *arena, int samples,
                    const struct datasource_limits *limits, struct err *err)
{
    (void)schema;
    struct profile_run run = {.path = source->path};
    run.connection = sqlite_take(source, SQLITE_FOR_SCHEMA, limits, err);
    if (!run.connection) {
        return false;
    }
    run.scratch = arena_new();
    table->row_count = rows_guess(&run, table);
    const struct profile_session session = {.dialect = &profile_sqlite,
                                            .context = &run,
                                            .rows = rows_run,
                                            .quote_name = name_quote};
    bool ok = profile_table(&session, table, arena, samples, err) &&
              sqlite_wal_held(run.connection, source->path, err);
    arena_free(run.scratch);
    /* It has read every table once; what comes after on this connection is page one. */
    (void)sqlite3_db_release_memory(run.connection->db);
    sqlite_give(source, run.connection);
    return ok;
}
