/* Errors, warnings and notes for people, on standard error; as JSON when that was asked
 * for. */
#ifndef DGM_CLI_REPORT_H
#define DGM_CLI_REPORT_H

#include <stddef.h>

struct cli;
struct dgm_error;
struct err;

/* Prints it and returns its exit status (1 when it has none). */
int report_error(struct cli *cli, const struct dgm_error *error);
int report_err(struct cli *cli, const struct err *err);
void report_convert(const struct err *err, struct dgm_error *error);
/* Only the lines for people, whatever --json says. */
void report_print(struct cli *cli, const struct dgm_error *error);
void report_warning(struct cli *cli,
                    const char *text);               /* silent with --quiet and --json */
void report_note(struct cli *cli, const char *text); /* the same, dim */
/* The line of the SQL that holds the byte, and a caret under it. -1: nothing. */
struct out;
void report_caret(struct out *out, const char *sql, int position);

#endif
