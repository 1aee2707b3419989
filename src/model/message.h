/* One turn of a conversation. */
#ifndef DGM_MODEL_MESSAGE_H
#define DGM_MODEL_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

struct message {
    const char *role; /* "user" or "assistant" */
    const char *content;
    const char *sql; /* or NULL */
    /* For a model: the full wording of a follow-up, or an answer's first rows; or NULL. */
    const char *gist;
    const char *query_id; /* or NULL */
    int64_t at;           /* wall clock, seconds */
};

struct messages {
    struct message *items;
    size_t count;
    size_t capacity;
};

#endif
