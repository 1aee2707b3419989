/* Types of content in headers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "server/media.h"

#define JSON "application/json"

static void a_body_is_what_it_says(void **state)
{
    static const char *const good[] = {JSON, "Application/JSON", JSON "; charset=utf-8",
                                       " " JSON " ;x"};
    static const char *const bad[] = {"",
                                      JSON ", text/plain",
                                      JSON "-seq",
                                      "json",
                                      "text/plain;" JSON,
                                      "application/",
                                      "*"
                                      "/*",
                                      JSON " x"};
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(media_is(good[i], JSON));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(media_is(bad[i], JSON));
    }
    assert_false(media_is(NULL, JSON));
}

static void a_client_says_what_it_takes(void **state)
{
    static const struct {
        const char *header;
        bool accepts;
    } cases[] = {
        {JSON, true},
        {"text/html , APPLICATION/json;q=0.1", true},
        {"application/*", true},
        {"*"
         "/*",
         true},
        {"text/html, *"
         "/*;q=0.8",
         true},
        {JSON ";q=0.001", true},
        {JSON ";v=1; q=1", true},
        {"", false},
        {",,;", false},
        {"text/*", false},
        {"application/jso", false},
        {"applicationx/*", false},
        {"*", false},
        {JSON ";q=0", false},
        {JSON "; q=0.000", false},
        {"*"
         "/*;q=0",
         false},
        {JSON ";q=0, *"
              "/*",
         false}, /* its own entry counts */
        {"*"
         "/*, " JSON ";q=0",
         false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (media_accepts(cases[i].header, JSON) != cases[i].accepts) {
            fail_msg("%s", cases[i].header);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_is_what_it_says),
        cmocka_unit_test(a_client_says_what_it_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
