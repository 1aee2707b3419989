/*
 * Stands between the HTTP library and its connections: what the library receives, in the
 * clear or out of TLS, passes the connection's framing first.
 */
#ifndef DGM_SERVER_INTAKE_H
#define DGM_SERVER_INTAKE_H

#include <stdbool.h>

struct framing;

/* Once, when the library has been loaded. False: it receives in a way that is not known
 * here, and nothing could be checked. */
bool intake_install(void *library);

/* A connection begins, ends; both on its thread, and the end before its descriptor is
 * closed. */
void intake_open(int fd, struct framing *framing);
void intake_close(int fd);

#endif
