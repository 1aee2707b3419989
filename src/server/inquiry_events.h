/* The events of a question in the form in which they are sent. */
#ifndef DGM_SERVER_INQUIRY_EVENTS_H
#define DGM_SERVER_INQUIRY_EVENTS_H

struct dgm_event;
struct inquiry;

/* A question that talks without end is not repeated without end: past this its events are
 * left out, but for the one that ends it. */
enum { INQUIRY_LOG_MOST = 1 << 20 };

/* All with the inquiry's lock held. */
void inquiry_log(struct inquiry *inquiry, const struct dgm_event *event);
/* The last one: name and the answer object. */
void inquiry_log_end(struct inquiry *inquiry, const char *name, const char *answer_json);

#endif
