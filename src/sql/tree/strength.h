/* How tightly the operators of a dialect bind: what the reader and the printer agree on.
 */
#ifndef DGM_SQL_TREE_STRENGTH_H
#define DGM_SQL_TREE_STRENGTH_H

#include "sql/dialect.h"

enum {
    STRENGTH_NONE = 0,
    STRENGTH_LAMBDA = 4,
    STRENGTH_ARROW = 6,
    STRENGTH_TERNARY = 8,
    STRENGTH_OR = 10,
    STRENGTH_AND = 20,
    STRENGTH_NOT = 30,
    STRENGTH_IS = 40,
    STRENGTH_COMPARE = 45,
    STRENGTH_IN = 50,
    STRENGTH_OTHER = 60,
    STRENGTH_AT = 95,
    STRENGTH_COLLATE = 98,
    STRENGTH_UNARY = 100,
};

/* Of a binary operator; STRENGTH_NONE when the dialect has no such operator. */
int strength_of(enum dialect dialect, const char *operator);
/* Of IN, LIKE and BETWEEN, and of IS. */
int strength_of_in(enum dialect dialect);
int strength_of_is(enum dialect dialect);

#endif
