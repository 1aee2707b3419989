/* Exports to XLSX and Parquet. */
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "datasource/files/xlsx/spreadsheet.h"
#include "datasource/staging/staging.h"
#include "service/answers/export.h"

static bool xlsx_begin(struct exporter *exporter, struct err *err)
{
    const char *rows = arena_format(exporter->arena, "%s.rows", exporter->part);
    if (exporter->max_rows > SPREADSHEET_ROWS_MOST - 1) {
        exporter->max_rows = SPREADSHEET_ROWS_MOST - 1;
    }
    const char **names = arena_array(exporter->arena, exporter->count + 1, sizeof *names);
    for (size_t i = 0; i < exporter->count; i++) {
        names[i] = exporter->columns[i].name;
    }
    exporter->state = spreadsheet_new(rows, err);
    return exporter->state &&
           spreadsheet_names(exporter->state, names, exporter->count, err);
}

static bool xlsx_row(struct exporter *exporter, const struct value *cells,
                     struct err *err)
{
    return spreadsheet_row(exporter->state, cells, exporter->count, err);
}

static bool xlsx_end(struct exporter *exporter, bool good, struct err *err)
{
    return !exporter->state ||
           spreadsheet_end(exporter->state, good ? exporter->part : NULL, err);
}

const struct export_format export_xlsx = {
    .name = "xlsx",
    .type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    .begin = xlsx_begin,
    .row = xlsx_row,
    .end = xlsx_end};

/* ------------------------------------------------------------------ Parquet */

struct parquet {
    struct staging *staging;
    struct staging_table *table;
    struct datasource_limits limits;
};

static bool parquet_begin(struct exporter *exporter, struct err *err)
{
    struct parquet *parquet = ARENA_NEW(exporter->arena, struct parquet);
    struct rows_column *columns =
        arena_array(exporter->arena, exporter->count + 1, sizeof *columns);
    for (size_t i = 0; i < exporter->count; i++) {
        columns[i] = exporter->columns[i];
        columns[i].name = exporter->names[i];
    }
    const struct staging_shape shape = {.namespace = "",
                                        .name = "result",
                                        .columns = columns,
                                        .count = exporter->count,
                                        .dialect = exporter->dialect,
                                        .max_rows = exporter->max_rows + 1,
                                        .max_bytes = exporter->max_bytes + 1};
    exporter->state = parquet;
    parquet->limits.deadline_ms = clock_ms() + exporter->options->agent_timeout_s * 1000;
    parquet->staging = staging_open(exporter->options, err);
    parquet->table = parquet->staging ? staging_table_new(parquet->staging, &shape,
                                                          &parquet->limits, err)
                                      : NULL;
    return parquet->table != NULL;
}

static bool parquet_row(struct exporter *exporter, const struct value *cells,
                        struct err *err)
{
    struct parquet *parquet = exporter->state;
    return staging_table_add(parquet->table, cells, err);
}

static bool parquet_end(struct exporter *exporter, bool good, struct err *err)
{
    struct parquet *parquet = exporter->state;
    struct err ignored;
    err_clear(&ignored);
    bool ok = true;
    if (parquet && parquet->table) {
        ok = staging_table_end(parquet->table, good ? err : &ignored);
    }
    if (parquet && good && ok) {
        ok = staging_parquet(parquet->staging, "result", exporter->fd, &parquet->limits,
                             err);
    }
    if (parquet) {
        staging_close(parquet->staging);
    }
    return ok || !good;
}

const struct export_format export_parquet = {.name = "parquet",
                                             .type = "application/vnd.apache.parquet",
                                             .begin = parquet_begin,
                                             .row = parquet_row,
                                             .end = parquet_end};
