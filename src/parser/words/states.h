/* Words that tell whether something goes on or has ended, and words with a prefix that denies them. */
#ifndef DGM_PARSER_STATES_H
#define DGM_PARSER_STATES_H

#include <stdbool.h>

struct tokens;

/* STATE_NONE: no such word, or several, or one that asks for what is missing. */
enum state { STATE_NONE, STATE_ENDED, STATE_GOES_ON };

/* "expired", "not active": ended; "current", "not expired": goes on. */
enum state states_of(const struct tokens *tokens);
/* Of a single word. */
enum state states_word(const char *word);
/* Does a column of this name tell when something ended: cancelled_on, endDate? */
bool states_is_end(const char *column);
/* "complete" of "incomplete", "paid" of "unpaid"; NULL: no prefix denies it. Folded. */
const char *states_denied(const char *word);
/* Are these two forms of one word: "complete" and "Completed"? */
bool states_same(const char *base, const char *value);

#endif
