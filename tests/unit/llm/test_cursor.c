/* Pieces of a stream read in place: the same as read in earnest, or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/memory.h"
#include "llm/cursor.h"
#include "llm/provider.h"

struct hearing {
    struct llm_said said;
    struct err err;
};

static void hear(struct hearing *hearing)
{
    *hearing = (struct hearing){.said = {.tokens_in = -1, .tokens_out = -1}};
    buf_init(&hearing->said.text, 100);
    hearing->said.error = &hearing->err;
}

static const char *const usual[] = {
    "{\"choices\":[{\"delta\":{\"content\":\"abc\"}}]}",
    "{\"id\":\"x\",\"created\":12,\"x\":[1,{\"y\":[]}],\"choices\":[{\"index\":0,"
    "\"delta\":{"
    "\"role\":\"assistant\",\"content\":\"a\\n\\\"b\\\\c\\u00e9\\ud83d\\ude00é\"},"
    "\"logprobs\":null,\"finish_reason\":null}],\"usage\":null}",
    " { \"choices\" : [ { \"delta\" : { } , \"finish_reason\" : \"stop\" } ] } \n",
    "{\"choices\":[{\"delta\":{\"content\":null},\"finish_reason\":\"length\"}]}",
    ("{\"choices\":[],\"usage\":{\"prompt_tokens\":11,\"completion_tokens\":22,"
     "\"details\":{\"a\":1}}}"),
    "{\"choices\":[{\"delta\":{\"refusal\":null,\"content\":\"x\"}}]}",
};

static void test_the_usual_is_read_as_in_earnest(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        struct hearing quick;
        hear(&quick);
        size_t size = strlen(usual[i]);
        assert_true(openai_quick(&quick.said, usual[i], size));
        json_t *root = said_parse(usual[i], size);
        json_t *choice = json_array_get(json_object_get(root, "choices"), 0);
        const char *text = json_text_at(json_object_get(choice, "delta"), "content");
        const char *reason = json_text_at(choice, "finish_reason");
        assert_string_equal(buf_get(&quick.said.text), text ? text : "");
        assert_int_equal(quick.said.cut, reason && strcmp(reason, "length") == 0);
        assert_int_equal(quick.said.tokens_in, json_int_at(json_object_get(root, "usage"),
                                                           "prompt_tokens", -1));
        json_decref(root);
        buf_release(&quick.said.text);
        memory_free(quick.said.frame);
    }
}

static void test_every_beginning_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        const char *end = strrchr(usual[i], '}');
        for (size_t size = 0; usual[i] + size <= end; size++) {
            struct hearing quick;
            hear(&quick);
            (void)buf_text(&quick.said.text, "before");
            char *tight = malloc(size ? size : 1); /* nothing may be read behind it */
            memcpy(tight, usual[i], size);
            assert_false(openai_quick(&quick.said, tight, size));
            assert_string_equal(buf_get(&quick.said.text), "before");
            assert_int_equal(quick.said.tokens_in, -1);
            free(tight);
            buf_release(&quick.said.text);
            memory_free(quick.said.frame);
        }
    }
}

static void test_the_unusual_is_left_to_the_parser(void **state)
{
    (void)state;
    static const char *const unusual[] = {
        "",
        "[]",
        "null",
        "{\"error\":{\"message\":\"x\"}}",
        "{\"choices\":[{\"delta\":{\"refusal\":\"no\"}}]}",
        "{\"choices\":[{\"delta\":{},\"finish_reason\":\"content_filter\"}]}",
        "{\"choices\":[{\"delta\":{\"content\":[{\"text\":\"x\"}]}},{}]}",
        "{\"choices\":[{\"delta\":{\"content\":\"\\u0000\"}}]}",
        "{\"choices\":[{\"delta\":{\"content\":\"\\ud800\"}}]}",
        "{\"choices\":[{\"delta\":{\"content\":\"\\x\"}}]}",
        "{\"choices\":[{\"delta\":{\"content\":\"raw\nline\"}}]}",
        "{\"choices\":[{\"delta\":{\"content\":\"\xFF\"}}]}",
        "{\"choices\":[{\"delta\":{\"content\":\"x\"}}]} trailing",
        "{\"choices\":{}}",
        "{\"choices\":[7]}",
        "{\"choices\":[{\"delta\":7}]}",
        "{\"a\" 1}",
        "{\"a\":}",
        "{\"a\":]}",
        "{a:1}",
    };
    for (size_t i = 0; i < sizeof unusual / sizeof *unusual; i++) {
        struct hearing quick;
        hear(&quick);
        if (openai_quick(&quick.said, unusual[i], strlen(unusual[i]))) {
            fail_msg("read: %s", unusual[i]);
        }
        assert_int_equal(quick.said.text.size, 0);
        buf_release(&quick.said.text);
        memory_free(quick.said.frame);
    }
}

static void test_too_long_is_found_by_the_parser(void **state)
{
    (void)state;
    struct hearing h;
    hear(&h);
    char piece[200];
    memset(piece, 'x', sizeof piece);
    static const char head[] = "{\"choices\":[{\"delta\":{\"content\":\"";
    memcpy(piece, head, sizeof head - 1);
    memcpy(piece + 180, "\"}}]}", 6);
    assert_false(openai_quick(&h.said, piece, strlen(piece)));
    assert_false(h.said.text.full);
    assert_false(llm_openai.event(&h.said, piece, strlen(piece)));
    assert_int_equal(h.err.code, ERR_LLM_NONSENSE);
    buf_release(&h.said.text);
    memory_free(h.said.frame);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_usual_is_read_as_in_earnest),
        cmocka_unit_test(test_every_beginning_is_refused),
        cmocka_unit_test(test_the_unusual_is_left_to_the_parser),
        cmocka_unit_test(test_too_long_is_found_by_the_parser),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
