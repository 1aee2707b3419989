/* One stop signal that reaches what is running. */
#include "base/cancel.h"

#include <stddef.h>

void cancel_init(struct cancel *cancel)
{
    (void)pthread_mutex_init(&cancel->lock, NULL);
    atomic_init(&cancel->fired, false);
    cancel->hook = NULL;
    cancel->context = NULL;
}

void cancel_release(struct cancel *cancel)
{
    (void)pthread_mutex_destroy(&cancel->lock);
}

void cancel_fire(struct cancel *cancel)
{
    (void)pthread_mutex_lock(&cancel->lock);
    atomic_store(&cancel->fired, true);
    if (cancel->hook) {
        cancel->hook(cancel->context);
    }
    (void)pthread_mutex_unlock(&cancel->lock);
}

bool cancel_fired(struct cancel *cancel)
{
    return cancel && atomic_load(&cancel->fired);
}

bool cancel_hook(struct cancel *cancel, void (*hook)(void *context), void *context)
{
    if (!cancel) {
        return true;
    }
    (void)pthread_mutex_lock(&cancel->lock);
    bool fired = atomic_load(&cancel->fired);
    if (!fired) {
        cancel->hook = hook;
        cancel->context = context;
    }
    (void)pthread_mutex_unlock(&cancel->lock);
    return !fired;
}

void cancel_unhook(struct cancel *cancel)
{
    if (cancel) {
        (void)pthread_mutex_lock(&cancel->lock);
        cancel->hook = NULL;
        (void)pthread_mutex_unlock(&cancel->lock);
    }
}
