/* The OpenAI chat protocol, which many other services and local servers speak too. */
#include <string.h>

#include "base/str.h"
#include "base/writer.h"
#include "llm/cursor.h"
#include "llm/provider.h"

static char *openai_address(struct arena *arena, const char *url)
{
    char *path;
    const char *query;
    char *base = address_split(arena, url, &path, &query);
    const char *tail = strstr(path, "/chat/completions") ? ""
                       : *path == '\0'                   ? "/v1/chat/completions"
                                                         : "/chat/completions";
    return arena_format(arena, "%s%s%s%s", base, path, tail, query);
}

static void openai_headers(struct arena *arena, const struct llm_settings *settings,
                           struct texts *headers)
{
    VEC_PUSH(arena, headers, "Content-Type: application/json");
    if (*settings->key) {
        bool azure = strstr(settings->safe_url, ".azure.com") != NULL;
        VEC_PUSH(arena, headers,
                 arena_format(arena, azure ? "api-key: %s" : "Authorization: Bearer %s",
                              settings->key));
    }
}

/* Only letters, digits, "_" and "-" may stand in a schema's name. */
static void write_schema(struct writer *writer, const struct llm_ask *ask,
                         struct llm_body *body)
{
    char name[64] = "reply";
    size_t length = ask->stage ? strlen(ask->stage) : 0;
    if (length > 0 && length < sizeof name) {
        for (size_t i = 0; i <= length; i++) {
            char c = ask->stage[i];
            bool fine = c == '\0' || strchr("_-", c) || (c >= '0' && c <= '9') ||
                        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            name[i] = fine ? c : '_';
        }
    }
    writer_key(writer, "response_format");
    writer_object(writer);
    writer_key_text(writer, "type", "json_schema");
    writer_key(writer, "json_schema");
    writer_object(writer);
    writer_key_text(writer, "name", name);
    writer_key_bool(writer, "strict", schema_is_strict(ask->schema, ask->schema_size));
    writer_key(writer, "schema");
    body_schema(body, writer, ask);
    writer_object_end(writer);
    writer_object_end(writer);
}

static void openai_head(const struct llm_settings *settings, const struct llm_ask *ask,
                        struct llm_body *body)
{
    struct writer writer;
    writer_init(&writer, &body->json);
    writer_object(&writer);
    writer_key_text(&writer, "model", settings->model);
    if (!(ask->quirks & QUIRK_NO_TEMPERATURE)) {
        writer_key_real(&writer, "temperature", settings->temperature);
    }
    writer_key_int(&writer,
                   ask->quirks & QUIRK_COMPLETION_TOKENS ? "max_completion_tokens"
                                                         : "max_tokens",
                   ask->max_tokens);
    if (settings->stream && !(ask->quirks & QUIRK_NO_STREAM)) {
        writer_key_bool(&writer, "stream", true);
        if (!(ask->quirks & QUIRK_NO_STREAM_OPTIONS)) {
            writer_key(&writer, "stream_options");
            writer_raw(&writer, "{\"include_usage\":true}");
        }
    }
    if (ask->schema && settings->structured && !(ask->quirks & QUIRK_NO_STRUCTURED)) {
        write_schema(&writer, ask, body);
    }
    (void)buf_char(&body->json, ',');
}

static void write_message(struct buf *out, const char *role, const char *text)
{
    (void)buf_format(out, "{\"role\":\"%s\",\"content\":", role);
    writer_quote(out, text, strlen(text));
    (void)buf_char(out, '}');
}

static void openai_texts(const struct llm_call *call, struct buf *out)
{
    (void)buf_text(out, "\"messages\":[");
    if (call->system && *call->system) {
        write_message(out, "system", call->system);
        (void)buf_char(out, ',');
    }
    write_message(out, "user", call->user ? call->user : "");
    (void)buf_text(out, "]}");
}

/* The text is a string, or a list of parts of which the text parts count. */
static bool add_content(struct llm_said *said, const json_t *content)
{
    if (json_is_string(content)) {
        return said_add(said, content);
    }
    size_t index;
    json_t *part;
    json_array_foreach(content, index, part)
    {
        if (!said_add(said, json_object_get(part, "text"))) {
            return false;
        }
    }
    return true;
}

static bool openai_finish(struct llm_said *said, const char *reason)
{
    if (!reason) {
        return true;
    }
    if (str_equal(reason, "content_filter")) {
        said->failed = true;
        (void)err_set(said->error, ERR_LLM_REFUSED,
                      "The model service filtered the reply.");
        return err_detail(said->error, "finish_reason: content_filter");
    }
    /* not the end yet: the token counts follow, then [DONE] */
    said->cut = said->cut || str_equal(reason, "length");
    return true;
}

static bool openai_choice(struct llm_said *said, const json_t *root, const char *kind)
{
    const json_t *choice = json_array_get(json_object_get(root, "choices"), 0);
    const json_t *message = json_object_get(choice, kind);
    const char *refusal = json_text_at(message, "refusal");
    const json_t *content = json_object_get(message, "content");
    if (refusal && *refusal &&
        !(json_is_string(content) && json_string_length(content))) {
        said->failed = true;
        (void)err_set(said->error, ERR_LLM_REFUSED, "The model refused to answer.");
        return err_detail(said->error, "%s", refusal);
    }
    return add_content(said, content) &&
           openai_finish(said, json_text_at(choice, "finish_reason"));
}

static void openai_usage(struct llm_said *said, const json_t *root)
{
    const json_t *usage = json_object_at(root, "usage");
    said->tokens_in = said_count(usage, "prompt_tokens", said->tokens_in);
    said->tokens_out = said_count(usage, "completion_tokens", said->tokens_out);
}

static bool openai_read(struct llm_said *said, const char *data, size_t size,
                        const char *kind)
{
    json_t *root = said_parse(data, size);
    if (!root) {
        return said_nonsense(said, "not JSON");
    }
    bool ok;
    const json_t *error = json_object_get(root, "error");
    if (error && !json_is_null(error)) {
        said->failed = true;
        problem_in_stream(root, said->error);
        ok = false;
    } else if (!json_is_array(json_object_get(root, "choices"))) {
        /* a streamed piece may hold only the usage; a whole reply must have a choice */
        ok = str_equal(kind, "delta") || said_nonsense(said, "no choices in the reply");
        openai_usage(said, root);
    } else {
        ok = openai_choice(said, root, kind);
        openai_usage(said, root);
    }
    json_decref(root);
    return ok;
}

static bool openai_event(struct llm_said *said, const char *data, size_t size)
{
    if (size >= 6 && memcmp(data, "[DONE]", 6) == 0) {
        said->finished = true;
        return true;
    }
    /* many small pieces: read in place when they are of the usual form */
    return openai_quick(said, data, size) || openai_read(said, data, size, "delta");
}

static bool openai_whole(struct llm_said *said, const char *data, size_t size)
{
    said->finished = openai_read(said, data, size, "message");
    return said->finished;
}

const struct llm_provider llm_openai = {
    .name = "openai",
    .default_url = "https://api.openai.com/v1",
    .default_model = "gpt-4o",
    .needs_key = true,
    .framing = LLM_FRAMING_SSE,
    .address = openai_address,
    .headers = openai_headers,
    .head = openai_head,
    .texts = openai_texts,
    .event = openai_event,
    .whole = openai_whole,
};
