/* What is not on the guard's list of nodes is refused, wherever in a statement it stands:
 * so no part of the tree goes unseen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "sql/guard.h"
#include "sql/statement.h"

struct nodes {
    struct sql_node **items;
    size_t count;
    size_t capacity;
    struct arena *arena;
};

static bool collect(void *context, struct sql_node *node)
{
    struct nodes *nodes = context;
    VEC_PUSH(nodes->arena, nodes, node);
    return true;
}

static enum guard_verdict judge(const struct sql_statement *statement)
{
    struct guard_result result;
    struct arena *arena = arena_new();
    guard_check_statement(arena, statement, NULL, &result);
    arena_free(arena);
    return result.verdict;
}

/* A flag, a variant, a kind and a child that nobody knows, at every node in turn. */
static size_t spoil_each(struct arena *arena, enum dialect dialect, const char *sql)
{
    enum { FLAG_OF_NOBODY = 1 << 30 };
    struct sql_statement statement;
    struct nodes nodes = {.arena = arena};
    assert_true(sql_statement_read(arena, dialect, sql, strlen(sql), &statement));
    sql_walk(statement.root, collect, &nodes);
    for (size_t i = 0; i < nodes.count; i++) {
        struct sql_node *node = nodes.items[i];
        struct sql_node whole = *node;
        node->flags |= FLAG_OF_NOBODY;
        if (judge(&statement) != GUARD_REFUSED) {
            fail_msg("%s: %s\n  a flag of %s at %u", dialect_name(dialect), sql,
                     sql_kind_name(node->kind), node->start);
        }
        *node = whole;
        node->variant = 99;
        assert_int_equal(judge(&statement), GUARD_REFUSED);
        *node = whole;
        node->kind = SQL_KIND_COUNT;
        assert_int_equal(judge(&statement), GUARD_REFUSED);
        *node = whole;
    }
    return nodes.count;
}

static void test_every_node(void **state)
{
    (void)state;
    size_t count = 0;
    for (int dialect = 0; dialect < DIALECT_COUNT; dialect++) {
        struct arena *arena = arena_new();
        struct err err;
        size_t size;
        const char *name = dialect_name((enum dialect)dialect);
        char *text = file_read(
            arena, arena_format(arena, "tests/fixtures/guard/%s.allowed.sql", name),
            1 << 20, &size, &err);
        assert_non_null(text);
        struct texts lines = {0};
        str_split(arena, text, '\n', &lines);
        for (size_t i = 0; i < lines.count; i++) {
            if (!str_empty(lines.items[i]) && !str_starts(lines.items[i], "##")) {
                count += spoil_each(arena, (enum dialect)dialect, lines.items[i]);
            }
        }
        arena_free(arena);
    }
    assert_true(count > 5000);
}

static void test_writes(void **state)
{
    (void)state;
    static const char *const writes[] = {
        "INSERT INTO t(a, b) VALUES (1, DEFAULT), (2, 3)",
        "INSERT INTO t SELECT a FROM u WHERE b IN (SELECT 1)",
        "UPDATE t SET a = b + 1, c = DEFAULT WHERE d LIKE 'x'",
        "DELETE FROM t WHERE EXISTS (SELECT 1 FROM u)",
    };
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof writes / sizeof *writes; i++) {
        (void)spoil_each(arena, DIALECT_SQLITE, writes[i]);
    }
    arena_free(arena);
}

/* A child more than the guard knows of, and one that is missing. */
static void test_children(void **state)
{
    (void)state;
    static const char sql[] = "SELECT a + 1 FROM t WHERE b BETWEEN 1 AND 2";
    struct arena *arena = arena_new();
    struct sql_statement statement;
    struct nodes nodes = {.arena = arena};
    assert_true(
        sql_statement_read(arena, DIALECT_SQLITE, sql, sizeof sql - 1, &statement));
    assert_int_equal(judge(&statement), GUARD_READ);
    sql_walk(statement.root, collect, &nodes);
    size_t fixed = 0;
    for (size_t i = 0; i < nodes.count; i++) {
        struct sql_node *node = nodes.items[i];
        struct sql_node whole = *node;
        bool list = node->kind == SQL_LIST || node->kind == SQL_COLUMN;
        if (list) {
            continue;
        }
        node->children = arena_array(arena, node->count + 1, sizeof *node->children);
        for (size_t j = 0; j < whole.count; j++) {
            node->children[j] = whole.children[j];
        }
        node->count++;
        assert_int_equal(judge(&statement), GUARD_REFUSED);
        *node = whole;
        fixed++;
    }
    assert_true(fixed > 8);
    struct sql_node *select = statement.root->children[QUERY_BODY];
    struct sql_node *where = select->children[SELECT_WHERE];
    where->children[TRIPLE_SECOND] = NULL;
    where->children[TRIPLE_FIRST] = NULL;
    assert_int_equal(judge(&statement), GUARD_REFUSED);
    arena_free(arena);
}

/* What a caller has read is judged as its text is. */
static void test_same_as_text(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "SELECT a FROM t; ",          "SELECT", "DROP TABLE t",
        "SELECT load_extension('x')", "",       "SELECT 'x"};
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct sql_statement statement;
        struct guard_result one;
        struct guard_result other;
        size_t size = strlen(texts[i]);
        (void)sql_statement_read(arena, DIALECT_SQLITE, texts[i], size, &statement);
        guard_check_statement(arena, &statement, NULL, &one);
        guard_check(arena, DIALECT_SQLITE, texts[i], size, NULL, &other);
        assert_int_equal(one.verdict, other.verdict);
        assert_string_equal(one.reason, other.reason);
        assert_int_equal(one.position, other.position);
        assert_string_equal(one.sql, other.sql);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_node),
        cmocka_unit_test(test_writes),
        cmocka_unit_test(test_children),
        cmocka_unit_test(test_same_as_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
