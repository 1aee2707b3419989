/* Holds what came of a step against what the case says. */
#ifndef DGM_TESTS_CASES_EXPECT_H
#define DGM_TESTS_CASES_EXPECT_H

#include "cases/player.h"

/* Each difference is a line on standard error; returns how many there are. */
int expect_step(const struct case_file *file, const struct case_step *step,
                const struct played *played);
/* The same answer through two doors: all but ids and times. */
bool expect_same(const struct case_file *file, const struct case_step *step,
                 const struct played *one, const struct played *other);
/* The step says that it writes. */
bool expect_writes(const struct case_step *step);

#endif
