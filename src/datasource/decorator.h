/*
 * Wraps the driver of a datasource. The decorator's driver table is the first field of
 * its struct, so that the decorator can be found from the table of an open datasource.
 * The inner driver is called with a copy of the datasource that points to the inner
 * table, so decorators can be nested.
 */
#ifndef DGM_DATASOURCE_DECORATOR_H
#define DGM_DATASOURCE_DECORATOR_H

#include <stdatomic.h>

#include "datasource/datasource.h"

struct decorator {
    struct datasource_driver table;
    struct datasource inner;
    /* used by datasource_fail_at: calls until the failing one; 0: off */
    atomic_int countdown;
    atomic_int code;
};

/* Puts `slots` around the source's driver; optional functions that the inner driver lacks
 * stay NULL. */
struct decorator *decorator_wrap(struct datasource *source,
                                 const struct datasource_driver *slots);
/* Opens the inner driver with the arena, limits and address of the outer datasource. */
bool decorator_open(struct decorator *decorator, struct datasource *source,
                    struct err *err);
struct decorator *decorator_of(struct datasource *source);

#endif
