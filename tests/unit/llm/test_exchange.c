/* Calls over HTTP: retries, refused options, streams, cancel; against a server in this
 * process. tests/conformance/llm does the same against a server that is not ours. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <unistd.h>

#include "../support/tiny_server.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/fetch/fetch.h"
#include "base/json.h"
#include "base/str.h"
#include "llm/llm.h"

struct caught {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int done;
    struct llm_reply reply;
    struct buf text;
    struct buf streamed;
};

static void on_text(void *context, const char *text, size_t size)
{
    struct caught *caught = context;
    pthread_mutex_lock(&caught->lock);
    if (text) {
        (void)buf_add(&caught->streamed, text, size);
    } else {
        buf_clear(&caught->streamed);
    }
    pthread_cond_broadcast(&caught->changed);
    pthread_mutex_unlock(&caught->lock);
}

static void on_done(void *context, const struct llm_reply *reply)
{
    struct caught *caught = context;
    pthread_mutex_lock(&caught->lock);
    caught->reply = *reply;
    (void)buf_add(&caught->text, reply->text, reply->size);
    caught->done++;
    pthread_cond_broadcast(&caught->changed);
    pthread_mutex_unlock(&caught->lock);
}

static void await_done(struct caught *caught)
{
    pthread_mutex_lock(&caught->lock);
    while (!caught->done) {
        pthread_cond_wait(&caught->changed, &caught->lock);
    }
    pthread_mutex_unlock(&caught->lock);
}

static void await_text(struct caught *caught)
{
    pthread_mutex_lock(&caught->lock);
    while (!caught->streamed.size) {
        pthread_cond_wait(&caught->changed, &caught->lock);
    }
    pthread_mutex_unlock(&caught->lock);
}

/* How the server of one test answers: a row per request, the last one again and again. */
struct step {
    int status;
    const char *headers;
    const char *body; /* "@name": a special way */
    const char *must; /* must be in the request */
    const char *must_not;
};

struct plan {
    const struct step *steps;
    int count;
    atomic_int wrong;
    struct tiny_server *server;
};

#define SSE      "Content-Type: text/event-stream\r\n"
#define DELTA(x) "data: {\"choices\":[{\"delta\":{\"content\":\"" x "\"}}]}\n\n"
#define STOP     "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
#define USAGE                                                                            \
    "data: "                                                                             \
    "{\"choices\":[],\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":3}}\n\n"
#define DONE "data: [DONE]\n\n"
#define GOOD DELTA("SELECT ") DELTA("1") STOP USAGE DONE

static void until_gone(struct plan *plan, int fd, const char *again)
{
    while (!atomic_load(&plan->server->ending)) {
        char byte;
        if (recv(fd, &byte, 1, MSG_DONTWAIT) == 0) {
            return;
        }
        if (again && send(fd, again, strlen(again), MSG_NOSIGNAL) <= 0) {
            return;
        }
        if (!again) {
            (void)usleep(1000);
        }
    }
}

static bool answer_specially(struct plan *plan, int fd, const char *name)
{
    static const char head[] = "HTTP/1.1 200 OK\r\n" SSE "\r\n";
    if (str_equal(name, "@silent")) {
        until_gone(plan, fd, NULL);
    } else if (str_equal(name, "@hang")) {
        tiny_write(fd, head);
        tiny_write(fd, DELTA("SEL"));
        until_gone(plan, fd, NULL);
    } else if (str_equal(name, "@slow to hang up")) {
        tiny_write(fd, head);
        tiny_write(fd, GOOD);
        until_gone(plan, fd, NULL);
    } else if (str_equal(name, "@endless")) {
        tiny_write(fd, head);
        until_gone(plan, fd, DELTA("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"));
    } else if (str_equal(name, "@endless comments")) {
        tiny_write(fd, head);
        until_gone(plan, fd, ": nothing to say yet, please wait a little longer\n\n");
    } else if (str_equal(name, "@break")) {
        tiny_write(fd, "HTTP/1.1 200 OK\r\n" SSE "Content-Length: 9999\r\n\r\n");
        tiny_write(fd, DELTA("SEL"));
    }
    return false;
}

static bool handle(void *context, int fd, const struct tiny_request *request)
{
    struct plan *plan = context;
    int index = request->number <= plan->count ? request->number - 1 : plan->count - 1;
    const struct step *step = &plan->steps[index];
    if ((step->must && !strstr(request->body, step->must) &&
         !strstr(request->head, step->must)) ||
        (step->must_not && strstr(request->body, step->must_not))) {
        (void)atomic_fetch_add(&plan->wrong, 1);
    }
    if (step->body[0] == '@') {
        return answer_specially(plan, fd, step->body);
    }
    return tiny_answer(fd, step->status, step->headers ? step->headers : "", step->body);
}

static struct fetch *client;

struct scene {
    struct plan plan;
    struct tiny_server *server;
    struct options *options;
    char url[64];
    struct llm *llm;
    struct caught caught;
};

static void scene_open(struct scene *scene, const struct step *steps, int count)
{
    *scene = (struct scene){.plan = {.steps = steps, .count = count}};
    scene->server = tiny_start(handle, &scene->plan);
    scene->plan.server = scene->server;
    (void)snprintf(scene->url, sizeof scene->url, "http://127.0.0.1:%d",
                   scene->server->port);
    scene->options = options_new();
    scene->options->llm_provider = "openai";
    scene->options->llm_url = scene->url;
    scene->options->llm_key = "the-secret-key";
    scene->options->llm_retry_base_ms = 1;
    pthread_mutex_init(&scene->caught.lock, NULL);
    pthread_cond_init(&scene->caught.changed, NULL);
    buf_init(&scene->caught.text, 1 << 22);
    buf_init(&scene->caught.streamed, 1 << 22);
}

static struct llm_ticket *scene_start(struct scene *scene, bool show)
{
    struct err err;
    if (!scene->llm) {
        scene->llm = llm_new(scene->options, client, &err);
        assert_non_null(scene->llm);
    }
    scene->caught.done = 0;
    buf_clear(&scene->caught.text);
    struct llm_call call = {.stage = "generate_sql",
                            .system = "You write SQL.",
                            .user = "How many?",
                            .schema = "{\"type\":\"object\"}",
                            .on_text = show ? on_text : NULL,
                            .on_done = on_done,
                            .context = &scene->caught};
    return llm_start(scene->llm, &call);
}

static void scene_close(struct scene *scene)
{
    llm_free(scene->llm);
    options_free(scene->options);
    tiny_stop(scene->server);
    buf_release(&scene->caught.text);
    buf_release(&scene->caught.streamed);
    assert_int_equal(atomic_load(&scene->plan.wrong), 0);
}

/* Plays the steps with a plain call; checks text or code, and the number of requests. */
static void play(const struct step *steps, int count, const char *text,
                 enum err_code code, int attempts)
{
    struct scene scene;
    scene_open(&scene, steps, count);
    llm_forget(scene_start(&scene, false));
    await_done(&scene.caught);
    const struct llm_reply *reply = &scene.caught.reply;
    if (text && !reply->ok) {
        fail_msg("%s: %s %s", text, reply->error.message, reply->error.detail);
    }
    assert_int_equal(reply->ok, text != NULL);
    if (text) {
        assert_string_equal(buf_get(&scene.caught.text), text);
    } else {
        assert_int_equal(reply->error.code, code);
        assert_null(strstr(reply->error.message, "secret"));
        assert_null(strstr(reply->error.detail, "secret"));
    }
    assert_int_equal(reply->attempts, attempts);
    assert_int_equal(atomic_load(&scene.server->requests), attempts);
    scene_close(&scene);
}

#define PLAY(steps, text, code, attempts)                                                \
    play((steps), (int)(sizeof(steps) / sizeof *(steps)), (text), (code), (attempts))

static void test_a_good_stream(void **state)
{
    (void)state;
    static const struct step steps[] = {
        {200, SSE, GOOD, "Authorization: Bearer the-secret-key", NULL}};
    struct scene scene;
    scene_open(&scene, steps, 1);
    scene.options->llm_model = "gpt-4o";
    llm_forget(scene_start(&scene, true));
    await_done(&scene.caught);
    const struct llm_reply *reply = &scene.caught.reply;
    assert_true(reply->ok);
    assert_string_equal(buf_get(&scene.caught.text), "SELECT 1");
    assert_string_equal(buf_get(&scene.caught.streamed), "SELECT 1");
    assert_int_equal(reply->tokens_in, 12);
    assert_int_equal(reply->tokens_out, 3);
    assert_false(reply->tokens_estimated);
    assert_true(reply->cost_known);
    assert_int_equal((int)(reply->cost * 1e9 + 0.5), 12 * 2500 + 3 * 10000);
    assert_true(reply->ms > 0);
    char safe[120];
    (void)snprintf(safe, sizeof safe, "%s/v1/chat/completions", scene.url);
    assert_string_equal(llm_safe_url(scene.llm), safe);
    scene_close(&scene);
}

static void test_replies_in_other_forms(void **state)
{
    (void)state;
    static const struct step no_done[] = {{200, SSE, DELTA("a") STOP, NULL, NULL}};
    static const struct step no_newline[] = {
        {200, SSE, DELTA("a") "data: [DONE]", NULL, NULL}};
    static const struct step not_streamed[] = {
        {200, "", "{\"choices\":[{\"message\":{\"content\":\"whole\"}}]}", NULL, NULL}};
    PLAY(no_done, "a", ERR_OK, 1);
    PLAY(no_newline, "a", ERR_OK, 1);
    PLAY(not_streamed, "whole", ERR_OK, 1);
}

static void test_passing_failures_are_tried_again(void **state)
{
    (void)state;
    static const struct step busy[] = {
        {429, "Retry-After: 0\r\n", "{}", NULL, NULL},
        {503, "", "", NULL, NULL},
        {500, "", "oops", NULL, NULL},
        {200, SSE, GOOD, NULL, NULL},
    };
    static const struct step always[] = {{429, "", "{}", NULL, NULL}};
    static const struct step broken[] = {{0, NULL, "@break", NULL, NULL},
                                         {200, SSE, GOOD, NULL, NULL}};
    static const struct step error_event[] = {
        {200, SSE, DELTA("SEL") "data: {\"error\":{\"message\":\"crash\"}}\n\n", NULL,
         NULL},
        {200, SSE, GOOD, NULL, NULL}};
    PLAY(busy, "SELECT 1", ERR_OK, 4);
    PLAY(always, NULL, ERR_LLM_RATE_LIMITED, 4);
    PLAY(broken, "SELECT 1", ERR_OK, 2);
    PLAY(error_event, "SELECT 1", ERR_OK, 2);
}

static void test_lasting_failures_are_not(void **state)
{
    (void)state;
    static const struct step bad_key[] = {{401, "", "{}", NULL, NULL}};
    static const struct step no_model[] = {{404, "", "{}", NULL, NULL}};
    static const struct step bad[] = {
        {400, "", "{\"error\":{\"message\":\"x\"}}", NULL, NULL}};
    static const struct step broke[] = {
        {429, "", "{\"error\":{\"code\":\"insufficient_quota\",\"message\":\"pay\"}}",
         NULL, NULL}};
    PLAY(bad_key, NULL, ERR_LLM_UNAUTHORIZED, 1);
    PLAY(no_model, NULL, ERR_LLM_MODEL_NOT_FOUND, 1);
    PLAY(bad, NULL, ERR_LLM_REFUSED, 1);
    PLAY(broke, NULL, ERR_LLM_RATE_LIMITED, 1);
}

static void test_nonsense_is_tried_once_more(void **state)
{
    (void)state;
    static const struct step broken_json[] = {
        {200, SSE, "data: {\"choices\":[{\"del\n\n", NULL, NULL}};
    static const struct step html[] = {{200, "", "<html>welcome</html>", NULL, NULL}};
    static const struct step empty[] = {{200, SSE, "", NULL, NULL}};
    static const struct step cut_body[] = {
        {200, "", "{\"choices\":[{\"mess", NULL, NULL}};
    PLAY(broken_json, NULL, ERR_LLM_NONSENSE, 2);
    PLAY(html, NULL, ERR_LLM_NONSENSE, 2);
    PLAY(empty, NULL, ERR_LLM_NONSENSE, 2);
    PLAY(cut_body, NULL, ERR_LLM_NONSENSE, 2);
}

static void test_refused_options_are_left_out_and_remembered(void **state)
{
    (void)state;
    static const struct step steps[] = {
        {400, "", "{\"error\":{\"message\":\"unknown: stream_options\"}}",
         "stream_options", NULL},
        {400, "", "{\"error\":{\"message\":\"response_format is not supported\"}}",
         "response_format", "stream_options"},
        {400, "", "{\"error\":{\"message\":\"use max_completion_tokens\"}}",
         "\"max_tokens\"", "response_format"},
        {400, "", "{\"error\":{\"message\":\"temperature must be 1\"}}",
         "\"max_completion_tokens\":500", "\"max_tokens\""},
        {200, SSE, GOOD, "How many?", "temperature"},
        {200, SSE, GOOD, "How many?", "temperature"}, /* the next call knows */
    };
    struct scene scene;
    scene_open(&scene, steps, 6);
    for (int round = 0; round < 2; round++) {
        llm_forget(scene_start(&scene, false));
        await_done(&scene.caught);
        assert_true(scene.caught.reply.ok);
        assert_int_equal(scene.caught.reply.attempts, round == 0 ? 5 : 1);
    }
    scene_close(&scene);
}

static void test_a_refusal_that_does_not_go_away(void **state)
{
    (void)state;
    static const struct step steps[] = {
        {400, "", "{\"error\":{\"message\":\"temperature is bad\"}}", NULL, NULL}};
    PLAY(steps, NULL, ERR_LLM_REFUSED, 2);
}

static void test_text_begins_anew_after_a_break(void **state)
{
    (void)state;
    static const struct step steps[] = {{0, NULL, "@break", NULL, NULL},
                                        {200, SSE, GOOD, NULL, NULL}};
    struct scene scene;
    scene_open(&scene, steps, 2);
    llm_forget(scene_start(&scene, true));
    await_done(&scene.caught);
    assert_true(scene.caught.reply.ok);
    assert_int_equal(scene.caught.reply.attempts, 2);
    assert_string_equal(buf_get(&scene.caught.streamed), "SELECT 1");
    scene_close(&scene);
}

static void test_the_end_is_not_waited_for(void **state)
{
    (void)state;
    static const struct step steps[] = {{0, NULL, "@slow to hang up", NULL, NULL}};
    PLAY(steps, "SELECT 1", ERR_OK, 1);
}

static void test_silence(void **state)
{
    (void)state;
    static const struct step steps[] = {{0, NULL, "@silent", NULL, NULL}};
    struct scene scene;
    scene_open(&scene, steps, 1);
    scene.options->llm_timeout_s = 1; /* the least there is: tried twice */
    llm_forget(scene_start(&scene, false));
    await_done(&scene.caught);
    assert_int_equal(scene.caught.reply.error.code, ERR_LLM_TIMEOUT);
    assert_int_equal(scene.caught.reply.attempts, 2);
    scene_close(&scene);
}

static void test_total_time_covers_the_waits(void **state)
{
    (void)state;
    static const struct step steps[] = {{429, "Retry-After: 30\r\n", "{}", NULL, NULL}};
    struct scene scene;
    scene_open(&scene, steps, 1);
    scene.options->llm_total_timeout_s = 2; /* a wait of 30 s makes no sense then */
    llm_forget(scene_start(&scene, false));
    await_done(&scene.caught);
    assert_int_equal(scene.caught.reply.error.code, ERR_LLM_RATE_LIMITED);
    assert_int_equal(scene.caught.reply.attempts, 1);
    scene_close(&scene);
}

static void test_endless_streams_are_bounded(void **state)
{
    (void)state;
    static const struct step text[] = {{0, NULL, "@endless", NULL, NULL}};
    static const struct step comments[] = {{0, NULL, "@endless comments", NULL, NULL}};
    const struct step *both[] = {text, comments};
    for (int i = 0; i < 2; i++) {
        struct scene scene;
        scene_open(&scene, both[i], 1);
        scene.options->llm_max_reply_bytes = 5000;
        llm_forget(scene_start(&scene, false));
        await_done(&scene.caught);
        assert_false(scene.caught.reply.ok);
        assert_int_equal(scene.caught.reply.error.code, ERR_LLM_NONSENSE);
        assert_non_null(strstr(scene.caught.reply.error.message, "max_reply_bytes"));
        assert_true(scene.caught.text.size <= 5000);
        assert_int_equal(scene.caught.reply.attempts, 1);
        scene_close(&scene);
    }
}

static void test_cancel_while_streaming(void **state)
{
    (void)state;
    static const struct step steps[] = {{0, NULL, "@hang", NULL, NULL}};
    struct scene scene;
    scene_open(&scene, steps, 1);
    struct llm_ticket *ticket = scene_start(&scene, true);
    await_text(&scene.caught);
    llm_cancel(ticket);
    await_done(&scene.caught);
    llm_forget(ticket);
    assert_false(scene.caught.reply.ok);
    assert_int_equal(scene.caught.reply.error.code, ERR_STOPPED);
    assert_string_equal(buf_get(&scene.caught.text),
                        "SEL"); /* what was said until then */
    scene_close(&scene);
}

static void test_cancel_while_waiting_to_retry(void **state)
{
    (void)state;
    static const struct step steps[] = {{429, "", "{}", NULL, NULL}};
    struct scene scene;
    scene_open(&scene, steps, 1);
    scene.options->llm_retry_base_ms = 50000;
    struct llm_ticket *ticket = scene_start(&scene, false);
    while (atomic_load(&scene.server->requests) == 0) {
        (void)usleep(1000);
    }
    (void)usleep(
        20000); /* most likely in the wait by now; if not, it must work as well */
    llm_cancel(ticket);
    await_done(&scene.caught);
    assert_int_equal(scene.caught.reply.error.code, ERR_STOPPED);
    assert_true(scene.caught.reply.ms < 40000);
    llm_forget(ticket);
    scene_close(&scene);
}

static void test_cancel_at_once(void **state)
{
    (void)state;
    static const struct step steps[] = {{0, NULL, "@silent", NULL, NULL}};
    struct scene scene;
    scene_open(&scene, steps, 1);
    for (int i = 0; i < 50; i++) {
        struct llm_ticket *ticket = scene_start(&scene, false);
        llm_cancel(ticket);
        llm_forget(ticket);
        await_done(&scene.caught);
        assert_int_equal(scene.caught.reply.error.code, ERR_STOPPED);
    }
    scene_close(&scene);
}

static void test_fail_at_over_http(void **state)
{
    (void)state;
    static const struct step steps[] = {{200, SSE, GOOD, NULL, NULL}};
    struct scene scene;
    scene_open(&scene, steps, 1);
    llm_forget(scene_start(&scene, false));
    await_done(&scene.caught);
    llm_fail_at(scene.llm, 1, ERR_LLM_UNAVAILABLE);
    llm_forget(scene_start(&scene, false));
    await_done(&scene.caught);
    assert_int_equal(scene.caught.reply.error.code, ERR_LLM_UNAVAILABLE);
    assert_int_equal(atomic_load(&scene.server->requests), 1);
    scene_close(&scene);
}

static void test_nobody_listens(void **state)
{
    (void)state;
    struct options *options = options_new();
    struct err err;
    options->llm_provider = "openai";
    options->llm_url = "http://127.0.0.1:1/v1";
    options->llm_retry_base_ms = 1;
    options->llm_max_retries = 2;
    struct scene scene = {0};
    pthread_mutex_init(&scene.caught.lock, NULL);
    pthread_cond_init(&scene.caught.changed, NULL);
    buf_init(&scene.caught.text, 1000);
    scene.llm = llm_new(options, client, &err);
    llm_forget(scene_start(&scene, false));
    await_done(&scene.caught);
    assert_int_equal(scene.caught.reply.error.code, ERR_LLM_UNAVAILABLE);
    assert_int_equal(scene.caught.reply.attempts, 3);
    assert_non_null(strstr(scene.caught.reply.error.message, "127.0.0.1:1"));
    llm_free(scene.llm);
    options_free(options);
    buf_release(&scene.caught.text);
}

static void test_free_with_calls_in_flight(void **state)
{
    (void)state;
    static const struct step steps[] = {{0, NULL, "@silent", NULL, NULL}};
    struct scene scene;
    scene_open(&scene, steps, 1);
    for (int i = 0; i < 20; i++) {
        llm_forget(scene_start(&scene, false));
    }
    llm_free(scene.llm);
    scene.llm = NULL;
    assert_int_equal(scene.caught.done, 20);
    scene_close(&scene);
}

static int set_up(void **state)
{
    (void)state;
    struct err err;
    client = fetch_new(&(struct fetch_settings){0}, &err);
    return client ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    fetch_free(client);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_good_stream),
        cmocka_unit_test(test_replies_in_other_forms),
        cmocka_unit_test(test_passing_failures_are_tried_again),
        cmocka_unit_test(test_lasting_failures_are_not),
        cmocka_unit_test(test_nonsense_is_tried_once_more),
        cmocka_unit_test(test_refused_options_are_left_out_and_remembered),
        cmocka_unit_test(test_a_refusal_that_does_not_go_away),
        cmocka_unit_test(test_text_begins_anew_after_a_break),
        cmocka_unit_test(test_the_end_is_not_waited_for),
        cmocka_unit_test(test_silence),
        cmocka_unit_test(test_total_time_covers_the_waits),
        cmocka_unit_test(test_endless_streams_are_bounded),
        cmocka_unit_test(test_cancel_while_streaming),
        cmocka_unit_test(test_cancel_while_waiting_to_retry),
        cmocka_unit_test(test_cancel_at_once),
        cmocka_unit_test(test_fail_at_over_http),
        cmocka_unit_test(test_nobody_listens),
        cmocka_unit_test(test_free_with_calls_in_flight),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
