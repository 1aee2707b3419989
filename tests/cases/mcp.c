/* The door of assistants: one instance for all steps of a case, asked by an MCP client. What
 * its results say must agree with the answer object, which then is held against the case. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "base/workers.h"
#include "cases/player.h"
#include "mcp/mcp.h"

enum { REPLY_MOST = 64 * 1024 * 1024, WORKERS = 2 };

struct mcp_door {
    struct workers *workers;
    struct mcp *mcp;
    struct mcp_client *client;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct buf reply;
    bool done;
};

/* What tools offer: plain questions, SQL and answers. */
static bool is_offered(const struct case_step *step)
{
    bool plain = !step->allow_write && !step->dry_run && !step->fresh && !step->no_plan &&
                 !step->no_memory && !step->new_question && !step->brain;
    return plain && step->kind != CASE_APPROVE && step->kind != CASE_REJECT &&
           step->kind != CASE_RETRY;
}

bool mcp_possible(const struct case_file *file)
{
    for (size_t i = 0; i < file->steps.count; i++) {
        if (!is_offered(&file->steps.items[i])) {
            return false;
        }
    }
    return http_possible(file);
}

bool mcp_open(struct player *player)
{
    if (!library_open(player)) {
        return false;
    }
    struct mcp_door *door = ARENA_NEW(player->arena, struct mcp_door);
    door->workers = workers_new(WORKERS);
    const struct mcp_settings settings = {
        .dgm = player->dgm, .workers = door->workers, .later = door->workers};
    door->mcp = mcp_new(&settings);
    door->client = mcp_client_new(door->mcp, NULL);
    (void)pthread_mutex_init(&door->lock, NULL);
    (void)pthread_cond_init(&door->changed, NULL);
    buf_init(&door->reply, REPLY_MOST);
    player->assistant = door;
    return true;
}

void mcp_close(struct player *player)
{
    struct mcp_door *door = player->assistant;
    if (door) {
        mcp_client_close(door->client);
        dgm_shutdown(player->dgm);
        workers_free(door->workers);
        mcp_free(door->mcp);
        buf_release(&door->reply);
    }
    library_close(player);
}

static void hear(void *context, const struct mcp_frame *frame)
{
    struct mcp_door *door = context;
    (void)pthread_mutex_lock(&door->lock);
    if (frame->kind != MCP_NOTICE) {
        (void)buf_add(&door->reply, frame->text ? frame->text : "{}",
                      frame->text ? frame->size : 2);
        door->done = true;
        (void)pthread_cond_broadcast(&door->changed);
    }
    (void)pthread_mutex_unlock(&door->lock);
}

/* Calls a tool; the result. */
static const json_t *call_tool(struct player *player, const char *name, json_t *arguments)
{
    struct mcp_door *door = player->assistant;
    const struct mcp_outlet outlet = {.send = hear, .context = door};
    struct err err;
    json_t *request =
        json_pack("{s:s, s:i, s:s, s:{s:s, s:o}}", "jsonrpc", "2.0", "id", 1, "method",
                  "tools/call", "params", "name", name, "arguments", arguments);
    char *text = json_dumps(request, JSON_COMPACT);
    json_decref(request);
    buf_clear(&door->reply);
    door->done = false;
    mcp_handle(door->client, NULL, mcp_read(text, strlen(text)), &outlet);
    free(text); /* jansson's own allocation */
    (void)pthread_mutex_lock(&door->lock);
    while (!door->done) { /* the question has a time limit of its own */
        (void)pthread_cond_wait(&door->changed, &door->lock);
    }
    const json_t *reply =
        json_parse(player->arena, buf_get(&door->reply), door->reply.size, &err);
    (void)pthread_mutex_unlock(&door->lock);
    return json_object_at(reply, "result");
}

static const json_t *send_step(struct player *player, const struct case_step *step)
{
    const char *session = step->session ? step->session : player->session_id;
    json_t *arguments = json_object();
    bool sql = step->kind == CASE_SQL;
    if (step->kind == CASE_ANSWER || step->kind == CASE_READING) {
        (void)json_object_set_new(
            arguments, "resume",
            json_string(player->query_id ? player->query_id : "none"));
        (void)json_object_set_new(arguments, "option", json_string(step->text));
        return call_tool(player, "ask", arguments);
    }
    (void)json_object_set_new(arguments, sql ? "sql" : "question",
                              json_string(step->text));
    if (step->datasource) {
        (void)json_object_set_new(arguments, "datasource", json_string(step->datasource));
    }
    if (session && !sql) {
        (void)json_object_set_new(arguments, "conversation", json_string(session));
    }
    return call_tool(player, sql ? "execute_sql" : "ask", arguments);
}

/* Says the result what the answer says? */
static bool agrees(const json_t *data, const json_t *answer)
{
    const json_t *rows = json_array_at(data, "rows");
    const json_t *all = json_array_at(answer, "rows");
    bool cut = json_bool_at(data, "truncated", false);
    bool same = !rows || cut || json_equal(rows, all);
    return same && (!rows || json_equal(json_object_get(data, "columns"),
                                        json_object_get(answer, "columns")));
}

/* The answer object of the question that a result is about. */
static const json_t *find_answer(struct player *player, const json_t *result)
{
    struct dgm_error error;
    struct err err;
    const json_t *data = json_object_at(result, "structuredContent");
    const char *text =
        json_text_at(json_array_get(json_array_at(result, "content"), 0), "text");
    const char *id = json_text_at(data, "query_id");
    const char *named = id || !text ? NULL : strstr(text, "\nquery_id: ");
    id = named ? named + strlen("\nquery_id: ") : id;
    if (!id) {
        return NULL;
    }
    player->query_id = arena_text(player->arena, id);
    char *stored = dgm_answer_load(player->dgm, id, &error);
    const json_t *answer =
        stored ? json_parse(player->arena, stored, strlen(stored), &err) : NULL;
    dgm_free(stored);
    if (answer && data && !agrees(data, answer)) {
        (void)fprintf(stderr, "the tool's result and the answer differ\n");
        return NULL;
    }
    return answer;
}

/* "CODE: message" of a result that is an error without a question. */
static const json_t *refusal(struct player *player, const json_t *result)
{
    const char *text = str_or_empty(
        json_text_at(json_array_get(json_array_at(result, "content"), 0), "text"));
    size_t code = strcspn(text, ":");
    const char *message = text[code] ? text + code + 2 : "";
    size_t size = strcspn(message, "\n");
    return json_keep(player->arena,
                     json_pack("{s:s, s:{s:s, s:s}}", "status", "failed", "error", "code",
                               arena_copy(player->arena, text, code), "message",
                               arena_copy(player->arena, message, size)));
}

bool mcp_step(struct player *player, const struct case_step *step, struct played *played)
{
    *played = (struct played){.answer = NULL};
    if (step->kind != CASE_ASK && step->kind != CASE_SQL && step->kind != CASE_ANSWER &&
        step->kind != CASE_READING) {
        return library_step(player, step, played); /* in the same instance */
    }
    const json_t *result = send_step(player, step);
    const json_t *answer = result ? find_answer(player, result) : NULL;
    bool refused = !answer && json_bool_at(result, "isError", false);
    played->answer = refused ? refusal(player, result) : answer;
    bool incomplete = json_bool_at(played->answer, "incomplete", false);
    played->exit_status = http_exit_status(
        played->answer, incomplete ? err_http_status(ERR_INCOMPLETE) : 0);
    return played->answer != NULL;
}
