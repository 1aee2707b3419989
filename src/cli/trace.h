/* A question's path through the machine as a file that can be replayed and passed on. */
#ifndef DGM_CLI_TRACE_H
#define DGM_CLI_TRACE_H

struct cli;
struct dgm_answer;

/* Without rows, SQL or the question itself: a trace may be attached to a report. Returns
 * 0, or the exit status of the failure, which was reported. */
int trace_write(struct cli *cli, const struct dgm_answer *answer, const char *path);

#endif
