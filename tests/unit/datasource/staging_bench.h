/* A staging to try things on, and values to put into it; for the tests of staging. */
#ifndef TESTS_UNIT_DATASOURCE_STAGING_BENCH_H
#define TESTS_UNIT_DATASOURCE_STAGING_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "datasource/staging/staging.h"

struct bench {
    struct arena *arena;
    struct options *options;
    struct staging *staging;
    char folder[40];
    struct err err;
};

__attribute__((unused)) static int setup(void **state)
{
    static struct bench bench;
    memset(&bench, 0, sizeof bench);
    (void)snprintf(bench.folder, sizeof bench.folder, "/tmp/dragoman-XXXXXX");
    if (!mkdtemp(bench.folder)) {
        return -1;
    }
    bench.arena = arena_new();
    bench.options = options_new();
    err_clear(&bench.err);
    assert_true(options_set(bench.options, "staging.folder", bench.folder, &bench.err));
    bench.staging = staging_open(bench.options, &bench.err);
    if (!bench.staging) {
        fail_msg("%s (%s)", bench.err.message, bench.err.detail);
    }
    *state = &bench;
    return 0;
}

__attribute__((unused)) static int teardown(void **state)
{
    struct bench *bench = *state;
    staging_close(bench->staging);
    options_free(bench->options);
    arena_free(bench->arena);
    return rmdir(bench->folder); /* fails when anything was left behind */
}

__attribute__((unused)) static struct value text(const char *data)
{
    struct value value = {.kind = VALUE_TEXT};
    value.text.data = data;
    value.text.size = strlen(data);
    return value;
}

__attribute__((unused)) static struct value as(enum value_kind kind, const char *data)
{
    struct value value = text(data);
    value.kind = kind;
    return value;
}

__attribute__((unused)) static struct value integer(int64_t number)
{
    struct value value = {.kind = VALUE_INT};
    value.integer = number;
    return value;
}

__attribute__((unused)) static struct value real(double number)
{
    struct value value = {.kind = VALUE_REAL};
    value.real = number;
    return value;
}

__attribute__((unused)) static const struct value nothing = {.kind = VALUE_NULL};

__attribute__((unused)) static bool
collect_columns(void *context, const struct rows_column *columns, size_t count)
{
    rows_set_columns(context, columns, count);
    return true;
}

__attribute__((unused)) static bool collect_row(void *context, const struct value *cells)
{
    rows_add(context, cells);
    return true;
}

__attribute__((unused)) static struct rows ask(struct bench *bench, const char *sql)
{
    struct rows rows;
    rows_init(&rows, bench->arena);
    const struct datasource_sink sink = {
        .columns = collect_columns, .row = collect_row, .context = &rows};
    const struct datasource_limits limits = {.max_rows = 1000};
    if (!staging_run(bench->staging, sql, &limits, &sink, &bench->err)) {
        fail_msg("%s: %s (%s)", sql, bench->err.message, bench->err.detail);
    }
    return rows;
}

/* All cells with a bar between them. */
__attribute__((unused)) static const char *shown(struct bench *bench, const char *sql)
{
    struct rows rows = ask(bench, sql);
    struct buf out;
    buf_init(&out, 1 << 20);
    for (size_t r = 0; r < rows.count; r++) {
        for (size_t c = 0; c < rows.column_count; c++) {
            (void)buf_text(&out, c ? "|" : r ? "\n" : "");
            if (rows_cell(&rows, r, c)->kind == VALUE_NULL) {
                (void)buf_text(&out, "NULL");
            }
            value_print(&out, rows_cell(&rows, r, c));
        }
    }
    const char *text_of = buf_clone(&out, bench->arena);
    buf_release(&out);
    return text_of;
}

/* A table t of one column v of that type with these values. */
__attribute__((unused)) static void stage(struct bench *bench, enum dialect dialect,
                                          const char *type, const struct value *values,
                                          size_t count)
{
    const struct rows_column column = {"v", type};
    const struct staging_shape shape = {.namespace = "s",
                                        .name = "t",
                                        .columns = &column,
                                        .count = 1,
                                        .dialect = dialect};
    struct staging_table *table =
        staging_table_new(bench->staging, &shape, NULL, &bench->err);
    assert_non_null(table);
    for (size_t i = 0; i < count; i++) {
        assert_true(staging_table_add(table, &values[i], &bench->err));
    }
    if (!staging_table_end(table, &bench->err)) {
        fail_msg("%s (%s)", bench->err.message, bench->err.detail);
    }
}

__attribute__((unused)) static const char *type_of_v(struct bench *bench)
{
    return shown(bench, "SELECT DISTINCT typeof(v) FROM s.t");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
