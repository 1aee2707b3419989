/* The PostgreSQL driver without a server: cells, arrays, URLs and errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#ifdef DRAGOMAN_HAS_POSTGRES
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "datasource/postgres/postgres_driver.h"

enum { OID_BYTES = 17, OID_INT = 23, OID_TEXT = 25, OID_NUMERIC = 1700 };

struct bench {
    struct postgres_state state;
    struct datasource source;
    struct arena *arena;
};

static int bench_setup(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    struct err err;
    if (!bench || !postgres_intake_load(&err)) {
        free(bench);
        return -1;
    }
    postgres_pool_init(&bench->state);
    bench->arena = arena_new();
    bench->source.arena = bench->arena;
    bench->source.state = &bench->state;
    *state = bench;
    return 0;
}

static int bench_teardown(void **state)
{
    struct bench *bench = *state;
    postgres_pool_release(&bench->state);
    arena_free(bench->arena);
    free(bench);
    return 0;
}

static const char *shown(struct bench *bench, const struct value *value)
{
    struct buf text;
    buf_init(&text, 4096);
    value_print(&text, value);
    const char *kept = buf_clone(&text, bench->arena);
    buf_release(&text);
    return kept;
}

static struct value cell(struct bench *bench, Oid oid, const char *text)
{
    struct postgres_type type = postgres_type_get(&bench->state, oid);
    return postgres_value(&bench->state, bench->arena, &type, text, strlen(text));
}

/* What is no array stays the text that it is; nothing is read past its end. */
static void broken_arrays_stay_text(void **state)
{
    struct bench *bench = *state;
    static const char *const texts[] = {
        "",         "{",     "}",    "{1",     "{1,",  "{,1}",
        "{1,}",     "{\"a",  "{\"",  "{\"a\\", "{1}}", "{1}x",
        "[1:2]={",  "[1:2]", "{{1}", "{1}{",   "x",    "{{{{{{{1}}}}}}}",
        "{\"a\"b}", "={1}"};
    struct postgres_type element = postgres_type_get(&bench->state, OID_TEXT);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        size_t size = strlen(texts[i]);
        char *exact = malloc(size + 1); /* so that a byte too far is seen */
        assert_non_null(exact);
        memcpy(exact, texts[i], size + 1);
        struct value value =
            postgres_array(&bench->state, bench->arena, &element, exact, size);
        if (value.kind != VALUE_TEXT) {
            fail_msg("'%s' became %s", texts[i], shown(bench, &value));
        }
        assert_int_equal(value.text.size, size);
        free(exact);
    }
}

static void arrays_become_json(void **state)
{
    struct bench *bench = *state;
    static const char *const pairs[][2] = {
        {"{}", "[]"},
        {"{a,null,NULL,\"null\"}", "[\"a\",null,null,\"null\"]"},
        {"{{a},{b}}", "[[\"a\"],[\"b\"]]"},
        {"[0:1]={a,b}", "[\"a\",\"b\"]"},
        {"{\"a\\\"b\",\"c\\\\d\",\"{,}\"}", "[\"a\\\"b\",\"c\\\\d\",\"{,}\"]"},
    };
    struct postgres_type element = postgres_type_get(&bench->state, OID_TEXT);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct value value = postgres_array(&bench->state, bench->arena, &element,
                                            pairs[i][0], strlen(pairs[i][0]));
        assert_int_equal(value.kind, VALUE_JSON);
        assert_string_equal(shown(bench, &value), pairs[i][1]);
    }
}

static void cells_keep_all_digits(void **state)
{
    struct bench *bench = *state;
    struct value value = cell(bench, OID_NUMERIC, "99999999999999999999.10");
    assert_int_equal(value.kind, VALUE_NUMBER);
    assert_string_equal(shown(bench, &value), "99999999999999999999.10");
    value = cell(bench, OID_INT, "-7");
    assert_int_equal(value.kind, VALUE_INT);
    value = cell(bench, OID_BYTES, "\\x0aFF"); /* the server writes small letters */
    assert_int_equal(value.kind, VALUE_BLOB);
    assert_int_equal(value.text.size, 2);
    value = cell(bench, OID_BYTES, "\\x");
    assert_int_equal(value.text.size, 0);
    value = cell(bench, OID_TEXT,
                 "a\xFF"
                 "b");
    assert_string_equal(shown(bench, &value), "a\xEF\xBF\xBD"
                                              "b");
    value = cell(bench, 999999, "of a type that nobody knows");
    assert_int_equal(value.kind, VALUE_TEXT);
}

static void types_have_their_measures(void **state)
{
    struct bench *bench = *state;
    struct postgres_state *known = &bench->state;
    assert_string_equal(postgres_type_name(known, bench->arena, 1043, 24), "VARCHAR(20)");
    assert_string_equal(postgres_type_name(known, bench->arena, 1043, -1), "VARCHAR");
    assert_string_equal(
        postgres_type_name(known, bench->arena, OID_NUMERIC, (10 << 16 | 2) + 4),
        "NUMERIC(10,2)");
    assert_string_equal(
        postgres_type_name(known, bench->arena, OID_NUMERIC, (5 << 16 | 0x7fd) + 4),
        "NUMERIC(5,-3)");
    assert_string_equal(postgres_type_name(known, bench->arena, 1007, -1), "INTEGER[]");
    assert_string_equal(postgres_type_name(known, bench->arena, 999999, 7), "");
}

static const char *keyword(const struct postgres_state *state, const char *word)
{
    const char *found = NULL; /* the last one counts */
    for (size_t i = 0; state->keywords[i]; i++) {
        found = strcmp(state->keywords[i], word) == 0 ? state->values[i] : found;
    }
    return found;
}

static void url_parts_arrive(void **state)
{
    struct bench *bench = *state;
    struct err err;
    assert_int_equal(setenv("DRAGOMAN_TEST_SECRET", "s3cret", 1), 0);
    bench->source.url = "postgres://me@h1:5433/sales?password_env=DRAGOMAN_TEST_SECRET"
                        "&sslmode=require&connect_timeout=3";
    assert_true(postgres_url_read(&bench->source, &bench->state, &err));
    assert_string_equal(keyword(&bench->state, "host"), "h1");
    assert_string_equal(keyword(&bench->state, "port"), "5433");
    assert_string_equal(keyword(&bench->state, "user"), "me");
    assert_string_equal(keyword(&bench->state, "password"), "s3cret");
    assert_string_equal(keyword(&bench->state, "sslmode"), "require");
    assert_string_equal(keyword(&bench->state, "client_encoding"), "UTF8");
    assert_string_equal(bench->state.database, "sales");
    assert_int_equal(bench->state.connect_timeout_ms, 3000);
    assert_null(keyword(&bench->state, "password_env"));
}

/* What libpq calls "prefer" is never asked of it. */
static void encryption_follows_from_the_host(void **state)
{
    struct bench *bench = *state;
    static const struct {
        const char *url;
        const char *mode;
        bool plain; /* may be tried without */
    } cases[] = {
        {"postgres://me@127.0.0.1/x", "require", true},
        {"postgres://me@localhost/x", "require", true},
        {"postgres:///x", "require", true},
        {"postgres://me@db/x", "require", false},
        {"postgres://me@db/x?sslmode=prefer", "require", true},
        {"postgres://me@db/x?sslmode=allow", "require", true},
        {"postgres://me@localhost,db/x", "require", false},
        {"postgres://me@localhost/x?hostaddr=10.0.0.1", "require", false},
        {"postgres:///x?service=shop", "require", false},
        {"postgres://me@db/x?sslmode=disable", "disable", false},
        {"postgres://me@localhost/x?sslmode=verify-full", "verify-full", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err;
        bench->source.url = cases[i].url;
        bench->state.plain_values = NULL;
        assert_true(postgres_url_read(&bench->source, &bench->state, &err));
        assert_string_equal(keyword(&bench->state, "sslmode"), cases[i].mode);
        if ((bench->state.plain_values != NULL) != cases[i].plain) {
            fail_msg("%s", cases[i].url);
        }
    }
    assert_int_equal(setenv("PGSSLMODE", "disable", 1), 0);
    struct err err;
    bench->source.url = "postgres://me@db/x";
    assert_true(postgres_url_read(&bench->source, &bench->state, &err));
    assert_string_equal(keyword(&bench->state, "sslmode"), "disable");
    assert_int_equal(unsetenv("PGSSLMODE"), 0);
}

static void connect_errors_have_classes(void **state)
{
    struct bench *bench = *state;
    static const struct {
        const char *text;
        enum err_code code;
    } cases[] = {
        {"connection to server at \"h\" failed: FATAL:  28P01\n", ERR_ACCESS},
        {"fe_sendauth: no password supplied\n", ERR_ACCESS},
        {"FATAL:  3D000\n", ERR_DATASOURCE_NOT_FOUND},
        {"FATAL:  53300\n", ERR_DATASOURCE_UNREACHABLE},
        {"SSL error: certificate verify failed\n", ERR_DATASOURCE_UNREACHABLE},
        {"could not translate host name \"secret-host\"\n", ERR_DATASOURCE_UNREACHABLE},
        {"", ERR_DATASOURCE_UNREACHABLE},
    };
    bench->state.database = "sales";
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err;
        err_clear(&err);
        assert_false(postgres_connect_fail(&bench->state, cases[i].text, &err));
        assert_int_equal(err.code, cases[i].code);
        assert_true(err.message[0] && err.hint[0]);
        assert_null(strstr(err.message, "secret-host"));
    }
}

#define BENCH_TEST(test)                                                                 \
    cmocka_unit_test_setup_teardown(test, bench_setup, bench_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(broken_arrays_stay_text),
        BENCH_TEST(arrays_become_json),
        BENCH_TEST(cells_keep_all_digits),
        BENCH_TEST(types_have_their_measures),
        BENCH_TEST(url_parts_arrive),
        BENCH_TEST(connect_errors_have_classes),
        BENCH_TEST(encryption_follows_from_the_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
    return 0; /* this build has no PostgreSQL */
}
#endif
