/*
 * Reading lines from a person: with editing and history on a terminal, plainly from a
 * pipe (then without a prompt).
 */
#ifndef DGM_CLI_LINE_H
#define DGM_CLI_LINE_H

#include <stdbool.h>

struct cli;
struct line;

/* history: a file, or NULL for none. */
struct line *line_open(struct cli *cli, const char *history);
void line_close(struct line *line);
/* The next line, trimmed, in the program's arena; "" for an empty line or one given up
 * with Ctrl-C; NULL at the end of input. */
const char *line_read(struct line *line, const char *prompt);

#endif
