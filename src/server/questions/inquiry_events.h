/* The events of a question as server-sent events. */
#ifndef DGM_SERVER_INQUIRY_EVENTS_H
#define DGM_SERVER_INQUIRY_EVENTS_H

#include <stddef.h>
#include <stdint.h>

struct dgm_event;
struct inquiry;

/* Maximum size of the log. Later events are dropped, except for the last one. */
enum { INQUIRY_LOG_MOST = 1 << 20 };

/* Call all of these with the inquiry's lock held. */
/* The number of an event, from 0 on; that of `count` is the last one's. */
int64_t inquiry_number(const struct inquiry *inquiry, size_t index);
/* Adds an event. Most questions are never streamed, so the event is formatted only when
 * somebody needs the log. */
void inquiry_log(struct inquiry *inquiry, const struct dgm_event *event);
/* Formats the pending events; call it before reading the log or the trace. */
void inquiry_catch_up(struct inquiry *inquiry);
/* The last one: name and the answer object. */
/* First number for events that are recreated from a stored answer, so that no number is
 * used twice. */
#define INQUIRY_RETOLD ((int64_t)1000000000000)

void inquiry_log_end(struct inquiry *inquiry, const char *answer_json);

#endif
