/*
 * Whose turn it is: jobs that wait for a thread, by the one they are done for. No threads
 * and no lock are in here; workers.c has both.
 *
 * An owner is a text; what has none is together one more owner. The jobs of an owner
 * begin in the order given. Among owners a thread goes to the one that holds the fewest,
 * and among equals to the one that was served longest ago: so nobody's many jobs are in
 * the way of somebody's one, and a job waits for at most one of each other owner once its
 * own holds no thread.
 *
 * Jobs cannot be interrupted for others, so `reserve` threads of all are kept for owners
 * that hold none: as many who come find one free, however long the jobs of those before
 * them take. An owner alone has all but those, and they are kept again as soon as others
 * are done.
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
    char *name; /* NULL: of `hurried`, which is not in the map */
    struct turns_job *first;
    struct turns_job **last;
    size_t waiting;
    size_t held;              /* jobs that were taken and are not done */
    struct turns_owner *next; /* among those for whom something waits */
};

struct turns {
    size_t threads; /* all of them */
    size_t reserve;
    size_t taken; /* jobs that are not done */
    size_t waiting;
    struct map owners;         /* those with a job: name -> struct turns_owner */
    struct turns_owner *first; /* those for whom something waits; served longest ago */
    struct turns_owner **last;
    struct turns_owner hurried; /* one more owner; see turns_add_hurried */
};

void turns_init(struct turns *turns, size_t threads, size_t reserve);
/* Nothing may wait any more, and nothing may be taken. */
void turns_release(struct turns *turns);

/* owner: copied; NULL is the same as "". */
void turns_add(struct turns *turns, const char *owner, void (*run)(void *context),
               void *context);
/* May a job be taken now? */
bool turns_ready(struct turns *turns);
/* The next job, for a thread that has none; NULL: none may be taken now, which can change
 * with the next turns_add and the next turns_done. */
struct turns_job *turns_take(struct turns *turns);
/* It was run. Frees it. */
void turns_done(struct turns *turns, struct turns_job *job);

/* For what was stopped, or stops something, and has little to do: a job that waits
 * neither for others of its owner nor for that one to hold fewer threads. All of these
 * share an owner. */
void turns_add_hurried(struct turns *turns, void (*run)(void *context), void *context);
/* Moves one there that waits, found by its owner and context. False: it does not wait. */
bool turns_hurry(struct turns *turns, const char *owner, const void *context);

size_t turns_waiting(const struct turns *turns, const char *owner); /* of this one */

#endif
