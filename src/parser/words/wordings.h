/*
 * Short ways to say a period, said in words that the parser knows: "ytd" is this year,
 * the first half of 2025 goes from January to June.
 */
#ifndef DGM_PARSER_WORDINGS_H
#define DGM_PARSER_WORDINGS_H

struct arena;
struct tokens;

/* The question in such words, in the arena; NULL when nothing changes. */
const char *wordings_write_out(struct arena *arena, const struct tokens *tokens);

#endif
