/* The shipped attacks: the guard refuses each, and the file says what it means. */
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
#include "sql/attack.h"
#include "unit/sql/attack_shop.h"
#include "sql/guard.h"

static bool parse(struct arena *arena, const char *text, struct attacks *out,
                  struct err *err)
{
    *out = (struct attacks){0};
    err_clear(err);
    return attacks_parse(arena, text, strlen(text), out, err);
}

static void test_format(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct attacks attacks;
    struct err err;
    assert_true(parse(arena,
                      "for readers\n\n--- write: why: so\nDELETE\nFROM t\n"
                      "--- lexer (escaped): bytes\nSELECT %00{{ab*3}}%25\n"
                      "--- policy (policy): p\nSELECT 1\n"
                      "--- field (names): f\nSELECT t.f\n"
                      "--- cost (limits): c\nSELECT '%41'\n",
                      &attacks, &err));
    assert_int_equal(attacks.count, 5);
    const struct attack *at = attacks.items;
    assert_string_equal(at[0].class, "write");
    assert_string_equal(at[0].reason, "why: so");
    assert_string_equal(at[0].sql, "DELETE\nFROM t");
    assert_int_equal(at[0].line, 3);
    assert_int_equal(at[0].wall, ATTACK_GUARD);
    assert_int_equal(at[1].size, 15);
    assert_memory_equal(at[1].sql, "SELECT \0ababab%", 15);
    assert_int_equal(at[2].wall, ATTACK_POLICY);
    assert_int_equal(at[3].wall, ATTACK_GUARD);
    assert_true(at[3].names && !at[2].names);
    assert_int_equal(at[4].wall, ATTACK_LIMITS);
    assert_string_equal(at[4].sql, "SELECT '%41'");
    assert_true(parse(arena, "", &attacks, &err));
    assert_int_equal(attacks.count, 0);
    arena_free(arena);
}

static void test_broken_format(void **state)
{
    (void)state;
    static const char *const broken[] = {
        "--- write\nDELETE FROM t\n",
        "--- : why\nDELETE FROM t\n",
        "--- write: why\n",
        "--- write: why\n--- write: why\nDROP TABLE t\n",
        "--- lexer (escaped): x\nSELECT %0G\n",
        "--- lexer (escaped): x\nSELECT %\n",
        "--- lexer (escaped): x\nSELECT {{a*x}}\n",
        "--- lexer (escaped): x\nSELECT {{a*-1}}\n",
        "--- lexer (escaped): x\nSELECT {{a*999999999}}\n",
        "--- lexer (escaped): x\nSELECT {{a\n",
    };
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        struct attacks attacks;
        struct err err;
        if (parse(arena, broken[i], &attacks, &err)) {
            fail_msg("read: %s", broken[i]);
        }
        assert_true(strlen(err.message) > 10);
    }
    arena_free(arena);
}

static void read_corpus(struct arena *arena, enum dialect dialect, struct attacks *out)
{
    struct err err;
    size_t size;
    char *path = arena_format(arena, "attacks/%s.txt", dialect_name(dialect));
    char *text = file_read(arena, path, 1 << 20, &size, &err);
    if (!text || !attacks_parse(arena, text, size, out, &err)) {
        fail_msg("%s: %s", path, err.message);
    }
}

/* Without a policy the guard alone refuses; without a schema, too, but for what only
 * names tell. */
static void test_refused(void **state)
{
    (void)state;
    size_t wrong = 0;
    struct schema *shop = attack_shop();
    for (int i = 0; i < DIALECT_COUNT; i++) {
        struct arena *arena = arena_new();
        struct attacks attacks = {0};
        enum dialect dialect = (enum dialect)i;
        read_corpus(arena, dialect, &attacks);
        shop->home = dialect == DIALECT_CLICKHOUSE ? "shop" : NULL;
        size_t count = 0;
        for (size_t j = 0; j < attacks.count; j++) {
            const struct attack *attack = &attacks.items[j];
            struct guard_result result;
            guard_check(arena, dialect, attack->sql, attack->size,
                        attack->names ? shop : NULL, &result);
            bool passed = result.verdict == GUARD_READ;
            count += attack->wall == ATTACK_GUARD;
            if (passed == (attack->wall == ATTACK_GUARD)) {
                wrong++;
                print_error("%s:%zu: %s: %.200s\n  %s\n", dialect_name(dialect),
                            attack->line, passed ? "passed" : "refused", attack->sql,
                            result.reason);
            }
        }
        assert_true(count >= 60);
        arena_free(arena);
    }
    schema_unref(shop);
    assert_int_equal(wrong, 0);
}

/* A database that ODBC does not name as one that is known is judged by the common ground
 * of SQL. It may be one that is: what is sent to PostgreSQL or MariaDB to do harm must not
 * pass there either, functions called as fields among it. */
static void test_refused_where_nobody_knows_the_database(void **state)
{
    (void)state;
    static const enum dialect behind[] = {DIALECT_POSTGRES, DIALECT_MYSQL};
    size_t wrong = 0;
    struct schema *shop = attack_shop();
    for (size_t i = 0; i < sizeof behind / sizeof *behind; i++) {
        struct arena *arena = arena_new();
        struct attacks attacks = {0};
        size_t fields = 0;
        read_corpus(arena, behind[i], &attacks);
        for (size_t j = 0; j < attacks.count; j++) {
            const struct attack *attack = &attacks.items[j];
            struct guard_result result;
            if (attack->wall != ATTACK_GUARD) {
                continue;
            }
            guard_check(arena, DIALECT_ODBC, attack->sql, attack->size, shop, &result);
            fields += str_equal(attack->class, "field");
            if (result.verdict == GUARD_READ && result.unknown.count == 0) {
                wrong++;
                print_error("%s:%zu: passed: %.200s\n", dialect_name(behind[i]),
                            attack->line, attack->sql);
            }
        }
        assert_true(behind[i] != DIALECT_POSTGRES || fields >= 80);
        arena_free(arena);
    }
    schema_unref(shop);
    assert_int_equal(wrong, 0);
}

/* Every class is there, so that nothing falls out of the corpus by accident. */
static void test_classes(void **state)
{
    (void)state;
    static const char *const classes[] = {
        "write", "second",   "transaction", "setting",   "session",
        "file",  "code",     "catalog",     "hidden",    "size",
        "cost",  "function", "lexer",       "parameter", "policy"};
    for (int i = 0; i < DIALECT_COUNT; i++) {
        struct arena *arena = arena_new();
        struct attacks attacks = {0};
        read_corpus(arena, (enum dialect)i, &attacks);
        for (size_t j = 0; j < sizeof classes / sizeof *classes; j++) {
            bool found = i == DIALECT_SQLITE && str_equal(classes[j], "hidden");
            for (size_t k = 0; k < attacks.count && !found; k++) {
                found = str_equal(attacks.items[k].class, classes[j]);
            }
            if (!found) {
                fail_msg("%s has no %s", dialect_name((enum dialect)i), classes[j]);
            }
        }
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_format),
        cmocka_unit_test(test_broken_format),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_refused_where_nobody_knows_the_database),
        cmocka_unit_test(test_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
