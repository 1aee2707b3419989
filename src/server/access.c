/* By which name the server is called, and from which page. */
#include "server/access.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "server/exchange.h"
#include "server/state.h"

enum { HOST_MOST = 255 };

/* The name without its port: "[::1]:8080" -> "[::1]". */
static const char *host_name(struct arena *arena, const char *host)
{
    const char *end = host[0] == '[' ? strchr(host, ']') : NULL;
    size_t size = end ? (size_t)(end - host) + 1 : strcspn(host, ":");
    return str_lower(arena, arena_copy(arena, host, size));
}

static bool is_listed(struct arena *arena, const char *hosts, const char *name)
{
    struct texts list = {0};
    str_split(arena, hosts, ',', &list);
    for (size_t i = 0; i < list.count; i++) {
        if (str_equal_nocase(str_trim(arena, list.items[i]), name)) {
            return true;
        }
    }
    return false;
}

/* A browser says from which page it asks; that page must be one of this server's own. */
static bool is_own_page(const struct exchange *exchange, const char *host)
{
    const char *origin =
        MHD_lookup_connection_value(exchange->connection, MHD_HEADER_KIND, "Origin");
    const char *name = origin ? strstr(origin, "://") : NULL;
    return !origin || (name && str_equal_nocase(name + 3, host));
}

bool access_host(struct exchange *exchange, struct err *err)
{
    struct server *server = exchange->server;
    const char *host =
        MHD_lookup_connection_value(exchange->connection, MHD_HEADER_KIND, "Host");
    if (!host || strlen(host) > HOST_MOST) {
        return err_set(err, ERR_USAGE, "The request names no host.");
    }
    if (!is_own_page(exchange, host)) {
        return err_set(err, ERR_ACCESS, "Pages of other sites may not ask here.");
    }
    const char *name = host_name(exchange->arena, host);
    static const char *const own[] = {"localhost", "127.0.0.1", "[::1]"};
    bool known = str_equal_nocase(name, server->host) ||
                 is_listed(exchange->arena, server->settings.hosts, name);
    for (size_t i = 0; i < sizeof own / sizeof *own && server->loopback; i++) {
        known = known || str_equal(name, own[i]);
    }
    if (known || (!server->loopback && str_empty(server->settings.hosts))) {
        return true;
    }
    (void)err_set(err, ERR_ACCESS, "This server is not called by that name.");
    return err_hint(err, "Call it %s, or list the name under server.hosts.",
                    server->address);
}
