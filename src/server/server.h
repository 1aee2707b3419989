/*
 * The HTTP door: dragoman's library over libmicrohttpd. A few threads carry all
 * connections (epoll); whoever has to wait is suspended and costs no thread.
 */
#ifndef DGM_SERVER_SERVER_H
#define DGM_SERVER_SERVER_H

#include <stdbool.h>

struct dgm;
struct dgm_config;
struct dgm_error;
struct server;

/* Listens where server.listen says and answers from now on. Both outlive the server. */
struct server *server_start(struct dgm *dgm, const struct dgm_config *config,
                            struct dgm_error *error);
/* "http://127.0.0.1:8080" */
const char *server_address(const struct server *server);
/* Is everybody let in who can reach it? */
bool server_is_open(const struct server *server);
/* Takes no further connection, lets what is at work end for server.drain_s, stops the
 * rest (it is kept as interrupted), and ends. dgm_close may follow. */
void server_stop(struct server *server);

#endif
