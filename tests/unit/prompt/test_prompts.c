/* The prompt files: the built-in ones are sound, a folder replaces them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/json.h"
#include "base/str.h"
#include "prompt/embedded.h"
#include "prompt/prompts.h"
#include "prompt/template.h"

static char folder[64];

static void put(const char *sub, const char *file, const char *text)
{
    struct arena *arena = arena_new();
    struct err err = {0};
    assert_true(folder_create(arena_format(arena, "%s/%s", folder, sub), &err));
    assert_true(file_write(arena_format(arena, "%s/%s/%s", folder, sub, file), text,
                           strlen(text), &err));
    arena_free(arena);
}

static int folder_make(void **state)
{
    (void)state;
    (void)memcpy(folder, "/tmp/dragoman-prompts-XXXXXX", 29);
    return mkdtemp(folder) ? 0 : -1;
}

static int folder_drop(void **state)
{
    (void)state;
    static const char *const left[] = {"greet/system.mustache",
                                       "greet/user.mustache",
                                       "greet/reply.json",
                                       "greet/notes.txt",
                                       "partials/rules.mustache",
                                       "greet",
                                       "partials"};
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++) {
        (void)remove(arena_format(arena, "%s/%s", folder, left[i]));
    }
    int rc = rmdir(folder);
    arena_free(arena);
    return rc;
}

static void test_built_in_prompts_are_sound(void **state)
{
    (void)state;
    struct err err = {0};
    struct prompts *prompts = prompts_open(NULL, &err);
    if (!prompts) {
        fail_msg("%s", err.message);
    }
    struct arena *arena = arena_new();
    size_t stages = 0;
    for (; prompts_stage(prompts, stages); stages++) {
        struct prompt_text text;
        assert_true(prompts_render(prompts, arena, prompts_stage(prompts, stages),
                                   slot_map(arena), &text, &err));
        if (text.schema && !json_parse(arena, text.schema, strlen(text.schema), &err)) {
            fail_msg("%s/reply.json: %s", prompts_stage(prompts, stages), err.message);
        }
    }
    for (const struct embedded_file *file = embedded_prompts; file->path; file++) {
        size_t size = 0;
        assert_ptr_equal(prompts_raw(prompts, file->path, &size), file->data);
        assert_int_equal(size, strlen(file->data));
        assert_true(stages > 0 || str_starts(file->path, "partials/"));
    }
    assert_null(prompts_raw(prompts, "no/such.mustache", NULL));
    arena_free(arena);
    prompts_close(prompts);
}

static void test_folder_adds_and_replaces(void **state)
{
    (void)state;
    put("greet", "system.mustache", "Be kind.\n{{>rules}}");
    put("greet", "user.mustache", "Hello {{name}}");
    put("greet", "reply.json", "{\"type\": \"object\"}");
    put("greet", "notes.txt", "{{ not a prompt");
    put("partials", "rules.mustache", "Only read.");
    struct err err = {0};
    struct prompts *prompts = prompts_open(folder, &err);
    if (!prompts) {
        fail_msg("%s", err.message);
    }
    struct arena *arena = arena_new();
    struct slot *values = slot_map(arena);
    slot_text(arena, values, "name", "Ada");
    struct prompt_text text;
    assert_true(prompts_render(prompts, arena, "greet", values, &text, &err));
    assert_string_equal(text.system, "Be kind.\nOnly read.");
    assert_string_equal(text.user, "Hello Ada");
    assert_string_equal(text.schema, "{\"type\": \"object\"}");
    assert_string_equal(prompts_raw(prompts, "partials/rules.mustache", NULL),
                        "Only read.");
    assert_false(prompts_render(prompts, arena, "nothing", values, &text, &err));
    assert_int_equal(err.code, ERR_INTERNAL);
    arena_free(arena);
    prompts_close(prompts);
}

static void test_broken_folders_are_named(void **state)
{
    (void)state;
    struct err err = {0};
    assert_null(prompts_open("/nonexistent/dragoman", &err));
    assert_int_equal(err.code, ERR_CONFIG);
    put("greet", "user.mustache", "one\n{{#open}}");
    assert_null(prompts_open(folder, &err));
    assert_non_null(strstr(err.message, "greet/user.mustache, line 2"));
    put("greet", "user.mustache", "{{>absent}}");
    assert_null(prompts_open(folder, &err));
    assert_non_null(strstr(err.message, "absent"));
    put("greet", "user.mustache", "fine");
    put("greet", "reply.json", "{");
    assert_null(prompts_open(folder, &err));
    assert_int_equal(err.code, ERR_CONFIG);
    assert_non_null(strstr(err.message, "greet/reply.json"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_built_in_prompts_are_sound),
        cmocka_unit_test_setup_teardown(test_folder_adds_and_replaces, folder_make,
                                        folder_drop),
        cmocka_unit_test_setup_teardown(test_broken_folders_are_named, folder_make,
                                        folder_drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
