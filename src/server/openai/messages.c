/* The conversation of a request, read from its messages. */
#include "server/openai/messages.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"

enum { ID_LETTERS = 40 };

static const char link_start[] = "/q/";

enum role { ROLE_SYSTEM, ROLE_USER, ROLE_ASSISTANT, ROLE_TOOL };

static const struct {
    const char *name;
    enum role role;
} roles[] = {
    {"user", ROLE_USER},        {"assistant", ROLE_ASSISTANT}, {"system", ROLE_SYSTEM},
    {"developer", ROLE_SYSTEM}, {"tool", ROLE_TOOL},           {"function", ROLE_TOOL},
};

static bool find_role(const char *name, enum role *role)
{
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        if (str_equal(roles[i].name, name)) {
            *role = roles[i].role;
            return true;
        }
    }
    return false;
}

/* Its text; NULL: it is something else, such as a picture. */
static const char *part_text(const json_t *part)
{
    static const char *const types[] = {"text", "input_text", "output_text", "refusal"};
    const char *type = json_text_at(part, "type");
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (str_equal(type, types[i])) {
            const char *text = json_text_at(part, "text");
            return text ? text : json_text_at(part, "refusal");
        }
    }
    return NULL;
}

/* A text, or a list of parts of which only texts can be read. */
static const char *content_text(struct arena *arena, const json_t *content, bool strict,
                                struct err *err)
{
    struct texts parts = {0};
    size_t index = 0;
    const json_t *part = NULL;
    if (json_is_string(content)) {
        return json_string_value(content);
    }
    if (!content || json_is_null(content)) {
        return "";
    }
    if (!json_is_array(content)) {
        (void)err_set(err, ERR_INVALID_DATA,
                      "The content of a message must be a text or a list of parts.");
        return NULL;
    }
    json_array_foreach(content, index, part)
    {
        const char *text = part_text(part);
        if (text) {
            VEC_PUSH(arena, &parts, text);
        } else if (strict) {
            (void)err_set(err, ERR_INVALID_DATA,
                          "A part of the type '%.40s' cannot be read, only text.",
                          str_or_empty(json_text_at(part, "type")));
            return NULL;
        }
    }
    return str_join(arena, &parts, "\n");
}

const char *openai_messages_link(struct arena *arena, const char *text)
{
    const char *found = NULL;
    size_t size = 0;
    for (const char *at = text; (at = strstr(at, link_start));) {
        at += sizeof link_start - 1;
        size_t letters = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789-");
        if (at[0] == 'q' && at[1] == '-' && letters <= ID_LETTERS) {
            found = at;
            size = letters;
        }
    }
    return found ? arena_copy(arena, found, size) : NULL;
}

/*
 * Chat pages put what they found in documents or on the web around a question: a prompt in
 * sections, with a <context>, and the question at the end. Only that can be answered here.
 */
static const char *unwrapped(struct arena *arena, const char *text)
{
    static const char end[] = "</context>";
    const char *begin = text + strspn(text, " \t\r\n");
    if (!str_starts_nocase(begin, "### task:") || !strstr(begin, "<context>") ||
        str_contains_nocase(begin, "<chat_history>")) {
        return text;
    }
    const char *rest = NULL;
    for (const char *at = begin; (at = strstr(at, end)); rest = at) {
        at += sizeof end - 1;
    }
    const char *question = rest ? str_trim(arena, rest) : "";
    return *question ? question : text;
}

/* What came before is what was said; the new text is the question until another
 * follows. */
static void take_user(struct arena *arena, struct openai_messages *out, const char *text)
{
    if (out->question) {
        VEC_PUSH(arena, &out->said, out->question);
    }
    out->question = text;
}

/* latest: the last of all messages. A picture in an earlier one was refused then; it does
 * not end the chat. */
static bool take(struct arena *arena, struct openai_messages *out, const json_t *message,
                 bool latest, enum role *last, struct err *err)
{
    const char *type = json_text_at(message, "type");
    enum role role = ROLE_USER;
    if (json_is_object(message) && type && !str_equal(type, "message")) {
        return true; /* of /v1/responses: calls of functions, reasoning … */
    }
    if (!find_role(json_text_at(message, "role"), &role)) {
        return err_set(err, ERR_INVALID_DATA,
                       "Each message must have a role: system, user or assistant.");
    }
    const char *text =
        content_text(arena, json_object_get(message, "content"), latest, err);
    if (!text) {
        return false;
    }
    if (role == ROLE_USER) {
        out->replied = *last == ROLE_ASSISTANT || out->replied;
        take_user(arena, out, unwrapped(arena, text));
    } else if (role == ROLE_ASSISTANT) {
        out->query_id = openai_messages_link(arena, text);
    } else if (role == ROLE_SYSTEM && str_empty(out->system)) {
        out->system = text;
    }
    *last = role == ROLE_SYSTEM ? *last : role;
    return true;
}

bool openai_messages_read(struct arena *arena, const json_t *value,
                          struct openai_messages *out, struct err *err)
{
    enum role last = ROLE_SYSTEM;
    size_t index = 0;
    const json_t *message = NULL;
    *out = (struct openai_messages){.system = ""};
    if (json_is_string(value)) {
        out->question = json_string_value(value);
        return true;
    }
    if (!json_is_array(value)) {
        return err_set(err, ERR_INVALID_DATA, "The messages must be a list.");
    }
    json_array_foreach(value, index, message)
    {
        if (!take(arena, out, message, index + 1 == json_array_size(value), &last, err)) {
            return false;
        }
    }
    if (last != ROLE_USER) {
        return err_set(err, ERR_INVALID_DATA,
                       "The last message must be one of the user.");
    }
    return true;
}
