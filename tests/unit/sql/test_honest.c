/* Honest analytical queries: the guard must let every one of them pass. */
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
    char *path = arena_format(arena, "tests/fixtures/guard/honest/%s.sql", name);
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

static void read_queries(struct arena *arena, enum dialect dialect, struct texts *lines)
{
    read_lines(arena, "common", lines);
    read_lines(arena, dialect_name(dialect), lines);
    if (dialect == DIALECT_MYSQL) {
        read_lines(arena, "mysql-8", lines);
    }
}

static void test_allowed(void **state)
{
    (void)state;
    size_t wrong = 0;
    for (int i = 0; i < DIALECT_COUNT; i++) {
        struct arena *arena = arena_new();
        struct texts lines = {0};
        enum dialect dialect = (enum dialect)i;
        read_queries(arena, dialect, &lines);
        for (size_t j = 0; j < lines.count; j++) {
            struct guard_result result;
            guard_check(arena, dialect, lines.items[j], strlen(lines.items[j]), NULL,
                        &result);
            if (result.verdict != GUARD_READ) {
                wrong++;
                print_error("%s: %s\n  %s\n", dialect_name(dialect), lines.items[j],
                            result.reason);
            }
        }
        if (lines.count < 300) {
            fail_msg("%s: only %zu queries", dialect_name(dialect), lines.count);
        }
        arena_free(arena);
    }
    assert_int_equal(wrong, 0); /* false refusals */
}

/* Each is a query of its own: none is there twice. */
static void test_different(void **state)
{
    (void)state;
    for (int i = 0; i < DIALECT_COUNT; i++) {
        struct arena *arena = arena_new();
        struct texts lines = {0};
        read_queries(arena, (enum dialect)i, &lines);
        for (size_t j = 0; j < lines.count; j++) {
            for (size_t k = 0; k < j; k++) {
                if (str_equal(lines.items[j], lines.items[k])) {
                    fail_msg("twice: %s", lines.items[j]);
                }
            }
        }
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allowed),
        cmocka_unit_test(test_different),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
