/* The state of one run of the program: arguments, output, and what has been opened. */
#ifndef DGM_CLI_CLI_H
#define DGM_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>

#include "dragoman_server.h"
#include "base/arena.h"
#include "cli/arguments.h"
#include "cli/out.h"

struct err;

/*
 * One run of the program. Everything that a command allocates may be in `arena`, which
 * is freed at the end.
 */
struct cli {
    struct arena *arena;
    struct arguments arguments;
    struct out out; /* standard output: results */
    struct out err; /* standard error: everything about them */
    bool stdin_terminal;
    bool json; /* the answer object goes to standard output and nothing else */
    bool quiet;
    struct dgm_config *config;
    struct dgm *dgm;
    struct texts named;     /* ids given with --db */
    const char *datasource; /* id chosen with --db, or the only one; NULL: several */
    struct progress *progress;
};

/* The whole program but main(): returns the exit status. */
int cli_main(int argc, char *const *argv);

/* Settings, then the library, as far as the command needs them. */
bool cli_open(struct cli *cli, enum command_needs needs, struct dgm_error *error);
/* Is the program used interactively by a person? */
bool cli_interactive(const struct cli *cli);

#endif
