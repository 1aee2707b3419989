/* Ollama's own chat protocol: one JSON object per line, and a schema as "format". */
#include <string.h>

#include "base/str.h"
#include "base/writer.h"
#include "llm/provider.h"

static char *ollama_address(struct arena *arena, const char *url)
{
    char *path;
    const char *query;
    char *base = address_split(arena, url, &path, &query);
    if (!strstr(url, "://") && !strchr(url, ':')) { /* OLLAMA_HOST may be a bare host */
        base = arena_format(arena, "%s:11434", base);
    }
    if (str_ends(path, "/v1")) { /* the same server's other protocol */
        path = arena_copy(arena, path, strlen(path) - strlen("/v1"));
    }
    const char *tail = str_ends(path, "/api/chat") ? ""
                       : str_ends(path, "/api")    ? "/chat"
                                                   : "/api/chat";
    return arena_format(arena, "%s%s%s%s", base, path, tail, query);
}

static void ollama_headers(struct arena *arena, const struct llm_settings *settings,
                           struct texts *headers)
{
    VEC_PUSH(arena, headers, "Content-Type: application/json");
    if (*settings->key) {
        VEC_PUSH(arena, headers,
                 arena_format(arena, "Authorization: Bearer %s", settings->key));
    }
}

static void ollama_head(const struct llm_settings *settings, const struct llm_ask *ask,
                        struct llm_body *body)
{
    struct writer writer;
    writer_init(&writer, &body->json);
    writer_object(&writer);
    writer_key_text(&writer, "model", settings->model);
    writer_key_bool(&writer, "stream",
                    settings->stream && !(ask->quirks & QUIRK_NO_STREAM));
    if (ask->schema && settings->structured && !(ask->quirks & QUIRK_NO_STRUCTURED)) {
        writer_key(&writer, "format");
        body_schema(body, &writer, ask);
    }
    writer_key(&writer, "options");
    writer_object(&writer);
    writer_key_real(&writer, "temperature", settings->temperature);
    writer_key_int(&writer, "num_predict", ask->max_tokens);
    /* a prompt past its window is cut without a word, so the window is said */
    writer_key_int(&writer, "num_ctx", settings->context_tokens + ask->max_tokens);
    writer_object_end(&writer);
    (void)buf_char(&body->json, ',');
}

static bool ollama_piece(struct llm_said *said, const char *data, size_t size)
{
    json_t *root = said_parse(data, size);
    if (!root) {
        return said_nonsense(said, "not JSON");
    }
    bool ok;
    const json_t *message = json_object_get(root, "message");
    if (json_object_get(root, "error")) {
        said->failed = true;
        problem_in_stream(root, said->error);
        ok = false;
    } else if (!message && !json_bool_at(root, "done", false)) {
        ok = said_nonsense(said, "no message in the reply");
    } else {
        ok = said_add(said, json_object_get(message, "content"));
        said->finished = said->finished || json_bool_at(root, "done", false);
        said->cut = said->cut || str_equal(json_text_at(root, "done_reason"), "length");
        said->tokens_in = said_count(root, "prompt_eval_count", said->tokens_in);
        said->tokens_out = said_count(root, "eval_count", said->tokens_out);
    }
    json_decref(root);
    return ok;
}

static bool ollama_whole(struct llm_said *said, const char *data, size_t size)
{
    said->finished = ollama_piece(said, data, size);
    return said->finished;
}

static void ollama_texts(const struct llm_call *call, struct buf *out)
{
    llm_openai.texts(call, out); /* the messages are the same */
}

const struct llm_provider llm_ollama = {
    .name = "ollama",
    .default_url = "http://127.0.0.1:11434",
    .default_model = "llama3.1",
    .framing = LLM_FRAMING_LINES,
    .address = ollama_address,
    .headers = ollama_headers,
    .head = ollama_head,
    .texts = ollama_texts,
    .event = ollama_piece,
    .whole = ollama_whole,
};
