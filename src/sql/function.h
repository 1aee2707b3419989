/* The allow-list of functions and the words for well-known dangerous ones. */
#ifndef DGM_SQL_FUNCTION_H
#define DGM_SQL_FUNCTION_H

#include <stdbool.h>

#include "sql/dialect.h"

struct function {
    const char *name;
    const char *dialects;
    const char *traits; /* see functions.def */
};

/* NULL: not on the list of this dialect. The name is folded. */
const struct function *function_find(enum dialect dialect, const char *name);
bool function_has(const struct function *function, char trait); /* NULL has none */
/* Why a well-known dangerous function is refused ("reads files"); NULL when not known. */
const char *function_danger(const char *name);
/* Why no function of this kind is ever allowed ("it runs SQL hidden in a text"); NULL: it
 * is of no such kind. */
const char *function_kind(const char *name);
/* A function that no column is called like: for where columns are not known. */
bool function_is_no_column(const char *name);
/* A type that may be the target of a cast. */
bool function_type_known(const char *name);

#endif
