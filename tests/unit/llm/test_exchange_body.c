/* Request bodies that share their beginning arrive byte for byte as they were built. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../support/tiny_server.h"
#include "base/arena.h"
#include "base/fetch/fetch.h"
#include "base/memory.h"
#include "llm/call.h"

enum { BODIES = 512 };

#define GOOD "{\"choices\":[{\"message\":{\"content\":\"SELECT 1\"}}]}"

static const char SCHEMA[] = "{\"type\":\"object\",\"properties\":{\"sql\":{}}}";
static const char OTHER_SCHEMA[] = "{\"type\":\"object\",\"properties\":{\"plan\":{}}}";

static bool libcurl_only;

/* A model service that writes down what it is asked. */
struct scene {
    struct tiny_server *server;
    struct fetch *client;
    struct llm *llm;
    atomic_bool hold;    /* no answer yet */
    const int *statuses; /* of the first requests; then 200 */
    int status_count;
    const char *refusal; /* said with a status of 400 */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int done; /* under lock */
    int failed;
    int tokens_in; /* of the last reply */
    struct {
        char *data;
        size_t size;
    } bodies[BODIES]; /* as received; by number, from 1 */
};

static bool answer(void *context, int fd, const struct tiny_request *request)
{
    struct scene *scene = context;
    int number = request->number;
    pthread_mutex_lock(&scene->lock);
    if (number < BODIES) {
        scene->bodies[number].data = memory_copy(request->body, request->body_size);
        scene->bodies[number].size = request->body_size;
    }
    pthread_mutex_unlock(&scene->lock);
    while (atomic_load(&scene->hold) && !atomic_load(&scene->server->ending)) {
        (void)usleep(1000);
    }
    int status = number <= scene->status_count ? scene->statuses[number - 1] : 200;
    return tiny_answer(fd, status, "",
                       status == 200   ? GOOD
                       : status == 400 ? scene->refusal
                                       : "{}");
}

static void on_done(void *context, const struct llm_reply *reply)
{
    struct scene *scene = context;
    pthread_mutex_lock(&scene->lock);
    scene->done++;
    scene->failed += reply->ok ? 0 : 1;
    scene->tokens_in = reply->tokens_in;
    pthread_cond_broadcast(&scene->changed);
    pthread_mutex_unlock(&scene->lock);
}

static void await(struct scene *scene, int done)
{
    pthread_mutex_lock(&scene->lock);
    while (scene->done < done) {
        pthread_cond_wait(&scene->changed, &scene->lock);
    }
    pthread_mutex_unlock(&scene->lock);
    assert_int_equal(scene->failed, 0);
}

static struct scene *scene_open(const char *provider)
{
    struct err err;
    char url[64];
    struct scene *scene = memory_alloc(sizeof *scene);
    pthread_mutex_init(&scene->lock, NULL);
    pthread_cond_init(&scene->changed, NULL);
    scene->server = tiny_start(answer, scene);
    scene->client =
        fetch_new(&(struct fetch_settings){.libcurl_only = libcurl_only}, &err);
    (void)snprintf(url, sizeof url, "http://127.0.0.1:%d", scene->server->port);
    struct options *options = options_new();
    options->llm_provider = provider;
    options->llm_url = url;
    options->llm_key = "the-secret-key";
    options->llm_stream = false;
    options->llm_retry_base_ms = 1;
    scene->llm = llm_new(options, scene->client, &err);
    assert_non_null(scene->llm);
    options_free(options);
    return scene;
}

static void scene_close(struct scene *scene)
{
    atomic_store(&scene->hold, false);
    llm_free(scene->llm);
    fetch_free(scene->client);
    tiny_stop(scene->server);
    for (size_t i = 0; i < BODIES; i++) {
        memory_free(scene->bodies[i].data);
    }
    memory_free(scene);
}

/* A prompt of about `size` bytes that ends with its question. */
static const char *prompt(struct arena *arena, size_t size, const char *kind,
                          const char *question)
{
    char *text = arena_alloc(arena, size + 1);
    for (size_t i = 0; i < size; i++) {
        text[i] = "TABLE größe (id int, \"name\" text)\n\t\\"[i % 35];
    }
    return arena_format(arena, "%s: %s\nQuestion: %s", kind, text, question);
}

static struct llm_ticket *start(struct scene *scene, const char *system, const char *user,
                                const char *schema)
{
    struct llm_call call = {.stage = "generate_sql",
                            .system = system,
                            .user = user,
                            .schema = schema,
                            .on_done = on_done,
                            .context = scene};
    return llm_start(scene->llm, &call);
}

/* What the provider writes for such a call, without any sharing. */
static void check_body(struct scene *scene, int number, const char *system,
                       const char *user, const char *schema, unsigned quirks)
{
    const struct llm *llm = scene->llm;
    struct llm_call call = {.system = system, .user = user};
    struct llm_ask ask = {.stage = "generate_sql",
                          .schema = schema,
                          .schema_size = schema ? strlen(schema) : 0,
                          .max_tokens = llm->settings.reply_tokens,
                          .quirks = quirks};
    struct llm_body body = {0};
    struct arena *arena = arena_new();
    struct err err;
    buf_init(&body.json, 1 << 20);
    llm->provider->head(&llm->settings, &ask, &body);
    llm->provider->texts(&call, &body.json);
    assert_int_equal(scene->bodies[number].size, body.json.size);
    assert_memory_equal(scene->bodies[number].data, body.json.data, body.json.size);
    assert_non_null(json_parse(arena, body.json.data, body.json.size, &err));
    assert_null(strstr(scene->bodies[number].data, "secret"));
    buf_release(&body.json);
    arena_free(arena);
}

static void test_what_is_sent(void **state)
{
    (void)state;
    static const char *const providers[] = {"openai", "anthropic", "ollama"};
    static const char *const schemas[] = {SCHEMA, OTHER_SCHEMA, NULL};
    static const size_t sizes[] = {0, 900, 3000, 20000};
    static const char *const systems[] = {"You write SQL.", "You write other SQL.", NULL};
    static const char *const questions[] = {"how many?", "",
                                            "how much is the größe \"x\"?"};
    struct arena *arena = arena_new();
    for (size_t p = 0; p < 3; p++) {
        struct scene *scene = scene_open(providers[p]);
        struct llm_provider mixed = llm_openai; /* the server answers in its form */
        const struct llm_provider *own =
            llm_provider_find(providers[p], strlen(providers[p]));
        mixed.head = own->head;
        mixed.texts = own->texts;
        scene->llm->provider = &mixed;
        int number = 0;
        for (size_t i = 0; i < 3 * 4 * 3 * 3; i++) {
            const char *system = systems[i / 36];
            const char *schema = schemas[i / 12 % 3];
            const char *user = prompt(arena, sizes[i / 3 % 4], "shop", questions[i % 3]);
            llm_forget(start(scene, system, user, schema));
            await(scene, ++number);
            check_body(scene, number, system, user, schema, 0);
        }
        scene_close(scene);
    }
    arena_free(arena);
}

static void test_what_waits_is_small(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct scene *scene = scene_open("openai");
    struct llm_ticket *tickets[8];
    atomic_store(&scene->hold, true);
    for (int i = 0; i < 8; i++) { /* two databases */
        const char *user = prompt(arena, 6000, i % 2 ? "shop" : "library",
                                  arena_format(arena, "number %d?", i));
        tickets[i] = start(scene, "You write SQL.", user, SCHEMA);
    }
    for (int i = 4; i < 8; i++) {
        const struct exchange_body *body = &tickets[i]->body;
        assert_non_null(body->prefix);
        assert_in_range(body->rest_size, 1, 100);
        assert_true(body->prefix_size > 6000);
    }
    assert_ptr_equal(tickets[4]->body.prefix, tickets[6]->body.prefix);
    assert_ptr_not_equal(tickets[4]->body.prefix, tickets[5]->body.prefix);
    /* the very same call again: nothing of its own is left */
    struct llm_ticket *same = start(scene, "You write SQL.",
                                    prompt(arena, 6000, "library", "number 0?"), SCHEMA);
    assert_int_equal(same->body.rest_size, 0);
    atomic_store(&scene->hold, false);
    await(scene, 9);
    for (int i = 0; i < 8; i++) {
        llm_forget(tickets[i]);
    }
    llm_forget(same);
    scene_close(scene);
    arena_free(arena);
}

static void test_tries_send_the_same(void **state)
{
    (void)state;
    static const int statuses[] = {200, 429, 500, 503, 200, 500, 200};
    static const size_t sizes[] = {100, 5000, 20000};
    struct arena *arena = arena_new();
    for (size_t i = 0; i < 3; i++) {
        struct scene *scene = scene_open("openai");
        scene->statuses = statuses;
        scene->status_count = 7;
        const char *one = prompt(arena, sizes[i], "shop", "one?");
        const char *two = prompt(arena, sizes[i], "shop", "two?");
        const char *other = prompt(arena, sizes[i], "library", "three?");
        const char *const users[] = {one, two, two, two, two, other, other};
        llm_forget(start(scene, "You write SQL.", one, SCHEMA));
        await(scene, 1);
        llm_forget(start(scene, "You write SQL.", two, SCHEMA));
        await(scene, 2);
        llm_forget(start(scene, "You write SQL.", other, SCHEMA));
        await(scene, 3);
        assert_int_equal(atomic_load(&scene->server->requests), 7);
        for (int n = 1; n <= 7; n++) {
            check_body(scene, n, "You write SQL.", users[n - 1], SCHEMA, 0);
        }
        scene_close(scene);
    }
    arena_free(arena);
}

/* Two wait with the same beginning; the first learns that it must be written anew. */
static void test_a_refused_option(void **state)
{
    (void)state;
    static const int statuses[] = {200, 400, 200, 200};
    struct arena *arena = arena_new();
    struct scene *scene = scene_open("openai");
    scene->statuses = statuses;
    scene->status_count = 4;
    scene->refusal = "{\"error\":{\"message\":\"response_format is not supported\"}}";
    const char *user[3];
    for (int i = 0; i < 3; i++) {
        user[i] = prompt(arena, 5000, "shop", arena_format(arena, "number %d?", i));
        llm_forget(start(scene, "You write SQL.", user[i], SCHEMA));
        await(scene, i + 1);
    }
    check_body(scene, 1, "You write SQL.", user[0], SCHEMA, 0);
    check_body(scene, 2, "You write SQL.", user[1], SCHEMA, 0);
    check_body(scene, 3, "You write SQL.", user[1], SCHEMA, QUIRK_NO_STRUCTURED);
    check_body(scene, 4, "You write SQL.", user[2], SCHEMA, QUIRK_NO_STRUCTURED);
    scene_close(scene);
    arena_free(arena);
}

static void test_tokens_are_estimated_over_both_parts(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct scene *scene = scene_open("openai");
    const char *user = prompt(arena, 5000, "shop", "one?");
    const char *longer = prompt(arena, 5000, "shop", "one? and more than one?");
    llm_forget(start(scene, "You write SQL.", user, NULL));
    await(scene, 1);
    int first = scene->tokens_in;
    assert_in_range(first, strlen(user) / 4, strlen(user));
    llm_forget(start(scene, "You write SQL.", longer, NULL));
    await(scene, 2);
    assert_in_range(scene->tokens_in, first + 4, first + 14);
    llm_forget(start(scene, NULL, "hello", NULL));
    await(scene, 3);
    assert_in_range(scene->tokens_in, 2, 40);
    scene_close(scene);
    arena_free(arena);
}

enum { THREADS = 8, CALLS = 24 };

struct caller {
    pthread_t thread;
    struct scene *scene;
    struct arena *arena;
    int number;
};

static const char *caller_user(struct arena *arena, int caller, int call)
{
    return prompt(arena, (size_t)(1500 + call % 5 * 1000), call % 3 ? "shop" : "library",
                  arena_format(arena, "%d of caller %d?", call, caller));
}

static void *caller_main(void *context)
{
    struct caller *caller = context;
    for (int i = 0; i < CALLS; i++) {
        llm_forget(start(caller->scene, "You write SQL.",
                         caller_user(caller->arena, caller->number, i),
                         i % 4 ? SCHEMA : OTHER_SCHEMA));
    }
    return NULL;
}

static void test_many_callers(void **state)
{
    (void)state;
    struct scene *scene = scene_open("openai");
    struct caller callers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        callers[i] = (struct caller){.scene = scene, .arena = arena_new(), .number = i};
        pthread_create(&callers[i].thread, NULL, caller_main, &callers[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(callers[i].thread, NULL);
    }
    await(scene, THREADS * CALLS);
    assert_int_equal(atomic_load(&scene->server->requests), THREADS * CALLS);
    bool seen[THREADS][CALLS] = {{false}};
    for (int n = 1; n <= THREADS * CALLS; n++) {
        int call = -1;
        int caller = -1;
        const char *at = strstr(scene->bodies[n].data, "Question: ");
        assert_non_null(at);
        assert_int_equal(sscanf(at, "Question: %d of caller %d", &call, &caller), 2);
        assert_in_range(call, 0, CALLS - 1);
        assert_in_range(caller, 0, THREADS - 1);
        assert_false(seen[caller][call]);
        seen[caller][call] = true;
        check_body(scene, n, "You write SQL.",
                   caller_user(callers[caller].arena, caller, call),
                   call % 4 ? SCHEMA : OTHER_SCHEMA, 0);
    }
    for (int i = 0; i < THREADS; i++) {
        arena_free(callers[i].arena);
    }
    scene_close(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_sent),
        cmocka_unit_test(test_what_waits_is_small),
        cmocka_unit_test(test_tries_send_the_same),
        cmocka_unit_test(test_a_refused_option),
        cmocka_unit_test(test_tokens_are_estimated_over_both_parts),
        cmocka_unit_test(test_many_callers),
    };
    int failed = 0;
    for (int way = 0; way < 2; way++) {
        libcurl_only = way == 1;
        failed +=
            cmocka_run_group_tests_name(way ? "libcurl" : "wire", tests, NULL, NULL);
    }
    return failed;
}
