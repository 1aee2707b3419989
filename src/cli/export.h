/* --export: the rows of an answer into a file. */
#ifndef DGM_CLI_EXPORT_H
#define DGM_CLI_EXPORT_H

#include "cli/command.h"

struct cli;
struct dgm_answer;

#define FLAG_EXPORT                                                                      \
    FLAG_VALUE("export", "FILE",                                                         \
               "Also write all rows: .csv, .json, .xlsx or .parquet; .html: a page")

/* Writes the file of --export, if given and if the answer has rows. `status`: the exit
 * status so far; returns the new one. */
int export_after(struct cli *cli, const struct dgm_answer *answer, int status);
int export_stored(struct cli *cli, const char *query_id, const char *path);

#endif
