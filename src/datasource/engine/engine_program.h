/* The program that runs engines is dragoman itself, started with a special first
 * argument. */
#ifndef DGM_DATASOURCE_ENGINE_PROGRAM_H
#define DGM_DATASOURCE_ENGINE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct err;
struct options;

#define ENGINE_WORD "engine-helper"

/* Call it first in main. True: the process was started as an engine, and must exit with
 * *status. Otherwise engines can be started from this program. */
bool engine_helper(int argc, char *const *argv, int *status);
/* The path of the program: sql.engine_program, this program, or the one next to the
 * library. */
const char *engine_program(struct arena *arena, const struct options *options,
                           struct err *err);
/* The result of trying to break out of an engine's sandbox. */
struct engine_trial {
    int attempts;
    int refused;
    int not_available;       /* protections that the kernel or the build lacks */
    const char *through[16]; /* attempts that succeeded; must be empty */
    size_t through_count;
};
bool engine_try(const struct options *options, struct engine_trial *out, struct err *err);
/* Starts the spawner now, before this process gives up the right to start programs. */
bool engine_start_early(const struct options *options, struct err *err);
/* False: the spawner has ended and cannot be started again. */
bool engine_still_there(const struct options *options, struct err *err);

#endif
