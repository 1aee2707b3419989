/* The suite's MongoDB peer: how tests talk to it behind the driver's back. */
#ifndef DGM_TESTS_CONFORMANCE_MONGODB_PEER_H
#define DGM_TESTS_CONFORMANCE_MONGODB_PEER_H

#include <stddef.h>

/* One order to the peer about the database of that path; what it says goes to out, cut at
 * size. Fails the test when the peer cannot do it. */
void mongodb_peer_tell(const char *what, const char *path, const char *text, char *out,
                       size_t size);
/* The same where the answer is a number. */
long mongodb_peer_ask(const char *what, const char *path, const char *text);

#endif
