/* YAML: the tree, its places, its bounds, its JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/yaml.h"

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

static const struct yaml *parse(struct arena *arena, const char *text, struct err *err)
{
    return yaml_parse(arena, text, strlen(text), err);
}

static void the_tree_knows_its_places(void **state)
{
    struct err err;
    const struct yaml *root = parse(*state,
                                    "# settings\n"
                                    "llm:\n"
                                    "  model: gpt-4o\n"
                                    "  key: \"007\"\n"
                                    "list:\n"
                                    "- one\n"
                                    "- {two: 2}\n",
                                    &err);
    assert_non_null(root);
    assert_int_equal(root->kind, YAML_MAP);
    const struct yaml *llm = yaml_at(root, "llm");
    assert_int_equal(llm->line, 2);
    assert_int_equal(llm->column, 1);
    const struct yaml *model = yaml_at(llm, "model");
    assert_string_equal(model->key, "model");
    assert_string_equal(model->text, "gpt-4o");
    assert_false(model->quoted);
    assert_int_equal(model->line, 3);
    assert_int_equal(model->column, 3);
    assert_true(yaml_at(llm, "key")->quoted);
    const struct yaml *list = yaml_at(root, "list");
    assert_int_equal(list->kind, YAML_LIST);
    assert_string_equal(list->first->text, "one");
    assert_null(list->first->key);
    assert_int_equal(list->first->next->kind, YAML_MAP);
    assert_null(list->first->next->next);
    assert_null(yaml_at(root, "absent"));
    assert_null(yaml_at(list, "one"));
    assert_null(yaml_at(NULL, "one"));
}

static void nothing_reads_as_an_empty_scalar(void **state)
{
    static const char *const empty[] = {"", "# only a comment\n", "---\n"};
    for (size_t i = 0; i < 3; i++) {
        struct err err;
        const struct yaml *root = parse(*state, empty[i], &err);
        assert_non_null(root);
        assert_int_equal(root->kind, YAML_SCALAR);
        assert_string_equal(root->text, "");
    }
}

struct refusal {
    const char *text;
    const char *message;
};

static void bad_yaml_is_refused_with_its_place(void **state)
{
    static const struct refusal refusals[] = {
        {"a: 1\nb: [1, 2\n", "line 3"},
        {"a: &x 1\nb: *x\n", "anchors and aliases"},
        {"a: [&x 1]\n", "anchors and aliases"},
        {"a: &x {b: 1}\n", "anchors and aliases"},
        {"&x a: 1\n", "anchors and aliases"},
        {"b: *x\n", "anchors and aliases"},
        {"a: 1\nb: 2\na: 3\n", "the key 'a' is there twice (line 3, column 1)"},
        {"? [1]\n: 2\n", "a key must be"},
        {"a: 1\n---\nb: 2\n", "a second one begins"},
        {"a: \"x\\0y\"\n", "NUL"},
        {"a: \xFF\n", "Not valid YAML"},
        {"a: b: c\n", "line 1"},
        {"\ta: 1\n", "line 1"},
        {"a: 'open\n", "Not valid YAML"},
    };
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        struct err err;
        assert_null(parse(*state, refusals[i].text, &err));
        assert_int_equal(err.code, ERR_INVALID_DATA);
        assert_non_null(strstr(err.message, refusals[i].message));
    }
}

static const struct yaml *parse_repeated(struct arena *arena, const char *piece,
                                         size_t times, struct err *err)
{
    struct buf text;
    buf_init(&text, 10000000);
    for (size_t i = 0; i < times; i++) {
        (void)buf_text(&text, piece);
    }
    const struct yaml *root = yaml_parse(arena, buf_get(&text), text.size, err);
    buf_release(&text);
    return root;
}

static void depth_and_items_are_bounded(void **state)
{
    struct err err;
    assert_null(parse_repeated(*state, "[", 5000, &err));
    assert_non_null(strstr(err.message, "64 levels"));
    assert_null(parse_repeated(*state, "- a\n", 100001, &err));
    assert_non_null(strstr(err.message, "100000 items"));
    assert_non_null(parse_repeated(*state, "- a\n", 5000, &err));
}

static void as_json_plain_scalars_become_values(void **state)
{
    struct err err;
    const struct yaml *root = parse(
        *state,
        "{i: -5, r: 1.5, e: 1e3, t: true, f: False, n: null, tilde: ~, none: ,"
        " zip: 007, hex: 0x1F, quoted: '5', word: yes, date: 2024-01-05,"
        " big: 92233720368547758070, tagged: !!str 7, list: [1, a], dot: '1.', d: 1.}",
        &err);
    assert_non_null(root);
    char *text = json_dumps(yaml_to_json(*state, root), JSON_COMPACT);
    assert_string_equal(
        text, "{\"i\":-5,\"r\":1.5,\"e\":1000.0,\"t\":true,\"f\":false,\"n\":null,"
              "\"tilde\":null,\"none\":null,\"zip\":\"007\",\"hex\":\"0x1F\","
              "\"quoted\":\"5\",\"word\":\"yes\",\"date\":\"2024-01-05\","
              "\"big\":\"92233720368547758070\",\"tagged\":\"7\",\"list\":[1,\"a\"],"
              "\"dot\":\"1.\",\"d\":\"1.\"}");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_knows_its_places),
        cmocka_unit_test(nothing_reads_as_an_empty_scalar),
        cmocka_unit_test(bad_yaml_is_refused_with_its_place),
        cmocka_unit_test(depth_and_items_are_bounded),
        cmocka_unit_test(as_json_plain_scalars_become_values),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
