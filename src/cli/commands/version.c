/* dragoman version: prints the version. */
#include "cli/cli.h"

static int version_run(struct cli *cli)
{
    out_format(&cli->out, "dragoman %s\n", dgm_version());
    return 0;
}

const struct command command_version = {
    .name = "version",
    .group = GROUP_SETUP,
    .words = "",
    .summary = "Print the version",
    .about = "The same as dragoman --version.",
    .examples = "dragoman version",
    .needs = NEEDS_NOTHING,
    .run = version_run,
};
