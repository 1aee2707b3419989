/* Bodies of requests against the table of schemas: read strictly, and said which field.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/json.h"
#include "server/router.h"
#include "server/schema.h"

static bool keeps(struct arena *arena, const char *schema, const char *text,
                  struct err *err)
{
    err_clear(err);
    const json_t *body = json_parse(arena, text, strlen(text), err);
    return body && schema_check(schema, body, err);
}

static void test_bodies(void **state)
{
    static const struct {
        const char *schema;
        const char *body;
        const char *says; /* of the refusal; NULL: it is good */
    } cases[] = {
        {"AskRequest", "{\"query\": \"x\"}", NULL},
        {"AskRequest", "{\"query\": \"x\", \"dry_run\": true, \"brain\": null}", NULL},
        {"AskRequest", "{}", "query"},
        {"AskRequest", "{\"query\": null}", "query"},
        {"AskRequest", "{\"query\": 7}", "query"},
        {"AskRequest", "{\"query\": \"x\", \"dry_run\": \"true\"}", "dry_run"},
        {"AskRequest", "{\"query\": \"x\", \"Query\": \"x\"}", "Query"},
        {"AskRequest", "{\"query\": \"x\", \"query \": \"x\"}", "query "},
        {"AskRequest", "{\"query\": \"x\", \"query\": \"y\"}", ""},
        {"AskRequest", "[]", "object"},
        {"AskRequest", "\"query\"", ""},
        {"ApproveRequest", "{\"approved\": 1}", "approved"},
        {"ChatCompletionRequest", "{\"model\": \"m\", \"messages\": [], \"seed\": 7}",
         NULL},
        {"ChatCompletionRequest", "{\"model\": \"m\", \"seed\": 7}", "messages"},
        {"ChatCompletionRequest", "{\"model\": 7, \"messages\": []}", "model"},
        {"LessonChange", "{\"confidence\": 1}", NULL},
        {"LessonChange", "{\"confidence\": true}", "confidence"},
        {"SettingsChange", "{\"settings\": []}", "settings"},
        {"AnswerRequest", "{\"option\": 3}", NULL},
        {"AnswerRequest", "{\"option\": \"3\", \"correction\": {\"a\": []}}", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena *arena = arena_new();
        struct err err;
        bool ok = keeps(arena, cases[i].schema, cases[i].body, &err);
        if (ok != !cases[i].says || (!ok && !strstr(err.message, cases[i].says))) {
            fail_msg("%s: %s", cases[i].body, ok ? "taken" : err.message);
        }
        arena_free(arena);
    }
}

/* A row that names a schema which is not there would let everything be refused. */
static void test_routes_have_theirs(void **state)
{
    (void)state;
    const struct route *route = NULL;
    for (size_t i = 0; (route = router_at(i)); i++) {
        struct arena *arena = arena_new();
        struct err err;
        if (*route->request) {
            /* below /v1 other fields are ignored, but some are required */
            bool open = strncmp(route->path, "/v1/", 4) == 0;
            assert_false(keeps(arena, route->request, "{\"unheard_of\": 1}", &err));
            assert_non_null(
                strstr(err.message, open ? "'model' is missing" : "unheard_of"));
        }
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_routes_have_theirs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
