/* The chart of an answer on a terminal. */
#ifndef DGM_CLI_PICTURE_H
#define DGM_CLI_PICTURE_H

#include <stdbool.h>

struct cli;
struct dgm_answer;
struct dgm_drawing;

/* As blocks and dots, as wide as the terminal; kind NULL or "": as the rows suggest. False: no
 * chart suits the rows; a note says so, unless `quiet`. */
bool picture_show(struct cli *cli, const struct dgm_answer *answer, const char *kind,
                  bool quiet);
/* How the output shows charts: its width, its characters and its colours. */
void picture_fit(const struct cli *cli, struct dgm_drawing *drawing);

#endif
