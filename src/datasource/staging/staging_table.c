/* One staged table: its rows on their way to the engine, counted and capped. */
#include "base/arena.h"
#include "base/str.h"
#include "datasource/staging/staging_state.h"

enum {
    COLUMNS_MOST = 4096,
    TELL_ROWS = 2048, /* between two words about progress */
    MEGABYTE = 1 << 20,
};

static void staging_table_tell(const struct staging_table *table, bool done)
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

static void table_free(struct staging_table *table)
{
    duckdb_end(table->staging->source, &table->session);
    arena_free(table->arena);
}

static struct staging_table *table_make(struct staging *staging,
                                        const struct staging_shape *shape,
                                        const struct datasource_limits *limits)
{
    struct arena *arena = arena_new();
    struct staging_table *table = ARENA_NEW(arena, struct staging_table);
    table->arena = arena;
    table->staging = staging;
    table->limits = limits ? *limits : (struct datasource_limits){0};
    table->shown = str_empty(shape->namespace)
                       ? arena_text(arena, shape->name)
                       : arena_format(arena, "%s.%s", shape->namespace, shape->name);
    table->count = shape->count;
    table->max_rows =
        shape->max_rows ? shape->max_rows : staging->options->staging_max_rows;
    table->max_bytes =
        shape->max_bytes ? shape->max_bytes : staging->options->staging_max_mb * MEGABYTE;
    return table;
}

static bool append_begin(struct staging_table *table, const struct staging_shape *shape,
                         struct err *err)
{
    struct arena *arena = arena_new();
    const char **names = arena_array(arena, shape->count, sizeof *names);
    struct staged_type *types = arena_array(arena, shape->count, sizeof *types);
    for (size_t i = 0; i < shape->count; i++) {
        names[i] = shape->columns[i].name;
        types[i] = staged_type_of(shape->dialect, shape->columns[i].type);
    }
    const struct duckdb_table made = {
        .namespace = str_empty(shape->namespace) ? "main" : shape->namespace,
        .name = shape->name,
        .wanted = true,
        .names = names,
        .types = types,
        .count = shape->count};
    bool ok = duckdb_append_begin(&table->session, &made, err);
    arena_free(arena);
    return ok;
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
    if (!duckdb_begin(staging->source, &table->limits, &table->session, err)) {
        arena_free(table->arena);
        return NULL;
    }
    if (!append_begin(table, shape, err)) {
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
    for (size_t i = 0; i < table->count; i++) {
        table->bytes += (int64_t)value_bytes(&cells[i]);
    }
    table->rows++;
    if (!caps_hold(table, err) || !duckdb_append_row(&table->session, cells, err)) {
        return false;
    }
    if (table->rows - table->told >= TELL_ROWS) {
        table->told = table->rows;
        staging_table_tell(table, false);
    }
    return true;
}

static bool fill_columns(void *context, const struct rows_column *columns, size_t count)
{
    struct staging_table *table = context;
    if (count != table->count) {
        return err_set(&table->failure, ERR_INTERNAL, "'%s' gave %zu columns for %zu.",
                       table->shown, count, table->count);
    }
    table->names = arena_array(table->arena, count, sizeof *table->names);
    for (size_t i = 0; i < count; i++) {
        table->names[i] = arena_text(table->arena, columns[i].name);
    }
    return true;
}

static bool fill_row(void *context, const struct value *cells)
{
    struct staging_table *table = context;
    for (size_t i = 0; i < table->count; i++) {
        if (cells[i].cut) { /* what is compared with it would come out wrong */
            (void)err_set(&table->failure, ERR_RESULT_TOO_LARGE,
                          "A cell of '%s' in '%s' has more than %lld bytes.",
                          table->names[i], table->shown,
                          (long long)table->staging->options->sql_max_bytes);
            return err_hint(&table->failure,
                            "Ask without this column, or raise sql.max_bytes.");
        }
    }
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
    limits.max_cell_bytes = table->staging->options->sql_max_bytes;
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
    bool ok = duckdb_append_end(&table->session, err);
    if (ok) {
        staging_table_tell(table, true);
    }
    table_free(table);
    return ok;
}
