/*
 * The HTTP server: libdragoman behind libmicrohttpd. A few threads serve all connections
 * (epoll); a waiting request is suspended and occupies no thread.
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

/* Binds the port of server.listen and reads the certificate; this may need rights that
 * are given up before server_start (server/cage.h). No request is accepted yet. */
struct server *server_open(const struct dgm_config *config, struct dgm_error *error);
/* Starts to accept requests. `dgm` must outlive the server. After a failure call
 * server_stop. */
bool server_start(struct server *server, struct dgm *dgm, struct dgm_error *error);
/* "http://127.0.0.1:8080" */
const char *server_address(const struct server *server);
/* Whether no key is required. */
bool server_is_open(const struct server *server);
/* Stops accepting connections, waits server.drain_s seconds for running questions and
 * stops the rest (stored as interrupted). Returns when nothing is running. */
void server_drain(struct server *server);
/* Drains it if necessary, and frees it. dgm_close may follow. */
void server_stop(struct server *server);

/* What /openapi.json says, without a server; initialises the buffer. */
void server_describe(struct buf *out);

/* For the self-test: plays requests with more than one meaning to the reader of requests,
 * and tries in a child process what the server's sandbox forbids. Call it before any
 * thread is started. Returns how much got through. */
int server_trial(void (*report)(void *context, const struct dgm_trial *trial),
                 void *context);

#endif
