/*
 * Rows into a table, in the process that runs the engine: batch by batch and column by
 * column. A column whose type does not hold a value is made wider. Batches are not
 * answered, so that the next one is made meanwhile; the first that fails ends the table,
 * and what still comes of it is thrown away.
 */
#include <string.h>

#include "base/arena.h"
#include "datasource/engine/engine_helper.h"

enum { COLUMNS_MOST = 100000, SQL_MOST = 16 << 20 };

struct host_table {
    struct arena *arena;
    struct arena *batch;   /* of one */
    const char *namespace; /* "": the default one */
    const char *name;
    struct staged_column *columns;
    size_t count;
    duckdb_appender appender;
    duckdb_data_chunk chunk;
    struct value *cells;
    size_t rows; /* of the batch */
};

static void name_add(struct buf *out, const char *name)
{
    (void)buf_char(out, '"');
    for (; *name; name++) {
        (void)buf_text(out, *name == '"' ? "\"" : "");
        (void)buf_char(out, *name);
    }
    (void)buf_char(out, '"');
}

static void table_name_add(struct buf *out, const struct host_table *table)
{
    if (*table->namespace) {
        name_add(out, table->namespace);
        (void)buf_char(out, '.');
    }
    name_add(out, table->name);
}

/* False: the error was reported. */
static bool create(struct host_session *session, struct host_table *table)
{
    struct buf sql;
    buf_init(&sql, SQL_MOST);
    (void)buf_text(&sql, "CREATE SCHEMA IF NOT EXISTS ");
    name_add(&sql, table->namespace);
    bool ok = host_statement(session, buf_get(&sql));
    buf_clear(&sql);
    (void)buf_text(&sql, "CREATE TABLE ");
    table_name_add(&sql, table);
    for (size_t i = 0; i < table->count; i++) {
        (void)buf_text(&sql, i ? ", " : " (");
        name_add(&sql, table->columns[i].name);
        (void)buf_format(&sql, " %s",
                         staged_type_name(table->arena, table->columns[i].type));
    }
    (void)buf_char(&sql, ')');
    if (ok && sql.full) {
        ok = false;
        (void)host_fail(session, ENGINE_SAID,
                        "Out of Memory Error: the table has too many columns");
    }
    ok = ok && host_statement(session, buf_get(&sql));
    buf_release(&sql);
    return ok;
}

static bool appender_fail(struct host_session *session, struct host_table *table)
{
    const char *text = session->host->library->appender_error(table->appender);
    (void)host_fail(session, ENGINE_SAID, text);
    return false;
}

/* The appender, and a chunk of the types that the table has by now. */
static bool appender_open(struct host_session *session, struct host_table *table)
{
    const struct duckdb_library *library = session->host->library;
    if (library->appender_create(session->connection,
                                 *table->namespace ? table->namespace : NULL, table->name,
                                 &table->appender) != DuckDBSuccess) {
        return appender_fail(session, table);
    }
    struct arena *arena = arena_new();
    duckdb_logical_type *types = arena_array(arena, table->count, sizeof(void *));
    for (size_t i = 0; i < table->count; i++) {
        types[i] = library->appender_column_type(table->appender, i);
    }
    table->chunk = library->create_data_chunk(types, table->count);
    for (size_t i = 0; i < table->count; i++) {
        library->destroy_logical_type(&types[i]);
    }
    arena_free(arena);
    return table->chunk || appender_fail(session, table);
}

/* Both may be NULL already. */
static void appender_drop(const struct duckdb_library *library, struct host_table *table)
{
    if (table->chunk) {
        library->destroy_data_chunk(&table->chunk);
        table->chunk = NULL;
    }
    if (table->appender) {
        (void)library->appender_destroy(&table->appender);
        table->appender = NULL;
    }
}

void host_table_drop(struct host_session *session)
{
    struct host_table *table = session->table;
    session->table = NULL;
    if (table) {
        appender_drop(session->host->library, table);
        arena_free(table->batch);
        arena_free(table->arena);
    }
}

bool host_table_begin(struct host_session *session, struct frame_reader *in)
{
    host_table_drop(session);
    struct arena *arena = arena_new();
    struct host_table *table = ARENA_NEW(arena, struct host_table);
    session->table = table;
    table->arena = arena;
    table->batch = arena_new();
    bool wanted = frame_get_byte(in) != 0; /* else it is there already */
    table->namespace = frame_get_string(in, arena);
    table->name = frame_get_string(in, arena);
    table->count = (size_t)frame_get_number(in);
    if (in->bad || table->count == 0 || table->count > COLUMNS_MOST) {
        return false;
    }
    table->columns = arena_array(arena, table->count, sizeof *table->columns);
    for (size_t i = 0; i < table->count; i++) {
        table->columns[i].name = frame_get_string(in, arena);
        table->columns[i].type.kind = (enum staged_kind)frame_get_byte(in);
        table->columns[i].type.width = frame_get_byte(in);
        table->columns[i].type.scale = frame_get_byte(in);
        in->bad = in->bad || table->columns[i].type.kind >= STAGED_COUNT;
    }
    if (in->bad) {
        return false;
    }
    if ((wanted && !create(session, table)) || !appender_open(session, table)) {
        host_table_drop(session);
        return true;
    }
    return host_ok(session, 0);
}

/* A value came that the column's type does not hold: what is there is made to fit too. */
static bool column_widen(struct host_session *session, size_t index,
                         const struct value *value)
{
    struct host_table *table = session->table;
    struct staged_column *column = &table->columns[index];
    struct staged_type type = staged_type_wider(column, value);
    if (session->host->library->appender_flush(table->appender) != DuckDBSuccess) {
        return appender_fail(session, table);
    }
    appender_drop(session->host->library, table);
    struct buf sql;
    buf_init(&sql, SQL_MOST);
    (void)buf_text(&sql, "ALTER TABLE ");
    table_name_add(&sql, table);
    (void)buf_text(&sql, " ALTER COLUMN ");
    name_add(&sql, column->name);
    (void)buf_format(&sql, " TYPE %s", staged_type_name(table->arena, type));
    if (type.kind == STAGED_BLOB) { /* a cast would read \x41 as a byte */
        (void)buf_text(&sql, " USING encode(CAST(");
        name_add(&sql, column->name);
        (void)buf_text(&sql, " AS VARCHAR))");
    }
    bool ok = host_statement(session, buf_get(&sql)) && appender_open(session, table);
    buf_release(&sql);
    column->type = type;
    return ok;
}

/* False when a value does not fit; *row is its place. */
static bool column_put(const struct duckdb_library *library, struct host_table *table,
                       size_t index, size_t *row)
{
    duckdb_vector vector = library->data_chunk_get_vector(table->chunk, index);
    uint64_t *validity = NULL;
    for (size_t i = 0; i < table->rows; i++) {
        const struct value *value = &table->cells[i * table->count + index];
        if (value->kind != VALUE_NULL) {
            if (!staged_cell_put(library, &table->columns[index], value, vector, i)) {
                *row = i;
                return false;
            }
            continue;
        }
        if (!validity) {
            library->vector_ensure_validity_writable(vector);
            validity = library->vector_get_validity(vector);
        }
        library->validity_set_row_invalid(validity, i);
    }
    return true;
}

static bool batch_write(struct host_session *session)
{
    const struct duckdb_library *library = session->host->library;
    struct host_table *table = session->table;
    for (size_t i = 0; i < table->count; i++) {
        size_t row = 0;
        if (!column_put(library, table, i, &row)) {
            if (!column_widen(session, i, &table->cells[row * table->count + i])) {
                return false;
            }
            i = (size_t)-1; /* a new chunk: from the first column on */
        }
    }
    library->data_chunk_set_size(table->chunk, table->rows);
    if (library->append_data_chunk(table->appender, table->chunk) != DuckDBSuccess) {
        return appender_fail(session, table);
    }
    library->data_chunk_reset(table->chunk);
    return true;
}

bool host_table_batch(struct host_session *session, struct frame_reader *in)
{
    struct host_table *table = session->table;
    if (!table) {
        return true; /* one of those that came after the one that failed */
    }
    uint64_t rows = frame_get_number(in);
    if (rows == 0 || rows > ENGINE_BATCH_ROWS) {
        return false;
    }
    table->rows = (size_t)rows;
    table->cells =
        arena_array(table->batch, table->rows * table->count, sizeof *table->cells);
    for (size_t i = 0; i < table->rows; i++) {
        if (!frame_get_row(in, table->batch, &table->cells[i * table->count],
                           table->count)) {
            return false;
        }
    }
    bool written = batch_write(session);
    arena_reset(table->batch);
    if (!written) {
        host_table_drop(session);
    }
    return true;
}

bool host_table_end(struct host_session *session)
{
    struct host_table *table = session->table;
    if (!table) {
        return true; /* the failure was reported */
    }
    if (session->host->library->appender_flush(table->appender) != DuckDBSuccess) {
        (void)appender_fail(session, table);
        host_table_drop(session);
        return true;
    }
    host_table_drop(session);
    return host_ok(session, 0);
}
