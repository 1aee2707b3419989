/* Reading JSON: strict, and getters that never fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"
#include "base/memory.h"

static int setup(void **state)
{
    *state = arena_new();
    return 0;
}

static int teardown(void **state)
{
    arena_free(*state);
    return 0;
}

static json_t *parse(struct arena *arena, const char *text, struct err *err)
{
    return json_parse(arena, text, strlen(text), err);
}

static void getters_take_anything(void **state)
{
    struct err err;
    const json_t *json = parse(
        *state, "{\"t\":\"x\",\"i\":5,\"r\":1.5,\"b\":true,\"a\":[1],\"o\":{}}", &err);
    assert_non_null(json);
    assert_string_equal(json_text_at(json, "t"), "x");
    assert_null(json_text_at(json, "i"));
    assert_null(json_text_at(json, "absent"));
    assert_int_equal(json_int_at(json, "i", 9), 5);
    assert_int_equal(json_int_at(json, "r", 9), 9);
    assert_true(json_real_at(json, "r", 9) == 1.5);
    assert_true(json_real_at(json, "i", 9) == 5);
    assert_true(json_bool_at(json, "b", false));
    assert_true(json_bool_at(json, "t", true));
    assert_int_equal(json_array_size(json_array_at(json, "a")), 1);
    assert_null(json_array_at(json, "o"));
    assert_non_null(json_object_at(json, "o"));
    assert_null(json_object_at(NULL, "o"));
    assert_null(json_text_at(json_array_at(json, "a"), "x"));
}

static void bad_json_is_refused_with_its_place(void **state)
{
    static const char *const bad[] = {
        "",         "{",       "{\"a\":1,}", "{\"a\":1,\"a\":2}",
        "[1] x",    "{'a':1}", "[01]",       "\"\xFF\"",
        "nul",      "[1e999]", "{\"a\" 1}",  "\"\\ud800\"",
        "\"a\nb\"",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct err err;
        assert_null(parse(*state, bad[i], &err));
        assert_int_equal(err.code, ERR_INVALID_DATA);
        assert_non_null(strstr(err.message, "line"));
    }
}

static void deep_nesting_is_refused(void **state)
{
    size_t depth = 100000;
    char *text = memory_alloc(depth + 1);
    memset(text, '[', depth);
    struct err err;
    assert_null(parse(*state, text, &err));
    assert_int_equal(err.code, ERR_INVALID_DATA);
    memory_free(text);
}

static void errors_are_in_plain_words(void **state)
{
    struct err err;
    assert_null(parse(*state, "{\"a\": \"\\u0000\"}", &err));
    assert_null(strstr(err.message, "JSON_"));
    assert_non_null(strstr(err.message, "the character \\u0000, which is not allowed"));
}

static void any_value_may_stand_alone(void **state)
{
    struct err err;
    assert_true(json_is_integer(parse(*state, " 5 ", &err)));
    assert_true(json_is_null(parse(*state, "null", &err)));
    assert_null(json_keep(*state, NULL));
}

/* What a terminal would obey is a \\u escape, and nothing else changes. */
static void what_is_written_is_harmless(void **state)
{
    static const char given[] =
        "{\"a\":[1,1.5,true,null,\"\\u001b[31m \\u009b2J \\u202e \\u2028 \\u007f "
        "\\ufeff\"],\"\\u202e\":\"grün \\n\"}";
    struct err err;
    struct buf out;
    buf_init(&out, 1 << 16);
    assert_true(json_write(parse(*state, given, &err), &out));
    for (const char *at = buf_get(&out); *at; at++) {
        assert_true((unsigned char)*at >= ' ' && *at != 0x7f);
    }
    assert_non_null(
        strstr(buf_get(&out), "\\u009b2J \\u202e \\u2028 \\u007f \\ufeff\"]"));
    assert_non_null(strstr(buf_get(&out), "\"\\u202e\":\"grün \\n\"}"));
    assert_true(
        json_equal(parse(*state, buf_get(&out), &err), parse(*state, given, &err)));
    buf_release(&out);
    buf_init(&out, 8);
    assert_false(json_write(parse(*state, given, &err), &out));
    buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(getters_take_anything),
        cmocka_unit_test(bad_json_is_refused_with_its_place),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(errors_are_in_plain_words),
        cmocka_unit_test(any_value_may_stand_alone),
        cmocka_unit_test(what_is_written_is_harmless),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
