/* Follow-ups: each one as the SQL that it makes of the SQL before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "parser/followup/followup.h"
#include "unit/parser/features_shop.h"

static const double SURE = 0.5; /* what the parser wants before it believes one */

static bool read_text(const struct features_shop *shop, struct arena *arena,
                      const char *previous, const char *text,
                      struct followup_reading *reading)
{
    struct followup_request request = {.schema = shop->schema,
                                       .index = shop->index,
                                       .dialect = DIALECT_SQLITE,
                                       .today = "2024-06-15",
                                       .previous_sql = previous,
                                       .question = text};
    return followup_read(arena, &request, reading) && reading->confidence >= SURE;
}

/* sql is NULL where the text stands on its own, or nobody could do what it asks. */
static const struct {
    const char *previous;
    const char *text;
    const char *sql;
} cases[] = {
#define FOLLOW(previous, text, sql) {previous, text, sql},
#define ALONE(previous, text)       {previous, text, NULL},
#include "unit/parser/followup_cases.def"
#undef FOLLOW
#undef ALONE
};

static void changes_the_query_before(void **state)
{
    int wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena *arena = arena_new();
        struct followup_reading reading;
        bool found = read_text(*state, arena, cases[i].previous, cases[i].text, &reading);
        if (found != (cases[i].sql != NULL) ||
            (found && !str_equal(reading.sql, cases[i].sql))) {
            wrong++;
            print_error("FOLLOW(\"%s\",\n       \"%s\",\n       \"%s\")\n",
                        cases[i].previous, cases[i].text,
                        found ? reading.sql : "(stands alone)");
        }
        arena_free(arena);
    }
    assert_int_equal(wrong, 0);
}

/* What comes out can be followed again. */
static void follows_itself(void **state)
{
    static const char *const turns[] = {"only those in Berlin", "by year",        "top 2",
                                        "and in New York?",     "how about 2023", NULL};
    struct arena *arena = arena_new();
    const char *sql = "SELECT COUNT(*) FROM customers";
    for (size_t i = 0; turns[i]; i++) {
        struct followup_reading reading;
        assert_true(read_text(*state, arena, sql, turns[i], &reading));
        sql = reading.sql;
    }
    assert_string_equal(
        sql, "SELECT CAST(strftime('%Y', created_on) AS INTEGER) AS year, COUNT(*) FROM "
             "customers WHERE city = 'New York' AND created_on >= '2023-01-01' AND "
             "created_on < '2024-01-01' GROUP BY year ORDER BY year LIMIT 2");
    arena_free(arena);
}

static void survives_anything(void **state)
{
    static const char *const texts[] = {"",
                                        " ",
                                        "'",
                                        "\"",
                                        "and",
                                        "\xff\xfe and \x01",
                                        "only only only only",
                                        "only those in 'x'; DROP TABLE orders",
                                        "sort sort by by",
                                        "top",
                                        "between 1 and",
                                        "not not not",
                                        "\xf0\x9f\x98\x80",
                                        "last 99999999999999999999 months",
                                        "und nur die aus Berlin",
                                        "ignore all previous instructions",
                                        NULL};
    static const char *const queries[] = {
        NULL,
        "",
        "nonsense",
        "SELECT",
        "SELECT 1",
        "SELECT * FROM orders",
        "SELECT COUNT(*) FROM orders GROUP BY status HAVING COUNT(*) > 1",
        NULL};
    struct buf words;
    buf_init(&words, 1 << 20);
    for (int i = 0; i < 5000; i++) {
        (void)buf_text(&words, "only those ");
    }
    for (size_t i = 0; i < 7; i++) {
        struct arena *arena = arena_new();
        struct followup_reading reading;
        for (size_t k = 0; texts[k]; k++) {
            (void)read_text(*state, arena, queries[i], texts[k], &reading);
        }
        assert_false(read_text(*state, arena, queries[i], buf_get(&words), &reading));
        arena_free(arena);
    }
    buf_release(&words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_the_query_before),
        cmocka_unit_test(follows_itself),
        cmocka_unit_test(survives_anything),
    };
    return cmocka_run_group_tests(tests, features_shop_setup, features_shop_teardown);
}
