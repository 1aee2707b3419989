/* Candidates being gathered; for the files that find values only. */
#ifndef DGM_PARSER_VALUES_STATE_H
#define DGM_PARSER_VALUES_STATE_H

#include "base/arena.h"
#include "base/vec.h"
#include "knowledge/value_index/value_index.h"
#include "parser/words/tokens.h"
#include "parser/values/values.h"

struct finding {
    struct arena *arena;
    const struct values_request *request;
    const struct tokens *tokens;
    struct candidates *out;
    bool covered[TOKENS_MAX]; /* by a cell or a period */
    bool timed[TOKENS_MAX];   /* by a period */
    bool dated[TOKENS_MAX];   /* by a date: its numbers are no other values */
};

/* Adds a candidate, or the kind and columns to an equal one; NULL for an empty text. */
struct candidate *values_add(struct finding *finding, enum candidate_kind kind,
                             const char *text, bool is_text, size_t first, size_t end);
void values_add_places(struct finding *finding, struct candidate *candidate,
                       const struct value_match *match);
/* The question's own text from one token to another. */
const char *values_span(const struct finding *finding, size_t first, size_t end);
bool values_touch(const struct finding *finding, size_t token); /* no blank before it */

void values_cells(struct finding *finding);    /* values_cells.c */
void values_meanings(struct finding *finding); /* values_meanings.c */
void values_near(struct finding *finding);     /* values_near.c */
void values_inside(struct finding *finding);   /* values_near.c */
void values_periods(struct finding *finding);  /* values_dates.c */
void values_numbers(struct finding *finding);  /* values_numbers.c */
void values_texts(struct finding *finding);    /* values_texts.c */

/* Other ways to say it: codes, countries, months. Calls back with each; values_aliases.c
 */
void values_aliases(const char *word, bool upper,
                    void (*found)(void *context, const char *alias), void *context);
/* 1 to 12, or 0. *brief: "mar", "may", "march" and the like, that can be other words. */
int values_month(const char *word, bool *doubtful);

#endif
