/* Puts one driver table around another. */
#include "datasource/decorator.h"

#include "base/arena.h"

/* Drivers know only the inner datasource: it is the one that has their state. */
static bool inspect_inner(struct datasource *source, struct arena *arena,
                          const struct datasource_limits *limits,
                          struct datasource_inspection *out, struct err *err)
{
    struct datasource *inner = &decorator_of(source)->inner;
    return inner->driver->inspect(inner, arena, limits, out, err);
}

#define REPLACE(slot) table->slot = inner->slot ? slots->slot : NULL

struct decorator *decorator_wrap(struct datasource *source,
                                 const struct datasource_driver *slots)
{
    struct decorator *decorator = ARENA_NEW(source->arena, struct decorator);
    const struct datasource_driver *inner = source->driver;
    struct datasource_driver *table = &decorator->table;
    decorator->inner = *source;
    *table = *inner; /* what is added to the table later is not forgotten here */
    REPLACE(open);
    REPLACE(close);
    REPLACE(signature);
    REPLACE(describe);
    REPLACE(profile);
    REPLACE(check);
    REPLACE(estimate);
    REPLACE(execute);
    REPLACE(write);
    table->inspect = inner->inspect ? inspect_inner : NULL;
    source->driver = table;
    return decorator;
}

bool decorator_open(struct decorator *decorator, struct datasource *source,
                    struct err *err)
{
    struct datasource *inner = &decorator->inner;
    struct arena *home = inner->arena;
    inner->arena = source->arena; /* of this try alone: see opening_try() */
    inner->opening_limits = source->opening_limits;
    inner->address = source->address;
    bool ok = inner->driver->open(inner, err);
    inner->opening_limits = NULL;
    inner->arena = home;
    return ok;
}

struct decorator *decorator_of(struct datasource *source)
{
    /* The table is the first member of the decorator, which lives in the source's arena.
     */
    union {
        const struct datasource_driver *table;
        struct decorator *decorator;
    } way = {.table = source->driver};
    return way.decorator;
}
