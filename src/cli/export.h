/* --export: the rows of an answer into a file. */
#ifndef DGM_CLI_EXPORT_H
#define DGM_CLI_EXPORT_H

#include "cli/command.h"

struct cli;
struct dgm_answer;

#define FLAG_EXPORT                                                                      \
    FLAG_VALUE("export", "FILE", "Also write all rows: .csv, .json, .xlsx or .parquet")

/* Does what --export asks for, if it is there and the answer has rows. `status`: what was
 * to be the exit status; returns what it is now. */
int export_after(struct cli *cli, const struct dgm_answer *answer, int status);
int export_stored(struct cli *cli, const char *query_id, const char *path);

#endif
