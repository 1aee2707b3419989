/* What the files of a sentence share: the result, what is known of it, and its texts. */
#ifndef DGM_AGENT_SENTENCE_TELLING_H
#define DGM_AGENT_SENTENCE_TELLING_H

#include "agent/sentence/facts/facts.h"
#include "agent/sentence/language.h"
#include "base/arena.h"
#include "base/buf.h"
#include "model/rows.h"

/* A sentence on its way. Texts made for it are in the arena. */
struct telling {
    struct arena *arena;
    const struct language *language;
    const struct rows *rows;
    const struct facts *facts;
    struct buf *out;
};

/* number.c: figures as the language writes them */
enum number_form {
    NUMBER_EXACT /* two decimals */,
    NUMBER_ROUND /* none from 1000 on */
};
const char *number_count(const struct telling *telling, size_t count);
/* A cell of the first FACTS_COLUMNS columns with its unit; number_cell: if it counts things,
 * with their name. */
const char *number_bare(const struct telling *telling, size_t row, size_t column,
                        enum number_form form);
const char *number_cell(const struct telling *telling, size_t row, size_t column,
                        enum number_form form);
/* What the column counts, in words; NULL: not known. */
const char *number_things(const struct telling *telling, const struct fact_column *fact,
                          bool one);
/* "35 %"; never 0 % or 100 % of something that is not. */
const char *number_share(const struct telling *telling, double part, double whole);
/* "+130 %"; NULL: the change cannot be told as a share. */
const char *number_change(const struct telling *telling, double from, double to);
/* The same without a sign. */
const char *number_more(const struct telling *telling, double from, double to);

/* cell.c: texts of a database in a sentence: one line, bounded, without hidden characters */
const char *cell_text(const struct telling *telling, const struct value *value);
const char *cell_clean(struct arena *arena, const char *text, size_t size, size_t most);
/* The heading of a column in words. */
const char *cell_heading(const struct telling *telling, size_t column);

/* say.c */
void say(const struct telling *telling, enum phrase phrase, const struct slots *slots);
const char *say_text(const struct telling *telling, enum phrase phrase,
                     const struct slots *slots);
/* "a, b and c" */
const char *say_list(const struct telling *telling, const char *const *items,
                     size_t count);

#endif
