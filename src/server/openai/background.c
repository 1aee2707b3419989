/* Requests that chat pages send on their own: recognized and answered. */
#include "server/openai/background.h"

#include <ctype.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "base/utf8.h"
#include "base/writer.h"

enum {
    TITLE_WORDS = 6,
    TITLE_BYTES = 60,
    ITEMS_MOST = 5,
    BEGINNING = 240, /* bytes of a prompt that say what it wants */
    NEAR = 120,      /* bytes from "generate" to "title" */
};

/* The field of the wanted JSON says what is wanted. */
static const struct openai_task tasks[] = {
    {OPENAI_TITLE, "title", false},    {OPENAI_TAGS, "tags", true},
    {OPENAI_NOTHING, "queries", true}, {OPENAI_FOLLOW_UPS, "follow_ups", true},
    {OPENAI_NOTHING, "text", false},   {OPENAI_NOTHING, "prompt", false},
};

static const struct openai_task no_task = {OPENAI_NO_BACKGROUND, NULL, false};

/* Where "key" is written with its quotes; NULL: nowhere. */
static const char *find_key(const char *text, const char *key)
{
    size_t size = strlen(key);
    for (const char *at = text; (at = strstr(at, key)); at += size) {
        if (at > text && at[-1] == '"' && at[size] == '"') {
            return at;
        }
    }
    return NULL;
}

/* A prompt in sections, whose first heading is "Task". The first of the fields that it
 * names is that of the reply; later ones may be in the chat, which comes last. */
static struct openai_task find_sections(const char *text)
{
    struct openai_task found = no_task;
    const char *first = NULL;
    text += strspn(text, " \t\r\n");
    if (!str_starts_nocase(text, "### task:")) {
        return no_task;
    }
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++) {
        const char *at = find_key(text, tasks[i].key);
        if (at && (!first || at < first)) {
            first = at;
            found = tasks[i];
        }
    }
    bool about_chat = str_contains_nocase(text, "<chat_history>");
    return first || !about_chat ? found : (struct openai_task){OPENAI_NOTHING, NULL, 0};
}

/* Prompts without sections, by how they begin. They ask for what has no answer here: calls
 * of tools, a face for a message, one text out of several replies. */
static struct openai_task find_other(const struct openai_messages *messages)
{
    static const struct openai_task calls = {OPENAI_NOTHING, "tool_calls", true};
    static const struct openai_task empty = {OPENAI_NOTHING, NULL, false};
    static const char *const starts[] = {
        "Your task is to reflect the speaker's likely facial expression through",
        "You have been provided with a set of responses from various models to",
    };
    if (str_starts(messages->system, "Available Tools:") &&
        find_key(messages->system, "tool_calls")) {
        return calls;
    }
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        if (str_starts(messages->question, starts[i])) {
            return empty;
        }
    }
    return no_task;
}

/* Does the prompt begin by telling to write a title for the conversation? */
static bool wants_title(struct arena *arena, const char *text)
{
    static const char *const verbs[] = {"generate", "create",    "write", "provide",
                                        "suggest",  "summarize", "make"};
    size_t size = strlen(text);
    const char *begin = arena_copy(arena, text, size < BEGINNING ? size : BEGINNING);
    bool chat =
        str_contains_nocase(begin, "conversation") || str_contains_nocase(begin, "chat");
    bool brief = str_contains_nocase(begin, "word") ||
                 str_contains_nocase(begin, "concise") ||
                 str_contains_nocase(begin, "short");
    for (size_t i = 0; chat && brief && i < sizeof verbs / sizeof *verbs; i++) {
        const char *verb = str_find_nocase(begin, verbs[i]);
        const char *title = verb ? str_find_nocase(verb, "title") : NULL;
        if (title && title - verb < NEAR) {
            return true;
        }
    }
    return false;
}

struct openai_task openai_background_find(const struct openai_messages *messages)
{
    static const struct openai_task title = {OPENAI_TITLE, NULL, false};
    struct openai_task task = find_sections(messages->question);
    task = task.kind == OPENAI_NO_BACKGROUND ? find_other(messages) : task;
    if (task.kind != OPENAI_NO_BACKGROUND || messages->replied) {
        return task;
    }
    /* The chat follows its heading, or is the only message below the instruction. */
    struct arena *arena = arena_new();
    bool found =
        (strchr(messages->question, '\n') && wants_title(arena, messages->question)) ||
        (!messages->said.count && wants_title(arena, messages->system));
    arena_free(arena);
    return found ? title : no_task;
}

/* The first thing that the user said in the chat that the prompt quotes. */
static const char *first_said(struct arena *arena, const char *prompt)
{
    static const char *const speakers[] = {"user:", "human:"};
    const char *begin = str_find_nocase(prompt, "<chat_history>");
    for (const char *at = begin ? begin : prompt; at; at = strchr(at, '\n')) {
        at += strspn(at, "\r\n\t *#");
        for (size_t i = 0; i < sizeof speakers / sizeof *speakers; i++) {
            if (str_starts_nocase(at, speakers[i])) {
                at += strlen(speakers[i]);
                at += strspn(at, " *\r\n");
                return arena_copy(arena, at, strcspn(at, "\r\n"));
            }
        }
    }
    return NULL;
}

/* Its first words, without the mark at the end. */
static const char *title_of(struct arena *arena, const struct openai_messages *messages)
{
    const char *said = first_said(arena, messages->question);
    if (!said && !wants_title(arena, messages->question)) {
        said = messages->question; /* the instruction is in the system message */
    }
    char *title = str_squeeze(arena, str_empty(said) ? "Questions about data" : said);
    size_t size = utf8_cut(title, strlen(title), TITLE_BYTES);
    size_t words = 0;
    for (size_t i = 0; i < size; i++) {
        if (title[i] == ' ' && ++words == TITLE_WORDS) {
            size = i;
        }
    }
    while (size && strchr(" ?!.,:;", title[size - 1])) {
        size--;
    }
    title[size] = '\0';
    title[0] = (char)toupper((unsigned char)title[0]);
    return title;
}

static void write_items(struct writer *writer, const struct openai_task *task,
                        const json_t *answer)
{
    writer_array(writer);
    if (task->kind == OPENAI_TAGS) {
        writer_text(writer, "data");
    }
    size_t index = 0;
    const json_t *item = NULL;
    json_array_foreach(json_array_at(answer, "follow_ups"), index, item)
    {
        const char *text = json_string_value(item);
        if (task->kind == OPENAI_FOLLOW_UPS && text && index < ITEMS_MOST) {
            writer_text(writer, text);
        }
    }
    writer_array_end(writer);
}

void openai_background_write(struct arena *arena, const struct openai_messages *messages,
                             const struct openai_task *task, const json_t *answer,
                             struct buf *out)
{
    struct writer writer;
    const char *text = task->kind == OPENAI_TITLE ? title_of(arena, messages) : "";
    if (!task->key) {
        (void)buf_text(out, text);
        return;
    }
    writer_init(&writer, out);
    writer_object(&writer);
    writer_key(&writer, task->key);
    if (task->list) {
        write_items(&writer, task, answer);
    } else {
        writer_text(&writer, text);
    }
    writer_object_end(&writer);
}
