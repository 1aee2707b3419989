/* A store that several processes share: questions are followed, stopped and taken over
 * across them. */
#ifndef DGM_SERVICE_SHARE_H
#define DGM_SERVICE_SHARE_H

#include "service/questions/question.h"

struct store_question;

/* Hears of the others from now on; nothing when the store is not shared. */
bool share_start(struct dgm *dgm, struct err *err);
/* No more news: what is being handled is handled first. */
void share_stop(struct dgm *dgm);

/* Takes over questions without a running process; returns their number. */
size_t share_take_over(struct dgm *dgm);

/* follow.c: writes down what happens, for those who follow it elsewhere. */
void follow_record(struct dgm_question *question, const struct dgm_event *event);
/* The observer hears of what another process does with the question, that has a later
 * fence than this. */
void follow_start(struct dgm *dgm, const char *id, int64_t fence, dgm_observer *observer,
                  void *context);
/* There may be news of this question; NULL: of any. */
void follow_look(struct dgm *dgm, const char *id);
/* With dgm->closing set: tells all of them that it is over, and waits for it. */
void follow_end(struct dgm *dgm);

#endif
