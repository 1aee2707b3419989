/* The small Mustache: what it renders, what it refuses, and what bounds it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "prompt/template.h"

static struct slot *sample(struct arena *arena)
{
    struct slot *values = slot_map(arena);
    slot_text(arena, values, "question", "how many <users> & \"orders\"?");
    slot_text(arena, values, "nothing", NULL);
    slot_int(arena, values, "count", 42);
    slot_int(arena, values, "zero", 0);
    slot_flag(arena, values, "yes", true);
    slot_flag(arena, values, "no", false);
    slot_text(arena, slot_child(arena, values, "schema"), "name", "shop");
    static const char *const names[] = {"orders", "users"};
    for (size_t i = 0; i < 2; i++) {
        struct slot *table = slot_item(arena, values, "tables");
        slot_text(arena, table, "name", names[i]);
        slot_item_text(arena, table, "columns", "id");
        slot_item_text(arena, table, "columns", "name");
    }
    return values;
}

struct render_case {
    const char *template;
    const char *expected;
};

static const struct render_case renders[] = {
    {"", ""},
    {"plain text, { and } and }} stay", "plain text, { and } and }} stay"},
    {"Q: {{question}}", "Q: how many <users> & \"orders\"?"},
    {"{{{ question }}}|{{& count }}", "how many <users> & \"orders\"?|42"},
    {"[{{nothing}}{{missing}}{{schema}}{{tables}}]", "[]"},
    {"{{yes}} {{no}} {{zero}}", "true false 0"},
    {"{{schema.name}} {{schema.none}} {{question.name}}", "shop  "},
    {"{{#yes}}a{{/yes}}{{#no}}b{{/no}}{{^no}}c{{/no}}{{^yes}}d{{/yes}}", "ac"},
    {"{{#zero}}a{{/zero}}{{#count}}b{{/count}}{{^nothing}}c{{/nothing}}", "bc"},
    {"{{#question}}[{{.}}]{{/question}}", "[how many <users> & \"orders\"?]"},
    {"{{#tables}}{{name}};{{/tables}}{{^tables}}none{{/tables}}", "orders;users;"},
    {"{{#tables}}{{name}}({{#columns}}{{.}},{{/columns}}) {{/tables}}",
     "orders(id,name,) users(id,name,) "},
    {"{{#tables}}{{count}}{{schema.name}} {{/tables}}", "42shop 42shop "},
    {"{{#schema}}{{name}}{{/schema}}", "shop"},
    {"{{! a comment\nover lines }}x", "x"},
    /* Tags alone on a line take it along. */
    {"A\n{{#yes}}\nB\n{{/yes}}\nC\n", "A\nB\nC\n"},
    {"A\n  {{! note }}  \nB", "A\nB"},
    {"A\r\n{{#yes}}\r\nB\r\n{{/yes}}\r\n", "A\r\nB\r\n"},
    {"{{#tables}}\n- {{name}}\n{{/tables}}", "- orders\n- users\n"},
    {"a {{#yes}}\nb{{/yes}}", "a \nb"},
    {"{{question}}\n{{count}}\n", "how many <users> & \"orders\"?\n42\n"},
    {"{{#no}}{{#tables}}x{{/tables}}{{/no}}y", "y"},
};

static void test_renders(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof renders / sizeof renders[0]; i++) {
        struct arena *arena = arena_new();
        struct err err = {0};
        const char *text = renders[i].template;
        struct template *template =
            template_compile(arena, "case", text, strlen(text), &err);
        assert_non_null(template);
        struct buf out;
        buf_init(&out, 1000);
        assert_true(template_render(template, sample(arena), &out, &err));
        assert_string_equal(buf_get(&out), renders[i].expected);
        buf_release(&out);
        arena_free(arena);
    }
}

struct refusal {
    const char *template;
    const char *part; /* of the message */
};

static const struct refusal refusals[] = {
    {"a\nb {{#open}} c", "line 2: {{#open}} is never closed"},
    {"{{/shut}}", "line 1: {{/shut}} closes a section that is not open"},
    {"{{#a}}{{#b}}{{/a}}{{/b}}", "{{/a}} closes another section"},
    {"\n\n{{name", "line 3: {{name}} is never ended"},
    {"{{}}", "is no tag"},
    {"{{a b}}", "{{a b}} is no tag"},
    {"{{=<% %>=}}", "is no tag"},
    {"{{.a}}", "is no tag"},
    {"{{>other}}", "{{>other}} names a partial that does not exist"},
    {"{{{x}}", "is never ended"},
};

static void test_refuses(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        struct arena *arena = arena_new();
        struct err err = {0};
        const char *text = refusals[i].template;
        assert_null(template_compile(arena, "case", text, strlen(text), &err));
        assert_int_equal(err.code, ERR_CONFIG);
        if (!strstr(err.message, refusals[i].part)) {
            fail_msg("'%s' is not in '%s'", refusals[i].part, err.message);
        }
        arena_free(arena);
    }
}

static bool find_partial(void *context, const char *name, const char **text, size_t *size)
{
    (void)context;
    static const char *const partials[][2] = {
        {"row", "- {{name}}\n"},         {"outer", "<{{>row}}>"}, {"self", "x{{>self}}"},
        {"twice", "{{>self}}{{>self}}"}, {"half", "{{#tables}}"},
    };
    for (size_t i = 0; i < sizeof partials / sizeof partials[0]; i++) {
        if (strcmp(partials[i][0], name) == 0) {
            *text = partials[i][1];
            *size = strlen(*text);
            return true;
        }
    }
    return false;
}

static void test_partials(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct err err = {0};
    struct template_partials partials = {.find = find_partial};
    const char *text = "{{#tables}}\n  {{>row}}\n{{/tables}}\n{{>outer}}";
    struct template *template =
        template_compile_with(arena, "case", text, strlen(text), &partials, &err);
    assert_non_null(template);
    struct slot *values = sample(arena);
    slot_text(arena, values, "name", "top");
    struct buf out;
    buf_init(&out, 1000);
    assert_true(template_render(template, values, &out, &err));
    assert_string_equal(buf_get(&out), "- orders\n- users\n<- top\n>");
    buf_release(&out);
    static const char *const bad[] = {"{{>self}}", "{{>twice}}", "{{>half}}{{/tables}}"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_null(template_compile_with(arena, "case", bad[i], strlen(bad[i]),
                                          &partials, &err));
        assert_int_equal(err.code, ERR_CONFIG);
    }
    arena_free(arena);
}

static void test_nesting_is_bounded(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct err err = {0};
    struct buf deep;
    buf_init(&deep, 10000);
    for (int i = 0; i < 33; i++) {
        buf_text(&deep, "{{#a}}");
    }
    for (int i = 0; i < 33; i++) {
        buf_text(&deep, "{{/a}}");
    }
    assert_null(template_compile(arena, "deep", deep.data, deep.size, &err));
    assert_non_null(strstr(err.message, "too deeply"));
    assert_non_null(template_compile(arena, "deep", deep.data + 6, deep.size - 12, &err));
    buf_release(&deep);
    arena_free(arena);
}

static void test_output_is_bounded(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct err err = {0};
    struct template *template =
        template_compile(arena, "big", "{{count}}{{count}}", 18, &err);
    struct buf out;
    buf_init(&out, 3);
    assert_false(template_render(template, sample(arena), &out, &err));
    assert_int_equal(err.code, ERR_LLM_TOO_LARGE);
    buf_release(&out);
    arena_free(arena);
}

/* Values are untrusted: tags inside them are text, and setting again replaces. */
static void test_values_are_text(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct err err = {0};
    struct slot *values = slot_map(arena);
    char text[] = "{{secret}}{{#yes}}";
    slot_text(arena, values, "question", text);
    memset(text, 'x', 4); /* the slot has its own copy */
    slot_text(arena, values, "secret", "hidden");
    slot_item_text(arena, values, "again", "a list first");
    slot_text(arena, values, "again", "a text then");
    struct template *template =
        template_compile(arena, "t", "{{question}} {{again}}", 22, &err);
    struct buf out;
    buf_init(&out, 100);
    assert_true(template_render(template, values, &out, &err));
    assert_string_equal(buf_get(&out), "{{secret}}{{#yes}} a text then");
    buf_release(&out);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_renders),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_partials),
        cmocka_unit_test(test_nesting_is_bounded),
        cmocka_unit_test(test_output_is_bounded),
        cmocka_unit_test(test_values_are_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
