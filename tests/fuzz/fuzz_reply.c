/*
 * What models and their services send: any bytes must be read or refused, in bounded
 * time. The first byte chooses the reader; streams are fed cut at a place the second byte
 * says.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "llm/cursor.h"
#include "llm/llm.h"
#include "llm/provider.h"
#include "llm/stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

struct hearing {
    const struct llm_provider *provider;
    struct llm_said said;
    struct err err;
};

static bool on_event(void *context, const char *data, size_t size)
{
    struct hearing *hearing = context;
    return hearing->provider->event(&hearing->said, data, size);
}

static void read_reply(const char *data, size_t size, bool pick)
{
    static const char *const wanted[] = {"sql", "tables", "intent", NULL};
    struct arena *arena = arena_new();
    struct err err;
    json_t *value = reply_read(arena, data, size, pick ? wanted : NULL, &err);
    if (value && pick) { /* what was promised must be there */
        bool found = false;
        for (size_t i = 0; wanted[i]; i++) {
            found = found || json_object_get(value, wanted[i]);
        }
        if (!found) {
            abort();
        }
    }
    arena_free(arena);
}

static void read_stream(const struct llm_provider *provider, const char *data,
                        size_t size, size_t cut)
{
    struct hearing hearing = {.provider = provider,
                              .said = {.tokens_in = -1, .tokens_out = -1}};
    struct stream stream;
    struct stream_receiver receiver = {.receive = on_event, .context = &hearing};
    hearing.said.error = &hearing.err;
    buf_init(&hearing.said.text, 1 << 16);
    stream_init(&stream, provider->framing, 1 << 16);
    cut = size ? cut % size : 0;
    bool ok = stream_feed(&stream, data, cut, &receiver) &&
              stream_feed(&stream, data + cut, size - cut, &receiver) &&
              stream_end(&stream, &receiver);
    if (ok && stream.whole) {
        (void)provider->whole(&hearing.said, buf_get(&stream.line), stream.line.size);
    }
    if (hearing.said.text.data &&
        strlen(hearing.said.text.data) != hearing.said.text.size) {
        abort(); /* a NUL inside */
    }
    stream_release(&stream);
    buf_release(&hearing.said.text);
}

/* Read in place and read in earnest must say the same. */
static void compare_quick(const char *data, size_t size)
{
    struct err err;
    struct llm_said said = {.tokens_in = -1, .tokens_out = -1, .error = &err};
    buf_init(&said.text, 1 << 16);
    json_error_t error;
    json_t *root = json_loadb(data, size, JSON_REJECT_DUPLICATES, &error);
    if (root && openai_quick(&said, data, size)) {
        json_t *choice = json_array_get(json_object_get(root, "choices"), 0);
        const char *text = json_text_at(json_object_get(choice, "delta"), "content");
        if (strcmp(text ? text : "", buf_get(&said.text)) != 0) {
            abort();
        }
    }
    json_decref(root);
    buf_release(&said.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    static const struct llm_provider *const providers[] = {&llm_openai, &llm_anthropic,
                                                           &llm_ollama};
    if (size < 2) {
        return 0;
    }
    const char *data = (const char *)input + 2;
    size -= 2;
    if (input[0] % 8 < 4) {
        read_reply(data, size, input[0] % 2);
    } else if (input[0] % 8 < 7) {
        read_stream(providers[input[0] % 8 - 4], data, size, input[1]);
    } else if (input[1] % 2) {
        compare_quick(data, size);
    } else {
        struct llm_problem problem = {0};
        struct err err;
        problem_read(400 + input[1] % 200, data, size, &problem, &err);
    }
    return 0;
}
