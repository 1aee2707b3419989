/* Sends the events of a question as a stream (server-sent events). */
#ifndef DGM_SERVER_SSE_H
#define DGM_SERVER_SSE_H

#include <stdint.h>

struct exchange;
struct inquiry;

/* Replies with the stream, starting after event last_id (0: from the first). A client
 * that disconnects does not stop the question and can reconnect. */
void sse_reply(struct exchange *exchange, struct inquiry *inquiry, int64_t last_id);
/* The last event that the client has received, from its header or ?last_event_id=; 0:
 * none. */
int64_t sse_last_id(struct exchange *exchange);

/* With the inquiry's lock held: there are new events to send. */
void sse_wake(struct inquiry *inquiry);
/* Sends a comment to idle streams, so that proxies keep them open. */
void sse_beat(struct inquiry *inquiry);
/* For recheck.h: notes who has a stream open, and closes those of callers without access. */
void sse_note(struct inquiry *inquiry);
void sse_cut(struct inquiry *inquiry);

#endif
