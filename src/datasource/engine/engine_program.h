/* The program that runs engines is dragoman itself, started with a word that no command
 * has. */
#ifndef DGM_DATASOURCE_ENGINE_PROGRAM_H
#define DGM_DATASOURCE_ENGINE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct err;
struct options;

#define ENGINE_WORD "engine-helper"

/* First thing in main. True when that is what it was started for: it is done, and exits
 * with *status. Else this program can be started again as the one that runs engines. */
bool engine_helper(int argc, char *const *argv, int *status);
/* Where that program is: sql.engine_program, this one, or beside it. */
const char *engine_program(struct arena *arena, const struct options *options,
                           struct err *err);
/* Attempts of a process that is bounded like an engine's to leave its bounds. */
struct engine_trial {
    int attempts;
    int refused;
    int not_available;       /* the kernel or the build lacks what would refuse it */
    const char *through[16]; /* what succeeded: must be none */
    size_t through_count;
};
bool engine_try(const struct options *options, struct engine_trial *out, struct err *err);
/* Starts it now, before this process gives up the right to start programs. */
bool engine_start_early(const struct options *options, struct err *err);
/* False: it was started, is gone and cannot be started again. */
bool engine_still_there(const struct options *options, struct err *err);

#endif
