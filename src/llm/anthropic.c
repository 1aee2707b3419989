/*
 * Anthropic's messages protocol. A reply in a schema is asked for as a forced tool call.
 */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/writer.h"
#include "llm/provider.h"

static char *anthropic_address(struct arena *arena, const char *url)
{
    char *path;
    const char *query;
    char *base = address_split(arena, url, &path, &query);
    const char *tail = str_ends(path, "/messages") ? ""
                       : str_ends(path, "/v1")     ? "/messages"
                                                   : "/v1/messages";
    return arena_format(arena, "%s%s%s%s", base, path, tail, query);
}

static void anthropic_headers(struct arena *arena, const struct llm_settings *settings,
                              struct texts *headers)
{
    VEC_PUSH(arena, headers, "Content-Type: application/json");
    VEC_PUSH(arena, headers, "anthropic-version: 2023-06-01");
    if (*settings->key) {
        VEC_PUSH(arena, headers, arena_format(arena, "x-api-key: %s", settings->key));
    }
}

static void anthropic_head(const struct llm_settings *settings, const struct llm_ask *ask,
                           struct llm_body *body)
{
    struct writer writer;
    writer_init(&writer, &body->json);
    writer_object(&writer);
    writer_key_text(&writer, "model", settings->model);
    writer_key_int(&writer, "max_tokens", ask->max_tokens);
    if (!(ask->quirks & QUIRK_NO_TEMPERATURE)) {
        double most = 1.0; /* this protocol's range is 0 to 1 */
        writer_key_real(&writer, "temperature",
                        settings->temperature > most ? most : settings->temperature);
    }
    if (settings->stream && !(ask->quirks & QUIRK_NO_STREAM)) {
        writer_key_bool(&writer, "stream", true);
    }
    if (ask->schema && settings->structured && !(ask->quirks & QUIRK_NO_STRUCTURED)) {
        writer_key(&writer, "tools");
        writer_array(&writer);
        writer_object(&writer);
        writer_key_text(&writer, "name", "reply");
        writer_key_text(&writer, "description", "Give the reply in this form.");
        writer_key(&writer, "input_schema");
        body_schema(body, &writer, ask);
        writer_object_end(&writer);
        writer_array_end(&writer);
        writer_key(&writer, "tool_choice");
        writer_raw(&writer, "{\"type\":\"tool\",\"name\":\"reply\"}");
    }
    (void)buf_char(&body->json, ',');
}

static void anthropic_texts(const struct llm_call *call, struct buf *out)
{
    const char *user = call->user ? call->user : "";
    if (call->system && *call->system) {
        (void)buf_text(out, "\"system\":");
        writer_quote(out, call->system, strlen(call->system));
        (void)buf_char(out, ',');
    }
    (void)buf_text(out, "\"messages\":[{\"role\":\"user\",\"content\":");
    writer_quote(out, user, strlen(user));
    (void)buf_text(out, "}]}");
}

static void anthropic_usage(struct llm_said *said, const json_t *usage)
{
    static const char *const cached[] = {"cache_creation_input_tokens",
                                         "cache_read_input_tokens"};
    int in = said_count(usage, "input_tokens", -1);
    if (in >= 0) {
        for (size_t i = 0; i < sizeof cached / sizeof *cached; i++) {
            in += said_count(usage, cached[i], 0);
        }
        said->tokens_in = in;
    }
    said->tokens_out = said_count(usage, "output_tokens", said->tokens_out);
}

static bool anthropic_stop(struct llm_said *said, const char *reason)
{
    if (str_equal(reason, "refusal")) {
        said->failed = true;
        return err_set(said->error, ERR_LLM_REFUSED, "The model refused to answer.");
    }
    said->cut = said->cut || str_equal(reason, "max_tokens");
    return true;
}

static bool on_start(struct llm_said *said, const json_t *event)
{
    anthropic_usage(said, json_object_get(json_object_get(event, "message"), "usage"));
    return true;
}

static bool on_delta(struct llm_said *said, const json_t *event)
{
    const json_t *delta = json_object_get(event, "delta");
    const json_t *text = json_object_get(delta, "text");
    return said_add(said, text ? text : json_object_get(delta, "partial_json"));
}

static bool on_message_delta(struct llm_said *said, const json_t *event)
{
    anthropic_usage(said, json_object_get(event, "usage"));
    return anthropic_stop(said,
                          json_text_at(json_object_get(event, "delta"), "stop_reason"));
}

static bool on_stop(struct llm_said *said, const json_t *event)
{
    (void)event;
    said->finished = true;
    return true;
}

static bool on_error(struct llm_said *said, const json_t *event)
{
    said->failed = true;
    problem_in_stream(event, said->error);
    return false;
}

static const struct {
    const char *type;
    bool (*take)(struct llm_said *said, const json_t *event);
} events[] = {
    {"message_start", on_start},
    {"content_block_delta", on_delta},
    {"message_delta", on_message_delta},
    {"message_stop", on_stop},
    {"error", on_error},
};

static bool anthropic_event(struct llm_said *said, const char *data, size_t size)
{
    json_t *event = said_parse(data, size);
    if (!event) {
        return said_nonsense(said, "not JSON");
    }
    bool ok = true; /* other events (ping, and what may come one day) say nothing to us */
    const char *type = json_text_at(event, "type");
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        if (str_equal(type, events[i].type)) {
            ok = events[i].take(said, event);
        }
    }
    json_decref(event);
    return ok;
}

static bool add_block(struct llm_said *said, const json_t *block)
{
    if (!str_equal(json_text_at(block, "type"), "tool_use")) {
        return said_add(said, json_object_get(block, "text"));
    }
    char *json = json_dumps(json_object_get(block, "input"), JSON_COMPACT);
    json_t *text = json_string(json ? json : "");
    bool ok = said_add(said, text);
    json_decref(text);
    free(json);
    return ok;
}

static bool anthropic_whole(struct llm_said *said, const char *data, size_t size)
{
    json_t *root = said_parse(data, size);
    const json_t *content = json_object_get(root, "content");
    bool ok;
    if (root && str_equal(json_text_at(root, "type"), "error")) {
        ok = on_error(said, root);
    } else if (!json_is_array(content)) {
        ok = said_nonsense(said, root ? "no content in the reply" : "not JSON");
    } else {
        ok = anthropic_stop(said, json_text_at(root, "stop_reason"));
        for (size_t i = 0; ok && i < json_array_size(content); i++) {
            ok = add_block(said, json_array_get(content, i));
        }
        anthropic_usage(said, json_object_get(root, "usage"));
    }
    json_decref(root);
    said->finished = ok;
    return ok;
}

const struct llm_provider llm_anthropic = {
    .name = "anthropic",
    .default_url = "https://api.anthropic.com",
    .default_model = "claude-sonnet-4-5",
    .needs_key = true,
    .framing = LLM_FRAMING_SSE,
    .address = anthropic_address,
    .headers = anthropic_headers,
    .head = anthropic_head,
    .texts = anthropic_texts,
    .event = anthropic_event,
    .whole = anthropic_whole,
};
