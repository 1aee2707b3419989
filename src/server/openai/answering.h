/* Sends the answer to a request: of a question when it has ended, or a text at once. */
#ifndef DGM_SERVER_OPENAI_ANSWERING_H
#define DGM_SERVER_OPENAI_ANSWERING_H

#include <stdbool.h>
#include <stdint.h>

#include "server/openai/reply.h"

struct exchange;
struct inquiry;
struct openai_stream;

/* One request; in its exchange's arena. */
struct openai_call {
    const struct openai_format *format;
    const char *model; /* as the client named it */
    const char *place; /* address of this server, for links */
    int64_t created;
    bool stream;
    bool with_usage;
    struct openai_stream *events; /* if `stream` */
};

/* Waits for the question, and then replies. If the client disconnects, the question is
 * stopped. */
void openai_answer_later(struct exchange *exchange, struct openai_call *call,
                         struct inquiry *inquiry);
void openai_answer_now(struct exchange *exchange, struct openai_call *call,
                       const char *text);

#endif
