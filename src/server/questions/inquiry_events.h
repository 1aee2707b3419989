/* Its events as server-sent events. */
#ifndef DGM_SERVER_INQUIRY_EVENTS_H
#define DGM_SERVER_INQUIRY_EVENTS_H

#include <stddef.h>
#include <stdint.h>

struct dgm_event;
struct inquiry;

/* A question that talks without end is not repeated without end: past this its events are
 * left out, but for the one that ends it. */
enum { INQUIRY_LOG_MOST = 1 << 20 };

/* All with the inquiry's lock held. */
/* The number of an event, from 0 on; that of `count` is the last one's. */
int64_t inquiry_number(const struct inquiry *inquiry, size_t index);
/* Most questions are never streamed, nor looked at before they rest: while nobody does,
 * the event is only noted. */
void inquiry_log(struct inquiry *inquiry, const struct dgm_event *event);
/* Before the log or the trace is read: writes down what was noted. */
void inquiry_catch_up(struct inquiry *inquiry);
/* The last one: name and the answer object. */
/* The events of an answer from the store are counted from here: no number of theirs is one
 * that the events had when they happened. */
#define INQUIRY_RETOLD ((int64_t)1000000000000)

void inquiry_log_end(struct inquiry *inquiry, const char *answer_json);

#endif
