/* URLs of databases with an HTTP interface: user, password, host, path, parameters. */
#ifndef DGM_DATASOURCE_WEB_URL_H
#define DGM_DATASOURCE_WEB_URL_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

enum { WEB_URL_PAIRS = 32 };

/* All parts are decoded; missing ones are "". */
struct web_url {
    const char *scheme; /* lower case */
    const char *user;
    const char *password;
    const char *host; /* an IPv6 address has brackets */
    const char *port; /* digits, or "" */
    const char *path; /* without the leading slash */
    size_t count;
    struct web_url_pair {
        const char *key;
        const char *value;
    } pairs[WEB_URL_PAIRS];
};

/* False if it is invalid. */
bool web_url_read(struct arena *arena, const char *url, struct web_url *out);
const char *web_url_get(const struct web_url *url, const char *key); /* NULL: absent */
/* The first unknown key; NULL: all are known. */
const char *web_url_stranger(const struct web_url *url, const char *const *known);
/* Appends a text as a part of a URL: everything but letters, digits and -._~ is
 * percent-encoded. */
struct buf;
void web_url_encode(struct buf *out, const char *text);

#endif
