/* URLs of databases that are reached by HTTP: user, password, host, path, parameters. */
#ifndef DGM_DATASOURCE_WEB_URL_H
#define DGM_DATASOURCE_WEB_URL_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

enum { WEB_URL_PAIRS = 32 };

/* All parts are decoded; "" where the URL has none. */
struct web_url {
    const char *scheme; /* lower case */
    const char *user;
    const char *password;
    const char *host; /* an IPv6 address keeps its brackets */
    const char *port; /* digits, or "" */
    const char *path; /* without the first slash */
    size_t count;
    struct web_url_pair {
        const char *key;
        const char *value;
    } pairs[WEB_URL_PAIRS];
};

/* False when it cannot be understood. */
bool web_url_read(struct arena *arena, const char *url, struct web_url *out);
const char *web_url_get(const struct web_url *url, const char *key); /* NULL: absent */
/* A key that is none of these; NULL when all are known. */
const char *web_url_stranger(const struct web_url *url, const char *const *known);
/* A text as one part of a URL: all but letters, digits and -._~ as %40. */
struct buf;
void web_url_encode(struct buf *out, const char *text);

#endif
