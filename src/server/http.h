/* The callbacks of libmicrohttpd: from a connection to a handler and back. */
#ifndef DGM_SERVER_HTTP_H
#define DGM_SERVER_HTTP_H

#include <stdbool.h>

struct err;
struct server;

/*
 * Reads the files of server.tls_*, if set. They are wiped from memory if the server never
 * starts.
 */
bool http_read_certificate(struct server *server, struct err *err);
void http_forget_certificate(struct server *server);
/* Starts the threads on server->socket. */
bool http_start(struct server *server, struct err *err);
/* Every request must have been replied to. */
void http_stop(struct server *server);

#endif
