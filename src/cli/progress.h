/* What a question is doing, state by state: one updating line on a terminal. */
#ifndef DGM_CLI_PROGRESS_H
#define DGM_CLI_PROGRESS_H

struct cli;
struct dgm_answer;
struct dgm_question;
struct dgm_request;

/* Hangs the observer on the request. Nothing when there is no terminal to show it on. */
void progress_attach(struct cli *cli, struct dgm_request *request);
/* Waits for the question's end while showing what it does; Ctrl-C stops it. The answer
 * lives as long as the question. */
const struct dgm_answer *progress_wait(struct cli *cli, struct dgm_question *question);

#endif
