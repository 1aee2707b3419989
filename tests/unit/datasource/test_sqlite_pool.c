/* Connections to a SQLite file: the last one is not for who has one already. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <unistd.h>

#include "base/clock.h"
#include "datasource/datasource.h"
#include "datasource/sqlite/sqlite_driver.h"
#include "unit/datasource/sqlite_bench.h"

/* The limits stay as they are: the watchman looks at those of every connection that is
 * lent. */
static struct sqlite_connection *take(struct bench *bench,
                                      const struct datasource_limits *limits)
{
    struct err err;
    return sqlite_take(bench->source, SQLITE_FOR_READING, limits, &err);
}

static void gets_none(struct bench *bench, const struct datasource_limits *limits)
{
    struct err err;
    err_clear(&err);
    struct datasource_limits hasty = *limits;
    hasty.deadline_ms = clock_ms() + 30; /* looked at by those who wait */
    assert_null(sqlite_take(bench->source, SQLITE_FOR_READING, &hasty, &err));
    assert_int_equal(err.code, ERR_TIMEOUT);
}

static void give(struct bench *bench, struct sqlite_connection *connection)
{
    assert_non_null(connection);
    sqlite_give(bench->source, connection);
}

static void bench_open(struct bench *bench)
{
    struct err err;
    const struct datasource_setting setting = {.id = "shop", .url = bench->path};
    script(bench->path, "CREATE TABLE pens (id INTEGER)");
    bench->source = datasource_open(&setting, bench->options, &err);
    assert_non_null(bench->source);
}

static void one_account_leaves_a_connection_for_others(void **state)
{
    struct bench *bench = *state;
    const struct datasource_limits ann = {.owner = "ann"};
    const struct datasource_limits bob = {.owner = "bob"};
    const struct datasource_limits nobody = {0};
    struct sqlite_connection *held[SQLITE_POOL_MOST];
    bench_open(bench);
    for (size_t i = 0; i < SQLITE_POOL_MOST - 1; i++) {
        held[i] = take(bench, &ann);
        assert_non_null(held[i]);
    }
    gets_none(bench, &ann);
    give(bench, take(bench, &bob));
    give(bench, take(bench, &nobody));
    gets_none(bench, &ann); /* an idle one does not change that */
    held[SQLITE_POOL_MOST - 1] = take(bench, &bob);
    gets_none(bench, &nobody); /* there are no more */
    give(bench, held[0]);
    gets_none(bench, &bob);
    held[0] = take(bench, &nobody);
    for (size_t i = 0; i < SQLITE_POOL_MOST; i++) {
        give(bench, held[i]);
    }
    give(bench, take(bench, &ann));
}

static void without_accounts_all_are_used(void **state)
{
    struct bench *bench = *state;
    const struct datasource_limits nobody = {0};
    struct sqlite_connection *held[SQLITE_POOL_MOST];
    bench_open(bench);
    for (size_t i = 0; i < SQLITE_POOL_MOST; i++) {
        held[i] = take(bench, &nobody);
    }
    for (size_t i = 0; i < SQLITE_POOL_MOST; i++) {
        give(bench, held[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_account_leaves_a_connection_for_others, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(without_accounts_all_are_used, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
