/*
 * A conversation of an MCP client with the Nth store or driver call failing: every request
 * gets exactly one reply, which is a result or an error in words, and nothing hangs.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "base/workers.h"
#include "datasource/decorator.h"
#include "faults/small_shop.h"
#include "mcp/mcp.h"
#include "service/instance.h"
#include "store/store.h"

enum { NTH_MOST = 24, DRIVER_MOST = 16, PATIENCE_S = 120, TEXT_MOST = 512, ID_ROOM = 64 };

#define META                                                                             \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","             \
    "\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{}}}"

static const char *const said[] = {
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
    "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"elicitation\":{}}}}",
    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/"
    "call\",\"params\":{\"name\":\"ask\","
    "\"arguments\":{\"question\":\"how many customers are there?\"}}}",
    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/"
    "call\",\"params\":{\"name\":\"ask\","
    "\"arguments\":{\"question\":\"revenue\",\"conversation\":\"new\"}}}",
    "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":"
    "\"execute_sql\",\"arguments\":{\"sql\":\"SELECT 1 AS n\"}}}",
    "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":"
    "\"search_objects\",\"arguments\":{\"words\":\"orders\"}}}",
    "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"resources/list\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"resources/read\",\"params\":{\"uri\":"
    "\"dragoman://schema/shop\"}}",
    "{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"resources/read\",\"params\":{\"uri\":"
    "\"dragoman://lessons/shop\"}}",
    "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"logging/"
    "setLevel\",\"params\":{\"level\":\"d"
    "ebug\"}}",
    "{\"jsonrpc\":\"2.0\",\"id\":10,\"method\":\"resources/"
    "subscribe\",\"params\":{\"uri\":"
    "\"dragoman://schema/shop\"}}",
    "{\"jsonrpc\":\"2.0\",\"id\":11,\"method\":\"tools/"
    "call\",\"params\":{\"name\":\"search_"
    "objects\",\"arguments\":{\"words\":\"wholesale\"}}}",
    /* 2026: asks back with a signed state, and listens until nobody hears any more */
    "{\"jsonrpc\":\"2.0\",\"id\":12,\"method\":\"tools/"
    "call\",\"params\":{\"name\":\"ask\",\"a"
    "rguments\":{\"question\":\"turnover\"}," META "}}",
    "{\"jsonrpc\":\"2.0\",\"id\":13,\"method\":\"subscriptions/"
    "listen\",\"params\":{\"noti"
    "fications\":{\"resourcesListChanged\":true,\"resourceSubscriptions\":[\"dragom"
    "an://schema/shop\"]}," META "}}",
};

enum { SAID = sizeof said / sizeof *said, LISTENING = 1 /* of them */ };

struct scene {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int replies;
    int failures;
    bool asked; /* the user is asked, and was not answered */
    char id[ID_ROOM];
};

struct ear { /* of one message */
    struct scene *scene;
    bool done;
};

static void complain(struct scene *scene, const char *what)
{
    (void)fprintf(stderr, "%s\n", what);
    scene->failures++;
}

static void hear(void *context, const struct mcp_frame *frame)
{
    struct ear *ear = context;
    struct scene *scene = ear->scene;
    struct arena *arena = arena_new();
    const json_t *root = json_quick(arena, frame->text ? frame->text : "{}",
                                    frame->text ? frame->size : 2);
    (void)pthread_mutex_lock(&scene->lock);
    if (ear->done) {
        complain(scene, "something follows the last frame");
    }
    if (frame->kind == MCP_NOTICE &&
        str_equal(json_text_at(root, "method"), "elicitation/create")) {
        scene->asked = true;
        str_put(scene->id, sizeof scene->id, json_text_at(root, "id"));
    }
    if (frame->kind != MCP_NOTICE) {
        ear->done = true;
        scene->replies++;
        bool result = json_object_get(root, "result") != NULL;
        bool error = json_text_at(json_object_at(root, "error"), "message") != NULL;
        if (frame->kind == MCP_REPLY && result == error) {
            complain(scene, "a reply is neither a result nor an error");
        }
    }
    (void)pthread_cond_broadcast(&scene->changed);
    (void)pthread_mutex_unlock(&scene->lock);
    arena_free(arena);
}

static void say(struct mcp_client *client, const char *text, struct ear *ear)
{
    const struct mcp_outlet outlet = {.send = hear, .context = ear};
    mcp_handle(client, NULL, mcp_read(text, strlen(text)), &outlet);
}

/* Waits for the replies, and answers what the user is asked. */
static void converse(struct mcp *mcp, struct mcp_client *client, struct scene *scene)
{
    bool silent = false;
    struct ear ears[SAID + 8] = {0};
    size_t count = 0;
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE_S;
    for (; count < SAID; count++) {
        ears[count].scene = scene;
        say(client, said[count], &ears[count]);
    }
    (void)pthread_mutex_lock(&scene->lock);
    while (scene->replies < (int)count && !scene->failures) {
        if (scene->replies == (int)count - LISTENING && !scene->asked && !silent) {
            silent = true;
            (void)pthread_mutex_unlock(&scene->lock);
            mcp_tick(mcp, INT64_MAX / 2); /* it looks for changes, once */
            mcp_client_no_more(client);
            (void)pthread_mutex_lock(&scene->lock);
            continue;
        }
        if (scene->asked && count < sizeof ears / sizeof *ears) {
            char text[TEXT_MOST];
            (void)snprintf(text, sizeof text,
                           "{\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"result\":{\"action\":"
                           "\"accept\",\"content\":{\"answer\":\"2\"}}}",
                           scene->id);
            scene->asked = false;
            ears[count].scene = scene;
            (void)pthread_mutex_unlock(&scene->lock);
            say(client, text, &ears[count++]);
            (void)pthread_mutex_lock(&scene->lock);
        } else if (pthread_cond_timedwait(&scene->changed, &scene->lock, &until) != 0) {
            complain(scene, "a request got no reply");
        }
    }
    (void)pthread_mutex_unlock(&scene->lock);
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

static int play(const char *folder, bool store, int nth)
{
    struct dgm_error error;
    char path[TEXT_MOST];
    char data[TEXT_MOST];
    (void)snprintf(path, sizeof path, "%s/shop.db", folder);
    (void)snprintf(data, sizeof data, "%s/%s%d", folder, store ? "s" : "d", nth);
    struct dgm_config *config = dgm_config_new();
    bool ok = dgm_config_set(config, "store.folder", data, &error) &&
              dgm_config_set(config, "agent.brain", "parser", &error) &&
              dgm_config_set(config, "log.level", "error", &error) &&
              dgm_config_add_datasource(config, NULL, path, &error);
    struct dgm *dgm = ok ? dgm_open(config, &error) : NULL;
    dgm_config_free(config);
    if (!dgm || !arm(dgm, store, nth)) {
        (void)fprintf(stderr, "it could not be set up: %s\n", dgm ? "" : error.message);
        return 1;
    }
    struct workers *workers = workers_new(2);
    const struct mcp_settings settings = {
        .dgm = dgm, .workers = workers, .later = workers};
    struct mcp *mcp = mcp_new(&settings);
    struct mcp_client *client = mcp_client_new(mcp, NULL);
    struct scene scene = {.lock = PTHREAD_MUTEX_INITIALIZER,
                          .changed = PTHREAD_COND_INITIALIZER};
    converse(mcp, client, &scene);
    mcp_client_close(client);
    dgm_shutdown(dgm);
    workers_free(workers);
    mcp_free(mcp);
    dgm_close(dgm);
    if (scene.failures) {
        (void)fprintf(stderr, "with call %d of the %s failing\n", nth,
                      store ? "store" : "driver");
    }
    return scene.failures;
}

int main(void)
{
    char folder[] = "/tmp/dragoman-faults-mcp-XXXXXX";
    char path[TEXT_MOST];
    int failures = 0;
    int plays = 0;
    if (!mkdtemp(folder)) {
        return 1;
    }
    (void)snprintf(path, sizeof path, "%s/shop.db", folder);
    failures += small_shop(path) ? 0 : 1;
    for (int nth = 1; nth <= NTH_MOST && !failures; nth++) {
        failures += play(folder, true, nth);
        plays++;
        if (nth <= DRIVER_MOST) { /* a conversation makes fewer calls of the driver */
            failures += play(folder, false, nth);
            plays++;
        }
    }
    char command[TEXT_MOST];
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    int removed = system(command);
    (void)printf("%d plays, %d failures\n", plays, failures);
    return failures || removed ? 1 : 0;
}
