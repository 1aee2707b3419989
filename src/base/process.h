/*
 * A unique name for this process, which is not reused even after a reboot.
 */
#ifndef DGM_BASE_PROCESS_H
#define DGM_BASE_PROCESS_H

#include <stdbool.h>

const char *process_name(void); /* "boot:pid:start" */

enum process_fate {
    PROCESS_LIVES,
    PROCESS_GONE,
    PROCESS_UNKNOWN, /* on another machine, or before this one was rebooted */
};

/* Is the process with this name alive? */
enum process_fate process_fate(const char *name);

#endif
