/*
 * Abbreviations of names and questions, said once for the parser and for everything that
 * compares texts word by word. A row says where it applies: what is safe in a column's
 * name ("ord" is order) need not be in a question.
 */
#ifndef DGM_KNOWLEDGE_ABBREVIATIONS_H
#define DGM_KNOWLEDGE_ABBREVIATIONS_H

#include <stdbool.h>
#include <stddef.h>

/* What an abbreviation stands for, words split by blanks, or NULL. in_question: only
 * those that people type and that mean nothing else. The word is folded (fold.h). */
const char *abbreviation_full(const char *word, bool in_question);
/* The same for texts that are only compared (words.h). */
const char *abbreviation_compared(const char *word);
/* Its meaning only before this word, or NULL: "reg_dt" is not the date of a region. */
const char *abbreviation_before(const char *word, const char *next);
/* The other way round, from a stem: "professor" is PROF in many databases. The next one
 * from *at on, which starts at 0; NULL after the last. */
const char *abbreviation_of(const char *stem, size_t *at);

#endif
