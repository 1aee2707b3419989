/* Small things that every provider does with a request and with what the model said. */
#include <limits.h>
#include <string.h>

#include "base/writer.h"
#include "llm/provider.h"

void body_schema(struct llm_body *body, struct writer *writer, const struct llm_ask *ask)
{
    body->schema_at = body->json.size;
    body->schema_size = ask->schema_size;
    (void)buf_add(&body->json, ask->schema, ask->schema_size);
    writer->after_key = false;
    writer->comma = true;
}

bool said_add(struct llm_said *said, const json_t *text)
{
    const char *data = json_string_value(text);
    size_t size = json_string_length(text);
    while (data && size > 0) { /* our texts end at a NUL, so none may be inside */
        const char *nul = memchr(data, '\0', size);
        size_t piece = nul ? (size_t)(nul - data) : size;
        if (!buf_add(&said->text, data, piece)) {
            said->failed = true;
            return err_set(said->error, ERR_LLM_NONSENSE,
                           "The model's reply is longer than llm.max_reply_bytes (%zu).",
                           said->text.ceiling);
        }
        size_t step = piece + (nul ? 1 : 0);
        data += step;
        size -= step;
    }
    return true;
}

json_t *said_parse(const char *data, size_t size)
{
    json_error_t error;
    return json_loadb(data, size, JSON_ALLOW_NUL, &error);
}

bool said_nonsense(struct llm_said *said, const char *what)
{
    if (!said->failed) {
        said->failed = true;
        (void)err_set(said->error, ERR_LLM_NONSENSE,
                      "The model service's answer could not be understood.");
        (void)err_detail(said->error, "%s", what);
        (void)err_hint(said->error,
                       "Check that llm.url and llm.provider belong together.");
    }
    return false;
}

int said_count(const json_t *object, const char *key, int before)
{
    int64_t count = json_int_at(object, key, before);
    return count < 0 ? before : count > INT_MAX ? INT_MAX : (int)count;
}
