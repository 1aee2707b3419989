/* The URL of a database on a server, taken apart:
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

/* Every part is decoded; one that is not there is NULL. */
struct server_url {
    const char *user;
    const char *password;
    const char *host;
    int port; /* 0: the usual one */
    const char *database;
    struct server_parameters parameters;
};

/* False when it is none: nothing of it may be shown then, it may hold a password. */
bool server_url_read(struct arena *arena, const char *url, struct server_url *out);

#endif
