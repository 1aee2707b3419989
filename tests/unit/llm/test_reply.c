/* Replies as models write them, right and wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/str.h"
#include "llm/llm.h"

static const char *const want_sql[] = {"sql", NULL};
static const char *const want_many[] = {"sql", "explanation", "tables", NULL};

struct reading {
    const char *name;
    const char *reply;
    const char *sql; /* NULL: nonsense */
};

static const struct reading readings[] = {
    {"json", "{\"sql\": \"SELECT 1\"}", "SELECT 1"},
    {"json with space", " \n\t{\"sql\": \"SELECT 1\"}\n\n", "SELECT 1"},
    {"byte order mark", "\xEF\xBB\xBF{\"sql\": \"SELECT 1\"}", "SELECT 1"},
    {"fenced json", "Here you go:\n```json\n{\"sql\": \"SELECT 1\"}\n```\nBye.",
     "SELECT 1"},
    {"fenced, no language", "```\n{\"sql\": \"SELECT 1\"}\n```", "SELECT 1"},
    {"fenced, tildes", "~~~json\n{\"sql\": \"SELECT 1\"}\n~~~", "SELECT 1"},
    {"fence never closed", "```json\n{\"sql\": \"SELECT 1\"}", "SELECT 1"},
    {"indented fence", "  ```json\n  {\"sql\": \"SELECT 1\"}\n  ```", "SELECT 1"},
    {"windows lines", "```json\r\n{\"sql\": \"SELECT 1\"}\r\n```\r\n", "SELECT 1"},
    {"prose around", "Sure! {\"sql\": \"SELECT 1\"} is the answer.", "SELECT 1"},
    {"braces in prose first", "For {x} we use {\"sql\": \"SELECT 1\"}", "SELECT 1"},
    {"braces in strings", "{\"sql\": \"SELECT '}{' AS \\\"a{\\\"\"}",
     "SELECT '}{' AS \"a{\""},
    {"prose then nested", "ok {\"plan\": {\"steps\": []}, \"sql\": \"SELECT '{'\"} x",
     "SELECT '{'"},
    {"trailing comma", "{\"sql\": \"SELECT 1\", \"tables\": [\"a\", ], }", "SELECT 1"},
    {"comma in a string stays", "{\"sql\": \"SELECT 'a, ]'\", }", "SELECT 'a, ]'"},
    {"raw line break in a string", "{\"sql\": \"SELECT 1\n FROM t\"}",
     "SELECT 1\n FROM t"},
    {"raw tab in a string", "{\"sql\": \"SELECT\t1\"}", "SELECT\t1"},
    {"comments", "{ // the query\n \"sql\": \"SELECT 1\" /* done */ }", "SELECT 1"},
    {"slashes in a string stay", "{\"sql\": \"SELECT 'http://x' /* c */\",}",
     "SELECT 'http://x' /* c */"},
    {"escape that is none", "{\"sql\": \"SELECT \\'a\\'\"}", "SELECT 'a'"},
    {"pattern with backslash", "{\"sql\": \"SELECT '\\d+'\"}", "SELECT '\\d+'"},
    {"upper case key", "{\"SQL\": \"SELECT 1\"}", "SELECT 1"},
    {"list of one", "[{\"sql\": \"SELECT 1\"}]", "SELECT 1"},
    {"wrapped once", "{\"response\": {\"sql\": \"SELECT 1\"}}", "SELECT 1"},
    {"unicode", "{\"sql\": \"SELECT 'größe \\u00e9 \\ud83d\\ude00'\"}",
     "SELECT 'größe é 😀'"},
    {"thinking", "<think>maybe {\"sql\": \"DROP\"}?</think>{\"sql\": \"SELECT 1\"}",
     "SELECT 1"},
    {"thinking, no opening", "hm {\"sql\": \"NO\"}</think>\n{\"sql\": \"SELECT 1\"}",
     "SELECT 1"},
    {"thinking twice", "<think>a</think>b<think>c</think>{\"sql\": \"SELECT 1\"}",
     "SELECT 1"},
    {"yaml", "sql: SELECT 1\nexplanation: one\n", "SELECT 1"},
    {"yaml block", "explanation: it counts\nsql: |\n  SELECT a\n  FROM t\n",
     "SELECT a\nFROM t"},
    {"yaml fenced", "```yaml\nsql: |\n  SELECT 1\nexplanation: one\n```", "SELECT 1\n"},
    {"yml fenced", "Text\n```yml\nsql: 'SELECT 1'\n```", "SELECT 1"},
    {"yaml after prose", "Here is it.\n\nsql: SELECT 1\n", "SELECT 1"},
    {"colon inside makes bad yaml",
     "explanation: note: this\nsql: SELECT a::text FROM t\n", "SELECT a::text FROM t"},
    {"labels", "SQL: SELECT 1 FROM t\nExplanation: x: y: z", "SELECT 1 FROM t"},
    {"bold label", "**SQL:** SELECT 1 FROM t", "SELECT 1 FROM t"},
    {"SQLQuery label", "Question: how many?\nSQLQuery: SELECT 1 FROM t",
     "SELECT 1 FROM t"},
    {"label, then fence", "SQL:\n```\nSELECT 1 FROM t\n```", "SELECT 1 FROM t"},
    {"sql fence", "Use this:\n```sql\nSELECT 1;\n```\nIt is good.", "SELECT 1"},
    {"sql fence, capitals", "```SQL\nSELECT 1\n```", "SELECT 1"},
    {"sqlite fence", "```sqlite\nSELECT 1\n```", "SELECT 1"},
    {"fence without language", "```\nSELECT a FROM t\n```", "SELECT a FROM t"},
    {"bare", "SELECT a FROM t", "SELECT a FROM t"},
    {"bare, lower case", "select a from t;", "select a from t"},
    {"bare, after prose", "The query is\nSELECT a\nFROM t;\nIt reads t.",
     "SELECT a\nFROM t"},
    {"bare, empty line ends it", "SELECT a FROM t\n\nThis reads t.", "SELECT a FROM t"},
    {"semicolon in a string", "SELECT ';' FROM t; bye", "SELECT ';' FROM t"},
    {"with", "WITH x AS (SELECT 1) SELECT * FROM x",
     "WITH x AS (SELECT 1) SELECT * FROM x"},
    {"no from", "SELECT 1", "SELECT 1"},
    {"a write is read too: the guard judges", "DELETE FROM t", "DELETE FROM t"},
    {"empty", "", NULL},
    {"space", "  \n ", NULL},
    {"prose", "I cannot help with that.", NULL},
    {"prose that begins like sql", "Select the customers you like.", NULL},
    {"with in prose", "With pleasure! What do you need?", NULL},
    {"other keys", "{\"answer\": 42}", NULL},
    {"a number", "42", NULL},
    {"a string", "\"SELECT\"", NULL},
    {"cut", "{\"sql\": \"SELECT 1", NULL},
    {"only a brace", "{", NULL},
    {"only closers", "}}}]]]", NULL},
    {"only a fence", "```", NULL},
    {"an empty fence", "```json\n```", NULL},
    {"an empty sql fence", "```sql\n\n```", NULL},
    {"an empty label", "sql:", NULL},
};

static void test_readings(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof readings / sizeof *readings; i++) {
        const struct reading *reading = &readings[i];
        struct arena *arena = arena_new();
        struct err err = {0};
        json_t *value =
            reply_read(arena, reading->reply, strlen(reading->reply), want_sql, &err);
        const char *sql = json_text_at(value, "sql");
        if (!str_equal(sql, reading->sql)) {
            fail_msg("%s: got %s, expected %s", reading->name, sql ? sql : "nothing",
                     reading->sql ? reading->sql : "nothing");
        }
        if (!reading->sql) {
            assert_null(value);
            assert_int_equal(err.code, ERR_LLM_NONSENSE);
        }
        arena_free(arena);
    }
}

static json_t *read_many(struct arena *arena, const char *text, const char *const *wanted)
{
    struct err err;
    return reply_read(arena, text, strlen(text), wanted, &err);
}

static void test_other_keys_come_along(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    json_t *value = read_many(
        arena, "{\"tables\": [\"a\", \"b\"], \"confidence\": 0.5, \"n\": 3}", want_many);
    assert_int_equal(json_array_size(json_array_at(value, "tables")), 2);
    assert_true(json_real_at(value, "confidence", 0) == 0.5);
    assert_int_equal(json_int_at(value, "n", 0), 3);
    value =
        read_many(arena, "tables:\n  - a\n  - b\nconfidence: 0.5\nok: true\n", want_many);
    assert_int_equal(json_array_size(json_array_at(value, "tables")), 2);
    assert_true(json_bool_at(value, "ok", false));
    arena_free(arena);
}

static void test_labels_are_split(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    json_t *value = read_many(arena,
                              "Explanation: counts: all\nof them\n"
                              "SQL: SELECT a\nFROM t WHERE x = 'y: z'",
                              want_many);
    assert_string_equal(json_text_at(value, "explanation"), "counts: all\nof them");
    assert_string_equal(json_text_at(value, "sql"), "SELECT a\nFROM t WHERE x = 'y: z'");
    arena_free(arena);
}

static void test_nothing_wanted_takes_anything(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    assert_true(json_is_array(read_many(arena, "[1, 2]", NULL)));
    assert_true(json_is_object(read_many(arena, "{\"x\": 1}", NULL)));
    assert_string_equal(json_text_at(read_many(arena, "SELECT 1 FROM t", NULL), "sql"),
                        "SELECT 1 FROM t");
    arena_free(arena);
}

static void test_sql_only_when_wanted(void **state)
{
    (void)state;
    static const char *const tables[] = {"tables", NULL};
    struct arena *arena = arena_new();
    assert_null(read_many(arena, "SELECT a FROM t", tables));
    assert_null(read_many(arena, "```sql\nSELECT a FROM t\n```", tables));
    arena_free(arena);
}

/* Whatever the bytes are: what is read has what was wanted, what is refused says why. */
static void check_any(const char *text, size_t size, const char *const *wanted)
{
    struct arena *arena = arena_new();
    struct err err;
    err_clear(&err);
    json_t *reply = reply_read(arena, text, size, wanted, &err);
    if (!reply) {
        assert_int_equal(err.code, ERR_LLM_NONSENSE);
        assert_true(err.message[0] != '\0');
    } else if (wanted) {
        assert_true(json_is_string(json_object_get(reply, "sql")));
    } else {
        assert_true(json_is_object(reply) || json_is_array(reply));
    }
    arena_free(arena);
}

/* A megabyte of each nasty thing: must come back, and a test run has a time limit. */
static void test_garbage_takes_bounded_time(void **state)
{
    (void)state;
    static const char *const units[] = {
        "{",        "[",           "}",      "\"",      "\\",       "{\"",   "{\"a\":",
        "```\n",    "```sql\n",    "sql:\n", "SELECT ", "SELECT\n", "WITH ", "<think>",
        "</think>", "- ",          "a: ",    "a: b\n",  "'",        "\n",    "\xFF",
        "{}",       "{\"a\":1}\n", "/*",     "//",      ",",        "{,",    ": ",
        "&a ",      "*a ",         "? ",     "|\n",     "~~~\n",
    };
    enum { SIZE = 1 << 20 };
    char *text = memory_alloc(SIZE + 1);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t unit = strlen(units[i]);
        for (size_t at = 0; at < SIZE; at++) {
            text[at] = units[i][at % unit];
        }
        check_any(text, SIZE, want_sql);
        check_any(text, SIZE, NULL);
    }
    memory_free(text);
}

/* Any bytes at all; the text need not end with a NUL. */
static void test_random_bytes(void **state)
{
    (void)state;
    static const char letters[] =
        "{}[]\":,\\`~\n\r\t aSELECTsql</think>|>-#*;'\xC3\xA9\xFF";
    srand(7);
    for (int round = 0; round < 3000; round++) {
        size_t size = (size_t)(rand() % 80);
        char *text = malloc(size + 1);
        for (size_t i = 0; i < size; i++) {
            text[i] = letters[(size_t)rand() % (sizeof letters - 1)];
        }
        char *tight = malloc(size ? size : 1);
        memcpy(tight, text, size);
        check_any(tight, size, round % 2 ? want_sql : NULL);
        free(tight);
        free(text);
    }
}

static void test_nonsense_names_the_beginning(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct err err;
    assert_null(reply_read(arena, "I would rather not.", 19, want_sql, &err));
    assert_non_null(strstr(err.detail, "I would rather"));
    arena_free(arena);
}

static void test_tokens_are_on_the_safe_side(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "hello world, this is English",
        "1234567890",
        "größenordnungsmäßig",
        "数据库中有多少客户",
        "SELECT a.b, c.d FROM x JOIN y ON (x.id = y.x_id)",
        ""};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_true((size_t)llm_tokens(texts[i], strlen(texts[i])) * 4 >=
                    strlen(texts[i]));
    }
    assert_int_equal(llm_tokens("", 0), 0);
    assert_true(llm_tokens("1234567890", 10) > llm_tokens("abcdefghij", 10));
    assert_true(llm_tokens("客户客户客户", 18) > llm_tokens("abcdefghijklmnopqr", 18));
}

/* Bytes are counted eight at a time: wherever one stands, it counts the same. */
static void test_tokens_do_not_depend_on_the_place(void **state)
{
    (void)state;
    char text[33] = {0};
    for (int byte = 1; byte < 256; byte++) {
        int before = -1;
        for (size_t at = 0; at < 32; at++) {
            memset(text, 'a', 32);
            text[at] = (char)byte;
            int tokens = llm_tokens(text, 32);
            assert_true(before < 0 || tokens == before);
            before = tokens;
        }
        /* alone, and as all of a text: letters 4, signs and other scripts 2 to a token */
        memset(text, byte, 32);
        bool letter = (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z' && byte < 0x80;
        int wanted = letter || byte == ' ' || byte == '\n' ? 8 : 16;
        assert_int_equal(llm_tokens(text, 32), wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_readings),
        cmocka_unit_test(test_other_keys_come_along),
        cmocka_unit_test(test_labels_are_split),
        cmocka_unit_test(test_nothing_wanted_takes_anything),
        cmocka_unit_test(test_sql_only_when_wanted),
        cmocka_unit_test(test_garbage_takes_bounded_time),
        cmocka_unit_test(test_random_bytes),
        cmocka_unit_test(test_nonsense_names_the_beginning),
        cmocka_unit_test(test_tokens_are_on_the_safe_side),
        cmocka_unit_test(test_tokens_do_not_depend_on_the_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
