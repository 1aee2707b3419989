/* Changed settings: whatever a client sends that is no value of a setting is the client's
 * error, and nothing changes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/service/instance_of_one.h"

enum kind { INT, REAL, BOOL, TEXT };

static const struct row {
    const char *key;
    enum kind kind;
    double least;
    double most;
} rows[] = {
#define SECTION(name, help)
#define OPTION(section, name, kind, value, least, most, help)                            \
    {#section "." #name, kind, least, most},
#define ALIAS(from, to)
#include "model/options/options.def"
#undef SECTION
#undef OPTION
#undef ALIAS
};

static int set_up(void **state)
{
    struct instance_of_one *instance = calloc(1, sizeof *instance);
    *state = instance;
    return instance_of_one_open(instance, "", NULL) ? 0 : -1;
}

static int tear_down(void **state)
{
    instance_of_one_close(*state);
    free(*state);
    return 0;
}

static void refused(struct dgm *dgm, const char *key, const char *value)
{
    struct dgm_error error;
    size_t size = strlen(key) + strlen(value) + 8;
    char *json = malloc(size);
    (void)snprintf(json, size, "{\"%s\":%s}", key, value);
    char *before = dgm_settings(dgm);
    bool taken = dgm_settings_change(dgm, NULL, json, &error);
    char *after = dgm_settings(dgm);
    if (taken || (error.http_status != 400 && error.http_status != 403)) {
        fail_msg("%.100s: %s, HTTP %d: %s", json, taken ? "taken" : error.code,
                 error.http_status, error.message);
    }
    assert_string_not_equal(error.message, "");
    assert_string_equal(before, after);
    dgm_free(before);
    dgm_free(after);
    free(json);
}

static void each_refused(struct dgm *dgm, const char *key, const char *const *values)
{
    for (; *values; values++) {
        refused(dgm, key, *values);
    }
}

static void refused_number(struct dgm *dgm, const char *key, double value)
{
    char text[400];
    (void)snprintf(text, sizeof text, "%.17g", value);
    refused(dgm, key, text);
    (void)snprintf(text, sizeof text, "\"%.17g\"", value);
    refused(dgm, key, text);
}

static void what_is_out_of_range_is_the_clients_error(void **state)
{
    static const char *const never[] = {"[]", "[1]", "{}", "{\"a\":1}", NULL};
    static const char *const no_number[] = {"\"soon\"",
                                            "\"\"",
                                            "true",
                                            "\"1e400\"",
                                            "\"nan\"",
                                            "\"-inf\"",
                                            "9223372036854775807",
                                            "-9223372036854775808",
                                            "1e300",
                                            NULL};
    static const char *const no_bool[] = {"2", "-1", "\"maybe\"", "\"\"", "0.5", NULL};
    struct dgm *dgm = ((struct instance_of_one *)*state)->dgm;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        each_refused(dgm, row->key, never);
        if (row->kind == INT || row->kind == REAL) {
            double step = row->kind == INT ? 1 : 0.5;
            refused_number(dgm, row->key, row->least - step);
            refused_number(dgm, row->key, row->most + step);
            each_refused(dgm, row->key, no_number);
        } else if (row->kind == BOOL) {
            each_refused(dgm, row->key, no_bool);
        } else {
            size_t size = (size_t)row->most + 1;
            char *text = malloc(size + 3);
            memset(text, 'x', size + 2);
            text[0] = text[size + 1] = '"';
            text[size + 2] = '\0';
            refused(dgm, row->key, text);
            free(text);
        }
    }
    refused(dgm, "sql.no_such_setting", "1");
    refused(dgm, "", "1");
}

static void a_choice_is_one_word(void **state)
{
    static const char *const keys[] = {"agent.brain", "agent.week_start",
                                       "understanding.mode", "llm.provider"};
    static const char *const values[] = {"\"auto|parser\"",
                                         "\"auto|fused\"",
                                         "\"monday|sunday\"",
                                         "\"openai|anthropic\"",
                                         "\"|\"",
                                         "\"AUTO\"",
                                         "7",
                                         "true",
                                         NULL};
    struct dgm *dgm = ((struct instance_of_one *)*state)->dgm;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        each_refused(dgm, keys[i], values);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_out_of_range_is_the_clients_error, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_choice_is_one_word, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
