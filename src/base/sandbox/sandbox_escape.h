/*
 * What code in a sandbox may not do, tried for real: for the self-tests of the processes that enter one. Each returns
 * whether it got through; call them in a process that may be lost.
 */
#ifndef DGM_SANDBOX_ESCAPE_H
#define DGM_SANDBOX_ESCAPE_H

#include <stdbool.h>

bool sandbox_escape_program(
    void); /* starts a program; if that works it does not return */
bool sandbox_escape_process(void); /* makes a process */
bool sandbox_escape_trace(void);   /* attaches to the parent as a debugger does */

#endif
