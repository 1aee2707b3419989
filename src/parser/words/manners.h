/*
 * Removes politeness around a question: "hi, … , thanks". A question without a final mark
 * gets one, like most questions in the training data.
 */
#ifndef DGM_PARSER_MANNERS_H
#define DGM_PARSER_MANNERS_H

struct arena;
struct tokens;

/* The question without them, in the arena; NULL when nothing changes. */
const char *manners_drop(struct arena *arena, const struct tokens *tokens);

#endif
