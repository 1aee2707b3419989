/* How far a policy lets a query go, and that it holds when several sources are asked as
 * one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/str.h"
#include "datasource/across/across.h"
#include "datasource/policy/restrict.h"
#include "policy_shop.h"

struct counted {
    size_t rows;
    size_t columns;
    bool cut;
};

static bool count_columns(void *context, const struct rows_column *columns, size_t count)
{
    (void)columns;
    ((struct counted *)context)->columns = count;
    return true;
}

static bool count_row(void *context, const struct value *cells)
{
    (void)cells;
    ((struct counted *)context)->rows++;
    return true;
}

static void count_cut(void *context)
{
    ((struct counted *)context)->cut = true;
}

static struct counted stream(struct bench *bench, const char *sql)
{
    struct counted counted = {0};
    struct err err;
    const struct datasource_sink sink = {.columns = count_columns,
                                         .row = count_row,
                                         .context = &counted,
                                         .cut = count_cut};
    const struct datasource_limits limits = {.max_rows = 1000, .max_bytes = 1 << 20};
    err_clear(&err);
    if (!datasource_stream(bench->source, sql, NULL, &limits, &sink, &err)) {
        fail_msg("%s: %s", sql, err.message);
    }
    return counted;
}

/* Rows that go through without being collected are no way around. */
static void streams_are_bounded(void **state)
{
    struct bench *bench = *state;
    make_sqlite(bench);
    open_policy(bench, "datasources: [{id: shop, url: PLACE, policy: {max_rows: 2}}]");
    struct counted counted = stream(bench, "SELECT * FROM orders");
    assert_int_equal(counted.rows, 2);
    assert_true(counted.cut);
    counted = stream(bench, "SELECT * FROM orders WHERE id < 3");
    assert_int_equal(counted.rows, 2);
    assert_false(counted.cut);
}

static void bytes_are_bounded(void **state)
{
    struct bench *bench = *state;
    make_sqlite(bench);
    open_policy(bench, "datasources: [{id: shop, url: PLACE, policy: {max_bytes: 100}}]");
    struct counted counted = stream(bench, "SELECT * FROM orders");
    assert_true(counted.rows >= 1 && counted.rows < 5);
    assert_true(counted.cut);
    struct arena *arena = arena_new();
    struct rows rows;
    struct err err;
    rows_init(&rows, arena);
    assert_true(datasource_execute(bench->source, "SELECT * FROM orders", NULL, NULL,
                                   &rows, &err));
    assert_true(rows.count < 5);
    assert_int_equal(rows.cut, ROWS_CUT_BY_BYTES);
    arena_free(arena);
}

/* The smallest of all bounds holds, of the policy's, the account's and the caller's. */
static void the_smallest_bound_holds(void **state)
{
    struct bench *bench = *state;
    struct err err;
    make_sqlite(bench);
    open_policy(bench, "datasources: [{id: shop, url: PLACE, policy: {max_rows: 10, "
                       "timeout_s: 5, accounts: {ada: {max_rows: 20, timeout_s: 2, "
                       "max_bytes: 7}}}}]");
    const struct policy *policy = bench->options->datasources.items[0].policy;
    struct datasource *ada = datasource_view(
        bench->source, policy_for(policy, "ada", NULL), "ada", NULL, &err);
    assert_non_null(ada);
    int64_t now = clock_ms();
    struct datasource_limits limits = {
        .max_rows = 100, .max_bytes = 1000, .deadline_ms = now + 60000};
    restrict_limits(ada, &limits);
    assert_int_equal(limits.max_rows, 10);
    assert_int_equal(limits.max_bytes, 7);
    assert_in_range(limits.deadline_ms, now + 2000, now + 4999);
    struct datasource_limits narrow = {
        .max_rows = 3, .max_bytes = 5, .deadline_ms = now + 1};
    restrict_limits(ada, &narrow);
    assert_int_equal(narrow.max_rows, 3);
    assert_int_equal(narrow.max_bytes, 5);
    assert_int_equal(narrow.deadline_ms, now + 1);
    datasource_close(ada);
}

#ifdef DRAGOMAN_HAS_DUCKDB
/* ------------------------------------------------------------------ several sources */

/* The shop and another database, as one; `policy` for the shop. */
static struct datasource *across_with(struct bench *bench, struct datasource *shop,
                                      struct datasource *other)
{
    struct datasource *sources[] = {shop, other};
    struct across_member members[2];
    struct err err;
    for (size_t i = 0; i < 2; i++) {
        err_clear(&err);
        struct schema *schema = datasource_describe(sources[i], NULL, &err);
        if (!schema) {
            fail_msg("%s", err.message);
        }
        schema_normalize(schema);
        arena_defer(bench->arena, (void (*)(void *))schema_unref, schema);
        members[i] = (struct across_member){sources[i], schema, schema->signature};
    }
    struct datasource *across = across_open(members, 2, bench->options, &err);
    assert_non_null(across);
    schema_normalize(across_schema(across));
    return across;
}

static const char *const policy_across[] = {
    "SELECT * FROM shop.orders",
    "SELECT o.* FROM shop.orders o, extra.lists l",
    "SELECT o FROM shop.orders o",
    "SELECT o.card_number FROM shop.orders o",
    "SELECT o.note FROM shop.orders o WHERE o.region = 'US'",
    "SELECT max(o.note), sum(o.total), max(o.id) FROM shop.orders o",
    "SELECT o.note FROM shop.orders o JOIN extra.lists l ON l.id = o.id",
    "SELECT o.note FROM shop.orders o LEFT JOIN extra.lists l ON l.word = o.card_number",
    "SELECT l.word FROM extra.lists l WHERE l.id IN (SELECT id FROM shop.orders)",
    "SELECT to_json(o) FROM shop.orders o",
    "SELECT list(o.note) FROM shop.orders o",
    "SELECT * FROM shop.salaries",
    "SELECT s.amount FROM shop.salaries s, extra.lists l",
    "SELECT * FROM shop.all_orders",
    "SELECT * FROM shop.pay",
    "SELECT * FROM shop.customers",
    "SELECT c.email, c.phone FROM shop.customers c",
    "SELECT c.name FROM shop.customers c WHERE c.email LIKE 'C%' ORDER BY c.email",
    "SELECT c.phone FROM shop.customers c WHERE c.phone LIKE '9%'",
    "SELECT * FROM shop.visits",
    "SELECT v.tenant FROM shop.visits v",
    "SELECT v.page FROM shop.visits v WHERE v.tenant = 'other'",
    "SELECT o.note::INTEGER FROM shop.orders o",
    "SELECT * FROM (SELECT * FROM shop.orders) x",
    "WITH x AS (SELECT * FROM shop.orders) SELECT * FROM x",
    "SELECT note FROM shop.orders UNION ALL SELECT word FROM extra.lists",
    "SELECT COLUMNS('card.*') FROM shop.orders",
    "SELECT * FROM shop.orders WHERE id = 3 OR 1 = 1",
    "SELECT * FROM shop.orders ORDER BY total DESC LIMIT 1",
    "FROM shop.orders",
    "SELECT count(*) FROM shop.orders o WHERE o.card_number IS NOT NULL",
    "SELECT * FROM orders",
    "SELECT * FROM main.orders",
    "SELECT * FROM duckdb_tables()",
    "SELECT * FROM information_schema.columns",
};

static void nothing_leaks_across_sources(void **state)
{
    struct bench *bench = *state;
    struct err err;
    sqlite3 *db = NULL;
    make_sqlite(bench);
    const char *path = arena_format(bench->arena, "%s/extra.db", bench->folder);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "CREATE TABLE lists (id INTEGER, word TEXT);"
                                  "INSERT INTO lists VALUES (1, 'a'), (3, 'b')",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    (void)sqlite3_close(db);
    open_policy(bench, policy_text);
    const struct datasource_setting open_setting = {.id = "shop", .url = bench->path};
    const struct datasource_setting extra_setting = {.id = "extra", .url = path};
    struct datasource *open = datasource_open(&open_setting, bench->options, &err);
    struct datasource *extra = datasource_open(&extra_setting, bench->options, &err);
    assert_true(open && extra);
    struct policy_trial trial = {.source = across_with(bench, bench->source, extra),
                                 .open = across_with(bench, open, extra)};
    trial.schema = across_schema(trial.source);
    for (size_t i = 0; i < POLICY_COUNT(policy_across); i++) {
        policy_hold(&trial, policy_across[i]);
    }
    print_message("%zu statements, %zu ran, %zu tell without the policy\n", trial.tried,
                  trial.ran, trial.told);
    assert_true(trial.ran > trial.tried / 3);
    assert_true(trial.told > trial.tried / 2);
    datasource_close(trial.source);
    datasource_close(trial.open);
    datasource_close(open);
    datasource_close(extra);
    (void)unlink(path);
}

/* A bound on rows is one on what is seen: what is added up is all of it. */
static void bounds_hold_across_sources(void **state)
{
    struct bench *bench = *state;
    make_sqlite(bench);
    open_policy(bench, "datasources: [{id: shop, url: PLACE, policy: {max_rows: 2}}]");
    const struct datasource_setting setting = {.id = "other", .url = bench->path};
    struct err err;
    struct datasource *other = datasource_open(&setting, bench->options, &err);
    struct datasource *across = across_with(bench, bench->source, other);
    struct rows rows;
    rows_init(&rows, bench->arena);
    if (!datasource_execute(across, "SELECT count(*) AS n FROM shop.orders",
                            across_schema(across), NULL, &rows, &err)) {
        fail_msg("%s", err.message);
    }
    assert_int_equal(rows_cell(&rows, 0, 0)->integer, 5);
    rows_init(&rows, bench->arena);
    assert_true(datasource_execute(across, "SELECT * FROM shop.orders, other.products",
                                   across_schema(across), NULL, &rows, &err));
    assert_int_equal(rows.count, 2);
    assert_int_equal(rows.cut, ROWS_CUT_BY_COUNT);
    datasource_close(across);
    datasource_close(other);
}
#endif

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, policy_setup, policy_teardown)
    const struct CMUnitTest tests[] = {
        TEST(streams_are_bounded),          TEST(bytes_are_bounded),
        TEST(the_smallest_bound_holds),
#ifdef DRAGOMAN_HAS_DUCKDB
        TEST(nothing_leaks_across_sources), TEST(bounds_hold_across_sources),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
