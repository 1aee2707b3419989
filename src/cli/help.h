/* Help, made from the table of commands. */
#ifndef DGM_CLI_HELP_H
#define DGM_CLI_HELP_H

struct cli;
struct command;

/* All return exit status 0. */
int help_short(struct cli *cli);
int help_all(struct cli *cli);
int help_command(struct cli *cli, const struct command *command);

#endif
