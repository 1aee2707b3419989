/* Splits streamed replies into events: server-sent events, or one JSON object per
 * line. */
#ifndef DGM_LLM_STREAM_H
#define DGM_LLM_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "llm/provider.h"

struct stream {
    enum llm_framing framing;
    struct buf line;  /* a line that has not ended yet */
    struct buf event; /* data lines of the event so far */
    bool has_data;
    bool after_return; /* a CR ended the last line: an LF right after it belongs to it */
    bool begun;
    bool whole; /* not a stream: one JSON document, collected in `line` */
};

/* Receives the events; false: stop. */
struct stream_receiver {
    bool (*receive)(void *context, const char *data, size_t size);
    void *context;
};

void stream_init(struct stream *stream, enum llm_framing framing, size_t most);
void stream_release(struct stream *stream);
bool stream_feed(struct stream *stream, const char *data, size_t size,
                 const struct stream_receiver *receiver);
/* Call it at the end: the last event may lack its empty line. */
bool stream_end(struct stream *stream, const struct stream_receiver *receiver);

#endif
