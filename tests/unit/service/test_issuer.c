/* Addresses in the description of an issuer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/str.h"
#include "service/sign_in/issuer.h"

static void an_issuer_cannot_lead_everywhere(void **state)
{
    static const struct {
        const char *issuer;
        const char *url;
        bool may;
    } cases[] = {
        {"https://id.example", "https://keys.example/jwks", true},
        {"https://id.example", "http://keys.example/jwks", false},
        {"https://id.example", "http://localhost/jwks", false},
        {"https://id.example", "https://localhost/jwks", false},
        {"https://id.example", "https://127.0.0.1:8080/jwks", false},
        {"https://id.example", "https://[::1]/jwks", false},
        {"https://id.example", "https://a@127.0.0.1/jwks", false},
        {"https://id.example", "https:///jwks", false},
        {"https://id.example", "file:///etc/passwd", false},
        {"https://id.example", "", false},
        {"https://id.example", NULL, false},
        {"https://localhost:9000", "https://localhost:9001/jwks", true},
        {"http://localhost:9000", "http://127.0.0.1:9001/jwks", true},
        {"http://localhost:9000", "https://id.example/jwks", true},
        {"http://localhost:9000", "http://id.example/jwks", false},
        {"http://id.example", "https://id.example/jwks", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (issuer_leads_to(cases[i].issuer, cases[i].url) != cases[i].may) {
            fail_msg("%s -> %s", cases[i].issuer, str_or_empty(cases[i].url));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_issuer_cannot_lead_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
