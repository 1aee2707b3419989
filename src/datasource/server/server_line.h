/*
 * What the line to a database server must be. To another machine it is encrypted, unless
 * the URL says otherwise; a line that may do without does so only when the server itself
 * says that it has no TLS, and that is told.
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
    atomic_bool told; /* the log has said that it is not encrypted */
};

void server_line_init(struct server_line *line, const struct datasource *source,
                      const char *hosts, const char *database);
/* A connection was made. plain: it would have been encrypted, but the server has no TLS.
 */
void server_line_note(struct server_line *line, bool plain);
/* The server has none, and that is not allowed; `way` is what the URL would have to say.
 * Returns false. */
bool server_line_refuse(const char *way, struct err *err);

#endif
