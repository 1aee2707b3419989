/* Every statement of the guard's fixtures is described, limited and bound: in no dialect
 * does a walk over its tree crash, and what is made of a query is a query again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "model/schema.h"
#include "sql/bind.h"
#include "sql/describe/describe.h"
#include "sql/limit.h"
#include "sql/statement.h"

static struct schema *schema;

static int setup(void **state)
{
    (void)state;
    static const char *const names[] = {"id", "nam", "totals", "customer"};
    schema = schema_new();
    struct table *table = schema_add_table(schema, "custmers"); /* near, but not it */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct column *column = VEC_ADD(schema->arena, &table->columns);
        column->name = names[i];
        column->type = "TEXT";
    }
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    schema_unref(schema);
    return 0;
}

/* Names that are put right stay inside one statement. */
static void walk_names(struct arena *arena, const struct sql_statement *statement)
{
    struct bind_result bound;
    struct sql_statement again;
    bind_check(arena, statement, schema, &bound);
    if (bound.sql && !sql_statement_read(arena, statement->dialect, bound.sql,
                                         strlen(bound.sql), &again)) {
        fail_msg("%s\n  became %s", statement->text, bound.sql);
    }
}

static void walk_limit(struct arena *arena, const struct sql_statement *statement,
                       int64_t rows)
{
    struct limit_result result;
    struct sql_statement limited;
    limit_apply(arena, statement, rows, rows, &result);
    if (!sql_is(statement->root, SQL_QUERY)) {
        assert_ptr_equal(result.sql, statement->text);
        return;
    }
    assert_true(result.limit <= rows);
    if (!sql_statement_read(arena, statement->dialect, result.sql, strlen(result.sql),
                            &limited)) {
        fail_msg("%s\n  became %s", statement->text, result.sql);
    }
    if (result.statement && !sql_equal(result.statement->root, limited.root)) {
        fail_msg("%s\n  is not the tree of %s", statement->text, result.sql);
    }
}

static void walk_one(enum dialect dialect, const char *sql)
{
    struct arena *arena = arena_new();
    struct sql_statement statement;
    struct sql_shape shape;
    (void)sql_statement_read(arena, dialect, sql, strlen(sql), &statement);
    const char *words = describe_sql(arena, &statement);
    assert_true(strlen(words) > 0 && strlen(words) < 2000);
    assert_true(!utf8_valid(sql, strlen(sql), NULL) ||
                utf8_valid(words, strlen(words), NULL));
    describe_shape(&statement, &shape);
    assert_true(shape.subqueries >= 0 && shape.joins >= 0);
    walk_names(arena, &statement);
    walk_limit(arena, &statement, 100);
    walk_limit(arena, &statement, 1);
    arena_free(arena);
}

static size_t walk_file(enum dialect dialect, const char *path)
{
    struct arena *arena = arena_new();
    struct err err;
    size_t size;
    size_t count = 0;
    struct texts lines = {0};
    char *text = file_read(arena, path, 1 << 20, &size, &err);
    if (!text) {
        fail_msg("%s: %s (run from the root of the repository)", path, err.message);
        return 0;
    }
    str_split(arena, text, '\n', &lines);
    for (size_t i = 0; i < lines.count; i++) {
        const char *bar = strchr(lines.items[i], '|');
        bool write = strstr(path, "writes.sql") != NULL;
        const char *line = write ? (bar ? bar + 1 : "") : lines.items[i];
        if (line[0] && !str_starts(line, "--") && !str_starts(line, "##")) {
            walk_one(dialect, line);
            count++;
        }
    }
    arena_free(arena);
    return count;
}

static void every_fixture_is_walked(void **state)
{
    (void)state;
    static const char *const paths[] = {
        "tests/fixtures/guard/%s.allowed.sql", "tests/fixtures/guard/%s.refused.sql",
        "tests/fixtures/guard/honest/%s.sql", "tests/fixtures/guard/honest/common.sql",
        "tests/fixtures/guard/writes.sql"};
    for (int i = 0; i < DIALECT_COUNT; i++) {
        for (size_t p = 0; p < sizeof paths / sizeof *paths; p++) {
            char path[128];
            const char *mark = strstr(paths[p], "%s");
            (void)snprintf(path, sizeof path, "%.*s%s%s",
                           mark ? (int)(mark - paths[p]) : (int)strlen(paths[p]),
                           paths[p], mark ? dialect_name((enum dialect)i) : "",
                           mark ? mark + 2 : "");
            assert_true(walk_file((enum dialect)i, path) > 4);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fixture_is_walked),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
