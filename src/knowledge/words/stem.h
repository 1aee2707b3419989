/*
 * English words cut to a stem, so that "cities" and "city", "hired" and "hire" are one;
 * and the forms under which a dictionary may know a word. Both are rough, and the same on
 * the question's and the schema's side, which is all that counts.
 */
#ifndef DGM_KNOWLEDGE_STEM_H
#define DGM_KNOWLEDGE_STEM_H

#include <stddef.h>

enum { STEM_SIZE = 48, STEM_BASES = 8 }; /* longer words are cut */

/* The word must be folded (fold.h). Returns the bytes written, without the NUL. */
size_t stem_word(char out[STEM_SIZE], const char *word);
/* The word itself first, then its possible stems: "shipped" gives "shipp", "ship" and
 * "shippe". Returns their number; most of them are not words. */
size_t stem_bases(char out[STEM_BASES][STEM_SIZE], const char *word);

#endif
