/* Stops questions at their deadline and deletes expired records. */
#ifndef DGM_SERVICE_JANITOR_H
#define DGM_SERVICE_JANITOR_H

#include <stdbool.h>

struct dgm;

void janitor_start(struct dgm *dgm); /* call with dgm->lock held */
void janitor_stop(struct dgm *dgm);
/* Ends questions whose user has not answered in time (ask.max_waiting_s). True if there
 * were any. */
bool janitor_expire(struct dgm *dgm);

#endif
