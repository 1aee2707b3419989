/* Errors: three voices, names both ways, promises to scripts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/err.h"
#include "base/utf8.h"

static void setting_fills_every_voice(void **state)
{
    (void)state;
    struct err err;
    assert_false(err_set(&err, ERR_TIMEOUT, "It took %d s.", 30));
    assert_int_equal(err.code, ERR_TIMEOUT);
    assert_int_equal(err.position, -1);
    assert_string_equal(err.message, "It took 30 s.");
    assert_string_equal(err.detail, "");
    assert_string_equal(err.hint, err_default_hint(ERR_TIMEOUT));
    assert_false(err_detail(&err, "limit %d", 30));
    assert_false(err_hint(&err, "Wait."));
    assert_string_equal(err.detail, "limit 30");
    assert_string_equal(err.hint, "Wait.");
    err_clear(&err);
    assert_int_equal(err.code, ERR_OK);
    assert_string_equal(err.message, "");
}

static void long_messages_are_cut_between_characters(void **state)
{
    (void)state;
    for (size_t shift = 0; shift < 3; shift++) {
        char text[1000];
        memset(text, 'a', shift);
        for (size_t i = shift; i + 3 < sizeof text; i += 3) {
            memcpy(text + i, "\xE2\x82\xAC", 3);
            text[i + 3] = '\0';
        }
        struct err err;
        (void)err_set(&err, ERR_INTERNAL, "%s", text);
        size_t size = strlen(err.message);
        assert_true(size < sizeof err.message);
        assert_true(utf8_valid(err.message, size, NULL));
        assert_string_equal(err.message + size - 3, "...");
    }
}

static void names_go_both_ways(void **state)
{
    (void)state;
    for (int i = 0; i < ERR_COUNT; i++) {
        enum err_code code = ERR_COUNT;
        assert_true(err_find(err_name((enum err_code)i), &code));
        assert_int_equal(code, i);
    }
    enum err_code code = ERR_OK;
    assert_false(err_find("NO_SUCH_CODE", &code));
}

static void exit_statuses_are_unique_and_fit(void **state)
{
    (void)state;
    bool seen[256] = {false};
    for (int i = 0; i < ERR_COUNT; i++) {
        int status = err_exit_status((enum err_code)i);
        assert_in_range(status, 0, 255);
        assert_false(seen[status]);
        seen[status] = true;
        assert_in_range(err_http_status((enum err_code)i), 200, 599);
    }
    assert_int_equal(err_exit_status(ERR_OK), 0);
    assert_int_equal(err_exit_status(ERR_UNSAFE), 3);
    assert_int_equal(err_exit_status(ERR_STOPPED), 130);
    assert_true(err_retryable(ERR_LLM_RATE_LIMITED));
    assert_false(err_retryable(ERR_UNSAFE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(setting_fills_every_voice),
        cmocka_unit_test(long_messages_are_cut_between_characters),
        cmocka_unit_test(names_go_both_ways),
        cmocka_unit_test(exit_statuses_are_unique_and_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
