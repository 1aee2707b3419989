/*
 * The steps of a plan, found in a reply while the model is still writing it. A reply is
 * JSON (or JSON in a fence); each text in its list "steps" or "plan" is a step as soon as
 * its closing quote is there. Other forms of reply have their steps told at the end.
 */
#ifndef DGM_AGENT_PLAN_STREAM_H
#define DGM_AGENT_PLAN_STREAM_H

#include <stdbool.h>
#include <stddef.h>

struct plan_stream;

/* tell: called with each step, in order. */
struct plan_stream *plan_stream_new(void (*tell)(void *context, const char *step),
                                    void *context);
void plan_stream_free(struct plan_stream *stream); /* NULL is fine */
/* More of the reply; NULL: it begins anew, and what was told is not told again. */
void plan_stream_feed(struct plan_stream *stream, const char *text, size_t size);
/* How many steps were told. */
size_t plan_stream_told(const struct plan_stream *stream);

#endif
