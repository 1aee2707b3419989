/* Questions of tools/call: started, and followed until they rest. */
#include "mcp/asking.h"

#include <string.h>

#include "base/memory.h"
#include "base/str.h"
#include "base/workers.h"
#include "mcp/elicit.h"
#include "mcp/logging.h"
#include "mcp/sampling.h"
#include "mcp/reply.h"
#include "mcp/result.h"
#include "mcp/tools.h"

/* Errors after which somebody else may know the SQL. */
static bool is_beyond(const json_t *answer)
{
    static const char *const codes[] = {
        "CANNOT_ANSWER",      "NO_RELEVANT_DATA", "INVALID_SQL",
        "STILL_UNCLEAR",      "BUDGET",           "PARSER_MISSING",
        "LLM_NOT_CONFIGURED", "LLM_UNAUTHORIZED", "LLM_MODEL_NOT_FOUND",
        "LLM_UNAVAILABLE",    "LLM_RATE_LIMITED", "LLM_TIMEOUT",
        "LLM_NONSENSE",       "LLM_TOO_LARGE",    "LLM_REFUSED"};
    const char *code = json_text_at(json_object_at(answer, "error"), "code");
    return code && str_is_among(code, codes, sizeof codes / sizeof *codes);
}

static void fail(struct mcp_call *call, const json_t *answer)
{
    const json_t *said = json_object_at(answer, "error");
    struct dgm_error error = {.position = -1};
    if (call->tool && call->tool->helps && is_beyond(answer)) {
        mcp_result_beyond(call, answer);
        return;
    }
    str_put(error.code, sizeof error.code, json_text_at(said, "code"));
    str_put(error.message, sizeof error.message, json_text_at(said, "message"));
    str_put(error.detail, sizeof error.detail, json_text_at(said, "detail"));
    str_put(error.hint, sizeof error.hint, json_text_at(said, "hint"));
    mcp_log(call, MCP_LOG_ERROR, error.message);
    mcp_reply_failure(call, &error, json_text_at(answer, "query_id"));
}

/* What a person should know about the answer. */
static void warn(struct mcp_call *call, const json_t *answer)
{
    const json_t *warnings = json_array_at(answer, "warnings");
    for (size_t i = 0; i < json_array_size(warnings); i++) {
        const char *text = json_string_value(json_array_get(warnings, i));
        mcp_log(call, MCP_LOG_WARNING, str_or_empty(text));
    }
}

void mcp_asking_offer(struct mcp_call *call, const json_t *answer)
{
    struct buf buf;
    mcp_result_options(call, answer, &buf);
    mcp_reply_result(call, buf_get(&buf), buf.size);
    buf_release(&buf);
}

static void tell(struct mcp_call *call, const char *text)
{
    struct arena *arena = arena_new();
    const json_t *answer = json_quick(arena, text, strlen(text));
    const char *status = json_text_at(answer, "status");
    if (str_equal(json_text_at(answer, "state"), "AWAIT_USER")) {
        if (!mcp_elicit(call, answer)) {
            mcp_asking_offer(call, answer);
        }
    } else if (str_equal(status, "failed")) {
        fail(call, answer);
    } else if (str_equal(status, "stopped")) {
        const struct dgm_error error = {
            .code = "STOPPED", .message = "The question was stopped.", .position = -1};
        mcp_reply_failure(call, &error, json_text_at(answer, "query_id"));
    } else if (answer) {
        warn(call, answer);
        mcp_result_answer(call, answer);
    } else { /* this process ends */
        mcp_reply_failed(call, "INTERRUPTED: The server is shutting down. Ask again.");
    }
    arena_free(arena);
}

/* What was heard of a question, told on another thread: the schema may have to be read. */
struct heard {
    struct mcp_call *call; /* a reference */
    char *text;
};

static void tell_later(void *context)
{
    struct heard *heard = context;
    tell(heard->call, heard->text);
    mcp_call_unref(heard->call);
    memory_free(heard->text);
    memory_free(heard);
}

/* Takes over the reference to the call. */
static void rest(struct mcp_call *call, const struct dgm_event *event)
{
    struct workers *later = call->client->mcp->settings.later;
    const char *text = event->answer ? dgm_answer_json(event->answer) : "";
    bool blocks =
        event->kind != DGM_DONE ||
        str_equal(event->answer ? dgm_answer_label(event->answer) : NULL, "unsure");
    (void)pthread_mutex_lock(&call->lock);
    bool ended = call->ended; /* then nobody listens, and the workers may be gone */
    (void)pthread_mutex_unlock(&call->lock);
    if (!ended && blocks && later) {
        struct heard *heard = memory_alloc(sizeof *heard);
        heard->call = call;
        heard->text = memory_text(text);
        workers_submit(later, tell_later, heard);
        return;
    }
    if (!ended) {
        tell(call, text);
    }
    mcp_call_unref(call);
}

/* On a thread of the library. */
static void observe(void *context, const struct dgm_event *event)
{
    struct mcp_call *call = context;
    if (event->kind == DGM_STATUS) {
        mcp_reply_progress(call, str_or_empty(event->state));
        mcp_log(call, MCP_LOG_DEBUG, str_or_empty(event->state));
    } else if (event->kind == DGM_PROGRESS) {
        mcp_reply_progress(call, str_or_empty(event->text));
    } else if (event->kind == DGM_DONE || event->kind == DGM_FAILED ||
               event->kind == DGM_CLARIFICATION || event->kind == DGM_GONE) {
        rest(call, event);
    }
}

void mcp_asking_start(struct mcp_call *call, struct dgm_request *request,
                      mcp_start *start, const void *context)
{
    struct dgm_error error = {.position = -1};
    request->account = mcp_call_account(call);
    request->access = mcp_call_access(call);
    request->durable = true; /* the client gets the id, so the question must be stored */
    request->datasets = true;
    request->observer = observe;
    request->context = call;
    request->model = call->abilities.samples && !call->modern ? mcp_sample : NULL;
    mcp_call_ref(call); /* the observer's, given back when the question rests */
    struct dgm_question *question = start(call, request, context, &error);
    if (question) {
        mcp_call_works(call, question);
        return;
    }
    mcp_call_unref(call);
    mcp_reply_failure(call, &error, NULL);
}

static struct dgm_question *start_resume(struct mcp_call *call,
                                         struct dgm_request *request, const void *context,
                                         struct dgm_error *error)
{
    const char *const *said = context; /* the id, and the answer */
    return dgm_resume(mcp_call_dgm(call), said[0], said[1], request, error);
}

void mcp_asking_resume(struct mcp_call *call, const char *query_id, const char *said)
{
    struct dgm_request request = {0};
    const char *const both[] = {query_id, said};
    mcp_asking_start(call, &request, start_resume, both);
}

const json_t *mcp_asking_load(struct mcp_call *call, struct arena *arena,
                              const char *query_id, struct dgm_error *error)
{
    char *text =
        dgm_answer_load_for(mcp_call_dgm(call), mcp_call_access(call), query_id, error);
    const json_t *answer = text ? json_quick(arena, text, strlen(text)) : NULL;
    dgm_free(text);
    return answer;
}
