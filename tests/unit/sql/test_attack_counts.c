/* How many attacks and fixtures there are: SECURITY.md and docs/security.md say what the
 * files hold. */
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
#include "sql/attack.h"
#include "sql/dialect.h"

static char *read_text(struct arena *arena, const char *path)
{
    struct err err;
    size_t size;
    char *text = file_read(arena, path, 1 << 20, &size, &err);
    if (!text) {
        fail_msg("%s: %s (run from the root of the repository)", path, err.message);
    }
    return text;
}

static struct attacks corpus_of(struct arena *arena, enum dialect dialect)
{
    struct attacks attacks = {0};
    struct err err;
    char *path = arena_format(arena, "attacks/%s.txt", dialect_name(dialect));
    char *text = read_text(arena, path);
    assert_true(attacks_parse(arena, text, strlen(text), &attacks, &err));
    return attacks;
}

static size_t attacks_of(struct arena *arena, enum dialect dialect)
{
    return corpus_of(arena, dialect).count;
}

/* Those that the guard refuses, whoever asks. */
static size_t for_the_guard(struct arena *arena, enum dialect dialect)
{
    struct attacks attacks = corpus_of(arena, dialect);
    size_t count = 0;
    for (size_t i = 0; i < attacks.count; i++) {
        count += attacks.items[i].wall == ATTACK_GUARD;
    }
    return count;
}

/* Statements of a list: its lines but for empty ones and those that begin with ##, which
 * are for readers. */
static size_t lines_of(struct arena *arena, const char *path)
{
    struct texts lines = {0};
    size_t count = 0;
    str_split(arena, read_text(arena, path), '\n', &lines);
    for (size_t i = 0; i < lines.count; i++) {
        count += !str_empty(lines.items[i]) && !str_starts(lines.items[i], "##");
    }
    return count;
}

static size_t fixtures_of(struct arena *arena, const char *ending)
{
    size_t count = 0;
    for (int i = 0; i < DIALECT_COUNT; i++) {
        count += lines_of(arena, arena_format(arena, "tests/fixtures/guard/%s.%s.sql",
                                              dialect_name((enum dialect)i), ending));
    }
    return count;
}

static size_t classes_of(struct arena *arena)
{
    struct texts classes = {0};
    for (int i = 0; i < DIALECT_COUNT; i++) {
        struct attacks attacks = corpus_of(arena, (enum dialect)i);
        for (size_t j = 0; j < attacks.count; j++) {
            bool known = false;
            for (size_t k = 0; k < classes.count && !known; k++) {
                known = str_equal(classes.items[k], attacks.items[j].class);
            }
            if (!known) {
                VEC_PUSH(arena, &classes, attacks.items[j].class);
            }
        }
    }
    return classes.count;
}

/* 1,078 */
static char *grouped(struct arena *arena, size_t number)
{
    return number < 1000 ? arena_format(arena, "%zu", number)
                         : arena_format(arena, "%zu,%03zu", number / 1000, number % 1000);
}

static void expect(const char *path, const char *text, const char *said)
{
    if (!strstr(text, said)) {
        fail_msg("%s does not say '%s': the files have changed; write it there", path,
                 said);
    }
}

static const struct {
    const char *title;
    enum dialect dialect;
} titles[] = {
    {"PostgreSQL", DIALECT_POSTGRES},   {"ODBC", DIALECT_ODBC},
    {"DuckDB", DIALECT_DUCKDB},         {"MySQL", DIALECT_MYSQL},
    {"ClickHouse", DIALECT_CLICKHOUSE}, {"SQLite", DIALECT_SQLITE},
    {"BigQuery", DIALECT_BIGQUERY},
};

static void attacks_are_counted(void **state)
{
    (void)state;
    static const char path[] = "SECURITY.md";
    struct arena *arena = arena_new();
    char *text = read_text(arena, path);
    size_t all = 0;
    size_t least = SIZE_MAX;
    size_t most = 0;
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        size_t count = attacks_of(arena, titles[i].dialect);
        expect(path, text, arena_format(arena, "%s %zu", titles[i].title, count));
        all += count;
        least = count < least ? count : least;
        most = count > most ? count : most;
    }
    assert_int_equal(sizeof titles / sizeof *titles, DIALECT_COUNT);
    expect(path, text, arena_format(arena, "%s statements: ", grouped(arena, all)));
    size_t played =
        attacks_of(arena, DIALECT_SQLITE) + attacks_of(arena, DIALECT_DUCKDB) +
        attacks_of(arena, DIALECT_POSTGRES) + attacks_of(arena, DIALECT_MYSQL);
    expect(path, text, arena_format(arena, "| %zu statements |", played));
    size_t over_odbc = attacks_of(arena, DIALECT_POSTGRES) +
                       attacks_of(arena, DIALECT_MYSQL) +
                       2 * attacks_of(arena, DIALECT_ODBC);
    expect(path, text, arena_format(arena, "| %zu statements over ODBC |", over_odbc));
    size_t judged =
        for_the_guard(arena, DIALECT_POSTGRES) + for_the_guard(arena, DIALECT_MYSQL);
    expect(path, text, arena_format(arena, "`test_attack.c` | %zu statements |", judged));
    expect(path, text, arena_format(arena, "(%zu [classes]", classes_of(arena)));
    expect("docs/security.md", read_text(arena, "docs/security.md"),
           arena_format(arena, "%zu to %zu statements for each", least, most));
    arena_free(arena);
}

static void fixtures_are_counted(void **state)
{
    (void)state;
    static const char path[] = "SECURITY.md";
    struct arena *arena = arena_new();
    char *text = read_text(arena, path);
    expect(path, text,
           arena_format(arena, "| %zu to refuse, %zu to allow |",
                        fixtures_of(arena, "refused"), fixtures_of(arena, "allowed")));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attacks_are_counted),
        cmocka_unit_test(fixtures_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
