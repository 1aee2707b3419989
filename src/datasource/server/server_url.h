/* Parses the URL of a database server:
 * scheme://user:password@host:port/database?name=value&… */
#ifndef DGM_DATASOURCE_SERVER_URL_H
#define DGM_DATASOURCE_SERVER_URL_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

struct server_parameter {
    const char *name; /* in lower case, with _ for - */
    const char *value;
};

struct server_parameters {
    struct server_parameter *items;
    size_t count;
    size_t capacity;
};

/* All parts are decoded; missing ones are NULL. */
struct server_url {
    const char *user;
    const char *password;
    const char *host;
    int port; /* 0: the default */
    const char *database;
    struct server_parameters parameters;
};

/* False if it is invalid; then no part of it may be shown, because it may contain a
 * password. */
bool server_url_read(struct arena *arena, const char *url, struct server_url *out);

#endif
