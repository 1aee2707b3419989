/*
 * A fixed set of threads for blocking jobs (a database, a file, a long computation), so
 * that event loops never block. A job may have an owner: the account that it runs for.
 * Owners take turns; see turns.h.
 */
#ifndef DGM_BASE_WORKERS_H
#define DGM_BASE_WORKERS_H

#include <stdbool.h>
#include <stddef.h>

struct workers;

struct workers *workers_new(size_t threads);
/* Reserves threads for other owners: one owner gets at most `threads`, and half as many
 * more are available to owners without a thread. */
struct workers *workers_new_fair(size_t threads);
/* Runs the queued jobs, then ends the threads. */
void workers_free(struct workers *workers);
void workers_submit(struct workers *workers, void (*job)(void *context), void *context);
/* owner: a text, which is copied; NULL is the same as "": no owner. */
void workers_submit_for(struct workers *workers, const char *owner,
                        void (*job)(void *context), void *context);
/* For short jobs that stop something or were stopped; see turns_add_hurried. */
void workers_submit_hurried(struct workers *workers, void (*job)(void *context),
                            void *context);
/* The same for a queued job, found by its context. False: it is not queued. */
bool workers_hurry(struct workers *workers, const char *owner, const void *context);
size_t workers_waiting(struct workers *workers); /* queued, not yet running */
/* Has the owner `most` queued jobs, or have all together half as many more? So one owner
 * cannot fill the queue for others. */
bool workers_full(struct workers *workers, const char *owner, size_t most);
size_t workers_threads(const struct workers *workers);

/* Calls work(context, 0) to work(context, count - 1) in parallel on at most `most`
 * threads and returns when all are done. A single one runs on the caller's thread. */
void workers_each(size_t count, size_t most, void (*work)(void *context, size_t index),
                  void *context);

#endif
