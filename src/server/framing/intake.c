/* Passes all bytes that libmicrohttpd receives through the framing parser. */
#include "server/framing/intake.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "base/memory.h"
#include "base/redirect.h"
#include "base/library.h"
#include "server/framing/framing.h"

/* Connections by descriptor, in blocks that are allocated when needed and never freed, so
 * that lookups need no lock. */
enum { BLOCK = 1024, BLOCKS = 4096, DROP_SIZE = 4096, DROPS_MOST = 64 };

typedef _Atomic(struct framing *) slot;

static _Atomic(slot *) blocks[BLOCKS];
static pthread_mutex_t blocks_lock = PTHREAD_MUTEX_INITIALIZER;

static ssize_t (*plain_receive)(int fd, void *bytes, size_t size, int flags);
static ssize_t (*secure_receive)(void *session, void *bytes, size_t size);
static int (*secure_descriptor)(void *session);

static slot *slot_find(int fd)
{
    slot *block =
        fd < 0 || fd / BLOCK >= BLOCKS ? NULL : atomic_load(&blocks[fd / BLOCK]);
    return block ? &block[fd % BLOCK] : NULL;
}

static struct framing *framing_find(int fd)
{
    slot *found = slot_find(fd);
    return found ? atomic_load(found) : NULL;
}

void intake_open(int fd, struct framing *framing)
{
    if (fd < 0 || fd / BLOCK >= BLOCKS) {
        return; /* its requests are refused as unchecked */
    }
    (void)pthread_mutex_lock(&blocks_lock);
    slot *block = atomic_load(&blocks[fd / BLOCK]);
    if (!block) {
        block = memory_array(BLOCK, sizeof *block);
        atomic_store(&blocks[fd / BLOCK], block);
    }
    (void)pthread_mutex_unlock(&blocks_lock);
    atomic_store(&block[fd % BLOCK], framing);
}

void intake_close(int fd)
{
    slot *found = slot_find(fd);
    if (found) {
        atomic_store(found, NULL);
    }
}

/* After a fault the library gets the bytes that let it finish the request, and then no
 * more. */
static size_t take_ending(struct framing *framing, char *bytes, size_t size)
{
    size_t length = strlen(framing->ending);
    size_t used = length < size ? length : size;
    memcpy(bytes, framing->ending, used);
    framing->ending += used;
    return used;
}

static ssize_t check(struct framing *framing, char *bytes, size_t got, size_t room)
{
    size_t good = framing_read(framing, bytes, got);
    return (ssize_t)(framing->fault
                         ? good + take_ending(framing, bytes + good, room - good)
                         : good);
}

/* The library waits for a new event after it got fewer bytes than it has room for. When
 * the end of the connection arrived together with these bytes, that event was the same
 * one, and the library would not notice until a timeout that its client has left. To shut
 * down what has ended already changes nothing but raises the event again. */
static void end_announce(int fd, ssize_t got, size_t size)
{
    struct pollfd look = {.fd = fd, .events = POLLRDHUP};
    if (got > 0 && (size_t)got < size && poll(&look, 1, 0) == 1 &&
        (look.revents & POLLRDHUP)) {
        (void)shutdown(fd, SHUT_RD);
    }
}

/* Other received bytes are discarded: closing a connection with unread bytes resets it,
 * and the client might not get the error. */
static ssize_t receive_plain(int fd, void *bytes, size_t size, int flags)
{
    struct framing *framing = framing_find(fd);
    char dropped[DROP_SIZE];
    if (!framing) {
        return plain_receive(fd, bytes, size, flags);
    }
    if (framing->fault) {
        return (ssize_t)take_ending(framing, bytes, size);
    }
    ssize_t got = plain_receive(fd, bytes, size, flags);
    end_announce(fd, got, size);
    got = got > 0 ? check(framing, bytes, (size_t)got, size) : got;
    for (int i = 0; framing->fault && i < DROPS_MOST; i++) {
        if (plain_receive(fd, dropped, sizeof dropped, MSG_DONTWAIT) <= 0) {
            break;
        }
    }
    return got;
}

static ssize_t receive_secure(void *session, void *bytes, size_t size)
{
    int fd = secure_descriptor(session);
    struct framing *framing = framing_find(fd);
    if (!framing) {
        return secure_receive(session, bytes, size);
    }
    if (framing->fault) {
        return (ssize_t)take_ending(framing, bytes, size);
    }
    ssize_t got = secure_receive(session, bytes, size);
    end_announce(fd, got, size);
    return got > 0 ? check(framing, bytes, (size_t)got, size) : got;
}

bool intake_install(void *library)
{
    ssize_t (*plain)(int, void *, size_t, int) = receive_plain;
    ssize_t (*secure)(void *, void *, size_t) = receive_secure;
    if (library_find(library, "gnutls_transport_get_int", &secure_descriptor)) {
        (void)redirect_import(library, "gnutls_record_recv", &secure, &secure_receive);
    } /* one without TLS does not start with it */
    return redirect_import(library, "recv", &plain, &plain_receive);
}
