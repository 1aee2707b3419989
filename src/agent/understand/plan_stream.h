/*
 * Finds the steps of a plan in a reply while the model is still writing it. A reply is
 * JSON (or JSON in a fence); each text in its list "steps" or "plan" is reported as soon
 * as its closing quote has arrived. For other forms of reply, the steps are reported at
 * the end.
 */
#ifndef DGM_AGENT_PLAN_STREAM_H
#define DGM_AGENT_PLAN_STREAM_H

#include <stdbool.h>
#include <stddef.h>

struct plan_stream;

/* tell: called for each step, in order. */
struct plan_stream *plan_stream_new(void (*tell)(void *context, const char *step),
                                    void *context);
void plan_stream_free(struct plan_stream *stream); /* NULL is fine */
/* Feeds more of the reply; NULL: the reply starts again, and steps that were reported are
 * not repeated. */
void plan_stream_feed(struct plan_stream *stream, const char *text, size_t size);
/* How many steps were reported. */
size_t plan_stream_told(const struct plan_stream *stream);

#endif
