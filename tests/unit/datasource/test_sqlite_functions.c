/*
 * SQLite runs in this process and cannot be ended from outside, so what each of its
 * functions costs must be known (decision 0028). Every function that the library has and
 * the lock lets pass is in this list, with why its cost is bounded; a newer SQLite with a
 * function that is not fails here until somebody has looked at it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "unit/datasource/bench.h"

/* Why a call ends soon, however long its arguments are. */
enum why {
    CONSTANT, /* does not look at long values */
    LINEAR,   /* one pass, or a few, over its arguments: the weight of any function */
    WEIGHED,  /* many passes, or a tree: sqlite_bound.c has a weight for it */
    OWN,      /* SQLite's would cost the product of two lengths: ours takes its place */
    SORTED,   /* sorts numbers that it has collected, once: 0.1 s for a million */
    WHYS
};

static const char *const whys[WHYS] = {"constant", "linear", "weighed", "own", "sorted"};

/* With a space around each name. */
static const char *const reviewed[WHYS] = {
    [CONSTANT] =
        " abs acos acosh asin asinh atan atan2 atanh avg ceil ceiling char coalesce cos "
        "cosh count cume_dist current_date current_time current_timestamp degrees "
        "dense_rank exp first_value floor ifnull iif if lag last_value lead likelihood "
        "likely ln log log10 log2 mod nth_value ntile nullif percent_rank pi pow power "
        "radians random rank round row_number sign sin sinh sqrt subtype sum tan tanh "
        "total trunc typeof unlikely ",
    [LINEAR] = " concat concat_ws date datetime group_concat hex julianday length lower "
               "max min octet_length quote soundex string_agg substr substring time "
               "timediff unhex unicode unixepoch upper ",
    [WEIGHED] = " -> ->> bm25 highlight json json_array json_array_length json_extract "
                "json_group_array json_group_object json_insert json_object json_patch "
                "json_quote json_remove json_replace json_set json_type json_valid match "
                "matchinfo offsets snippet strftime ",
    [OWN] = " format glob instr like ltrim printf replace rtrim trim ",
    [SORTED] = " median percentile percentile_cont percentile_disc ",
};

static int find(const char *name)
{
    char wanted[80];
    (void)snprintf(wanted, sizeof wanted, " %s ", name);
    for (size_t i = 0; i < WHYS; i++) {
        if (strstr(reviewed[i], wanted)) {
            return (int)i;
        }
    }
    return -1;
}

/* Does the lock let a call with so many arguments pass? */
static bool passes(struct datasource *source, const char *name, int arguments)
{
    struct err err;
    struct buf sql;
    buf_init(&sql, 4096);
    (void)buf_format(&sql, "SELECT \"%s\"(", name);
    for (int i = 0; i < arguments; i++) {
        (void)buf_text(&sql, i ? ", 1" : "1");
    }
    (void)buf_text(&sql, ")");
    err_clear(&err);
    bool ok = source->driver->check(source, buf_get(&sql), NULL, &err);
    buf_release(&sql);
    return ok || !strstr(err.detail, "not authorized");
}

static void every_function_that_passes_is_known(void **state)
{
    (void)state;
    struct bench *bench = bench_begin("shop.db");
    if (!bench) {
        fail_msg("no folder");
        return;
    }
    sqlite3 *db = NULL;
    sqlite3_stmt *functions = NULL;
    size_t seen[WHYS] = {0};
    size_t unknown = 0;
    size_t refused = 0;
    struct err err;
    assert_int_equal(sqlite3_open(bench->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "CREATE TABLE t (a)", NULL, NULL, NULL), SQLITE_OK);
    const struct datasource_setting setting = {.id = "shop", .url = bench->path};
    bench->source = datasource_open(&setting, bench->options, &err);
    assert_non_null(bench->source);
    assert_int_equal(sqlite3_prepare_v2(
                         db,
                         "SELECT name, max(narg) FROM pragma_function_list GROUP BY name",
                         -1, &functions, NULL),
                     SQLITE_OK);
    while (sqlite3_step(functions) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(functions, 0);
        int arguments = sqlite3_column_int(functions, 1);
        if (!passes(bench->source, name, arguments < 0 ? 2 : arguments)) {
            refused++;
            continue;
        }
        int why = find(name);
        if (why < 0) {
            print_message("not in the list: %s(%d)\n", name, arguments);
            unknown++;
        } else {
            seen[why]++;
        }
    }
    for (size_t i = 0; i < WHYS; i++) {
        print_message("%s: %zu\n", whys[i], seen[i]);
    }
    print_message("refused by the lock: %zu\n", refused);
    assert_int_equal(unknown, 0);
    (void)sqlite3_finalize(functions);
    (void)sqlite3_close(db);
    assert_int_equal(bench_end(bench), 0);
}

static bool take_columns(void *context, const struct rows_column *columns, size_t count)
{
    (void)context;
    (void)columns;
    return count == 1;
}

static bool take_row(void *context, const struct value *cells)
{
    *(int64_t *)context = cells[0].integer;
    return true;
}

/* Sixteen thousand names beside as many others were compared for nine seconds, and no
 * stop was heard. */
static void patches_of_long_objects_are_refused(void **state)
{
    (void)state;
    struct bench *bench = bench_begin("shop.db");
    if (!bench) {
        fail_msg("no folder");
        return;
    }
    static const char *const made =
        "CREATE TABLE t (size, a, b); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT "
        "i + 1 FROM n LIMIT 16000) INSERT INTO t SELECT 'long', json_group_object('a' || "
        "i, 1), json_group_object('b' || i, 1) FROM n;"
        "INSERT INTO t VALUES ('short', '{\"a\":1}', '{\"b\":2}')";
    sqlite3 *db = NULL;
    struct err err;
    int64_t length = 0;
    const struct datasource_sink sink = {
        .columns = take_columns, .row = take_row, .context = &length};
    const struct datasource_limits limits = {.max_rows = 10, .max_bytes = 1 << 20};
    assert_int_equal(sqlite3_open(bench->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, made, NULL, NULL, NULL), SQLITE_OK);
    (void)sqlite3_close(db);
    const struct datasource_setting setting = {.id = "shop", .url = bench->path};
    bench->source = datasource_open(&setting, bench->options, &err);
    assert_non_null(bench->source);
    const struct datasource_driver *driver = bench->source->driver;
    assert_true(driver->execute(
        bench->source, "SELECT length(json_patch(a, b)) FROM t WHERE size = 'short'",
        &limits, &sink, &err));
    assert_int_equal(length, (int)strlen("{\"a\":1,\"b\":2}"));
    err_clear(&err);
    assert_false(driver->execute(
        bench->source, "SELECT length(json_patch(a, b)) FROM t WHERE size = 'long'",
        &limits, &sink, &err));
    assert_int_equal(err.code, ERR_RESULT_TOO_LARGE);
    assert_int_equal(bench_end(bench), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_that_passes_is_known),
        cmocka_unit_test(patches_of_long_objects_are_refused),
    };
    return cmocka_run_group_tests_name("sqlite_functions", tests, NULL, NULL);
}
