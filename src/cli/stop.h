/*
 * Ctrl-C. One thread receives SIGINT, so that it never interrupts a system call of the
 * library. The first one stops the watched question; the second (or one while nothing is
 * watched) ends the program at once.
 */
#ifndef DGM_CLI_STOP_H
#define DGM_CLI_STOP_H

#include <stdbool.h>

struct dgm_question;

enum { STOP_STATUS = 130 };

void stop_listen(void); /* once, before any other thread exists; later calls do nothing */
/* From now on a Ctrl-C is kept for the next question if none is watched. */
void stop_hold(void);
void stop_watch(struct dgm_question *question);
/* The same for something else: the first Ctrl-C calls `stop`, on the listening thread. */
void stop_watch_call(void (*stop)(void *context), void *context);
/* Must be called before the question is freed. True when it was stopped by Ctrl-C. */
bool stop_unwatch(void);

#endif
