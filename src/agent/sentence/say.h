/* States a result in a sentence. */
#ifndef DGM_AGENT_SENTENCE_SAY_H
#define DGM_AGENT_SENTENCE_SAY_H

#include "agent/sentence/shape.h"

enum { SENTENCE_MOST = 600 /* bytes */ };

/* The sentence of a result, in the arena; never NULL or empty. */
const char *say_result(struct arena *arena, const struct language *language,
                       const struct rows *rows, const struct facts *facts);
/* "3 rows were changed." */
const char *say_changed(struct arena *arena, const struct language *language,
                        size_t count);

/* few.c: no row, or one */
void say_nothing(const struct telling *telling);
void say_row(const struct telling *telling, const struct shape *shape);
/* ranking.c: false if that would claim more than the rows say. */
bool say_ranking(const struct telling *telling, const struct shape *shape);
/* series.c */
bool say_series(const struct telling *telling, const struct shape *shape);
/* things.c: any rows */
void say_things(const struct telling *telling, const struct shape *shape);

#endif
