/* Compares two results. */
#ifndef DGM_LAB_EVAL_COMPARE_H
#define DGM_LAB_EVAL_COMPARE_H

#include <stdbool.h>

struct arena;
struct rows;

/* Column order does not count; row order does when `ordered`. Numbers are compared by
 * value, with a tolerance for fractions. */
bool eval_same(struct arena *arena, const struct rows *a, const struct rows *b,
               bool ordered);

#endif
