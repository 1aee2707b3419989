/*
 * A stream of events that a request gets as its reply. It has two owners: the
 * connection that sends it, and the code that adds events until the last one.
 */
#ifndef DGM_SERVER_OPENAI_STREAM_H
#define DGM_SERVER_OPENAI_STREAM_H

#include <stdbool.h>

struct buf;
struct exchange;
struct openai_stream;

struct openai_stream *openai_stream_new(struct exchange *exchange);
struct openai_stream *openai_stream_ref(struct openai_stream *stream);
/* Sends the stream as the reply; takes over a reference. */
void openai_stream_reply(struct exchange *exchange, struct openai_stream *stream);
/* Adds complete events. */
void openai_stream_add(struct openai_stream *stream, const struct buf *events);
/* Adds a comment if nothing else is to be sent, so that proxies keep the connection. */
void openai_stream_beat(struct openai_stream *stream);
/* There are no more events. Drops the reference of the caller. */
void openai_stream_end(struct openai_stream *stream);

#endif
