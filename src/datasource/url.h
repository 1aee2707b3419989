/* Parses the location of a datasource: a URL or a path. */
#ifndef DGM_DATASOURCE_URL_H
#define DGM_DATASOURCE_URL_H

#include "base/err.h"

struct arena;
struct datasource_driver;

struct source_url {
    const char *scheme; /* lower case; "" for a bare path */
    const char *path;   /* decoded; NULL unless it is a file source */
};

/* Parses a URL and finds its driver. Errors: DATASOURCE_KIND, and errors of reading the
 * file if its first bytes must decide. */
bool url_resolve(struct arena *arena, const char *url, struct source_url *out,
                 const struct datasource_driver **driver, struct err *err);
/* The path that is opened to see what it is: of a bare path or a URL with file:; else
 * NULL. */
const char *url_bare_path(struct arena *arena, const char *url);
/* Decodes %20 and the like; invalid sequences are unchanged. */
char *url_percent_decode(struct arena *arena, const char *text);
/* A server's URL with its user, but without passwords, tokens and keys. */
char *url_without_password(struct arena *arena, const char *url);

#endif
