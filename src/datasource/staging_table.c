/* One staged table: rows wait in a batch, then go to the engine column by column. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "datasource/staging_state.h"

enum {
    BATCH_ROWS = 2048, /* as many as one of the engine's chunks holds */
    BATCH_BYTES = 4 << 20,
    COLUMNS_MOST = 4096,
    SQL_MOST = 4 << 20,
    MEGABYTE = 1 << 20,
};

static bool statement(struct staging_table *table, const char *sql, struct err *err)
{
    const struct duck_library *library = table->session.library;
    duckdb_result result;
    bool ok = library->query(table->session.connection, sql, &result) == DuckDBSuccess ||
              duck_fail(&table->limits, library->result_error(&result), NULL, err);
    library->destroy_result(&result);
    return ok;
}

static void name_add(struct buf *out, const char *name)
{
    (void)buf_char(out, '"');
    for (; *name; name++) {
        (void)buf_text(out, *name == '"' ? "\"" : "");
        (void)buf_char(out, *name);
    }
    (void)buf_char(out, '"');
}

static void table_name_add(struct buf *out, const struct staging_table *table)
{
    name_add(out, table->namespace);
    (void)buf_char(out, '.');
    name_add(out, table->name);
}

static bool create(struct staging_table *table, struct err *err)
{
    struct buf sql;
    buf_init(&sql, SQL_MOST);
    (void)buf_text(&sql, "CREATE SCHEMA IF NOT EXISTS ");
    name_add(&sql, table->namespace);
    bool ok = statement(table, buf_get(&sql), err);
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
    ok = ok && !sql.full && statement(table, buf_get(&sql), err);
    buf_release(&sql);
    return ok || (err->code != ERR_OK
                      ? false
                      : err_set(err, ERR_RESULT_TOO_LARGE,
                                "'%s' has too many columns to stage.", table->shown));
}

/* An interrupted appender speaks of a failed append: the limits know better. */
static bool appender_fail(struct staging_table *table, struct err *err)
{
    const char *text = table->session.library->appender_error(table->appender);
    return limits_hold(&table->limits, err) && duck_fail(&table->limits, text, NULL, err);
}

/* The appender, and a chunk of the types that the table has by now. */
static bool appender_open(struct staging_table *table, struct err *err)
{
    const struct duck_library *library = table->session.library;
    if (library->appender_create(table->session.connection, table->namespace, table->name,
                                 &table->appender) != DuckDBSuccess) {
        return appender_fail(table, err);
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
    return table->chunk || err_set(err, ERR_INTERNAL, "No batch could be made.");
}

/* Both may be NULL already. */
static void appender_drop(struct staging_table *table)
{
    const struct duck_library *library = table->session.library;
    if (table->chunk) {
        library->destroy_data_chunk(&table->chunk);
        table->chunk = NULL;
    }
    if (table->appender) {
        (void)library->appender_destroy(&table->appender);
        table->appender = NULL;
    }
}

/* A value came that the column's type does not hold: what is there is made to fit too. */
static bool column_widen(struct staging_table *table, size_t index,
                         const struct value *value, struct err *err)
{
    struct staged_column *column = &table->columns[index];
    struct staged_type type = staged_type_wider(column, value);
    if (table->session.library->appender_flush(table->appender) != DuckDBSuccess) {
        return appender_fail(table, err);
    }
    appender_drop(table);
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
    bool ok = statement(table, buf_get(&sql), err) && appender_open(table, err);
    buf_release(&sql);
    column->type = type;
    return ok;
}

/* False when a value does not fit; *row is its place. */
static bool column_put(struct staging_table *table, size_t index, size_t *row)
{
    const struct duck_library *library = table->session.library;
    duckdb_vector vector = library->data_chunk_get_vector(table->chunk, index);
    uint64_t *validity = NULL;
    for (size_t i = 0; i < table->waiting; i++) {
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

static void tell(const struct staging_table *table, bool done)
{
    const struct staging_watcher *watcher = &table->staging->watcher;
    if (watcher->progress) {
        const struct staging_progress progress = {.name = table->shown,
                                                  .rows = table->rows,
                                                  .bytes = table->bytes,
                                                  .done = done};
        watcher->progress(watcher->context, &progress);
    }
}

static bool batch_write(struct staging_table *table, struct err *err)
{
    const struct duck_library *library = table->session.library;
    if (!limits_hold(&table->limits, err)) {
        return false;
    }
    for (size_t i = 0; i < table->count; i++) {
        size_t row = 0;
        if (!column_put(table, i, &row)) {
            if (!column_widen(table, i, &table->cells[row * table->count + i], err)) {
                return false;
            }
            i = (size_t)-1; /* a new chunk: from the first column on */
        }
    }
    library->data_chunk_set_size(table->chunk, table->waiting);
    if (library->append_data_chunk(table->appender, table->chunk) != DuckDBSuccess) {
        return appender_fail(table, err);
    }
    library->data_chunk_reset(table->chunk);
    table->waiting = 0;
    table->waiting_bytes = 0;
    arena_reset(table->batch);
    tell(table, false);
    return true;
}

static void table_free(struct staging_table *table)
{
    appender_drop(table);
    duck_end(table->staging->source, &table->session);
    arena_free(table->batch);
    arena_free(table->arena);
}

static struct staging_table *table_make(struct staging *staging,
                                        const struct staging_shape *shape,
                                        const struct datasource_limits *limits)
{
    struct arena *arena = arena_new();
    struct staging_table *table = ARENA_NEW(arena, struct staging_table);
    table->arena = arena;
    table->batch = arena_new();
    table->staging = staging;
    table->limits = limits ? *limits : (struct datasource_limits){0};
    bool plain = str_empty(shape->namespace);
    table->namespace = arena_text(arena, plain ? "main" : shape->namespace);
    table->name = arena_text(arena, shape->name);
    table->shown =
        plain ? table->name : arena_format(arena, "%s.%s", table->namespace, table->name);
    table->count = shape->count;
    table->columns = arena_array(arena, shape->count, sizeof *table->columns);
    for (size_t i = 0; i < shape->count; i++) {
        table->columns[i].name = arena_text(arena, shape->columns[i].name);
        table->columns[i].type = staged_type_of(shape->dialect, shape->columns[i].type);
    }
    table->cells = arena_array(arena, shape->count * BATCH_ROWS, sizeof *table->cells);
    table->max_rows =
        shape->max_rows ? shape->max_rows : staging->options->staging_max_rows;
    table->max_bytes =
        shape->max_bytes ? shape->max_bytes : staging->options->staging_max_mb * MEGABYTE;
    return table;
}

struct staging_table *staging_table_new(struct staging *staging,
                                        const struct staging_shape *shape,
                                        const struct datasource_limits *limits,
                                        struct err *err)
{
    if (shape->count == 0 || shape->count > COLUMNS_MOST) {
        (void)err_set(err, ERR_RESULT_TOO_LARGE, "'%s' has %s columns to stage.",
                      shape->name, shape->count ? "too many" : "no");
        return NULL;
    }
    struct staging_table *table = table_make(staging, shape, limits);
    if (!duck_begin(staging->source, &table->limits, &table->session, err)) {
        arena_free(table->batch);
        arena_free(table->arena);
        return NULL;
    }
    if (!create(table, err) || !appender_open(table, err)) {
        table_free(table);
        return NULL;
    }
    return table;
}

/* The caps: past them an answer from a part of the rows would be wrong. */
static bool caps_hold(const struct staging_table *table, struct err *err)
{
    if (table->rows <= table->max_rows && table->bytes <= table->max_bytes) {
        return true;
    }
    bool rows = table->rows > table->max_rows;
    (void)err_set(
        err, ERR_RESULT_TOO_LARGE,
        "The question needs more than %lld %s of '%s', which is the most that is "
        "fetched.",
        (long long)(rows ? table->max_rows : table->max_bytes / MEGABYTE),
        rows ? "rows" : "megabytes", table->shown);
    return err_hint(err, "Ask about fewer of them (a date, a name), or raise staging.%s.",
                    rows ? "max_rows" : "max_mb");
}

bool staging_table_add(struct staging_table *table, const struct value *cells,
                       struct err *err)
{
    struct value *row = &table->cells[table->waiting * table->count];
    size_t bytes = 0;
    for (size_t i = 0; i < table->count; i++) {
        bytes += value_bytes(&cells[i]);
        row[i] = value_clone(table->batch, &cells[i]);
    }
    table->rows++;
    table->bytes += (int64_t)bytes;
    table->waiting++;
    table->waiting_bytes += bytes;
    if (!caps_hold(table, err)) {
        return false;
    }
    return (table->waiting < BATCH_ROWS && table->waiting_bytes < BATCH_BYTES) ||
           batch_write(table, err);
}

static bool fill_columns(void *context, const struct rows_column *columns, size_t count)
{
    struct staging_table *table = context;
    (void)columns;
    return count == table->count ||
           err_set(&table->failure, ERR_INTERNAL, "'%s' gave %zu columns for %zu.",
                   table->shown, count, table->count);
}

static bool fill_row(void *context, const struct value *cells)
{
    struct staging_table *table = context;
    return staging_table_add(table, cells, &table->failure);
}

/* guarded: with the schema; else the caller has asked the guard. */
static bool fill(struct staging_table *table, struct datasource *source, const char *sql,
                 const struct schema *schema, bool guarded, struct err *err)
{
    const struct datasource_sink sink = {
        .columns = fill_columns, .row = fill_row, .context = table};
    struct datasource_limits limits = table->limits;
    limits.max_rows = table->max_rows;
    limits.max_bytes = table->max_bytes;
    limits.staged = true;
    err_clear(&table->failure);
    bool ok = guarded ? datasource_stream(source, sql, schema, &limits, &sink, err)
                      : source->driver->execute(source, sql, &limits, &sink, err);
    if (ok && table->failure.code != ERR_OK) {
        *err = table->failure;
        ok = false;
    }
    return ok;
}

bool staging_table_fill(struct staging_table *table, struct datasource *source,
                        const char *sql, struct err *err)
{
    return fill(table, source, sql, NULL, false, err);
}

bool staging_table_read(struct staging_table *table, struct datasource *source,
                        const char *sql, const struct schema *schema, struct err *err)
{
    return fill(table, source, sql, schema, true, err);
}

bool staging_table_end(struct staging_table *table, struct err *err)
{
    bool ok = !table->waiting || batch_write(table, err);
    if (ok && table->session.library->appender_flush(table->appender) != DuckDBSuccess) {
        ok = appender_fail(table, err);
    }
    if (ok) {
        tell(table, true);
    }
    table_free(table);
    return ok;
}
