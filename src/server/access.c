/* Checks the Host header and the Origin of a request. */
#include "server/access.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "server/exchange.h"
#include "server/state.h"

enum { HOST_MOST = 255, PORT_DIGITS = 5 };

static bool is_made_of(const char *text, size_t size, const char *further)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c >= 0x80 || !(isalnum(c) || strchr(further, c))) {
            return false;
        }
    }
    return size > 0;
}

static bool is_port(const char *text)
{
    int64_t port = 0;
    return is_made_of(text, strlen(text), "") && strlen(text) <= PORT_DIGITS &&
           str_to_int(text, &port) && port <= UINT16_MAX;
}

/* The name without its port ("[::1]:8080" -> "[::1]"); NULL if the text contains anything
 * else. */
static const char *host_name(struct arena *arena, const char *host)
{
    bool six = host[0] == '[';
    size_t size = strcspn(host, six ? "]" : ":");
    bool good = six ? host[size] == ']' && is_made_of(host + 1, size - 1, ":.")
                    : is_made_of(host, size, ".-_");
    size += six && good;
    good = good && (!host[size] || (host[size] == ':' && is_port(host + size + 1)));
    return good ? str_lower(arena, arena_copy(arena, host, size)) : NULL;
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

/* A browser sends the page that makes the request; it must be one of this server's
 * pages. */
static bool is_own_page(const struct exchange *exchange, const char *host)
{
    const char *origin =
        MHD_lookup_connection_value(exchange->connection, MHD_HEADER_KIND, "Origin");
    const char *name = origin ? strstr(origin, "://") : NULL;
    return !origin || (name && str_equal_nocase(name + 3, host));
}

/* Is the host one of the server's names? On other addresses than loopback, any name if
 * none are configured. */
static bool is_called(struct exchange *exchange, const char *name)
{
    static const char *const own[] = {"localhost", "127.0.0.1", "[::1]"};
    struct server *server = exchange->server;
    bool known = str_equal_nocase(name, server->host) ||
                 is_listed(exchange->arena, server->settings.hosts, name);
    for (size_t i = 0; i < sizeof own / sizeof *own && server->loopback; i++) {
        known = known || str_equal(name, own[i]);
    }
    return known || (!server->loopback && str_empty(server->settings.hosts));
}

/* Of "http://host/path": where the host begins; NULL if the target is a path. */
static const char *authority_of(const char *target)
{
    const char *at = target[0] == '/' ? NULL : strstr(target, "://");
    return at ? at + 3 : NULL;
}

const char *access_path(const char *target)
{
    const char *authority = authority_of(target);
    const char *path = authority ? strchr(authority, '/') : target;
    return path ? path : "/";
}

static bool is_same_host(const char *target, const char *host)
{
    const char *authority = authority_of(target);
    return !authority || (strcspn(authority, "/") == strlen(host) &&
                          strncasecmp(authority, host, strlen(host)) == 0);
}

bool access_host(struct exchange *exchange, const char *target, struct err *err)
{
    const char *host =
        MHD_lookup_connection_value(exchange->connection, MHD_HEADER_KIND, "Host");
    host = host ? str_trim(exchange->arena, host) : "";
    if (!*host || strlen(host) > HOST_MOST) {
        exchange->closes = true;
        return err_set(err, ERR_INVALID_DATA, "The request names no host.");
    }
    if (!is_same_host(target, host)) {
        exchange->closes = true;
        return err_set(err, ERR_INVALID_DATA,
                       "The request names one host in its address and another in Host.");
    }
    if (!is_own_page(exchange, host)) {
        (void)err_set(err, ERR_ACCESS, "Requests from other websites are not allowed.");
        return err_hint(err, "Origin must be the address of this server. Programs other "
                             "than browsers leave the header out.");
    }
    const char *name = host_name(exchange->arena, host);
    if (name && is_called(exchange, name)) {
        return true;
    }
    (void)err_set(err, ERR_ACCESS, "The server does not answer to this host name.");
    return err_hint(err,
                    "Use the address that the server printed when it started, or list "
                    "the name under server.hosts.");
}
