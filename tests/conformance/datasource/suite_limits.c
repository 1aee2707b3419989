/* How far a query may go: rows, bytes, time, stop; and many readers at once. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "conformance.h"

enum { READERS = 8, READS = 40 };

static struct datasource *open_hundred(struct place *place)
{
    struct buf sql;
    buf_init(&sql, 1 << 17);
    (void)buf_text(&sql, "CREATE TABLE item (id INTEGER PRIMARY KEY, name VARCHAR);"
                         "INSERT INTO item VALUES (1, '0123456789')");
    for (int i = 2; i <= 100; i++) {
        (void)buf_format(&sql, ", (%d, '0123456789')", i);
    }
    struct datasource *source = place_open(place, buf_get(&sql));
    buf_release(&sql);
    return source;
}

static enum rows_cut cut_at(struct place *place, int64_t max_rows, int64_t max_bytes,
                            size_t *count)
{
    struct datasource_limits limits = {.max_rows = max_rows, .max_bytes = max_bytes};
    struct rows rows;
    struct err err;
    err_clear(&err);
    rows_init(&rows, place->arena);
    assert_true(datasource_execute(place->source, "SELECT id, name FROM item ORDER BY id",
                                   NULL, &limits, &rows, &err));
    *count = rows.count;
    return rows.cut;
}

static void cut_is_truthful(void **state)
{
    struct place *place = *state;
    (void)open_hundred(place);
    size_t count = 0;
    assert_int_equal(cut_at(place, 10, 1 << 20, &count), ROWS_CUT_BY_COUNT);
    assert_int_equal(count, 10);
    assert_int_equal(cut_at(place, 99, 1 << 20, &count), ROWS_CUT_BY_COUNT);
    assert_int_equal(count, 99);
    assert_int_equal(cut_at(place, 100, 1 << 20, &count), ROWS_WHOLE);
    assert_int_equal(count, 100);
    assert_int_equal(cut_at(place, 1000, 1 << 20, &count), ROWS_WHOLE);
    assert_int_equal(cut_at(place, 1000, 500, &count), ROWS_CUT_BY_BYTES);
    assert_true(count > 0 && count < 100);
}

static void driver_reads_one_row_more_and_stops(void **state)
{
    struct place *place = *state;
    (void)open_hundred(place);
    struct datasource_limits limits = {
        .deadline_ms = clock_ms() + 20000, .max_rows = 10, .max_bytes = 1 << 20};
    int64_t rows = 0;
    struct err err;
    assert_true(place_raw(place, "SELECT id FROM item", &limits, &rows, &err));
    assert_int_equal(rows, 11);
}

static void endless_query_ends_at_its_deadline(void **state)
{
    struct place *place = *state;
    (void)open_hundred(place);
    struct datasource_limits limits = {
        .deadline_ms = clock_ms() + 200, .max_rows = 10, .max_bytes = 1 << 20};
    struct err err;
    assert_false(place_raw(place, kind->endless, &limits, NULL, &err));
    assert_int_equal(err.code, ERR_TIMEOUT);
    /* the source is usable afterwards */
    struct rows rows = place_rows(place, "SELECT count(*) FROM item");
    assert_string_equal(cell_text(place, &rows, 0, 0), "100");
}

static void *fire_soon(void *context)
{
    (void)usleep(100000);
    cancel_fire(context);
    return NULL;
}

/* A budget of steps ends a query after the same work on every machine. */
static void endless_query_ends_with_its_steps(void **state)
{
    struct place *place = *state;
    struct datasource *source = open_hundred(place);
    if (!source->driver->counts_steps) {
        skip();
    }
    int64_t steps = 200000;
    struct datasource_limits limits = {.deadline_ms = clock_ms() + 20000,
                                       .max_rows = 10,
                                       .max_bytes = 1 << 20,
                                       .steps = &steps};
    struct err err;
    assert_false(place_raw(place, kind->endless, &limits, NULL, &err));
    assert_int_equal(err.code, ERR_TIMEOUT);
    assert_true(steps <= 0);
    int64_t left[2] = {50000, 50000};
    for (size_t i = 0; i < 2; i++) {
        limits.steps = &left[i];
        assert_true(
            place_raw(place, "SELECT count(*) FROM item a, item b", &limits, NULL, &err));
    }
    assert_true(left[0] < 50000 && left[0] > 0);
    assert_int_equal(left[0], left[1]);
}

static void stop_reaches_a_running_query(void **state)
{
    struct place *place = *state;
    (void)open_hundred(place);
    struct cancel cancel;
    cancel_init(&cancel);
    struct datasource_limits limits = {.deadline_ms = clock_ms() + 60000,
                                       .max_rows = 10,
                                       .max_bytes = 1 << 20,
                                       .cancel = &cancel};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, fire_soon, &cancel), 0);
    struct err err;
    assert_false(place_raw(place, kind->endless, &limits, NULL, &err));
    assert_int_equal(err.code, ERR_STOPPED);
    assert_int_equal(pthread_join(thread, NULL), 0);
    /* and one that fired before stops everything at once */
    char signature[33];
    assert_false(datasource_signature(place->source, &limits, signature, &err));
    assert_int_equal(err.code, ERR_STOPPED);
    cancel_release(&cancel);
    struct rows rows = place_rows(place, "SELECT count(*) FROM item");
    assert_string_equal(cell_text(place, &rows, 0, 0), "100");
}

struct reader {
    struct place *place;
    int failures;
};

static void *read_often(void *context)
{
    struct reader *reader = context;
    struct arena *arena = arena_new();
    int reads = kind->documents ? READS / 10 : READS; /* each opens an engine */
    for (int i = 0; i < reads; i++) {
        char sql[100];
        (void)snprintf(sql, sizeof sql, "SELECT sum(id) + %d FROM item", i);
        struct rows rows;
        struct err err;
        char signature[33];
        rows_init(&rows, arena);
        if (!datasource_execute(reader->place->source, sql, NULL, NULL, &rows, &err) ||
            rows.count != 1 ||
            !datasource_signature(reader->place->source, NULL, signature, &err)) {
            reader->failures++;
            continue;
        }
        char expected[32];
        struct buf text;
        buf_init(&text, 100);
        value_print(&text, rows_cell(&rows, 0, 0));
        (void)snprintf(expected, sizeof expected, "%d", 5050 + i);
        reader->failures += strcmp(buf_get(&text), expected) != 0;
        buf_release(&text);
        arena_reset(arena);
    }
    arena_free(arena);
    return NULL;
}

static void eight_threads_read_at_once(void **state)
{
    struct place *place = *state;
    if (kind->crowd_breaks) {
        skip();
    }
    (void)open_hundred(place);
    pthread_t threads[READERS];
    struct reader readers[READERS];
    for (size_t i = 0; i < READERS; i++) {
        readers[i] = (struct reader){.place = place};
        assert_int_equal(pthread_create(&threads[i], NULL, read_often, &readers[i]), 0);
    }
    for (size_t i = 0; i < READERS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(readers[i].failures, 0);
    }
}

static void faults_come_where_they_are_ordered(void **state)
{
    struct place *place = *state;
    struct datasource *source = open_hundred(place);
    datasource_trace(source);
    datasource_fail_at(source, 2, ERR_DATASOURCE_UNREACHABLE);
    char signature[33];
    struct err err;
    err_clear(&err);
    assert_true(datasource_signature(source, NULL, signature, &err));
    assert_false(datasource_signature(source, NULL, signature, &err));
    assert_int_equal(err.code, ERR_DATASOURCE_UNREACHABLE);
    assert_true(datasource_signature(source, NULL, signature, &err));
    datasource_fail_at(source, 1, ERR_TIMEOUT);
    datasource_fail_at(source, 0, ERR_TIMEOUT);
    assert_true(datasource_check(source, "SELECT 1", NULL, &err));
    struct rows rows = place_rows(place, "SELECT count(*) FROM item");
    assert_string_equal(cell_text(place, &rows, 0, 0), "100");
}

int suite_limits(void)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(cut_is_truthful),
        PLACE_TEST(driver_reads_one_row_more_and_stops),
        PLACE_TEST(endless_query_ends_at_its_deadline),
        PLACE_TEST(endless_query_ends_with_its_steps),
        PLACE_TEST(stop_reaches_a_running_query),
        PLACE_TEST(eight_threads_read_at_once),
        PLACE_TEST(faults_come_where_they_are_ordered),
    };
    return cmocka_run_group_tests_name("limits", tests, NULL, NULL);
}
