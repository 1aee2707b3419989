/* dragoman schema --watch: what changes, as it changes. */
#ifndef DGM_CLI_WATCH_H
#define DGM_CLI_WATCH_H

struct cli;

/* Until the reader is gone, or Ctrl-C. interval: seconds as a text; NULL: five. */
int watch_run(struct cli *cli, const char *interval);

#endif
