/*
 * A stop signal. A question owns one; code that blocks on its behalf registers a hook
 * (sqlite3_interrupt, closing a stream) while it blocks. Thread-safe. The hook runs on
 * the thread that fires, with the lock held: it must be quick and must not use this
 * cancel.
 */
#ifndef DGM_BASE_CANCEL_H
#define DGM_BASE_CANCEL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct cancel {
    pthread_mutex_t lock;
    atomic_bool fired;
    void (*hook)(void *context);
    void *context;
};

void cancel_init(struct cancel *cancel);
void cancel_release(struct cancel *cancel);
void cancel_fire(struct cancel *cancel);  /* may be called repeatedly */
bool cancel_fired(struct cancel *cancel); /* NULL: never */
/* Returns false without setting the hook if the signal has already fired. NULL cancel:
 * true. */
bool cancel_hook(struct cancel *cancel, void (*hook)(void *context), void *context);
/* After it returns, the hook is not running and will not run. */
void cancel_unhook(struct cancel *cancel);

#endif
