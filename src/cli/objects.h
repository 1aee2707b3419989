/* A JSON list of objects as a table. */
#ifndef DGM_CLI_OBJECTS_H
#define DGM_CLI_OBJECTS_H

#include <stdbool.h>

#include "base/json.h"

struct cli;
struct dgm_error;

/* Prints these fields of each object, NULL-ended, as --format asks; with --json the text
 * as it is. empty: what is said when there is none. Frees the text. Returns the exit
 * status. */
int objects_print(struct cli *cli, char *text, const char *list, /* its key; or NULL */
                  const char *const *columns, const char *empty);
/* Prints the plain fields of one object, a line each; frees the text. */
int object_print(struct cli *cli, char *text);
/* Forgets what was learned last, and says what that was; datasource NULL: of all. */
bool objects_undo_lessons(struct cli *cli, const char *datasource,
                          struct dgm_error *error);

#endif
