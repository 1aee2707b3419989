/* What a question is doing, state by state: one updating line on a terminal. */
#ifndef DGM_CLI_PROGRESS_H
#define DGM_CLI_PROGRESS_H

struct cli;
struct dgm_answer;
struct dgm_question;
struct dgm_request;

/* To be called before the question begins: writes out what was printed so far, and hangs
 * the observer on the request if there is a terminal to show it on. From then on to the
 * end of the wait the output belongs to the question's thread. */
void progress_attach(struct cli *cli, struct dgm_request *request);
/* Waits for the question's end while showing what it does; Ctrl-C stops it. The answer
 * lives as long as the question. */
const struct dgm_answer *progress_wait(struct cli *cli, struct dgm_question *question);

#endif
