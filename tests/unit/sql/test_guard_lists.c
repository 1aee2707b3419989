/* The guard against long lists: everyday queries pass, attacks do not. */
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
#include "base/vec.h"
#include "sql/guard.h"

static void read_lines(struct arena *arena, const char *name, struct texts *lines)
{
    struct err err;
    size_t size;
    char *path = arena_format(arena, "tests/fixtures/guard/%s", name);
    char *text = file_read(arena, path, 1 << 20, &size, &err);
    if (!text) {
        fail_msg("%s: %s (run from the root of the repository)", path, err.message);
        return;
    }
    struct texts all = {0};
    str_split(arena, text, '\n', &all);
    for (size_t i = 0; i < all.count; i++) {
        if (!str_empty(all.items[i]) && !str_starts(all.items[i], "##")) {
            VEC_PUSH(arena, lines, all.items[i]);
        }
    }
}

static void check_list(const char *ending, enum guard_verdict wanted, size_t at_least)
{
    struct arena *arena = arena_new();
    size_t count = 0;
    size_t wrong = 0;
    for (int dialect = 0; dialect < DIALECT_COUNT; dialect++) {
        const char *name = dialect_name((enum dialect)dialect);
        struct texts lines = {0};
        read_lines(arena, arena_format(arena, "%s.%s.sql", name, ending), &lines);
        for (size_t i = 0; i < lines.count; i++) {
            struct guard_result result;
            guard_check(arena, (enum dialect)dialect, lines.items[i],
                        strlen(lines.items[i]), NULL, &result);
            count++;
            if (result.verdict != wanted) {
                wrong++;
                print_error("%s: %s\n  %s\n", name, lines.items[i], result.reason);
            }
            if (result.verdict == GUARD_REFUSED) {
                assert_true(strlen(result.reason) > 10);
            } else {
                assert_string_equal(result.reason, "");
                assert_false(result.unparsable);
            }
        }
    }
    assert_int_equal(wrong, 0);
    assert_true(count >= at_least);
    arena_free(arena);
}

static void test_allowed(void **state)
{
    (void)state;
    check_list("allowed", GUARD_READ, 290);
}

static void test_refused(void **state)
{
    (void)state;
    check_list("refused", GUARD_REFUSED, 500);
}

/* A query that is fine may not become fine-looking in another dialect by accident of a
 * stacked tail: every allowed query with a second statement is refused. */
static void test_allowed_with_a_tail(void **state)
{
    (void)state;
    static const char *const tails[] = {
        "; DROP TABLE t",    ";DELETE FROM t", " ; ; SELECT 2", "\n;\nATTACH 'x' AS y",
        " INTO OUTFILE 'x'", " FOR UPDATE",    " RETURNING *"};
    struct arena *arena = arena_new();
    for (int dialect = 0; dialect < DIALECT_COUNT; dialect++) {
        struct texts lines = {0};
        read_lines(
            arena,
            arena_format(arena, "%s.allowed.sql", dialect_name((enum dialect)dialect)),
            &lines);
        for (size_t i = 0; i < lines.count; i++) {
            for (size_t j = 0; j < sizeof tails / sizeof *tails; j++) {
                if (strstr(lines.items[i], "--") || strchr(lines.items[i], '#')) {
                    continue; /* the tail would be inside the comment */
                }
                char *sql = arena_format(arena, "%s%s", lines.items[i], tails[j]);
                struct guard_result result;
                guard_check(arena, (enum dialect)dialect, sql, strlen(sql), NULL,
                            &result);
                if (result.verdict != GUARD_REFUSED) {
                    fail_msg("passed: %s", sql);
                }
            }
        }
    }
    arena_free(arena);
}

static void test_writes(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct texts lines = {0};
    read_lines(arena, "writes.sql", &lines);
    assert_true(lines.count >= 12);
    for (size_t i = 0; i < lines.count; i++) {
        const char *bar = strchr(lines.items[i], '|');
        assert_non_null(bar);
        char *name = arena_copy(arena, lines.items[i], (size_t)(bar - lines.items[i]));
        enum dialect dialect;
        assert_true(dialect_find(name, &dialect));
        struct guard_result result;
        guard_check(arena, dialect, bar + 1, strlen(bar + 1), NULL, &result);
        if (result.verdict != GUARD_WRITE) {
            fail_msg("%s: %s", bar + 1, result.reason);
        }
        assert_true(result.tables.count >= 1);
        assert_true(strlen(result.reason) > 0);
    }
    arena_free(arena);
}

/* Cut anywhere, a query or an attack may be refused or read, but nothing may break. */
static void test_every_prefix(void **state)
{
    (void)state;
    static const char *const endings[] = {"allowed", "refused"};
    for (int dialect = 0; dialect < DIALECT_COUNT; dialect++) {
        for (size_t k = 0; k < 2; k++) {
            struct arena *arena = arena_new();
            struct texts lines = {0};
            const char *name = dialect_name((enum dialect)dialect);
            read_lines(arena, arena_format(arena, "%s.%s.sql", name, endings[k]), &lines);
            struct arena *scratch = arena_new();
            for (size_t i = 0; i < lines.count; i++) {
                for (size_t size = 0; size <= strlen(lines.items[i]); size++) {
                    char *sql = arena_copy(scratch, lines.items[i], size);
                    struct guard_result result;
                    guard_check(scratch, (enum dialect)dialect, sql, size, NULL, &result);
                    arena_reset(scratch);
                }
            }
            arena_free(scratch);
            arena_free(arena);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allowed),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_allowed_with_a_tail),
        cmocka_unit_test(test_writes),
        cmocka_unit_test(test_every_prefix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
