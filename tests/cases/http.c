/* The server's door: one instance for all steps of a case, asked over HTTP. A question is
 * asked, its events are followed to their end, and then its answer is fetched. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "base/utf8.h"
#include "base/webclient.h"
#include "cases/player.h"
#include "server/server.h"

enum { REPLY_MOST = 64 * 1024 * 1024 };

bool http_possible(const struct case_file *file)
{
    for (size_t i = 0; i < file->steps.count; i++) {
        const char *text = file->steps.items[i].text;
        if (text && !utf8_valid(text, strlen(text), NULL)) {
            return false; /* JSON cannot say it; tests/e2e/server/input.sh does */
        }
    }
    return !file->library_only;
}

bool http_open(struct player *player)
{
    struct dgm_error error = {.code = ""};
    struct err err;
    if (!library_open(player)) {
        return false;
    }
    struct dgm_config *config = dgm_config_new();
    bool ok = dgm_config_set(config, "server.listen", "127.0.0.1:0", &error) &&
              dgm_config_set(config, "server.threads", "1", &error) &&
              dgm_config_set(config, "server.drain_s", "0", &error);
    player->server = ok ? server_open(config, &error) : NULL;
    ok = player->server && server_start(player->server, player->dgm, &error);
    player->client = ok ? webclient_new(NULL, &err) : NULL;
    dgm_config_free(config);
    if (!player->client) {
        (void)fprintf(stderr, "no server: %s\n", error.message);
    }
    return player->client != NULL;
}

void http_close(struct player *player)
{
    webclient_free(player->client);
    server_stop(player->server);
    library_close(player);
}

static bool call(struct player *player, const char *method, const char *path,
                 json_t *body, struct buf *out, int *status)
{
    struct err err;
    static const char *const headers[] = {"Content-Type: application/json", NULL};
    char *text = body ? json_dumps(body, JSON_COMPACT) : NULL;
    struct webclient_request request = {
        .method = method,
        .url = arena_format(player->arena, "%s%s", server_address(player->server), path),
        .headers = headers,
        .body = text,
        .body_size = text ? strlen(text) : 0,
        .deadline_ms = clock_ms() + player->timeout_ms,
        .max_bytes = REPLY_MOST,
    };
    struct webclient_reply reply = {0};
    bool ok = webclient_call(player->client, &request, &reply, &err);
    if (ok) {
        *status = reply.status;
        (void)buf_add(out, buf_get(&reply.body), reply.body.size);
    } else {
        (void)fprintf(stderr, "%s %s: %s\n", method, path, err.message);
    }
    webclient_reply_release(&reply);
    free(text);
    json_decref(body);
    return ok;
}

static const json_t *call_json(struct player *player, const char *method,
                               const char *path, json_t *body, int *status)
{
    struct err err;
    struct buf out;
    buf_init(&out, REPLY_MOST);
    const json_t *reply = NULL;
    if (call(player, method, path, body, &out, status)) {
        reply = json_parse(player->arena, buf_get(&out), out.size, &err);
    }
    buf_release(&out);
    return reply;
}

static void add_text(json_t *body, const char *key, const char *text)
{
    if (text) {
        (void)json_object_set_new(body, key, json_string(text));
    }
}

static void add_true(json_t *body, const char *key, bool value)
{
    if (value) {
        (void)json_object_set_new(body, key, json_true());
    }
}

static json_t *question_body(const struct player *player, const struct case_step *step)
{
    json_t *body = json_object();
    add_text(body, step->kind == CASE_SQL ? "sql" : "query", step->text);
    add_text(body, "datasource", step->datasource);
    add_text(body, "session_id", step->session ? step->session : player->session_id);
    add_true(body, "allow_write", step->allow_write);
    if (step->kind == CASE_ASK) {
        add_text(body, "brain", step->brain);
        add_true(body, "ignore_sql_reasoning", step->no_plan);
        add_true(body, "dry_run", step->dry_run);
        add_true(body, "no_cache", step->fresh);
        add_true(body, "new_question", step->new_question);
        if (step->no_memory) {
            (void)json_object_set_new(body, "apply_memory", json_false());
        }
    }
    return body;
}

static const json_t *send_step(struct player *player, const struct case_step *step,
                               int *status)
{
    json_t *body = NULL;
    const char *what = "";
    switch (step->kind) {
    case CASE_ANSWER:
        what = "answer";
        body = json_object();
        add_text(body, "text", step->text);
        add_true(body, "new_question", step->new_question);
        break;
    case CASE_APPROVE:
    case CASE_REJECT:
        what = "approve";
        body = json_pack("{s:b}", "approved", step->kind == CASE_APPROVE);
        break;
    case CASE_WRONG:
    case CASE_GOOD:
        what = "feedback";
        body = json_pack("{s:b}", "good", step->kind == CASE_GOOD);
        break;
    case CASE_RETRY:
        what = "retry";
        break;
    case CASE_READING:
        what = "reading";
        body = json_pack("{s:I}", "reading", (json_int_t)strtol(step->text, NULL, 10));
        break;
    default:
        return call_json(player, "POST",
                         step->kind == CASE_SQL ? "/api/v1/sql" : "/api/v1/ask",
                         question_body(player, step), status);
    }
    return call_json(player, "POST",
                     arena_format(player->arena, "/api/v1/ask/%s/%s",
                                  player->query_id ? player->query_id : "none", what),
                     body, status);
}

int http_exit_status(const json_t *answer, int http_status)
{
    enum err_code code = ERR_OK;
    if (http_status == err_http_status(ERR_INCOMPLETE)) {
        return err_exit_status(ERR_INCOMPLETE);
    }
    const char *name = json_text_at(json_object_at(answer, "error"), "code");
    if (name && err_find(name, &code)) {
        return err_exit_status(code);
    }
    if (str_equal(json_text_at(answer, "status"), "stopped")) {
        return err_exit_status(ERR_STOPPED);
    }
    return str_equal(json_text_at(answer, "type"), "clarification")
               ? err_exit_status(ERR_CLARIFICATION)
               : 0;
}

/* Follows its events to the end, which must be the end of the question. */
static bool follow(struct player *player, const char *id)
{
    int status = 0;
    struct buf events;
    buf_init(&events, REPLY_MOST);
    bool ok =
        call(player, "GET", arena_format(player->arena, "/api/v1/ask/%s/stream", id),
             NULL, &events, &status);
    const char *text = buf_get(&events);
    ok = ok && strstr(text, "event: done\n");
    if (!ok) {
        (void)fprintf(stderr, "%s: its events have no end (HTTP %d)\n", id, status);
    }
    buf_release(&events);
    return ok;
}

static bool fetch_answer(struct player *player, const json_t *accepted,
                         struct played *played)
{
    int status = 0;
    const char *id = json_text_at(accepted, "query_id");
    player->query_id = arena_text(player->arena, id);
    if (!follow(player, id)) {
        return false;
    }
    played->answer = call_json(
        player, "GET", arena_format(player->arena, "/api/v1/ask/%s", id), NULL, &status);
    played->exit_status = http_exit_status(played->answer, status);
    return played->answer != NULL;
}

bool http_step(struct player *player, const struct case_step *step, struct played *played)
{
    *played = (struct played){.answer = NULL};
    int status = 0;
    if (step->kind == CASE_TEACH || step->kind == CASE_LESSONS) {
        return library_step(player, step, played); /* in the same instance */
    }
    if (step->kind == CASE_SESSION) {
        const json_t *session =
            call_json(player, "POST", "/api/v1/chat/sessions", json_object(), &status);
        player->session_id =
            arena_text(player->arena, json_text_at(session, "session_id"));
        return player->session_id != NULL;
    }
    const json_t *reply = send_step(player, step, &status);
    if (status == 202) {
        return fetch_answer(player, reply, played);
    }
    played->exit_status = http_exit_status(reply, status);
    if (status == 200) {
        played->answer = json_keep(
            player->arena, json_pack("{s:s}", "verdict", json_text_at(reply, "verdict")));
    } else if (reply) {
        played->answer =
            json_keep(player->arena, json_pack("{s:s, s:O}", "status", "failed", "error",
                                               json_object_get(reply, "error")));
    }
    return played->answer != NULL;
}
