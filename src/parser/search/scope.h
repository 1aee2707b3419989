/*
 * Detects questions that the IR cannot express. The network is trained on questions it
 * can answer and is confident about others, too, so this looks only at the words.
 */
#ifndef DGM_PARSER_SCOPE_H
#define DGM_PARSER_SCOPE_H

#include <stddef.h>

struct arena;
struct features;
struct lexicon;

/* keywords: how many of the query language the network knows. Why the question is beyond
 * it, as the end of "The built-in parser cannot …", or NULL. In the arena or static. */
const char *scope_beyond(struct arena *arena, const struct features *features,
                         const struct lexicon *lexicon, size_t keywords);

#endif
