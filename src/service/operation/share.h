/* Several processes with one store: questions are followed, stopped and taken over
 * between them. */
#ifndef DGM_SERVICE_SHARE_H
#define DGM_SERVICE_SHARE_H

#include "service/questions/question.h"

struct store_question;

/* Starts to receive notifications of other processes; does nothing if the store is not
 * shared. */
bool share_start(struct dgm *dgm, struct err *err);
/* Stops receiving notifications, after those being handled. */
void share_stop(struct dgm *dgm);

/* Takes over questions without a running process; returns their number. */
size_t share_take_over(struct dgm *dgm);

/* follow.c: stores events for clients that follow the question in another process. */
void follow_record(struct dgm_question *question, const struct dgm_event *event);
/* Reports to the observer what another process does with the question under a later fence
 * than this. */
void follow_start(struct dgm *dgm, const char *id, int64_t fence, dgm_observer *observer,
                  void *context);
/* This question may have new events; NULL: any may. */
void follow_look(struct dgm *dgm, const char *id);
/* With dgm->closing set: ends all followers and waits for them. */
void follow_end(struct dgm *dgm);

#endif
