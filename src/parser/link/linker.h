/*
 * Which words of a question match which tables and columns, and how strongly: equal
 * words, some of them, synonyms, related or more general words. A schema is prepared
 * once; then any thread may link questions with it.
 */
#ifndef DGM_PARSER_LINKER_H
#define DGM_PARSER_LINKER_H

#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "parser/words/names.h"
#include "parser/link/relations.h"

struct ir_schema;
struct tokens;

/* The stronger ones first; the same order as in relations.def. */
enum link_code {
    LINK_NONE,
    LINK_EXACT,   /* a run of words is the name */
    LINK_OWN,     /* is the name written out, turned round ("date of birth"), or without
                     the words that only repeat its table's */
    LINK_PARTIAL, /* a word is in the name, is short for one, or nearly one */
    LINK_SYNONYM,
    LINK_RELATED,
    LINK_HYPERNYM,
    LINK_CODES
};

/* The link that a relation from a word to a table or column tells; LINK_NONE: none. */
enum link_code link_of_relation(int relation);

struct linker;
struct linking;

/* Lives in the arena. */
struct linker *linker_new(struct arena *arena, const struct ir_schema *schema);
/* The words of the names, and their stems. */
const struct map *linker_words(const struct linker *linker);
const struct lexicon *linker_lexicon(const struct linker *linker);
/* The words of an item for the network: of its name, written out, then of its comment.
 * Items are tables, then columns, as in the schema. */
const struct texts *linker_item_words(const struct linker *linker, size_t item);

/* Codes, one row per token, one column per selected table and column. */
uint8_t *linker_link(const struct linker *linker, struct arena *arena,
                     const struct tokens *tokens, const struct selection *selection);
/* The same row by row, for callers that need only some: a row is computed when it is
 * first needed. The tokens must stay where they are. */
struct linking *linking_new(const struct linker *linker, struct arena *arena,
                            const struct tokens *tokens,
                            const struct selection *selection);
const uint8_t *linking_row(struct linking *linking, size_t token);
/* How many words of the question are in the names of an item, common ones left out:
 * cheap, for choosing what to link at all. */
int linker_overlap(const struct linker *linker, const struct tokens *tokens, size_t item);

#endif
