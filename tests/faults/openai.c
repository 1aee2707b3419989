/*
 * A conversation over the OpenAI-compatible interface with the Nth store or driver call
 * failing: every request gets a whole reply, which is an answer or an error in the shape of
 * that interface, a stream has an end, and nothing hangs.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "datasource/decorator.h"
#include "faults/small_shop.h"
#include "server/server.h"
#include "service/instance.h"
#include "store/store.h"

enum {
    NTH_MOST = 32,
    DRIVER_MOST = 8,
    PATIENCE_S = 120,
    TEXT_MOST = 512,
    REPLY_MOST = 4 << 20
};

static const char question[] = "how many customers are there?";

struct scene {
    struct arena *arena;
    int port;
    int failures;
    int refusals;      /* errors instead of answers */
    const char *reply; /* what the assistant said last; or NULL */
};

static void complain(struct scene *scene, const char *what, const char *said)
{
    (void)fprintf(stderr, "%s: %.300s\n", what, said);
    scene->failures++;
}

/* ------------------------------------------------------------------ HTTP */

/* The whole reply to one request; "" if the connection was closed without one. */
static const char *call(struct scene *scene, const char *method, const char *path,
                        const char *body)
{
    const struct timeval patience = {.tv_sec = PATIENCE_S};
    struct sockaddr_in there = {.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)scene->port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const char *request = arena_format(
        scene->arena,
        "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n"
        "Connection: close\r\nContent-Length: %zu\r\n\r\n%s",
        method, path, scene->port, strlen(body), body);
    struct buf reply;
    char piece[4096];
    ssize_t size = 0;
    buf_init(&reply, REPLY_MOST);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    bool sent = connect(fd, (const struct sockaddr *)&there, sizeof there) == 0 &&
                send(fd, request, strlen(request), MSG_NOSIGNAL) > 0;
    while (sent && (size = recv(fd, piece, sizeof piece, 0)) > 0) {
        (void)buf_add(&reply, piece, (size_t)size);
    }
    (void)close(fd);
    const char *text = size < 0 ? "" : buf_clone(&reply, scene->arena);
    buf_release(&reply);
    return text;
}

/* ------------------------------------------------------------------ replies */

static bool is_error(const json_t *root)
{
    const json_t *error = json_object_at(root, "error");
    return !str_empty(json_text_at(error, "message")) && json_text_at(error, "type") &&
           json_text_at(error, "code") && json_object_get(error, "param");
}

/* What the reply says as JSON, if it has the status 200. */
static const json_t *read_reply(struct scene *scene, const char *what, const char *reply)
{
    const char *body = strstr(reply, "\r\n\r\n");
    const json_t *root =
        body ? json_quick(scene->arena, body + 4, strlen(body + 4)) : NULL;
    bool good = str_starts(reply, "HTTP/1.1 200 ");
    if (!root || (!good && !is_error(root))) {
        complain(scene, what, reply);
        return NULL;
    }
    scene->refusals += !good;
    return good ? root : NULL;
}

static void expect_answer(struct scene *scene, const char *what, const char *reply)
{
    const json_t *root = read_reply(scene, what, reply);
    const json_t *choice = json_array_get(json_array_at(root, "choices"), 0);
    const char *text = json_text_at(json_object_at(choice, "message"), "content");
    if (root && (str_empty(text) || !json_text_at(choice, "finish_reason"))) {
        complain(scene, what, reply);
    }
    scene->reply = text;
}

/* It ends with a mark or an error; or it was refused before it began. */
static void expect_stream(struct scene *scene, const char *what, const char *reply)
{
    if (!str_starts(reply, "HTTP/1.1 200 ")) {
        (void)read_reply(scene, what, reply);
        return;
    }
    bool done = strstr(reply, "data: [DONE]\n") != NULL;
    bool failed = strstr(reply, "data: {\"error\":{\"message\":\"") != NULL;
    if (done == failed || !strstr(reply, "\r\n0\r\n")) {
        complain(scene, what, reply);
    }
}

static void expect_list(struct scene *scene, const char *what, const char *reply)
{
    const json_t *root = read_reply(scene, what, reply);
    if (root && json_array_size(json_array_at(root, "data")) == 0) {
        complain(scene, what, reply);
    }
}

static void expect_response(struct scene *scene, const char *what, const char *reply)
{
    const json_t *root = read_reply(scene, what, reply);
    if (root && json_array_size(json_array_at(root, "output")) != 1) {
        complain(scene, what, reply);
    }
}

/* ------------------------------------------------------------------ the conversation */

static const char *body_of(struct scene *scene, const char *last, const char *more)
{
    json_t *messages = json_array();
    const char *const said[][2] = {
        {"user", question}, {"assistant", scene->reply}, {"user", last}};
    for (size_t i = scene->reply ? 0 : 2; i < 3; i++) {
        (void)json_array_append_new(
            messages, json_pack("{s:s, s:s}", "role", said[i][0], "content", said[i][1]));
    }
    char *text = json_dumps(messages, JSON_COMPACT);
    const char *body =
        arena_format(scene->arena, "{\"model\":\"shop\",\"messages\":%s%s}", text, more);
    free(text);
    json_decref(messages);
    return body;
}

static void converse(struct scene *scene)
{
    static const char path[] = "/v1/chat/completions";
    expect_list(scene, "models", call(scene, "GET", "/v1/models", ""));
    expect_answer(scene, "a question",
                  call(scene, "POST", path, body_of(scene, question, "")));
    const char *follow = body_of(scene, "and from Germany?", "");
    const char *stream = body_of(scene, "and from Italy?", ",\"stream\":true");
    const char *task = body_of(
        scene, "### Task:\nSuggest some.\nJSON format: { \"follow_ups\": [] }\n", "");
    expect_answer(scene, "a follow-up", call(scene, "POST", path, follow));
    expect_stream(scene, "a stream", call(scene, "POST", path, stream));
    expect_answer(scene, "a task of the page", call(scene, "POST", path, task));
    expect_response(
        scene, "a response",
        call(scene, "POST", "/v1/responses",
             arena_format(scene->arena, "{\"model\":\"dragoman\",\"input\":\"%s\"}",
                          question)));
}

/* Makes the Nth call of the part fail. */
static bool arm(struct dgm *dgm, bool store, int nth)
{
    struct err err;
    err_clear(&err);
    if (!instance_ready(dgm, &err)) {
        return false;
    }
    if (store) {
        store_fail_at(dgm->agent.store, nth, ERR_STORE);
        return true;
    }
    struct datasource *source =
        instance_datasource(dgm, sources_at(dgm->agent.sources, 0)->id, &err);
    if (source) {
        datasource_fail_at(source, nth, ERR_DATASOURCE_UNREACHABLE);
    }
    return source != NULL;
}

static struct dgm_config *config_of(const char *folder, bool store, int nth)
{
    struct dgm_error error;
    char path[TEXT_MOST];
    char data[TEXT_MOST];
    (void)snprintf(path, sizeof path, "%s/shop.db", folder);
    (void)snprintf(data, sizeof data, "%s/%s%d", folder, store ? "s" : "d", nth);
    const char *const settings[] = {
        "store.folder",  data,          "agent.brain",    "parser", "log.level", "error",
        "server.listen", "127.0.0.1:0", "server.drain_s", "0",      NULL};
    struct dgm_config *config = dgm_config_new();
    bool ok = dgm_config_add_datasource(config, NULL, path, &error);
    for (size_t i = 0; settings[i] && ok; i += 2) {
        ok = dgm_config_set(config, settings[i], settings[i + 1], &error);
    }
    if (!ok) {
        (void)fprintf(stderr, "it could not be set up: %s\n", error.message);
        exit(1);
    }
    return config;
}

/* *refusals is increased by the number of requests that met the fault. */
static int play(const char *folder, bool store, int nth, int *refusals)
{
    struct dgm_error error = {0};
    struct scene scene = {.arena = arena_new()};
    struct dgm_config *config = config_of(folder, store, nth);
    struct server *server = server_open(config, &error);
    struct dgm *dgm = server ? dgm_open(config, &error) : NULL;
    if (!dgm || !server_start(server, dgm, &error) || !arm(dgm, store, nth)) {
        (void)fprintf(stderr, "it did not start: %s\n", error.message);
        exit(1);
    }
    scene.port = (int)strtol(strrchr(server_address(server), ':') + 1, NULL, 10);
    converse(&scene);
    server_stop(server);
    dgm_close(dgm);
    dgm_config_free(config);
    arena_free(scene.arena);
    if (scene.failures) {
        (void)fprintf(stderr, "with call %d of the %s failing\n", nth,
                      store ? "store" : "driver");
    }
    *refusals += scene.refusals;
    return scene.failures;
}

int main(void)
{
    char folder[] = "/tmp/dragoman-faults-openai-XXXXXX";
    char path[TEXT_MOST];
    int failures = 0;
    int plays = 0;
    int refusals = 0;
    if (!mkdtemp(folder)) {
        return 1;
    }
    (void)snprintf(path, sizeof path, "%s/shop.db", folder);
    failures += small_shop(path) ? 0 : 1;
    for (int nth = 1; nth <= NTH_MOST && !failures; nth++) {
        failures += play(folder, true, nth, &refusals);
        plays++;
        if (nth <= DRIVER_MOST) { /* a conversation makes fewer calls of the driver */
            failures += play(folder, false, nth, &refusals);
            plays++;
        }
    }
    char command[TEXT_MOST];
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    int removed = system(command);
    (void)printf("%d plays, %d errors, %d failures\n", plays, refusals, failures);
    return failures || removed || !refusals ? 1 : 0;
}
