/* Opening the library as the command line asks for it. */
#ifndef DGM_CLI_INSTANCE_H
#define DGM_CLI_INSTANCE_H

#include <stdbool.h>

struct cli;
struct dgm_error;

void instance_close(struct cli *cli);
/* The settings read again, from file, environment and flags, and taken over by the
 * library; what is not valid changes nothing. */
bool instance_reload(struct cli *cli, struct dgm_error *error);
/* Are the datasources there that were named with --db? */
bool instance_knows_named(struct cli *cli, struct dgm_error *error);
/* Without --db and any configured database: opens the files that the question (NULL: the
 * latest one) was asked about. The library must be open. */
bool instance_open_files(struct cli *cli, const char *query_id, struct dgm_error *error);
/* --db, --data and --config as they must be repeated in a later call, for hints. Values
 * that may hold a password are left out. */
const char *instance_flags(struct cli *cli);

#endif
