/*
 * A driver around a driver. The decorator's table stands first in its struct, so the
 * table that an open datasource points to leads back to it; the inner driver is called
 * with a shadow of the datasource that points to the inner table, so decorators can be
 * stacked.
 */
#ifndef DGM_DATASOURCE_DECORATOR_H
#define DGM_DATASOURCE_DECORATOR_H

#include <stdatomic.h>

#include "datasource/datasource.h"

struct decorator {
    struct datasource_driver table;
    struct datasource inner;
    atomic_int countdown; /* faulty: calls until the one that fails; 0: off */
    atomic_int code;
};

/* Puts `slots` around the source's driver; slots that the inner driver lacks stay NULL.
 */
struct decorator *decorator_wrap(struct datasource *source,
                                 const struct datasource_driver *slots);
/* Opens the inner one as the outer one would be: its arena, limits and address. */
bool decorator_open(struct decorator *decorator, struct datasource *source,
                    struct err *err);
struct decorator *decorator_of(struct datasource *source);

#endif
