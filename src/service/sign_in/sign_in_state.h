/* Inside of signing in: what the files here share. */
#ifndef DGM_SERVICE_SIGN_IN_STATE_H
#define DGM_SERVICE_SIGN_IN_STATE_H

#include <pthread.h>

#include "base/jwt/jwt.h"
#include "service/sign_in/sign_in.h"

struct sign_in {
    struct issuer *issuer;
    pthread_mutex_t lock; /* guards the rest */
    int64_t window_ms;    /* beginning of the minute in which refusals were counted */
    int64_t refused;      /* in this minute */
};

/* Logs why, and leaves only what the caller may know. Returns false. */
bool sign_in_refuse(struct dgm *dgm, struct err *err);

#endif
