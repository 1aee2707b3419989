/*
 * The HTTP server: dragoman's library behind libmicrohttpd. A few threads carry all
 * connections (epoll); a request that waits is suspended and needs no thread.
 */
#ifndef DGM_SERVER_SERVER_H
#define DGM_SERVER_SERVER_H

#include <stdbool.h>

struct buf;
struct dgm;
struct dgm_config;
struct dgm_error;
struct dgm_trial;
struct server;

/* Takes the port of server.listen and reads the certificate: what may need rights that
 * are given up before server_start (server/cage.h). No request is accepted yet. */
struct server *server_open(const struct dgm_config *config, struct dgm_error *error);
/* Answers from now on. `dgm` must outlive the server. After a failure: server_stop. */
bool server_start(struct server *server, struct dgm *dgm, struct dgm_error *error);
/* "http://127.0.0.1:8080" */
const char *server_address(const struct server *server);
/* Whether no key is required. */
bool server_is_open(const struct server *server);
/* Accepts no further connections, gives running questions server.drain_s seconds to end
 * and stops the rest (stored as interrupted). Returns when nothing is running. */
void server_drain(struct server *server);
/* Drains it, if that is not done yet, and ends. dgm_close may follow. */
void server_stop(struct server *server);

/* What /openapi.json says, without a server; initialises the buffer. */
void server_describe(struct buf *out);

/* For the self-test: plays requests with more than one meaning to the reader of requests,
 * and tries in a child process what the server's sandbox forbids. Call it before any
 * thread is started. Returns how much got through. */
int server_trial(void (*report)(void *context, const struct dgm_trial *trial),
                 void *context);

#endif
