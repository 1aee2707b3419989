/*
 * Corrects queries where only one meaning is possible: durations are averaged unless a
 * total is asked for, growth goes from the earlier to the later period, what was "not
 * seen since March" was last seen before March, and "months of 2024" are months of the
 * date that is filtered by 2024.
 */
#ifndef DGM_PARSER_SENSE_H
#define DGM_PARSER_SENSE_H

#include "parser/ir/ir.h"

struct arena;
struct ir_schema;
struct tokens;

void sense_settle(const struct ir_schema *schema, const char *question,
                  const struct ir_values *values, struct ir_tokens *tokens);

/* The part about slow and fast: of times that something took, the slowest has the
 * largest. */
void sense_speed(const struct ir_schema *schema, const char *question,
                 struct ir_tokens *tokens);

/* "Not in 2024", "not between 5 and 10": the only range of a query without any "not" is
 * denied, unless the "not" belongs to a state that is compared: "not sold out in 2024". */
void sense_not(struct arena *arena, const struct ir_schema *schema,
               const struct tokens *words, const struct ir_values *values,
               struct ir_tokens *tokens);

/* A table that refers to itself, "who reports to Anna": which of the two rows is
 * shown. */
void sense_self(struct arena *arena, const struct ir_schema *schema, const char *question,
                struct ir_tokens *tokens);

/* "Expired" ones have a day of cancellation, "incomplete" ones are not completed. */
void sense_state(const struct ir_schema *schema, const char *question,
                 const struct tokens *words, const struct ir_values *values,
                 struct ir_tokens *tokens);

/* "Riders over 60" by a year of birth: this year less that one. */
void sense_age(struct arena *arena, const struct ir_schema *schema, const char *question,
               const struct tokens *words, const struct ir_values *values,
               struct ir_tokens *tokens);

/* "Less than 6 months ago", "newer than 2 years": which side of that day is meant; "3 months ago" is
 * that month. */
void sense_ago(struct arena *arena, const char *question, struct ir_tokens *tokens);

/* Does the query compare an hour or a minute of the question with something else: "at 14:30" with
 * an amount? */
bool sense_misses_time(const struct tokens *words, const struct ir_values *values,
                       const struct ir_tokens *tokens);

/* Is this a mark or a measured state, such as a rating or a temperature? All of them added up say
 * nothing. */
bool sense_is_level(const char *name);

/* Does the question ask for a total? */
bool sense_asks_for_total(const char *question);

/* Does the query say "not" or the like anywhere? */
bool sense_has_denial(const struct ir_tokens *tokens);
/* The only place of this keyword; 0: there is none, or there are several. */
size_t sense_only_place(const struct ir_tokens *tokens, enum ir_keyword word);

#endif
