/* The tool `ask`: a question in plain words, or an earlier one that goes on. */
#include <string.h>

#include "base/str.h"
#include "mcp/asking.h"
#include "mcp/reply.h"
#include "mcp/tools.h"

static struct dgm_question *start_question(struct mcp_call *call,
                                           struct dgm_request *request,
                                           const void *context, struct dgm_error *error)
{
    (void)context;
    return dgm_ask(mcp_call_dgm(call), request, error);
}

static struct dgm_question *start_reading(struct mcp_call *call,
                                          struct dgm_request *request,
                                          const void *context, struct dgm_error *error)
{
    const char *const *said = context;
    int64_t number = 0;
    (void)str_to_int(said[1], &number);
    return dgm_reading(mcp_call_dgm(call), said[0], number, request, error);
}

/* A number is an option where the question waits for its user, else a reading. */
static void go_on(struct mcp_call *call, const char *query_id, const char *option)
{
    struct dgm_error error = {.position = -1};
    struct dgm_request request = {0};
    const char *said[] = {query_id, option};
    int64_t number = 0;
    if (str_empty(option)) {
        mcp_reply_failed(call, "'option' is missing: a number from the list, or words.");
        return;
    }
    const json_t *answer = mcp_asking_load(call, call->arena, query_id, &error);
    bool waits = str_equal(json_text_at(answer, "state"), "AWAIT_USER");
    if (!answer) {
        mcp_reply_failure(call, &error, NULL);
    } else if (waits || !str_to_int(option, &number)) {
        mcp_asking_resume(call, query_id, option);
    } else {
        mcp_asking_start(call, &request, start_reading, said);
    }
}

/* The conversation to ask in: NULL for none. False: the result was sent. */
static bool open_conversation(struct mcp_call *call, const char *wanted,
                              const char *datasource, const char **session)
{
    struct dgm_error error = {.position = -1};
    *session = wanted;
    if (!str_equal(wanted, "new")) {
        return true;
    }
    char *id = dgm_session_new_for(mcp_call_dgm(call), mcp_call_access(call), datasource,
                                   &error);
    if (!id) {
        mcp_reply_failure(call, &error, NULL);
        return false;
    }
    *session = arena_text(call->arena, id);
    dgm_free(id);
    return true;
}

void mcp_tool_ask(struct mcp_call *call, const json_t *arguments)
{
    const json_t *option = json_object_get(arguments, "option");
    const char *resume = json_text_at(arguments, "resume");
    const char *datasource = json_text_at(arguments, "datasource");
    if (!str_empty(resume)) {
        const char *words = json_is_integer(option)
                                ? mcp_message_token(call->arena, option)
                                : json_string_value(option);
        go_on(call, resume, words ? words : json_text_at(arguments, "question"));
        return;
    }
    struct dgm_request request = {.question = json_text_at(arguments, "question")};
    request.datasource =
        str_empty(datasource) ? call->client->mcp->settings.datasource : datasource;
    if (str_empty(request.question)) {
        mcp_reply_failed(call, "'question' is missing.");
    } else if (open_conversation(call, json_text_at(arguments, "conversation"),
                                 request.datasource, &request.session_id)) {
        mcp_asking_start(call, &request, start_question, NULL);
    }
}
