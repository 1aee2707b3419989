/* Inside of signing in: what the files here share. */
#ifndef DGM_SERVICE_SIGN_IN_STATE_H
#define DGM_SERVICE_SIGN_IN_STATE_H

#include <pthread.h>

#include "base/jwt/jwt.h"
#include "service/sign_in/sign_in.h"

struct issuer_facts;

enum { NOTICES_KEPT = 1024, NOTICE_MARK = 16 };

/* What counts once: a notice of sign-out that was obeyed, by its `jti`; the way back of a
 * sign-in, by its secret. */
struct notice {
    unsigned char mark[NOTICE_MARK];
    int64_t until_s; /* it is not valid any more then */
};

struct sign_in {
    struct issuer *issuer;
    pthread_mutex_t lock; /* guards the rest */
    int64_t window_ms;    /* beginning of the minute in which refusals were counted */
    int64_t refused[2];   /* in this minute: tokens, people */
    struct notice notices[NOTICES_KEPT];
    size_t notice_next;               /* the oldest one */
    struct notice used[NOTICES_KEPT]; /* code.c: sign-ins that came back */
    size_t used_next;
};

/* Logs why a token, or a person on the page, is refused, and leaves only what the caller may know. Returns
 * false. */
bool sign_in_refuse(struct dgm *dgm, bool person, struct err *err);

/* A token that its issuer has bound to a key of the sender (DPoP, mutual TLS) is worth nothing
 * without that key, and whether the sender has it is not checked here: whoever shows the token
 * alone may have stolen it. */
bool sign_in_bearer(const json_t *claims, struct err *err);

/* leave.c: what a session keeps of the claims `sub` and `sid`, so that the issuer can end it. */
const char *sign_in_mark(struct arena *arena, const json_t *claims);

/* What is known of the issuer, after asking it where that is due: if it is unknown or old,
 * or has no such key. later NULL: may block. */
struct issuer_facts *sign_in_facts(struct dgm *dgm, const struct options *options,
                                   const struct jwt *jwt, bool *later, struct err *err);

#endif
