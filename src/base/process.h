/*
 * This process under a name that no other one has, also after a restart of the machine.
 */
#ifndef DGM_BASE_PROCESS_H
#define DGM_BASE_PROCESS_H

#include <stdbool.h>

const char *process_name(void); /* "boot:pid:start" */

enum process_fate {
    PROCESS_LIVES,
    PROCESS_GONE,
    PROCESS_UNKNOWN, /* of another machine, or before this one was started anew */
};

/* What has become of the one that had this name. */
enum process_fate process_fate(const char *name);

#endif
