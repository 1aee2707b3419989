/* Questions of tools/call: started, followed, and asked back. */
#include "mcp/asking.h"

#include <string.h>

#include "base/memory.h"
#include "base/str.h"
#include "mcp/reply.h"
#include "mcp/result.h"

static void fail(struct mcp_call *call, const struct dgm_answer *answer)
{
    struct dgm_error error = {.position = -1};
    (void)dgm_answer_error(answer, &error);
    mcp_reply_failure(call, &error);
}

/* The options as the result of the call. */
static void offer(struct mcp_call *call, const json_t *answer)
{
    struct buf buf;
    mcp_result_options(call, answer, &buf);
    mcp_reply_result(call, buf_get(&buf), buf.size);
    buf_release(&buf);
}

static void rest(struct mcp_call *call, const struct dgm_event *event)
{
    struct arena *arena = arena_new();
    const char *text = event->answer ? dgm_answer_json(event->answer) : "{}";
    const json_t *answer = json_quick(arena, text, strlen(text));
    if (event->kind == DGM_CLARIFICATION) {
        offer(call, answer);
    } else if (!event->answer) { /* this process ends */
        mcp_reply_failed(call, "INTERRUPTED: The server is shutting down. Ask again.");
    } else if (event->kind == DGM_FAILED) {
        fail(call, event->answer);
    } else if (str_equal(json_text_at(answer, "status"), "stopped")) {
        mcp_reply_failed(call, "STOPPED: The question was stopped.");
    } else {
        mcp_result_answer(call, answer);
    }
    arena_free(arena);
}

/* On a thread of the library. */
static void observe(void *context, const struct dgm_event *event)
{
    struct mcp_call *call = context;
    if (event->kind == DGM_STATUS) {
        mcp_reply_progress(call, str_or_empty(event->state));
    } else if (event->kind == DGM_PROGRESS) {
        mcp_reply_progress(call, str_or_empty(event->text));
    } else if (event->kind == DGM_DONE || event->kind == DGM_FAILED ||
               event->kind == DGM_CLARIFICATION || event->kind == DGM_GONE) {
        rest(call, event);
        mcp_call_unref(call); /* the observer's own */
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
    mcp_call_ref(call); /* the observer's, given back when the question rests */
    struct dgm_question *question = start(call, request, context, &error);
    if (question) {
        mcp_call_works(call, question);
        return;
    }
    mcp_call_unref(call);
    mcp_reply_failure(call, &error);
}

void mcp_asking_give_up(struct mcp_call *call)
{
    (void)call;
}

void mcp_asking_answered(struct mcp_client *client, const struct mcp_message *message)
{
    (void)client;
    (void)message;
}
