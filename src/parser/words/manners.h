/*
 * What people write around a question: "hi, … , thanks". It asks for nothing and is left
 * out; a question that ends without a mark gets one, as nearly all have that the network
 * learnt from.
 */
#ifndef DGM_PARSER_MANNERS_H
#define DGM_PARSER_MANNERS_H

struct arena;
struct tokens;

/* The question without them, in the arena; NULL when nothing changes. */
const char *manners_drop(struct arena *arena, const struct tokens *tokens);

#endif
