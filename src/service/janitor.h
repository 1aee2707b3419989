/* The one who walks around: deadlines of questions at work, and what has expired. */
#ifndef DGM_SERVICE_JANITOR_H
#define DGM_SERVICE_JANITOR_H

struct dgm;

void janitor_start(struct dgm *dgm); /* with dgm->lock held */
void janitor_stop(struct dgm *dgm);

#endif
