/*
 * Honest analytical queries of the dialect: the guard lets each pass, knows all their
 * names, and the engine really runs them. So the list against false refusals holds SQL,
 * and not what we think is SQL.
 */
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "conformance.h"
#include "datasource/driver.h"
#include "sql/guard.h"

enum { FILE_MAX = 1 << 20 };

static char *read_file(struct place *place, const char *name)
{
    struct err err;
    size_t size;
    char *path = arena_format(place->arena,
                              DRAGOMAN_EVERYDAY "/../fixtures/guard/honest/%s.sql", name);
    char *text = file_read(place->arena, path, FILE_MAX, &size, &err);
    if (!text) {
        fail_msg("%s: %s", path, err.message);
    }
    return text;
}

/* The shop in the words of the engine. */
static const char *shop(struct place *place, enum dialect dialect)
{
    static const struct {
        enum dialect dialect;
        const char *there;
        const char *here;
    } words[] = {{DIALECT_POSTGRES, " JSON)", " JSONB)"},
                 {DIALECT_MYSQL, " TIMESTAMP,", " DATETIME,"}};
    const char *sql = read_file(place, "shop");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *at = sql;
        while (words[i].dialect == dialect && (at = strstr(at, words[i].there))) {
            sql = arena_format(place->arena, "%.*s%s%s", (int)(at - sql), sql,
                               words[i].here, at + strlen(words[i].there));
            at = sql;
        }
    }
    return sql;
}

/* How many the guard would not let pass; *engine: the engine would not run. */
static size_t run_all(struct place *place, const struct schema *schema, const char *name,
                      size_t *count, size_t *engine)
{
    enum dialect dialect = datasource_dialect(place->source);
    struct texts lines = {0};
    size_t wrong = 0;
    str_split(place->arena, read_file(place, name), '\n', &lines);
    for (size_t i = 0; i < lines.count; i++) {
        const char *sql = lines.items[i];
        if (str_empty(sql) || str_starts(sql, "##")) {
            continue;
        }
        struct arena *arena = arena_new();
        struct guard_result result;
        struct rows rows;
        struct err err;
        err_clear(&err);
        rows_init(&rows, arena);
        ++*count;
        guard_check(arena, dialect, sql, strlen(sql), schema, &result);
        bool known = result.unknown.count == 0;
        bool passed = result.verdict == GUARD_READ && known;
        bool ok =
            passed && datasource_execute(place->source, sql, schema, NULL, &rows, &err);
        if (!ok) {
            wrong += !passed;
            *engine += passed;
            print_error("%s\n  %s%s %s %s\n", sql, result.reason,
                        known ? "" : result.unknown.items[0], err.message, err.detail);
        }
        arena_free(arena);
    }
    return wrong;
}

static void test_honest_queries(void **state)
{
    struct place *place = *state;
    enum dialect dialect =
        registry_by_name(kind->speaks ? kind->speaks : kind->name)->dialect;
    place_open(place, shop(place, dialect));
    const struct schema *schema = place_schema(place);
    size_t count = 0;
    size_t engine = 0;
    size_t wrong = run_all(place, schema, "common", &count, &engine);
    wrong += run_all(place, schema, dialect_name(dialect), &count, &engine);
    print_message("%zu honest queries: %zu refused by the guard, %zu by the engine\n",
                  count, wrong, engine);
    assert_int_equal(wrong, 0);
    assert_true(engine <= kind->honest_most);
    assert_true(count >= 280);
}

int suite_honest(void)
{
    const struct CMUnitTest tests[] = {PLACE_TEST(test_honest_queries)};
    return cmocka_run_group_tests_name("honest", tests, NULL, NULL);
}
