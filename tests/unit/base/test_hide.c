/* What looks like a secret does not stand in a text any more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/hide.h"

static void secrets_are_hidden(void **state)
{
    (void)state;
    static const struct {
        const char *said;
        const char *shown;
    } rows[] = {
        {"", ""},
        {"nothing to see", "nothing to see"},
        {"'postgres://ann:kanari@host:5432/shop' is one word too many",
         "'postgres://***@host:5432/shop' is one word too many"},
        {"https://kanari@host/x", "https://***@host/x"},
        {"mysql://ann:ka/na:ri@host/x y", "mysql://***@host/x y"},
        {"mysql://ann:ka@na@host/x", "mysql://***@host/x"},
        {"mysql://ann:ka'n ari@host/x", "mysql://***@host/x"},
        {"mysql://ann:kanari", "mysql://***"},
        {"mysql://ann:kan... and more", "mysql://*** and more"},
        {"a://u:p@h b://u:p@i", "a://***@h b://***@i"},
        {"http://127.0.0.1:8080/v1 and http://[::1]:8080", NULL},
        {"https://example.com/x?mail=a@b", NULL},
        {"file:///tmp/a.db", NULL},
        {"postgres://host/x?password=kanari&sslmode=require",
         "postgres://host/x?password=***&sslmode=require"},
        {"odbc:Driver=x;UID=ann;PWD={ka;na}ri;Database=y",
         "odbc:Driver=x;UID=ann;PWD=***;Database=y"},
        {"Pwd=k", "Pwd=*"},
        {"password_env=NAME", NULL},
        {"--set llm.key=kanari", "--set llm.key=***"},
        {"there is no key dgm_0123456789abcdef_kanari.",
         "there is no key dgm_0123456789abcdef_***"},
        {"the prefix dgm_ of keys", NULL},
        {"sk-learn is not sk-kanari0123456789abc", "sk-learn is not sk-***"},
        {"Authorization: Bearer kanari0123456789", "Authorization: Bearer ***"},
        {"task-force-of-the-twenty-first-century", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[200];
        (void)snprintf(text, sizeof text, "%s", rows[i].said);
        hide_secrets(text);
        assert_string_equal(text, rows[i].shown ? rows[i].shown : rows[i].said);
        hide_secrets(text); /* what is hidden stays as it is */
        assert_string_equal(text, rows[i].shown ? rows[i].shown : rows[i].said);
    }
}

static void no_voice_of_an_error_tells_one(void **state)
{
    (void)state;
    struct err err;
    char url[600];
    (void)snprintf(url, sizeof url, "postgres://ann:%0500d@host/x", 7);
    for (size_t cut = 21; cut < sizeof err.message; cut++) { /* wherever it is cut */
        (void)err_set(&err, ERR_USAGE, "%.*s", (int)cut, url);
        assert_null(strstr(err.message, "000"));
    }
    (void)err_detail(&err, "%s", url);
    (void)err_hint(&err, "%s", url);
    assert_null(strstr(err.detail, "000"));
    assert_null(strstr(err.hint, "000"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(secrets_are_hidden),
        cmocka_unit_test(no_voice_of_an_error_tells_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
