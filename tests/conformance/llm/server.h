/* Starts a server program, reads its port, and takes it down again whatever happens. */
#ifndef DGM_TESTS_CONFORMANCE_LLM_SERVER_H
#define DGM_TESTS_CONFORMANCE_LLM_SERVER_H

#include <sys/types.h>

struct server {
    pid_t process;
    int port;
    char certificate[256]; /* of one with TLS */
};

/* `node mock/<script> <option>`; port 0 when it did not start. */
struct server server_start(const char *script, const char *option);
void server_stop(struct server *server);

#endif
