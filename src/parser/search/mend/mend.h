/*
 * Writes a chosen query anew where the network has no habit of writing what the question says:
 * "which month had the highest quantity" is about the sum of each month, "riders who only rode
 * electric bikes" have ridden no others, and "rides and repairs per bike" wants both for each
 * bike. Candidates are judged as the network wrote them, because the verifier does not know
 * these forms; they run, and are told, as they are written here.
 */
#ifndef DGM_PARSER_MEND_H
#define DGM_PARSER_MEND_H

#include "parser/ir/ir.h"

struct arena;
struct ir_schema;
struct tokens;

struct mend_request {
    const struct ir_schema *schema;
    const char *question;
    const struct tokens *words;
    const char *today;        /* 2024-03-15 */
    int days;                 /* how many days later is meant where today is said */
    struct ir_values *values; /* rules may add some at its end, if they are allowed to */
    bool adds;
};

/* Either new tokens in the arena, or the same. */
void mend_query(struct arena *arena, const struct mend_request *request,
                const struct ir_tokens *from, struct ir_tokens *out);

/* The same before they are judged, where the verifier knows how such a query looks: months and
 * years in two columns, with values that are there already, and "not" that went to the wrong
 * condition. */
void mend_known(struct arena *arena, const struct mend_request *request,
                struct ir_tokens *tokens);

#endif
