/*
 * What stays open after a request was let in: streams, and questions that run. Twice a second
 * a worker looks whether the callers still have access. If a key was revoked or has expired, or
 * a session has ended, its streams are closed and its questions are stopped. If a token has
 * expired, its streams are closed; questions go on, because clients renew their tokens.
 */
#ifndef DGM_SERVER_RECHECK_H
#define DGM_SERVER_RECHECK_H

#include <stdbool.h>
#include <stdint.h>

struct dgm_access;
struct recheck;
struct server;

struct recheck *recheck_new(struct server *server);
void recheck_free(struct recheck *recheck); /* NULL is allowed */
/* Begins a look if it is time; returns at once. */
void recheck_tick(struct recheck *recheck, int64_t now_ms);
/* No look begins any more. To be called before the workers end. */
void recheck_end(struct recheck *recheck);

/* During a look: somebody has something open with this access. Does not block. */
void recheck_note(struct recheck *recheck, const struct dgm_access *access);
/* Does an access that was noted hold no more? */
bool recheck_is_lost(const struct recheck *recheck, const struct dgm_access *access);

#endif
