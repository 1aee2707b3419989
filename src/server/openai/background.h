/*
 * Requests that chat pages send on their own, without the user: a title for the chat,
 * tags, questions that could follow. They are answered here, without a question to a
 * database or a model.
 */
#ifndef DGM_SERVER_OPENAI_BACKGROUND_H
#define DGM_SERVER_OPENAI_BACKGROUND_H

#include <stdbool.h>

#include "server/openai/messages.h"

struct buf;

enum openai_background {
    OPENAI_NO_BACKGROUND, /* a question of the user */
    OPENAI_TITLE,
    OPENAI_TAGS,
    OPENAI_FOLLOW_UPS,
    OPENAI_NOTHING, /* something that has no answer here: an empty one is returned */
};

struct openai_task {
    enum openai_background kind;
    const char *key; /* the reply is {key: …}; NULL: plain text */
    bool list;       /* the value is a list */
};

/* Only clear cases: a question of the user must never be taken for one of these. */
struct openai_task openai_background_find(const struct openai_messages *messages);
/* The reply. answer: of the question that the chat is about, for follow-ups; or NULL. */
void openai_background_write(struct arena *arena, const struct openai_messages *messages,
                             const struct openai_task *task, const json_t *answer,
                             struct buf *out);

#endif
