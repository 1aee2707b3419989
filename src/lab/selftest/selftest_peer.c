/* The first bytes of the protocols of PostgreSQL and MySQL, from the server's side: one
 * thread, one connection after the other. */
#include "lab/selftest/selftest_peer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/memory.h"

enum {
    SLICE_MS = 20,
    TLS_RECORD = 0x16, /* the first byte of every handshake */
    POSTGRES_ASKS_TLS = 80877103,
    POSTGRES_ASKS_GSS = 80877104,
    MYSQL_HAS_TLS = 0x0800,
    MYSQL_FLAGS = 0xF7FE, /* the lower half, without TLS */
    MYSQL_ASKS_TLS_SIZE = 32,
};

struct selftest_peer {
    enum peer_kind kind;
    enum peer_way way;
    int socket;
    int port;
    atomic_bool ending;
    pthread_t thread;
    struct peer_seen seen; /* of the thread alone, until that is joined */
};

static bool readable(struct selftest_peer *peer, int from)
{
    while (!atomic_load(&peer->ending)) {
        struct pollfd ready = {.fd = from, .events = POLLIN};
        if (poll(&ready, 1, SLICE_MS) > 0) {
            return true;
        }
    }
    return false;
}

static bool selftest_peer_take(struct selftest_peer *peer, int from, unsigned char *bytes,
                               size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t more =
            readable(peer, from) ? recv(from, bytes + done, size - done, 0) : 0;
        if (more <= 0) {
            return false;
        }
        done += (size_t)more;
    }
    return true;
}

static bool give(int to, const void *bytes, size_t size)
{
    return send(to, bytes, size, MSG_NOSIGNAL) == (ssize_t)size;
}

/* What the client does next: a handshake, something else, or nothing any more. */
static void judge_next(struct selftest_peer *peer, int client)
{
    unsigned char first;
    if (selftest_peer_take(peer, client, &first, 1)) {
        bool begun = peer->way == PEER_BREAKS && first == TLS_RECORD;
        peer->seen.handshakes += begun;
        peer->seen.plain += !begun;
    }
}

static void postgres_talk(struct selftest_peer *peer, int client)
{
    unsigned char head[8];
    uint32_t code = 0;
    do {
        if (!selftest_peer_take(peer, client, head, sizeof head)) {
            return;
        }
        code = (uint32_t)head[4] << 24 | (uint32_t)head[5] << 16 |
               (uint32_t)head[6] << 8 | head[7];
    } while (code == POSTGRES_ASKS_GSS && give(client, "N", 1));
    if (code != POSTGRES_ASKS_TLS) {
        peer->seen.plain++;
    } else if (give(client, peer->way == PEER_STRIPS ? "N" : "S", 1)) {
        judge_next(peer, client);
    }
}

static bool mysql_greet(const struct selftest_peer *peer, int client)
{
    static const char version[] = "5.5.5-10.11.0-MariaDB";
    static const char plugin[] = "mysql_native_password";
    unsigned flags = MYSQL_FLAGS | (peer->way == PEER_BREAKS ? MYSQL_HAS_TLS : 0U);
    unsigned char bytes[128] = {0};
    size_t at = 4;
    bytes[at++] = 10; /* of the protocol */
    memcpy(bytes + at, version, sizeof version);
    at += sizeof version;
    bytes[at] = 1; /* the number of the connection */
    memset(bytes + at + 4, 'a', 8);
    at += 4 + 8 + 1;
    bytes[at] = flags & 0xFF;
    bytes[at + 1] = (unsigned char)(flags >> 8);
    bytes[at + 2] = 45; /* utf8mb4 */
    bytes[at + 3] = 2;  /* autocommit */
    bytes[at + 5] = 0xFF;
    bytes[at + 6] = 0x81;
    bytes[at + 7] = 21; /* bytes of the secret: 8, these 12, and a zero */
    memset(bytes + at + 18, 'b', 12);
    at += 18 + 12 + 1;
    memcpy(bytes + at, plugin, sizeof plugin);
    at += sizeof plugin;
    bytes[0] = (unsigned char)(at - 4);
    return give(client, bytes, at);
}

static void mysql_talk(struct selftest_peer *peer, int client)
{
    unsigned char head[6]; /* the size of the packet, its number, the client's flags */
    unsigned char rest[MYSQL_ASKS_TLS_SIZE - 2];
    if (!mysql_greet(peer, client) ||
        !selftest_peer_take(peer, client, head, sizeof head)) {
        return; /* it would not go on */
    }
    size_t size = head[0] | (size_t)head[1] << 8 | (size_t)head[2] << 16;
    bool asks = size == MYSQL_ASKS_TLS_SIZE && (head[5] & (MYSQL_HAS_TLS >> 8));
    if (!asks) {
        peer->seen.plain++;
    } else if (selftest_peer_take(peer, client, rest, sizeof rest)) {
        judge_next(peer, client);
    }
}

static void *peer_run(void *context)
{
    static void (*const talks[])(struct selftest_peer *, int) = {
        [PEER_POSTGRES] = postgres_talk,
        [PEER_MYSQL] = mysql_talk,
        [PEER_HTTPS] = judge_next,
    };
    struct selftest_peer *peer = context;
    while (readable(peer, peer->socket)) {
        int client = accept4(peer->socket, NULL, NULL, SOCK_CLOEXEC);
        if (client >= 0) {
            peer->seen.connections++;
            talks[peer->kind](peer, client);
            (void)close(client);
        }
    }
    return NULL;
}

struct selftest_peer *selftest_peer_new(enum peer_kind kind, enum peer_way way)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    struct sockaddr *any = (struct sockaddr *)&address;
    socklen_t size = sizeof address;
    struct selftest_peer *peer = memory_alloc(sizeof *peer);
    *peer = (struct selftest_peer){.kind = kind, .way = way};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    peer->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (peer->socket < 0 || bind(peer->socket, any, size) != 0 ||
        listen(peer->socket, 8) != 0 || getsockname(peer->socket, any, &size) != 0 ||
        pthread_create(&peer->thread, NULL, peer_run, peer) != 0) {
        if (peer->socket >= 0) {
            (void)close(peer->socket);
        }
        memory_free(peer);
        return NULL;
    }
    peer->port = ntohs(address.sin_port);
    return peer;
}

int selftest_peer_port(const struct selftest_peer *peer)
{
    return peer->port;
}

struct peer_seen selftest_peer_free(struct selftest_peer *peer)
{
    atomic_store(&peer->ending, true);
    (void)pthread_join(peer->thread, NULL);
    struct peer_seen seen = peer->seen;
    (void)close(peer->socket);
    memory_free(peer);
    return seen;
}
