/* What holds for every answer, whatever went wrong. */
#ifndef DGM_TESTS_FAULTS_ANSWER_CHECK_H
#define DGM_TESTS_FAULTS_ANSWER_CHECK_H

#include "cases/player.h"

/* How many rules it breaks; each is a line on standard error. */
int answer_check(const struct player *player, const struct case_step *step,
                 const struct played *played);

#endif
