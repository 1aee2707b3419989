/* The HTTP client: a body in two parts arrives as one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../support/fetch_scene.h"

/* What the server read, and when it is to hang up without an answer. */
struct record {
    pthread_mutex_t lock;
    struct buf body;
    char head[1024];
    int drop; /* request that gets no answer; 0: none */
};

static bool keep(void *context, int fd, const struct tiny_request *request)
{
    struct record *record = context;
    if (request->number == record->drop) {
        return false;
    }
    pthread_mutex_lock(&record->lock);
    buf_clear(&record->body);
    (void)buf_add(&record->body, request->body, request->body_size);
    (void)snprintf(record->head, sizeof record->head, "%s", request->head);
    pthread_mutex_unlock(&record->lock);
    return tiny_answer(fd, 200, "", "kept");
}

struct scene {
    struct record record;
    struct tiny_server *server;
    struct fetch *client;
    char url[64];
};

static void scene_open(struct scene *scene)
{
    struct err err;
    *scene = (struct scene){.record = {.lock = PTHREAD_MUTEX_INITIALIZER}};
    buf_init(&scene->record.body, 1 << 20);
    scene->server = tiny_start(keep, &scene->record);
    scene->client = fetch_new(
        &(struct fetch_settings){.loops = 1, .libcurl_only = libcurl_only}, &err);
    assert_non_null(scene->client);
    (void)snprintf(scene->url, sizeof scene->url, "http://127.0.0.1:%d/",
                   scene->server->port);
}

static void scene_close(struct scene *scene)
{
    fetch_free(scene->client);
    tiny_stop(scene->server);
    buf_release(&scene->record.body);
}

static void fill(char *out, size_t size, unsigned seed)
{
    for (size_t i = 0; i < size; i++) {
        out[i] = (char)('a' + (i * 31 + i / 7 + seed) % 26);
    }
}

/* Sends both parts; the body is borrowed or copied. */
static void post(struct scene *scene, const char *prefix, size_t prefix_size,
                 const char *body, size_t body_size, bool borrowed)
{
    struct catch catch;
    catch_init(&catch);
    char *copy = body ? memory_copy(body, body_size) : NULL;
    struct fetch_request request = request_to(scene->url, &catch);
    request.method = "POST";
    request.prefix = prefix;
    request.prefix_size = prefix_size;
    request.body = borrowed ? body : copy;
    request.body_size = body_size;
    request.body_borrowed = borrowed;
    struct fetch_ticket *ticket = fetch_start(scene->client, &request);
    memory_free(copy); /* what is copied may go at once */
    await_done(&catch);
    fetch_forget(ticket);
    if (!catch.result.ok) {
        fail_msg("%s %s", catch.result.error.message, catch.result.error.detail);
    }
    assert_string_equal(catch.body, "kept");
    const struct record *record = &scene->record;
    assert_int_equal(record->body.size, prefix_size + body_size);
    assert_memory_equal(buf_get(&record->body), prefix ? prefix : "", prefix_size);
    if (body_size) {
        assert_memory_equal(record->body.data + prefix_size, body, body_size);
    }
    assert_null(strcasestr(record->head, "transfer-encoding"));
    assert_null(strcasestr(record->head, "expect:"));
}

static void test_sizes(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 100, 8191, 16383, 16384, 16385, 70000, 400000};
    enum { SIZES = sizeof sizes / sizeof *sizes, LARGEST = 400000 };
    char *prefix = memory_alloc(LARGEST);
    char *body = memory_alloc(LARGEST);
    fill(prefix, LARGEST, 3);
    fill(body, LARGEST, 11);
    struct scene scene;
    scene_open(&scene);
    for (size_t i = 0; i < SIZES; i++) {
        for (size_t j = 0; j < SIZES; j++) {
            post(&scene, sizes[i] ? prefix : NULL, sizes[i], sizes[j] ? body : NULL,
                 sizes[j], (i + j) % 2 == 0);
        }
    }
    scene_close(&scene);
    memory_free(prefix);
    memory_free(body);
}

/* The server hangs up on a kept connection just as the request comes: it goes out again
 * from its first byte. */
static void test_sent_again_as_a_whole(void **state)
{
    (void)state;
    static const size_t sizes[] = {2000, 60000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *prefix = memory_alloc(sizes[i]);
        fill(prefix, sizes[i], 5);
        struct scene scene;
        scene_open(&scene);
        scene.record.drop = 2;
        post(&scene, NULL, 0, "first", 5, true);
        post(&scene, prefix, sizes[i], "second", 6, true);
        assert_int_equal(atomic_load(&scene.server->requests), 3);
        scene_close(&scene);
        memory_free(prefix);
    }
}

/* Handles and connections are used again: nothing of an earlier request stays. */
static void test_with_and_without(void **state)
{
    (void)state;
    char *prefix = memory_alloc(50000);
    fill(prefix, 50000, 9);
    struct scene scene;
    scene_open(&scene);
    for (int round = 0; round < 3; round++) {
        post(&scene, prefix, 50000, "tail", 4, false);
        post(&scene, NULL, 0, "alone", 5, false);
        post(&scene, prefix, 1500, NULL, 0, false);
        post(&scene, NULL, 0, NULL, 0, false);
        struct catch catch;
        catch_init(&catch);
        struct fetch_request request = request_to(scene.url, &catch);
        fetch_forget(fetch_start(scene.client, &request));
        await_done(&catch);
        assert_true(str_starts(scene.record.head, "GET /"));
        assert_int_equal(scene.record.body.size, 0);
    }
    assert_int_equal(atomic_load(&scene.server->connections), 1);
    scene_close(&scene);
    memory_free(prefix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_sent_again_as_a_whole),
        cmocka_unit_test(test_with_and_without),
    };
    RUN_BOTH_WAYS(tests);
}
