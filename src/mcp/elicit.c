/* Asks the user of a client that has forms. */
#include "mcp/elicit.h"

#include <string.h>

#include "base/memory.h"
#include "base/str.h"
#include "base/writer.h"
#include "mcp/asking.h"
#include "mcp/client_request.h"
#include "mcp/plain.h"
#include "mcp/reply.h"
#include "mcp/result.h"
#include "mcp/ticket.h"

/* The name of the form's one field, and of the one request in 2026. */
#define FIELD "answer"

/* What an option says; it may come from a cell. */
static const char *label_of(struct arena *arena, const json_t *options, size_t i)
{
    const char *label = json_text_at(json_array_get(options, i), "label");
    return mcp_plain(arena, label, MCP_ONE_LINE);
}

static void write_choices(const struct mcp_call *call, const json_t *options,
                          struct writer *json)
{
    struct arena *arena = arena_new();
    bool old = call->abilities.old_enums;
    size_t count = json_array_size(options);
    writer_key(json, old ? "enum" : "oneOf");
    writer_array(json);
    for (size_t i = 0; i < count; i++) {
        const char *number = arena_format(arena, "%zu", i + 1);
        const char *label = label_of(arena, options, i);
        if (old) {
            writer_text(json, number);
        } else {
            writer_object(json);
            writer_key_text(json, "const", number);
            writer_key_text(json, "title", label ? label : number);
            writer_object_end(json);
        }
    }
    writer_array_end(json);
    if (old) {
        writer_key(json, "enumNames");
        writer_array(json);
        for (size_t i = 0; i < count; i++) {
            writer_text(json, label_of(arena, options, i));
        }
        writer_array_end(json);
    }
    arena_free(arena);
}

/* The params of elicitation/create. */
static void write_form(const struct mcp_call *call, const json_t *answer,
                       struct writer *json)
{
    const json_t *asked = json_object_at(answer, "clarification");
    const json_t *options = json_array_at(asked, "options");
    struct arena *arena = arena_new();
    const char *message = mcp_plain(arena, json_text_at(asked, "message"), MCP_LINES);
    writer_object(json);
    if (!call->abilities.old_enums) {
        writer_key_text(json, "mode", "form");
    }
    writer_key_text(json, "message", message ? message : "Please say more.");
    writer_key(json, "requestedSchema");
    writer_object(json);
    writer_key_text(json, "type", "object");
    writer_key(json, "properties");
    writer_object(json);
    writer_key(json, FIELD);
    writer_object(json);
    writer_key_text(json, "type", "string");
    writer_key_text(json, "title", "Answer");
    if (json_array_size(options)) {
        write_choices(call, options, json);
    }
    writer_object_end(json);
    writer_object_end(json);
    writer_key(json, "required");
    writer_array(json);
    writer_text(json, FIELD);
    writer_array_end(json);
    writer_object_end(json);
    writer_object_end(json);
    arena_free(arena);
}

/* 2026: the call ends, and comes again with the answer. */
static void require_input(struct mcp_call *call, const json_t *answer)
{
    char ticket[MCP_TICKET_SIZE];
    struct mcp_reply reply;
    mcp_ticket_write(call, str_or_empty(json_text_at(answer, "query_id")), ticket);
    mcp_reply_open_as(&reply, call, "input_required");
    writer_key(&reply.json, "inputRequests");
    writer_object(&reply.json);
    writer_key(&reply.json, FIELD);
    writer_object(&reply.json);
    writer_key_text(&reply.json, "method", "elicitation/create");
    writer_key(&reply.json, "params");
    write_form(call, answer, &reply.json);
    writer_object_end(&reply.json);
    writer_object_end(&reply.json);
    writer_key_text(&reply.json, "requestState", ticket);
    mcp_reply_close(&reply);
}

/* What the user chose; NULL: the user declined, or the client could not ask. */
static const char *chosen(const json_t *result)
{
    const char *said = json_text_at(json_object_at(result, "content"), FIELD);
    bool accepted = str_equal(json_text_at(result, "action"), "accept");
    return accepted && !str_empty(said) ? said : NULL;
}

/* What the user said to the form: the question goes on, or its options are the result. */
static void heard(struct mcp_call *call, const json_t *result, void *context)
{
    char query_id[ID_SIZE];
    const char *said = chosen(result);
    (void)context;
    (void)pthread_mutex_lock(&call->lock);
    char *options = call->ended ? NULL : call->options;
    if (options) {
        call->options = NULL;
    }
    str_put(query_id, sizeof query_id, call->query_id);
    (void)pthread_mutex_unlock(&call->lock);
    if (options && said) {
        mcp_asking_resume(call, query_id, said);
    } else if (options) {
        mcp_reply_result(call, options, strlen(options));
    }
    memory_free(options);
}

/* 2025: the call waits for the response to a request of ours. False: nobody would answer. */
static bool send_request(struct mcp_call *call, const json_t *answer)
{
    struct buf params;
    struct writer json;
    struct buf options;
    mcp_result_options(call, answer, &options);
    (void)pthread_mutex_lock(&call->lock);
    memory_free(call->options);
    call->options = buf_take(&options);
    (void)pthread_mutex_unlock(&call->lock);
    buf_init(&params, MCP_REPLY_MOST);
    writer_init(&json, &params);
    write_form(call, answer, &json);
    bool asked =
        mcp_client_request(call, "elicitation/create", buf_get(&params), heard, NULL);
    buf_release(&params);
    return asked;
}

bool mcp_elicit(struct mcp_call *call, const json_t *answer)
{
    if (!call->abilities.elicits) {
        return false;
    }
    if (call->modern) {
        require_input(call, answer);
        return true;
    }
    return send_request(call, answer);
}

bool mcp_elicit_returns(struct mcp_call *call)
{
    const char *ticket = call->modern ? json_text_at(call->params, "requestState") : NULL;
    const json_t *responses = json_object_at(call->params, "inputResponses");
    const json_t *response = json_object_at(responses, FIELD);
    struct dgm_error error = {.position = -1};
    char query_id[ID_SIZE];
    if (!ticket) {
        return false;
    }
    if (!mcp_ticket_read(call, ticket, query_id)) {
        mcp_reply_refuse(call, MCP_INVALID_PARAMS,
                         "This requestState is not valid (any more). Ask anew.", NULL);
        return true;
    }
    const char *said = chosen(response);
    if (said) {
        mcp_asking_resume(call, query_id, said);
        return true;
    }
    const json_t *answer = mcp_asking_load(call, call->arena, query_id, &error);
    if (!answer) {
        mcp_reply_failure(call, &error, NULL);
    } else if (response || !mcp_elicit(call, answer)) { /* declined */
        mcp_asking_offer(call, answer);
    }
    return true;
}
