/*
 * Reads the conversation of a request: `messages` of /v1/chat/completions, or `input` of
 * /v1/responses. Texts are borrowed from the body or in the arena.
 */
#ifndef DGM_SERVER_OPENAI_MESSAGES_H
#define DGM_SERVER_OPENAI_MESSAGES_H

#include <stdbool.h>

#include "base/json.h"
#include "base/vec.h"

struct err;

struct openai_messages {
    const char *question; /* the user's last message */
    struct texts said;    /* the user's earlier messages, oldest first */
    const char *system;   /* text of the system messages; never obeyed, "" for none */
    /* The question that the last reply was about, from the link below that reply; NULL:
     * none. */
    const char *query_id;
    bool replied; /* there is a reply before the question */
};

/* value: a list of messages, or one text. */
bool openai_messages_read(struct arena *arena, const json_t *value,
                          struct openai_messages *out, struct err *err);
/* The id in the last link to an answer in this text; NULL: none. */
const char *openai_messages_link(struct arena *arena, const char *text);

#endif
