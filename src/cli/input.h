/*
 * What a command reads: words of the command line, standard input, a line from a person.
 */
#ifndef DGM_CLI_INPUT_H
#define DGM_CLI_INPUT_H

#include <stdbool.h>
#include <stddef.h>

struct cli;
struct err;

/* The words joined by spaces; standard input when there are none or one is "-".
 * What: "question" or "SQL", for messages. Bounded, valid UTF-8, not empty; else reported
 * in err. */
const char *input_text(struct cli *cli, const char *what, struct err *err);
/* One line of standard input without its end, in the program's arena; NULL at its end.
 * A line past the limit is cut there and *cut is set. */
const char *input_line(struct cli *cli, bool *cut);
/* Asks on standard error and reads a line; NULL at the end of input. */
const char *input_ask(struct cli *cli, const char *prompt);
bool input_yes(const char *answer); /* y, yes */
bool input_no(const char *answer);  /* n, no, nothing */

#endif
