/*
 * Encryption rules for connections to database servers. To another machine the connection
 * is encrypted, unless the URL says otherwise. If encryption is only preferred, it is
 * omitted only if the server itself says that it does not support TLS, and a warning is
 * logged.
 */
#ifndef DGM_DATASOURCE_SERVER_LINE_H
#define DGM_DATASOURCE_SERVER_LINE_H

#include <stdatomic.h>
#include <stdbool.h>

struct datasource;
struct err;
struct opening;

struct server_line {
    bool here;            /* the server is on this machine */
    const char *database; /* its name, for messages */
    struct opening *opening;
    atomic_bool told; /* the missing encryption has been logged */
};

void server_line_init(struct server_line *line, const struct datasource *source,
                      const char *hosts, const char *database);
/* Call after connecting. plain: encryption was preferred, but the server does not support
 * TLS. */
void server_line_note(struct server_line *line, bool plain);
/* The error if the server does not support TLS but it is required; `way`: what the URL
 * would have to say. Returns false. */
bool server_line_refuse(const char *way, struct err *err);

#endif
