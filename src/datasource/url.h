/* Where a datasource is: a URL or a bare path, taken apart. */
#ifndef DGM_DATASOURCE_URL_H
#define DGM_DATASOURCE_URL_H

#include "base/err.h"

struct arena;
struct datasource_driver;

struct source_url {
    const char *scheme; /* lower case; "" for a bare path */
    const char *path;   /* decoded; of a file source, else NULL */
};

/* Takes a URL apart; says which driver opens it. Errors: DATASOURCE_KIND, and those of
 * the file itself when only its first bytes can decide. */
bool url_resolve(struct arena *arena, const char *url, struct source_url *out,
                 const struct datasource_driver **driver, struct err *err);
/* %20 and the like; what is no byte stays as it stands. */
char *url_percent_decode(struct arena *arena, const char *text);
/* A server's URL with the user, but without passwords, tokens and keys. */
char *url_without_password(struct arena *arena, const char *url);

#endif
