/*
 * Fair scheduling: jobs that wait for a thread, grouped by owner. No threads and no lock
 * are used here; workers.c has both.
 *
 * An owner is a text; jobs without one share an owner. The jobs of an owner start in
 * order. A free thread goes to the owner with the fewest threads, and among equals to the
 * one that was served longest ago. So many jobs of one owner do not delay others, and an
 * owner without a thread waits for at most one job of each other owner.
 *
 * Running jobs cannot be interrupted, so `reserve` threads are kept for owners that have
 * none: that many new owners find a free thread however long other jobs take. A single
 * active owner may use all threads except the reserved ones.
 */
#ifndef DGM_BASE_TURNS_H
#define DGM_BASE_TURNS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/map.h"

struct turns_owner;

struct turns_job {
    void (*run)(void *context);
    void *context;
    struct turns_owner *owner;
    struct turns_job *next;
};

struct turns_owner {
    char *name; /* NULL: the owner `hurried`, which is not in the map */
    struct turns_job *first;
    struct turns_job **last;
    size_t waiting;
    size_t held;              /* number of its running jobs */
    struct turns_owner *next; /* next owner with waiting jobs */
};

struct turns {
    size_t threads; /* total number */
    size_t reserve;
    size_t taken; /* number of running jobs */
    size_t waiting;
    struct map owners; /* owners with jobs: name -> struct turns_owner */
    /* owners with waiting jobs; the one served longest ago first */
    struct turns_owner *first;
    struct turns_owner **last;
    struct turns_owner hurried; /* one more owner; see turns_add_hurried */
};

void turns_init(struct turns *turns, size_t threads, size_t reserve);
/* No job may be waiting, and none is accepted any more. */
void turns_release(struct turns *turns);

/* owner: copied; NULL is the same as "". */
void turns_add(struct turns *turns, const char *owner, void (*run)(void *context),
               void *context);
/* May a waiting job start now? */
bool turns_ready(struct turns *turns);
/* The next job for a free thread; NULL: none may start now (a later turns_add or
 * turns_done can change that). */
struct turns_job *turns_take(struct turns *turns);
/* The job has run. Frees it. */
void turns_done(struct turns *turns, struct turns_job *job);

/* For short jobs that stop something or were stopped: they do not wait for their owner's
 * other jobs, nor count for it. All of them share one owner. */
void turns_add_hurried(struct turns *turns, void (*run)(void *context), void *context);
/* Turns a waiting job, found by owner and context, into such a job. False: it is not
 * waiting. */
bool turns_hurry(struct turns *turns, const char *owner, const void *context);

size_t turns_waiting(const struct turns *turns, const char *owner); /* of this one */

#endif
