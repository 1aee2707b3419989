/* The provider `mcp`: calls that whoever asks answers with a model of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <string.h>

#include "base/buf.h"
#include "base/fetch/fetch.h"
#include "llm/llm.h"

struct scene {
    struct options *options;
    struct fetch *fetch;
    struct llm *llm;
    struct llm_ticket *asked; /* what the host was given */
    int asks;
    const char *says; /* at once; NULL: later, or never */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int done;
    bool ok;
    enum err_code code;
    char text[64];
};

static void ask(void *context, struct llm_ticket *ticket, const char *system,
                const char *user, int max_tokens)
{
    struct scene *scene = context;
    assert_string_equal(system, "You write SQL.");
    assert_string_equal(user, "How many?");
    assert_int_equal(max_tokens, 77);
    scene->asked = ticket;
    scene->asks++;
    if (scene->says) {
        llm_host_end(ticket, scene->says, NULL);
    }
}

static void on_done(void *context, const struct llm_reply *reply)
{
    struct scene *scene = context;
    pthread_mutex_lock(&scene->lock);
    scene->done++;
    scene->ok = reply->ok;
    scene->code = reply->error.code;
    assert_true(reply->size < sizeof scene->text);
    memcpy(scene->text, reply->text, reply->size);
    scene->text[reply->size] = '\0';
    pthread_cond_broadcast(&scene->changed);
    pthread_mutex_unlock(&scene->lock);
}

static void scene_open(struct scene *scene)
{
    struct err err;
    *scene = (struct scene){0};
    pthread_mutex_init(&scene->lock, NULL);
    pthread_cond_init(&scene->changed, NULL);
    scene->options = options_new();
    scene->options->llm_provider = "mcp";
    scene->fetch = fetch_new(&(struct fetch_settings){0}, &err);
    scene->llm = llm_new(scene->options, scene->fetch, &err);
    assert_non_null(scene->llm);
    assert_string_equal(llm_provider_name(scene->llm), "mcp");
}

static void scene_close(struct scene *scene)
{
    llm_free(scene->llm);
    fetch_free(scene->fetch);
    options_free(scene->options);
}

static struct llm_ticket *start(struct scene *scene, bool host)
{
    struct llm_call call = {.stage = "generate_sql",
                            .system = "You write SQL.",
                            .user = "How many?",
                            .max_tokens = 77,
                            .on_done = on_done,
                            .context = scene,
                            .host = {host ? ask : NULL, scene}};
    scene->done = 0;
    return llm_start(scene->llm, &call);
}

static void await(struct scene *scene)
{
    pthread_mutex_lock(&scene->lock);
    while (!scene->done) {
        pthread_cond_wait(&scene->changed, &scene->lock);
    }
    pthread_mutex_unlock(&scene->lock);
}

static void test_a_reply(void **state)
{
    (void)state;
    struct scene scene;
    scene_open(&scene);
    scene.says = "SELECT 1"; /* before llm_start returns */
    llm_forget(start(&scene, true));
    await(&scene);
    assert_true(scene.ok);
    assert_string_equal(scene.text, "SELECT 1");
    scene.says = NULL; /* after it */
    struct llm_ticket *ticket = start(&scene, true);
    llm_host_end(scene.asked, "SELECT 2", NULL);
    await(&scene);
    assert_true(scene.ok);
    assert_string_equal(scene.text, "SELECT 2");
    llm_forget(ticket);
    assert_int_equal(scene.asks, 2);
    scene_close(&scene);
}

static void test_no_reply(void **state)
{
    (void)state;
    struct scene scene;
    scene_open(&scene);
    llm_forget(start(&scene, false)); /* nobody has a model */
    await(&scene);
    assert_false(scene.ok);
    assert_int_equal(scene.code, ERR_LLM_NOT_CONFIGURED);
    struct llm_ticket *ticket = start(&scene, true);
    llm_host_end(scene.asked, NULL, "The user says no.");
    await(&scene);
    assert_int_equal(scene.code, ERR_LLM_UNAVAILABLE);
    llm_forget(ticket);
    scene_close(&scene);
}

static void test_stopped(void **state)
{
    (void)state;
    struct scene scene;
    scene_open(&scene);
    struct llm_ticket *ticket = start(&scene, true);
    llm_cancel(ticket);
    await(&scene);
    assert_int_equal(scene.code, ERR_STOPPED);
    llm_host_end(scene.asked, "too late", NULL);
    llm_forget(ticket);
    assert_int_equal(scene.done, 1);
    ticket = start(&scene, true); /* the end of all does not wait for the host … */
    llm_forget(ticket);
    struct llm_ticket *late = scene.asked;
    llm_free(scene.llm);
    assert_int_equal(scene.code, ERR_STOPPED);
    llm_host_end(late, "far too late", NULL); /* … who may come after it */
    scene.llm = NULL;
    scene_close(&scene);
}

static void test_out_of_time(void **state)
{
    (void)state;
    struct err err;
    struct scene scene;
    scene_open(&scene);
    llm_free(scene.llm);
    scene.options->llm_total_timeout_s = 1;
    scene.llm = llm_new(scene.options, scene.fetch, &err);
    struct llm_ticket *ticket = start(&scene, true);
    await(&scene);
    assert_int_equal(scene.code, ERR_LLM_TIMEOUT);
    llm_host_end(scene.asked, "too late", NULL);
    llm_forget(ticket);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_reply),
        cmocka_unit_test(test_no_reply),
        cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_out_of_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
