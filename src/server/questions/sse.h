/* Sends the events of a question as a stream. */
#ifndef DGM_SERVER_SSE_H
#define DGM_SERVER_SSE_H

#include <stdint.h>

struct exchange;
struct inquiry;

/* Replies with the stream, from the event after last_id on (0: from the first). A dropped
 * stream stops nothing: it can be taken up again. */
void sse_reply(struct exchange *exchange, struct inquiry *inquiry, int64_t last_id);
/* The client's last event, from its header or ?last_event_id=; 0 when there is none. */
int64_t sse_last_id(struct exchange *exchange);

/* With the inquiry's lock held: there is more to send. */
void sse_wake(struct inquiry *inquiry);
/* A comment to streams that have been silent, so that proxies do not close them. */
void sse_beat(struct inquiry *inquiry);

#endif
