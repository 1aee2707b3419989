/* The quick reader of JSON: takes and refuses what the thorough one does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"
#include "base/json_tree.h"
#include "base/memory.h"
#include "base/vec.h"

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

/* A copy without a NUL behind it, so that a sanitizer sees a step too far. */
static const struct json_tree *parse(struct arena *arena, const char *text, size_t size,
                                     struct err *err)
{
    char *copy = memory_alloc(size ? size : 1);
    memcpy(copy, text, size);
    const struct json_tree *tree = json_tree_parse(arena, copy, size, err);
    memory_free(copy);
    return tree;
}

static void getters_take_anything(void **state)
{
    static const char text[] = " {\"t\":\"x\",\"i\":5,\"r\":1.5,\"b\":true,\"n\":null,"
                               "\"a\":[1,\"p\",[],\"q\"],\"o\":{},\"e\":[ ]}\r\n\t";
    struct err err;
    struct texts texts = {0};
    const struct json_tree *tree = parse(*state, text, sizeof text - 1, &err);
    assert_non_null(tree);
    assert_int_equal(tree->count, 8);
    assert_string_equal(json_tree_text(tree, "t"), "x");
    assert_null(json_tree_text(tree, "i"));
    assert_null(json_tree_text(tree, "absent"));
    assert_null(json_tree_text(NULL, "t"));
    assert_null(json_tree_text(json_tree_array(tree, "a"), "t"));
    assert_int_equal(json_tree_int(tree, "i", 9), 5);
    assert_int_equal(json_tree_int(tree, "r", 9), 9);
    assert_true(json_tree_real(tree, "r", 9) == 1.5);
    assert_true(json_tree_real(tree, "i", 9) == 5);
    assert_true(json_tree_real(tree, "t", 9) == 9);
    assert_true(json_tree_bool(tree, "b", false));
    assert_true(json_tree_bool(tree, "n", true));
    assert_null(json_tree_array(tree, "o"));
    assert_non_null(json_tree_array(tree, "e"));
    assert_null(json_tree_items(tree, "e"));
    assert_null(json_tree_items(tree, "o"));
    json_tree_texts(*state, tree, "a", &texts);
    assert_int_equal(texts.count, 2);
    assert_string_equal(texts.items[1], "q");
}

static void texts_are_decoded(void **state)
{
    static const char text[] =
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e4\\u20AC"
        "\\ud83d\\ude00 \xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\x7F\"";
    struct err err;
    const struct json_tree *tree = parse(*state, text, sizeof text - 1, &err);
    assert_non_null(tree);
    assert_string_equal(tree->as.text,
                        "\"\\/\b\f\n\r\tA\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80 "
                        "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\x7F");
}

static void numbers_are_the_same(void **state)
{
    static const char *const numbers[] = {
        "0",
        "-0",
        "-0.0",
        "0.1",
        "-12.375",
        "0.33333333333333331",
        "123456789012.345",
        "1234567890.123456",
        "1e5",
        "1E-7",
        "2.5e+3",
        "1e-400",
        "999999999999999999",
        "9223372036854775807",
        "-9223372036854775808",
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct err err;
        size_t size = strlen(numbers[i]);
        const struct json_tree *tree = parse(*state, numbers[i], size, &err);
        const json_t *json = json_parse(*state, numbers[i], size, &err);
        assert_non_null(tree);
        assert_int_equal(tree->kind == JSON_TREE_REAL, json_is_real(json));
        if (json_is_real(json)) {
            double real = json_real_value(json);
            assert_memory_equal(&tree->as.real, &real, sizeof real);
        } else {
            assert_true(tree->as.integer == json_integer_value(json));
        }
    }
}

static void bad_json_is_refused_with_the_same_words(void **state)
{
    static const char *const bad[] = {
        "",
        " ",
        "{",
        "[",
        "[1",
        "[1,",
        "[1,]",
        "[,1]",
        "[1 2]",
        "]",
        "{\"a\":1,}",
        "{\"a\":1,\"a\":2}",
        "{\"a\":1,\"\\u0061\":2}",
        "{\"a\"",
        "{\"a\":",
        "{\"a\" 1}",
        "{1:1}",
        "{'a':1}",
        "[1] x",
        "[1]]",
        "nul",
        "nullx",
        "[tru]",
        "TRUE",
        "01",
        "-",
        "-01",
        "+1",
        ".5",
        "1.",
        "1.e5",
        "1e",
        "1e+",
        "0x10",
        "1e999",
        "9223372036854775808",
        "NaN",
        "\"",
        "\"a",
        "\"\\",
        "\"\\x\"",
        "\"\\u12",
        "\"\\u12g4\"",
        "\"\\u0000\"",
        "\"\\ud800\"",
        "\"\\ud800\\u0041\"",
        "\"\\ud800\\n\"",
        "\"\\udc00\"",
        "\"a\nb\"",
        "\"\xFF\"",
        "\"\xC0\x80\"",
        "\"\xED\xA0\x80\"",
        "\"\xF4\x90\x80\x80\"",
        "\"\xC3\"",
        "\"\xE2\x82",
        "\xEF\xBB\xBF[]",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct err quick;
        struct err thorough;
        assert_null(parse(*state, bad[i], strlen(bad[i]), &quick));
        assert_null(json_parse(*state, bad[i], strlen(bad[i]), &thorough));
        assert_int_equal(quick.code, ERR_INVALID_DATA);
        assert_string_equal(quick.message, thorough.message);
    }
    struct err err;
    assert_null(parse(*state, "[1]\0", 4, &err));
    assert_null(parse(*state, "[1\0]", 4, &err));
    assert_string_equal(err.message, "Not valid JSON: it holds a NUL byte.");
    assert_null(parse(*state, "\"a\0b\"", 5, &err));
}

/* {"k0":0,...}, and once more the last key when it is told to. */
static const struct json_tree *parse_keys(struct arena *arena, int count, bool twice)
{
    struct err err;
    struct buf buf;
    buf_init(&buf, 1 << 20);
    (void)buf_text(&buf, "{");
    for (int i = 0; i < count + twice; i++) {
        (void)buf_format(&buf, "%s\"k%d\":%d", i ? "," : "", i < count ? i : count / 2,
                         i);
    }
    (void)buf_text(&buf, "}");
    const struct json_tree *tree = parse(arena, buf_get(&buf), buf.size, &err);
    buf_release(&buf);
    return tree;
}

static void a_key_twice_is_seen_among_many(void **state)
{
    static const int counts[] = {1, 31, 32, 33, 5000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const struct json_tree *tree = parse_keys(*state, counts[i], false);
        assert_non_null(tree);
        assert_int_equal(tree->count, counts[i]);
        assert_null(parse_keys(*state, counts[i], true));
    }
}

/* As many lists in each other, the innermost empty. */
static const struct json_tree *parse_deep(struct arena *arena, size_t depth)
{
    struct err err;
    char *text = memory_alloc(depth * 2);
    memset(text, '[', depth);
    memset(text + depth, ']', depth);
    const struct json_tree *tree = parse(arena, text, depth * 2, &err);
    memory_free(text);
    return tree;
}

static void deep_nesting_is_refused(void **state)
{
    assert_non_null(parse_deep(*state, JSON_PARSER_MAX_DEPTH));
    assert_null(parse_deep(*state, JSON_PARSER_MAX_DEPTH + 1));
    assert_null(parse_deep(*state, 100000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(getters_take_anything),
        cmocka_unit_test(texts_are_decoded),
        cmocka_unit_test(numbers_are_the_same),
        cmocka_unit_test(bad_json_is_refused_with_the_same_words),
        cmocka_unit_test(a_key_twice_is_seen_among_many),
        cmocka_unit_test(deep_nesting_is_refused),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
