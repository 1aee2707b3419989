/* Paths matched against the table of routes. */
#include "server/router.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"
#include "server/routes/routes.h"

static const struct route table[] = {
#define ROUTE(method, path, name, run, scope, summary, request, response)                \
    {#method, path, name, RUN_##run, SCOPE_##scope, summary, request, response, #name},
#include "server/routes.def"
#undef ROUTE
};

const struct route *router_at(size_t index)
{
    return index < sizeof table / sizeof *table ? &table[index] : NULL;
}

/* Fills the parameters, as places in the path, when it fits. */
static bool fits(const char *pattern, const char *path, const char **at, size_t *sizes)
{
    size_t count = 0;
    while (*pattern) {
        if (*pattern != '{') {
            if (*pattern++ != *path++) {
                return false;
            }
            continue;
        }
        size_t size = strcspn(path, "/");
        if (size == 0 || count == ROUTE_PARAMETERS) {
            return false;
        }
        at[count] = path;
        sizes[count++] = size;
        path += size;
        pattern = strchr(pattern, '}') + 1;
    }
    return *path == '\0';
}

bool router_find(struct arena *arena, const char *method, const char *path,
                 struct route_match *match)
{
    *match = (struct route_match){0};
    const char *wanted = str_equal(method, "HEAD") ? "GET" : method;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const char *at[ROUTE_PARAMETERS] = {0};
        size_t sizes[ROUTE_PARAMETERS] = {0};
        if (!fits(table[i].path, path, at, sizes)) {
            continue;
        }
        if (!str_equal(table[i].method, wanted)) {
            match->allowed =
                match->allowed
                    ? arena_format(arena, "%s, %s", match->allowed, table[i].method)
                    : table[i].method;
            continue;
        }
        match->route = &table[i];
        match->allowed = NULL;
        for (size_t p = 0; p < ROUTE_PARAMETERS && at[p]; p++) {
            match->parameters[p] = arena_copy(arena, at[p], sizes[p]);
        }
        return utf8_valid(path, strlen(path), NULL);
    }
    return false;
}
