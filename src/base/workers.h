/*
 * A fixed set of threads that run jobs in the order given. Blocking work (a database, a
 * file, a long computation) happens here, so the event loops never wait.
 */
#ifndef DGM_BASE_WORKERS_H
#define DGM_BASE_WORKERS_H

#include <stddef.h>

struct workers;

struct workers *workers_new(size_t threads);
/* Runs what is queued, then ends the threads. */
void workers_free(struct workers *workers);
void workers_submit(struct workers *workers, void (*job)(void *context), void *context);
size_t workers_waiting(struct workers *workers); /* queued, not yet running */
size_t workers_threads(const struct workers *workers);

/* Calls work(context, 0) to work(context, count - 1), `most` at a time, each on a thread
 * of its own; returns when all are done. One alone runs on the caller's thread. */
void workers_each(size_t count, size_t most, void (*work)(void *context, size_t index),
                  void *context);

#endif
