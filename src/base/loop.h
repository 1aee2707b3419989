/*
 * An event loop with its own thread: epoll, timers, and functions posted by other
 * threads. Everything registered with a loop is called on its thread and needs no lock
 * there.
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

/* The functions below: only on the loop's own thread. */
bool loop_on_thread(const struct loop *loop);
/* events: EPOLLIN, EPOLLOUT; a second call for the same fd changes it. */
void loop_watch(struct loop *loop, int fd, uint32_t events,
                void (*ready)(void *context, int fd, uint32_t events), void *context);
void loop_unwatch(struct loop *loop, int fd); /* before the fd is closed */
/*
 * For descriptors of a library that may close one before it reports that. The number may
 * then belong to another thread, so loop_forget does not touch the kernel. It need not: a
 * watch is armed for one event only, and armed again after `ready`.
 */
void loop_watch_foreign(struct loop *loop, int fd, uint32_t events,
                        void (*ready)(void *context, int fd, uint32_t events),
                        void *context);
void loop_forget(struct loop *loop, int fd);
/* Calls once after delay_ms; then the timer is freed. Cancel it only before that. */
struct loop_timer *loop_timer(struct loop *loop, int64_t delay_ms,
                              void (*fire)(void *context), void *context);
void loop_timer_cancel(struct loop *loop, struct loop_timer *timer);

#endif
