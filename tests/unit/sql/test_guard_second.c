/* PostgreSQL's own parser as a second judge: alone it refuses the attacks, lets honest
 * queries pass, and survives the input that breaks it. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "sql/attack.h"
#include "sql/guard/guard_state.h"
#include "sql/guard/pg_parser.h"
#include "unit/sql/attack_shop.h"

/* The second judge alone, as if the first had seen these tables and nothing wrong. */
static enum guard_verdict judge_with(struct arena *arena, const char *sql,
                                     const struct schema *schema,
                                     struct guard_result *out)
{
    static const char *const tables[] = {"customers", "orders",     "order_items",
                                         "products",  "events",     "employees",
                                         "vault",     "vault_keys", "daily_sales"};
    *out = (struct guard_result){.verdict = GUARD_READ, .reason = "", .position = -1};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        VEC_PUSH(arena, &out->tables, tables[i]);
    }
    struct guard guard = {.arena = arena,
                          .dialect = DIALECT_POSTGRES,
                          .letter = 'p',
                          .schema = schema,
                          .out = out};
    guard_second(&guard, sql, 0);
    return out->verdict;
}

static enum guard_verdict judge(struct arena *arena, const char *sql,
                                struct guard_result *out)
{
    return judge_with(arena, sql, NULL, out);
}

static char *read_all(struct arena *arena, const char *path, size_t *size)
{
    struct err err;
    char *text = file_read(arena, path, 1 << 20, size, &err);
    if (!text) {
        fail_msg("%s: %s", path, err.message);
    }
    return text;
}

/* What it cannot see in a tree: sizes, and text that only a lexer knows. */
static void test_attacks_alone(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct attacks attacks = {0};
    struct err err;
    size_t size;
    char *text = read_all(arena, "attacks/postgres.txt", &size);
    assert_true(attacks_parse(arena, text, size, &attacks, &err));
    size_t wrong = 0;
    struct schema *shop = attack_shop();
    for (size_t i = 0; i < attacks.count; i++) {
        const struct attack *attack = &attacks.items[i];
        struct guard_result out;
        bool seen = attack->wall == ATTACK_GUARD && !str_equal(attack->class, "size") &&
                    !str_equal(attack->class, "lexer") &&
                    strlen(attack->sql) == attack->size &&
                    !strstr(attack->sql, "TABLE vault"); /* SELECT * FROM vault to it */
        if (seen && judge_with(arena, attack->sql, attack->names ? shop : NULL, &out) ==
                        GUARD_READ) {
            wrong++;
            print_error("line %zu passed: %s\n", attack->line, attack->sql);
        }
    }
    assert_int_equal(wrong, 0);
    schema_unref(shop);
    arena_free(arena);
}

static void test_honest_alone(void **state)
{
    (void)state;
    static const char *const files[] = {"tests/fixtures/guard/honest/common.sql",
                                        "tests/fixtures/guard/honest/postgres.sql"};
    size_t wrong = 0;
    for (size_t i = 0; i < 2; i++) {
        struct arena *arena = arena_new();
        struct texts lines = {0};
        size_t size;
        str_split(arena, read_all(arena, files[i], &size), '\n', &lines);
        for (size_t j = 0; j < lines.count; j++) {
            struct guard_result out;
            const char *sql = lines.items[j];
            if (!str_empty(sql) && !str_starts(sql, "##") &&
                judge(arena, sql, &out) != GUARD_READ) {
                wrong++;
                print_error("%s\n  %s\n", sql, out.reason);
            }
        }
        arena_free(arena);
    }
    assert_int_equal(wrong, 0);
}

static void expect(const char *sql, const char *reason, int position)
{
    struct arena *arena = arena_new();
    struct guard_result out;
    if (judge(arena, sql, &out) != GUARD_REFUSED) {
        fail_msg("passed: %s", sql);
    }
    assert_string_equal(out.reason, reason);
    assert_int_equal(out.position, position);
    arena_free(arena);
}

static void test_reasons(void **state)
{
    (void)state;
    expect("SELECT pg_sleep(1)",
           "The function pg_sleep is not allowed: it makes the database wait.", 7);
    expect("SELECT \"Lower\"('x')", "The function Lower is not known.", 7);
    expect("SELECT pg_catalog.pg_ls_dir('/')",
           "The function pg_ls_dir is not allowed: it lists files of the server.", 7);
    expect("SELECT evil.lower('x')", "Functions of another schema are not allowed.", 7);
    expect("SELECT 1 OPERATOR(evil.+) 2", "The operator evil is not allowed.", 9);
    expect("SELECT 1 FROM elsewhere",
           "The table 'elsewhere' stands where no table is expected.", 14);
    expect("SELECT current_user", "A word is not allowed: it describes the session.", 7);
    expect("SELECT 1; SELECT 2", "Only one statement at a time is allowed.", -1);
    expect("SELECT 'vault'::regclass", "The type 'regclass' is not allowed in a cast.",
           16);
    expect("DELETE FROM orders", "This is not a query.", -1);
    expect("SELECT * FROM orders FOR UPDATE", "lockingClause is not allowed in a query.",
           -1);
    /* characters are counted as such, and told in bytes */
    expect("SELECT '\xC5\xBC\xC3\xB3\xC5\x82w' FROM FROM",
           "PostgreSQL's own parser does not accept it: syntax error at or near "
           "\"FROM\".",
           22);
}

/* The whole guard: a position in text that begins with a comment. */
static void test_offset(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct guard_result out;
    const char *sql = "/* x */ SELECT name FROM customers GROUP BY name HAVING "
                      "\"Count\"(*) > 1";
    guard_check(arena, DIALECT_POSTGRES, sql, strlen(sql), NULL, &out);
    assert_int_equal(out.verdict, GUARD_REFUSED);
    assert_string_equal(out.reason, "The function Count is not known.");
    assert_int_equal(out.position, (int)(strstr(sql, "\"Count\"") - sql));
    sql = "DELETE FROM orders WHERE id = 1";
    guard_check(arena, DIALECT_POSTGRES, sql, strlen(sql), NULL, &out);
    assert_int_equal(out.verdict, GUARD_WRITE);
    arena_free(arena);
}

static char *chain(struct arena *arena, const char *start, const char *link, size_t size)
{
    struct buf buf;
    buf_init(&buf, PG_PARSER_MAX_BYTES * 2);
    buf_text(&buf, start);
    while (buf.size + strlen(link) <= size) {
        buf_text(&buf, link);
    }
    char *text = buf_clone(&buf, arena);
    buf_release(&buf);
    return text;
}

/* Each of these overflows a stack of ordinary size inside the library. */
static void *deep_work(void *context)
{
    static const char *const links[] = {"+1",    "||1", " UNION SELECT 1",
                                        "::int", "[1]", " COLLATE \"C\""};
    (void)context;
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        struct arena *arena = arena_new();
        struct guard_result out;
        char *sql = chain(arena, "SELECT 1", links[i], PG_PARSER_MAX_BYTES);
        assert_int_equal(judge(arena, sql, &out), GUARD_REFUSED);
        sql = chain(arena, "SELECT 1", links[i], 300);
        assert_true(judge(arena, sql, &out) == GUARD_READ || out.reason[0]);
        arena_free(arena);
    }
    return NULL;
}

static void test_deep_on_small_stacks(void **state)
{
    (void)state;
    enum { THREADS = 4, STACK = 512 * 1024 };
    pthread_t threads[THREADS];
    pthread_attr_t attributes;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, STACK), 0);
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], &attributes, deep_work, NULL), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
    (void)pthread_attr_destroy(&attributes);
}

static void test_too_long(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct guard_result out;
    char *sql = chain(arena, "SELECT 1 WHERE 1 IN (1", ",1", PG_PARSER_MAX_BYTES + 10);
    assert_int_equal(judge(arena, arena_format(arena, "%s)", sql), &out), GUARD_REFUSED);
    assert_string_equal(out.reason, "The query is too long: 32768 bytes are allowed.");
    sql = chain(arena, "SELECT 1 WHERE 1 IN (1", ",1", PG_PARSER_MAX_BYTES - 10);
    assert_int_equal(judge(arena, arena_format(arena, "%s)", sql), &out), GUARD_READ);
    arena_free(arena);
}

int main(void)
{
    if (!pg_parser_available()) {
        (void)fprintf(stderr, "libpg_query is not here: the guard judges alone\n");
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attacks_alone),
        cmocka_unit_test(test_honest_alone),
        cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_offset),
        cmocka_unit_test(test_deep_on_small_stacks),
        cmocka_unit_test(test_too_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
