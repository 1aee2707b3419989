/* A question and the SQL whose words are being placed. */
#ifndef DGM_PARSER_COVERAGE_COVERING_H
#define DGM_PARSER_COVERAGE_COVERING_H

#include "parser/coverage/coverage_state.h"
#include "parser/link/linker.h"
#include "parser/words/tokens.h"

struct covering {
    struct arena *arena;
    const struct coverage_request *request;
    const struct ir_schema *schema;
    struct tokens words; /* of the question */
    struct coverage_use use;
    struct selection used;   /* the tables in use with all their columns */
    struct linking *linking; /* of the words with `used` */
    bool *placed;
};

/* Words that a part of the SQL may stand for, and conditions that no word asked for.
 * coverage_guess.c */
void coverage_guess(const struct covering *covering, struct coverage_words *words);

#endif
