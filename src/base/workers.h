/*
 * A fixed set of threads that run jobs. Blocking work (a database, a file, a long
 * computation) happens here, so the event loops never wait.
 *
 * A job may have an owner: the account for which it runs. Owners take turns, the one that
 * holds the fewest threads first, and the jobs of one begin in the order given. See
 * turns.h.
 */
#ifndef DGM_BASE_WORKERS_H
#define DGM_BASE_WORKERS_H

#include <stdbool.h>
#include <stddef.h>

struct workers;

struct workers *workers_new(size_t threads);
/* For owners who must not wait for each other: one of them has at most `threads`, and
 * half as many more are there for those who have none. */
struct workers *workers_new_fair(size_t threads);
/* Runs what is queued, then ends the threads. */
void workers_free(struct workers *workers);
void workers_submit(struct workers *workers, void (*job)(void *context), void *context);
/* owner: a text, which is copied; NULL is the same as "": no owner. */
void workers_submit_for(struct workers *workers, const char *owner,
                        void (*job)(void *context), void *context);
/* For what was stopped, or stops something, and is over as soon as it runs: all of these
 * together are one owner, so that none waits for its own owner's jobs. */
void workers_submit_hurried(struct workers *workers, void (*job)(void *context),
                            void *context);
/* The same for one that is queued, found by its context. False: it is not queued. */
bool workers_hurry(struct workers *workers, const char *owner, const void *context);
size_t workers_waiting(struct workers *workers); /* queued, not yet running */
/* Are `most` jobs of the owner queued, or half as many more of all together? One who
 * fills the queue leaves room in it for others. */
bool workers_full(struct workers *workers, const char *owner, size_t most);
size_t workers_threads(const struct workers *workers);

/* Calls work(context, 0) to work(context, count - 1), `most` at a time, each on a thread
 * of its own; returns when all are done. One alone runs on the caller's thread. */
void workers_each(size_t count, size_t most, void (*work)(void *context, size_t index),
                  void *context);

#endif
