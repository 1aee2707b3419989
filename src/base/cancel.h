/*
 * One stop signal that reaches what is running. A question owns one; whoever blocks on
 * its behalf hangs a hook on it (sqlite3_interrupt, closing a stream) for as long as it
 * blocks. Thread-safe. The hook runs on the thread that fires, with the lock held: it
 * must be quick and must not touch this cancel again.
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
void cancel_fire(struct cancel *cancel);  /* again and again is fine */
bool cancel_fired(struct cancel *cancel); /* NULL: never */
/* False, and the hook not set, when it has fired already. NULL cancel: true. */
bool cancel_hook(struct cancel *cancel, void (*hook)(void *context), void *context);
/* After this returns the hook is not running and will not run. */
void cancel_unhook(struct cancel *cancel);

#endif
