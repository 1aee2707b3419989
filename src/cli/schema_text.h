/* A schema as text for people. */
#ifndef DGM_CLI_SCHEMA_TEXT_H
#define DGM_CLI_SCHEMA_TEXT_H

#include <stdbool.h>

struct cli;
struct dgm_error;

/* The tables with their row counts. */
bool schema_text_tables(struct cli *cli, const char *datasource, struct dgm_error *error);
/* One table with its columns and keys; table NULL: the library's own text of all. */
bool schema_text_print(struct cli *cli, const char *datasource, const char *table,
                       struct dgm_error *error);

#endif
