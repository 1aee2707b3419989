/*
 * An event loop on a thread of its own: epoll, timers, and functions posted from
 * elsewhere. Everything registered with a loop is called on its thread, so it needs no
 * lock there.
 */
#ifndef DGM_BASE_LOOP_H
#define DGM_BASE_LOOP_H

#include <stdbool.h>
#include <stdint.h>

struct loop;
struct loop_timer;

struct loop *loop_new(void);
/* Stops the thread; posted functions that have not run are run first. */
void loop_free(struct loop *loop);

/* Calls job(context) on the loop's thread, soon. From any thread. */
void loop_post(struct loop *loop, void (*job)(void *context), void *context);

/* The rest: only on the loop's own thread. */
bool loop_on_thread(const struct loop *loop);
/* events: EPOLLIN, EPOLLOUT; a second call for the same fd changes it. */
void loop_watch(struct loop *loop, int fd, uint32_t events,
                void (*ready)(void *context, int fd, uint32_t events), void *context);
void loop_unwatch(struct loop *loop, int fd); /* before the fd is closed */
/*
 * For descriptors of a library that may close one before it says that it is done with it.
 * The number may be another thread's by then, so loop_forget makes no call to the kernel.
 * It needs none: a watch is armed for one event at a time, and armed again after `ready`.
 */
void loop_watch_foreign(struct loop *loop, int fd, uint32_t events,
                        void (*ready)(void *context, int fd, uint32_t events),
                        void *context);
void loop_forget(struct loop *loop, int fd);
/* Calls once after delay_ms; the timer is gone then. Cancel before that, or never. */
struct loop_timer *loop_timer(struct loop *loop, int64_t delay_ms,
                              void (*fire)(void *context), void *context);
void loop_timer_cancel(struct loop *loop, struct loop_timer *timer);

#endif
