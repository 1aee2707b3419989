/* Whether a question names a key: "reported by" is problems.reported_by_staff_id. */
#ifndef DGM_PARSER_IR_KEY_WORDS_H
#define DGM_PARSER_IR_KEY_WORDS_H

#include <stdbool.h>

struct ir_schema;

/* By a word of the column's name that is not its table's, its target's, or everywhere. */
bool ir_key_is_named(const struct ir_schema *schema, const char *question, int column);

#endif
