/* Puts one driver table around another. */
#include "datasource/decorator.h"

#include "base/arena.h"

struct decorator *decorator_wrap(struct datasource *source,
                                 const struct datasource_driver *slots)
{
    struct decorator *decorator = ARENA_NEW(source->arena, struct decorator);
    const struct datasource_driver *inner = source->driver;
    decorator->inner = *source;
    decorator->table = *slots;
    decorator->table.name = inner->name;
    decorator->table.dialect = inner->dialect;
    decorator->table.schemes = inner->schemes;
    decorator->table.extensions = inner->extensions;
    decorator->table.local = inner->local;
    decorator->table.counts_steps = inner->counts_steps;
    decorator->table.profile = inner->profile ? slots->profile : NULL;
    decorator->table.estimate = inner->estimate ? slots->estimate : NULL;
    decorator->table.write = inner->write ? slots->write : NULL;
    source->driver = &decorator->table;
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
