/*
 * Hooks into libmicrohttpd's receive functions: every received byte, also after TLS
 * decryption, passes the connection's framing first.
 */
#ifndef DGM_SERVER_INTAKE_H
#define DGM_SERVER_INTAKE_H

#include <stdbool.h>

struct framing;

/* Call it once, after the library was loaded. False: this build of the library receives
 * in an unknown way, so requests could not be checked. */
bool intake_install(void *library);

/* A connection begins or ends. Both on its thread; the end before its descriptor is
 * closed. */
void intake_open(int fd, struct framing *framing);
void intake_close(int fd);

#endif
