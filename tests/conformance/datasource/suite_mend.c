/*
 * SQL of other dialects, mended for this engine and run on it, and SQL of this engine's
 * dialect as it is: both must give the rows of tests/fixtures/dialects. So a mended
 * statement gives what the original gives where it was written for, engine by engine.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "conformance.h"
#include "datasource/driver.h"
#include "sql/dialects/mend.h"
#include "sql/guard.h"
#include "fixtures/dialects/pairs.h"

struct tally {
    size_t originals;
    size_t mended[DIALECT_COUNT]; /* from each dialect */
    size_t guessed;               /* the dialect was found out */
    size_t otherwise;             /* it was read as another dialect */
    size_t unsure;                /* it was left as it is: unclear, or good as it is */
    size_t wrong;
};

static enum dialect own_dialect(void)
{
    return registry_by_name(kind->speaks ? kind->speaks : kind->name)->dialect;
}

/* The tables in the words of the engine. */
static const char *tables(struct place *place)
{
    struct err err;
    size_t size;
    char *sql =
        file_read(place->arena, DRAGOMAN_EVERYDAY "/../fixtures/dialects/tables.sql",
                  1 << 20, &size, &err);
    assert_non_null(sql);
    const char *at = own_dialect() == DIALECT_MYSQL ? strstr(sql, " TIMESTAMP") : NULL;
    for (; at; at = strstr(sql, " TIMESTAMP")) {
        sql = arena_format(place->arena, "%.*s DATETIME%s", (int)(at - sql), sql,
                           at + strlen(" TIMESTAMP"));
    }
    return sql;
}

/* Engines show the same value in different ways: midnight, truth, digits. */
static const char *plain_cell(struct arena *arena, const char *text)
{
    char *end;
    double number = strtod(text, &end);
    if (end != text && !*end) {
        return arena_format(arena, "%.9g", number);
    }
    if (str_equal(text, "true") || str_equal(text, "false")) {
        return str_equal(text, "true") ? "1" : "0";
    }
    const char *midnight = strstr(text, " 00:00:00");
    bool day = midnight && midnight - text == 10 && !strpbrk(midnight + 9, "123456789");
    return day ? arena_copy(arena, text, 10) : text;
}

static const char *shown(struct place *place, const struct rows *rows)
{
    const char *text = "";
    for (size_t r = 0; r < rows->count; r++) {
        for (size_t c = 0; c < rows->column_count; c++) {
            text = arena_format(place->arena, "%s%s%s", text, c ? " | " : "= ",
                                plain_cell(place->arena, cell_text(place, rows, r, c)));
        }
        text = arena_format(place->arena, "%s\n", text);
    }
    return text;
}

/* Runs one text and compares; false tells why. */
static bool gives(struct place *place, const struct schema *schema, const char *sql,
                  const struct dialect_pair *pair, const char *what)
{
    struct guard_result result;
    struct rows rows;
    struct err err;
    err_clear(&err);
    rows_init(&rows, place->arena);
    guard_check(place->arena, datasource_dialect(place->source), sql, strlen(sql), schema,
                &result);
    if (result.verdict != GUARD_READ ||
        !datasource_execute(place->source, sql, schema, NULL, &rows, &err)) {
        print_error("line %zu, %s: %s\n  became: %s\n  %s %s %s\n", pair->line, what,
                    pair->sql, sql, result.reason, err.message, err.detail);
        return false;
    }
    const char *got = shown(place, &rows);
    if (!str_equal(got, pair->rows)) {
        print_error("line %zu, %s: %s\n  became: %s\n  expected:\n%s  got:\n%s\n",
                    pair->line, what, pair->sql, sql, pair->rows, got);
        return false;
    }
    return true;
}

/* Without being told the dialect it was written in, it is mended alike, not at all, or read
 * as another dialect, which may mean another thing by it: those are counted. */
static bool guessed_alike(struct place *place, const struct schema *schema,
                          const struct dialect_pair *pair, struct tally *tally)
{
    struct mend mend;
    if (!mend_sql(place->arena, own_dialect(), pair->sql, schema, &mend)) {
        tally->unsure++;
        return true;
    }
    if (mend.from != pair->from) {
        tally->otherwise++;
        return true;
    }
    tally->guessed++;
    return gives(place, schema, mend.sql, pair, "by a guess");
}

static void check_pair(struct place *place, const struct schema *schema,
                       const struct dialect_pair *pair, struct tally *tally)
{
    enum dialect to = own_dialect();
    struct mend mend;
    if (pair->from == to && !pair->left[to]) {
        tally->originals++;
        tally->wrong += !gives(place, schema, pair->sql, pair, "as written");
    }
    if (pair->left[to] &&
        mend_sql_from(place->arena, pair->from, to, pair->sql, schema, &mend)) {
        print_error("line %zu: must stay as it is: %s\n  became: %s\n", pair->line,
                    pair->sql, mend.sql);
        tally->wrong++;
    }
    if (!pair->to[to]) {
        return;
    }
    if (!mend_sql_from(place->arena, pair->from, to, pair->sql, schema, &mend)) {
        print_error("line %zu: not mended (%s): %s\n", pair->line, mend.why, pair->sql);
        tally->wrong++;
    } else if (gives(place, schema, mend.sql, pair, "mended") &&
               guessed_alike(place, schema, pair, tally)) {
        tally->mended[pair->from]++;
    } else {
        tally->wrong++;
    }
}

static void test_mended(void **state)
{
    struct place *place = *state;
    struct tally tally = {0};
    struct dialect_pairs pairs;
    dialect_pairs_read(place->arena, DRAGOMAN_EVERYDAY "/../fixtures/dialects", &pairs);
    place_open(place, tables(place));
    const struct schema *schema = place_schema(place);
    for (size_t i = 0; i < pairs.count; i++) {
        check_pair(place, schema, &pairs.items[i], &tally);
    }
    print_message("%zu originals run as written\n", tally.originals);
    for (int i = 0; i < DIALECT_COUNT; i++) {
        print_message("%s -> %s: %zu mended\n", dialect_name((enum dialect)i),
                      dialect_name(own_dialect()), tally.mended[i]);
    }
    print_message(
        "without being told the dialect: %zu found out, %zu read as another, %zu "
        "left as they are\n",
        tally.guessed, tally.otherwise, tally.unsure);
    assert_int_equal(tally.wrong, 0);
}

/* ODBC drivers show intervals and some times in forms of their own; the databases behind
 * them have this suite, too. */
int suite_mend(void)
{
    if (str_equal(kind->name, "odbc")) {
        return 0;
    }
    const struct CMUnitTest tests[] = {PLACE_TEST(test_mended)};
    return cmocka_run_group_tests_name("mend", tests, NULL, NULL);
}
