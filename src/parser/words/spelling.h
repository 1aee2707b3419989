/*
 * Corrects typing errors in a question: an unknown word that differs in one letter from a
 * word of the schema or of everyday questions is replaced by it. Possible values of the
 * database are not changed.
 */
#ifndef DGM_PARSER_SPELLING_H
#define DGM_PARSER_SPELLING_H

struct arena;
struct lexicon;
struct map;
struct tokens;
struct value_index;

struct spelling_request {
    const struct tokens *tokens;
    const struct lexicon *lexicon;
    const struct map *words;         /* of the schema's names, and their stems */
    const struct value_index *index; /* or NULL */
};

/* The question with such words corrected, in the arena; NULL if there are none. */
const char *spelling_mend(struct arena *arena, const struct spelling_request *request);

#endif
