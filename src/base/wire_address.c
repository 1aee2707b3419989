/* Which URLs go over the wire by themselves, and what their requests look like. */
#include <arpa/inet.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/fetch/fetch.h"
#include "base/wire.h"

/* "http://host:port/path" taken apart; not NUL-ended. */
struct parts {
    const char *host; /* without brackets */
    size_t host_size;
    const char *authority; /* as written */
    size_t authority_size;
    unsigned long port;
    const char *path; /* and query, up to a fragment; may be empty */
    size_t path_size;
};

static bool split(const char *url, struct parts *parts)
{
    static const char scheme[] = "http://";
    if (strncasecmp(url, scheme, sizeof scheme - 1) != 0) {
        return false;
    }
    for (const char *c = url; *c; c++) { /* libcurl knows how to mend an odd one */
        if ((unsigned char)*c <= ' ' || (unsigned char)*c >= 0x7F) {
            return false;
        }
    }
    parts->authority = url + sizeof scheme - 1;
    parts->authority_size = strcspn(parts->authority, "/?#");
    if (memchr(parts->authority, '@', parts->authority_size)) {
        return false;
    }
    const char *end = parts->authority + parts->authority_size;
    bool bracket = *parts->authority == '[';
    parts->host = parts->authority + (bracket ? 1 : 0);
    parts->host_size = strcspn(parts->host, bracket ? "]" : ":/?#");
    const char *after = parts->host + parts->host_size + (bracket ? 1 : 0);
    parts->port = 80;
    if (after < end) {
        char *stop = NULL;
        parts->port = *after == ':' && isdigit((unsigned char)after[1])
                          ? strtoul(after + 1, &stop, 10)
                          : 0;
        if (stop != end) {
            return false;
        }
    }
    parts->path = end;
    parts->path_size = strcspn(end, "#");
    return after <= end && parts->port > 0 && parts->port <= 65535;
}

static bool add_address(struct wire_site *site, const char *host, unsigned long port)
{
    struct sockaddr_storage *address = &site->addresses[site->address_count];
    struct sockaddr_in *four = (struct sockaddr_in *)address;
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)address;
    memset(address, 0, sizeof *address);
    if (inet_pton(AF_INET, host, &four->sin_addr) == 1) {
        four->sin_family = AF_INET;
        four->sin_port = htons((uint16_t)port);
    } else if (inet_pton(AF_INET6, host, &six->sin6_addr) == 1) {
        six->sin6_family = AF_INET6;
        six->sin6_port = htons((uint16_t)port);
    } else {
        return false;
    }
    site->address_count++;
    return true;
}

bool wire_site_init(struct wire_site *site, struct loop *loop, char *scratch,
                    const char *url)
{
    struct parts parts;
    char host[64];
    *site = (struct wire_site){.loop = loop, .scratch = scratch};
    if (!split(url, &parts) || parts.host_size == 0 || parts.host_size >= sizeof host) {
        return false;
    }
    memcpy(host, parts.host, parts.host_size);
    host[parts.host_size] = '\0';
    if (strcasecmp(host, "localhost") == 0) { /* servers listen on the one or the other */
        return add_address(site, "127.0.0.1", parts.port) &&
               add_address(site, "::1", parts.port);
    }
    return add_address(site, host, parts.port);
}

bool wire_can(const char *url)
{
    struct wire_site site;
    return wire_site_init(&site, NULL, NULL, url);
}

void wire_head(const struct fetch_request *request, struct buf *out)
{
    struct parts parts;
    if (!split(request->url, &parts)) {
        return;
    }
    (void)buf_text(out, request->method);
    (void)buf_text(out, parts.path_size && *parts.path == '/' ? " " : " /");
    (void)buf_add(out, parts.path, parts.path_size);
    (void)buf_text(out, " HTTP/1.1\r\nHost: ");
    (void)buf_add(out, parts.authority, parts.authority_size);
    (void)buf_text(out, "\r\nUser-Agent: dragoman\r\nAccept: */*\r\n");
    for (size_t i = 0; request->headers && request->headers[i]; i++) {
        if (!strpbrk(request->headers[i], "\r\n")) { /* one header, not two */
            (void)buf_text(out, request->headers[i]);
            (void)buf_text(out, "\r\n");
        }
    }
    if (request->body || request->prefix || strcasecmp(request->method, "POST") == 0) {
        (void)buf_format(out, "Content-Length: %zu\r\n",
                         request->prefix_size + request->body_size);
    }
    (void)buf_text(out, "\r\n");
}
