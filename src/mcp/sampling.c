/* The model of a client that offers it: sampling/createMessage. */
#include "mcp/sampling.h"

#include "base/buf.h"
#include "base/str.h"
#include "base/writer.h"
#include "mcp/client_request.h"
#include "mcp/reply.h"

/* What the model said: one block of content, or the first text among several. */
static const char *text_of(const json_t *result)
{
    const json_t *content = json_object_get(result, "content");
    const json_t *list = json_array_at(result, "content");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        if (str_equal(json_text_at(item, "type"), "text")) {
            return json_text_at(item, "text");
        }
    }
    return json_is_object(content) ? json_text_at(content, "text") : NULL;
}

static void heard(struct mcp_call *call, const json_t *result, void *context)
{
    const char *text = text_of(result);
    (void)call;
    dgm_completion_end(context, text,
                       result ? "The reply of the assistant's model has no text."
                              : "The assistant did not call its model.");
}

static void write_params(struct writer *json, const char *system, const char *user,
                         int max_tokens)
{
    writer_object(json);
    writer_key(json, "messages");
    writer_array(json);
    writer_object(json);
    writer_key_text(json, "role", "user");
    writer_key(json, "content");
    writer_object(json);
    writer_key_text(json, "type", "text");
    writer_key_text(json, "text", str_or_empty(user));
    writer_object_end(json);
    writer_object_end(json);
    writer_array_end(json);
    if (!str_empty(system)) {
        writer_key_text(json, "systemPrompt", system);
    }
    writer_key_text(json, "includeContext", "none");
    writer_key_int(json, "maxTokens", max_tokens);
    writer_object_end(json);
}

void mcp_sample(void *context, struct dgm_completion *completion, const char *system,
                const char *user, int max_tokens)
{
    struct mcp_call *call = context;
    struct buf params;
    struct writer json;
    buf_init(&params, MCP_REPLY_MOST);
    writer_init(&json, &params);
    write_params(&json, system, user, max_tokens);
    if (params.full || !mcp_client_request(call, "sampling/createMessage",
                                           buf_get(&params), heard, completion)) {
        dgm_completion_end(completion, NULL, "The assistant's model cannot be reached.");
    }
    buf_release(&params);
}
