/* Opening the library as the command line asks for it. */
#ifndef DGM_CLI_HOUSE_H
#define DGM_CLI_HOUSE_H

struct cli;

void house_close(struct cli *cli);
/* --db, --data and --config as they must be repeated in a later call, for hints. Values
 * that may hold a password are left out. */
const char *house_flags(struct cli *cli);

#endif
