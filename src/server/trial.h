/* What the self-test tries on the server's own parts. */
#ifndef DGM_SERVER_TRIAL_H
#define DGM_SERVER_TRIAL_H

#include "server/server.h"

/* Reports each trial and returns how many attacks succeeded. */
int trial_requests(void (*report)(void *context, const struct dgm_trial *trial),
                   void *context);

#endif
