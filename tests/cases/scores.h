/* The scores of a case's answers: how sure the scripted replies leave dragoman (models/README.md). */
#ifndef DGM_TESTS_CASES_SCORES_H
#define DGM_TESTS_CASES_SCORES_H

#include "cases/player.h"

/* A line for each step with a score and expected rows: place, brain, score, label, how many words without a
 * place, assumptions and warnings, and what was asked; with tabs between. */
void scores_print(const struct case_file *file, const struct played *played);

#endif
