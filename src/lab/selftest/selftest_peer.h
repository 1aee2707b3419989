/* A server of our own on a loopback address that breaks how a connection becomes
 * encrypted, and sees whether its client goes on in plain text. */
#ifndef DGM_LAB_SELFTEST_PEER_H
#define DGM_LAB_SELFTEST_PEER_H

#include <stdbool.h>

enum peer_kind { PEER_POSTGRES, PEER_MYSQL, PEER_HTTPS };
enum peer_way {
    PEER_BREAKS, /* offers TLS, and hangs up when the handshake has begun */
    PEER_STRIPS, /* offers none */
};

struct selftest_peer;

struct peer_seen {
    int connections;
    int handshakes; /* that were begun */
    int plain;      /* clients that went on without one */
};

/* NULL: it cannot listen. */
struct selftest_peer *selftest_peer_new(enum peer_kind kind, enum peer_way way);
int selftest_peer_port(const struct selftest_peer *peer);
/* Ends it; what it has seen. */
struct peer_seen selftest_peer_free(struct selftest_peer *peer);

#endif
