/*
 * Looks for conversations and answers that make the OpenAI-compatible interface fall, or
 * that put something live into an answer. The first byte says what the JSON after it is.
 * layers: server
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "base/utf8.h"
#include "server/openai/background.h"
#include "server/openai/demands.h"
#include "server/openai/markdown.h"
#include "server/openai/messages.h"
#include "server/openai/reply.h"

#define LINK "http://here/#/q/q-1"

static void expect(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void try_messages(struct arena *arena, const json_t *value)
{
    struct openai_messages messages;
    struct err err;
    err_clear(&err);
    if (!openai_messages_read(arena, value, &messages, &err)) {
        expect(err.code != ERR_OK && *err.message);
        return;
    }
    expect(messages.question && messages.system);
    struct openai_task task = openai_background_find(&messages);
    if (task.kind != OPENAI_NO_BACKGROUND) {
        struct buf out;
        buf_init(&out, OPENAI_REPLY_MOST);
        openai_background_write(arena, &messages, &task, value, &out);
        expect(!task.key || json_quick(arena, buf_get(&out), out.size));
        expect(utf8_valid(buf_get(&out), out.size, NULL));
        buf_release(&out);
    }
}

static size_t count(const char *text, const char *part)
{
    size_t found = 0;
    for (; (text = strstr(text, part)); text += strlen(part)) {
        found++;
    }
    return found;
}

/* The one link is ours, and so is every HTML element; SQL stands in its fence. */
static void try_answer(struct arena *arena, json_t *answer)
{
    struct buf out;
    json_object_del(answer, "sql");
    buf_init(&out, OPENAI_MARKDOWN_MOST);
    openai_markdown_write(&out, answer, LINK);
    const char *text = buf_get(&out);
    expect(!out.full && str_ends(text, "](" LINK ")\n") &&
           utf8_valid(text, out.size, NULL));
    expect(count(text, "](" LINK) == 1 && count(text, "<") == count(text, "<br>"));
    struct openai_reply reply = {.id = "q-1", .model = "m", .text = text, .asked = true};
    struct buf written;
    buf_init(&written, OPENAI_REPLY_MOST);
    openai_completion.write(&written, &reply);
    const json_t *read = json_quick(arena, buf_get(&written), written.size);
    const json_t *choice = json_array_get(json_array_at(read, "choices"), 0);
    expect(str_equal(json_text_at(json_object_at(choice, "message"), "content"), text));
    buf_clear(&written);
    openai_response.begin(&written, &reply);
    openai_response.end(&written, &reply);
    expect(!written.full);
    buf_release(&written);
    buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct err err;
    if (size < 2) {
        return 0;
    }
    struct arena *arena = arena_new();
    json_t *value = json_parse(arena, (const char *)data + 1, size - 1, &err);
    if (value && data[0] % 2) {
        try_answer(arena, value);
    } else if (json_is_object(value)) { /* a whole request */
        const char *param = NULL;
        expect(openai_demands_check(value, &param, &err) || (param && *err.message));
        try_messages(arena, json_object_get(value, "messages"));
        try_messages(arena, json_object_get(value, "input"));
    } else if (value) {
        try_messages(arena, value);
    }
    arena_free(arena);
    return 0;
}
