/*
 * Rows into a staging: how many a second, and how much memory at most.
 *   staging_time made ROWS          rows made up here: a number, a text, a decimal, a
 * time staging_time TABLE ROWS URL     rows of a table, through its driver
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/str.h"
#include "datasource/staging/staging.h"

enum { MEMORY_MB = 256 };

static void die(const struct err *err)
{
    (void)fprintf(stderr, "%s %s\n", err->message, err->detail);
    exit(1);
}

static struct value text_of(enum value_kind kind, const char *text)
{
    struct value value = {.kind = kind};
    value.text.data = text;
    value.text.size = strlen(text);
    return value;
}

static bool made_execute(struct datasource *source, const char *sql,
                         const struct datasource_limits *limits,
                         const struct datasource_sink *sink, struct err *err)
{
    const int64_t *rows = source->state;
    (void)sql;
    (void)limits;
    (void)err;
    for (int64_t i = 0; i < *rows; i++) {
        char name[40];
        char price[40];
        char at[40];
        (void)snprintf(name, sizeof name, "customer number %lld", (long long)i);
        (void)snprintf(price, sizeof price, "%lld.%02d", (long long)(i % 100000),
                       (int)(i % 100));
        (void)snprintf(at, sizeof at, "2024-%02d-%02d %02d:%02d:00", (int)(i % 12) + 1,
                       (int)(i % 28) + 1, (int)(i % 24), (int)(i % 60));
        struct value cells[4] = {{.kind = VALUE_INT},
                                 text_of(VALUE_TEXT, name),
                                 text_of(VALUE_NUMBER, price),
                                 text_of(VALUE_TEXT, at)};
        cells[0].integer = i;
        if (!sink->row(sink->context, cells)) {
            return true;
        }
    }
    return true;
}

static const struct datasource_driver made = {
    .name = "made", .dialect = DIALECT_DUCKDB, .execute = made_execute};

static bool row_print(void *context, const struct value *cells)
{
    int64_t *count = context;
    *count = cells[0].integer;
    return true;
}

static bool columns_pass(void *context, const struct rows_column *columns, size_t count)
{
    (void)context;
    (void)columns;
    return count > 0;
}

/* The columns of a table, and the SQL for all of its rows. */
static const char *table_shape(struct arena *arena, struct datasource *source,
                               const char *name, struct staging_shape *shape)
{
    struct err err;
    err_clear(&err);
    struct schema *schema = datasource_describe(source, NULL, &err);
    const struct table *table = schema ? schema_table(schema, name) : NULL;
    if (!table) {
        die(&err);
    }
    struct rows_column *columns =
        arena_array(arena, table->columns.count, sizeof *columns);
    struct texts names = {0};
    for (size_t i = 0; i < table->columns.count; i++) {
        columns[i].name = arena_text(arena, table->columns.items[i].name);
        columns[i].type = arena_text(arena, table->columns.items[i].type);
        VEC_PUSH(arena, &names, columns[i].name);
    }
    shape->columns = columns;
    shape->count = table->columns.count;
    shape->dialect = datasource_dialect(source);
    schema_unref(schema);
    return arena_format(arena, "SELECT %s FROM %s", str_join(arena, &names, ", "), name);
}

int main(int count, char **arguments)
{
    static const struct rows_column columns[] = {{"id", "BIGINT"},
                                                 {"name", "VARCHAR"},
                                                 {"price", "DECIMAL(12,2)"},
                                                 {"at", "TIMESTAMP"}};
    struct err err;
    err_clear(&err);
    struct arena *arena = arena_new();
    struct options *options = options_new();
    int64_t rows = count > 2 ? strtoll(arguments[2], NULL, 10) : 0;
    if (rows < 1) {
        (void)fprintf(stderr, "usage: staging_time made ROWS | TABLE ROWS URL\n");
        return 2;
    }
    options->sql_memory_mb = MEMORY_MB;
    options->sql_timeout_s = 600;
    struct datasource own = {.id = "made", .driver = &made, .state = &rows};
    struct datasource *source = &own;
    struct staging_shape shape = {.namespace = "s",
                                  .name = "t",
                                  .columns = columns,
                                  .count = 4,
                                  .dialect = DIALECT_DUCKDB,
                                  .max_rows = rows};
    const char *sql = "";
    if (count > 3) {
        const struct datasource_setting setting = {.id = "bench", .url = arguments[3]};
        source = datasource_open(&setting, options, &err);
        if (!source) {
            die(&err);
        }
        sql = table_shape(arena, source, arguments[1], &shape);
    }
    struct staging *staging = staging_open(options, &err);
    struct staging_table *table =
        staging ? staging_table_new(staging, &shape, NULL, &err) : NULL;
    int64_t began = clock_us();
    if (!table || !staging_table_fill(table, source, sql, &err) ||
        !staging_table_end(table, &err)) {
        die(&err);
    }
    double seconds = (double)(clock_us() - began) / 1e6;
    int64_t found = 0;
    const struct datasource_sink sink = {
        .columns = columns_pass, .row = row_print, .context = &found};
    staging_lock(staging);
    if (!staging_run(staging, "SELECT count(*) FROM s.t", NULL, &sink, &err)) {
        die(&err);
    }
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    printf("%-8s %9lld rows  %6.2f s  %9.0f rows/s  %5ld MB at most\n", arguments[1],
           (long long)found, seconds, (double)found / seconds, usage.ru_maxrss / 1024);
    staging_close(staging);
    if (source != &own) {
        datasource_close(source);
    }
    options_free(options);
    arena_free(arena);
    return found == rows ? 0 : 1;
}
