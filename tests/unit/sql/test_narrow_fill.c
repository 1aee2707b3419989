/* Claims in the condition of a policy: one literal each, in every dialect, whatever the
 * value holds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "sql/narrow/narrow_state.h"

static const char *filled(struct arena *arena, enum dialect dialect, const char *claims,
                          const char *condition)
{
    const struct narrow_rules rules = {
        .account = "ann", .claims = json_quick(arena, claims, strlen(claims))};
    assert_non_null(rules.claims);
    return narrow_fill(arena, dialect, &rules, condition);
}

static void expect(const char *claims, const char *condition, const char *expected)
{
    struct arena *arena = arena_new();
    for (int dialect = 0; dialect < DIALECT_COUNT; dialect++) {
        assert_string_equal(filled(arena, (enum dialect)dialect, claims, condition),
                            expected);
    }
    arena_free(arena);
}

static void values_become_literals(void **state)
{
    (void)state;
    expect("{\"r\":\"EU\"}", "region = {claim.r}", "region = 'EU'");
    expect("{\"r\":\"\"}", "region = {claim.r}", "region = ''");
    expect("{\"r\":-7}", "id = {claim.r}", "id = (-7)");
    expect("{\"r\":true}", "admin = {claim.r}", "admin = 'true'");
    expect("{\"r\":\"EU\",\"https://x.example/team\":\"a\"}",
           "region = {claim.r} AND t = {claim.https://x.example/team} AND o = :account",
           "region = 'EU' AND t = 'a' AND o = 'ann'");
    expect("{\"r\":[\"EU\",\"US\"]}", "region IN ({claim.r})", "region IN ('EU', 'US')");
    expect("{\"r\":\"EU\"}", "region in ( {claim.r} ) AND a = 1",
           "region in ( 'EU' ) AND a = 1");
    expect("{\"r\":\"{claim.s}\",\"s\":\"x\"}", "region = {claim.r}",
           "region = '{claim.s}'");
}

static void what_is_no_value_lets_nothing_through(void **state)
{
    static const char *const bad[] = {
        "{}",
        "{\"r\":null}",
        "{\"r\":{}}",
        "{\"r\":[]}",
        "{\"r\":1.5}",
        "{\"r\":[\"a\",\"b\"]}",
        "{\"r\":[[\"a\"]]}",
        "{\"r\":\"a\\nb\"}",
        "{\"r\":\"a\\u007f\"}",
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        expect(bad[i], "COALESCE({claim.r}, region) = region OR open", "1 = 0");
    }
    expect("{\"r\":[\"a\",null]}", "region IN ({claim.r})", "1 = 0");
    expect("{\"r\":[]}", "region NOT IN ({claim.r})", "1 = 0");
    expect("{\"r\":[\"a\",\"b\"]}", "region IN ({claim.r}, 'c')", "1 = 0");
    struct arena *arena = arena_new();
    char *longer = arena_alloc(arena, 514);
    memset(longer, 'x', 513);
    expect(arena_format(arena, "{\"r\":\"%s\"}", longer), "r = {claim.r}", "1 = 0");
    arena_free(arena);
}

/* In quotes and comments it is text, as everything else there. */
static void only_a_place_is_filled(void **state)
{
    (void)state;
    expect("{\"r\":\"EU\"}", "a = '{claim.r}' AND b = {claim.r}",
           "a = '{claim.r}' AND b = 'EU'");
    expect("{\"r\":\"EU\"}", "a = {claim.r} /* {claim.other} */", "a = 'EU'");
}

/* Is what was filled in one token with this very value? */
static void nothing_ends_a_literal(void **state)
{
    static const char *const values[] = {
        "' OR '1'='1", "x\\' OR 1=1 --",
        "\\",          "\\\\",
        "''",          "'",
        "\"",          "`",
        "$$",          "$a$",
        "x'); DROP",   "--",
        "/*",          "%s%n",
        ":account",    "\xe2\x80\x99",
        "\xca\xbc",    "\\u0027",
        "\\x27",       "\\047",
        "'' OR ''",    "\\''",
        "\\\\' OR",    "E'\\''",
        "q'[",         "?",
        "$1",          "@x",
        "{a:Int}",     ";",
    };
    struct arena *arena = arena_new();
    (void)state;
    for (int dialect = 0; dialect < DIALECT_COUNT; dialect++) {
        for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
            struct tokens tokens = {0};
            json_t *claims = json_pack("{s:s}", "r", values[i]);
            const struct narrow_rules rules = {.claims = json_keep(arena, claims)};
            const char *text =
                narrow_fill(arena, (enum dialect)dialect, &rules, "region = {claim.r}");
            lexer_run(arena, (enum dialect)dialect, text, strlen(text), &tokens);
            assert_int_equal(tokens.count, 3);
            if (!str_equal(text, "1 = 0")) {
                assert_int_equal(tokens.items[2].kind, TOKEN_STRING);
                assert_string_equal(tokens.items[2].text, values[i]);
            }
        }
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_become_literals),
        cmocka_unit_test(what_is_no_value_lets_nothing_through),
        cmocka_unit_test(only_a_place_is_filled),
        cmocka_unit_test(nothing_ends_a_literal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
