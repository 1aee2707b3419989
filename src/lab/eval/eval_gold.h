/* The known SQL of a question, run as its author would: plain SQLite, strings in double
 * quotes and all, which our own connections refuse. */
#ifndef DGM_LAB_EVAL_GOLD_H
#define DGM_LAB_EVAL_GOLD_H

#include <stdbool.h>

struct rows;

/* False when it does not run. `rows` is initialized by the caller. */
bool eval_gold(const char *path, const char *sql, struct rows *rows);

#endif
