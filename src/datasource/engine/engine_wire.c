/* Frames over a socket: written, received and sent. */
#include "datasource/engine/engine_wire.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/memory.h"

enum { HEADER = 8, ROOM = 64 << 10, BUFFER = 1 << 20 };

/* ------------------------------------------------------------------ writing */

void frame_begin(struct buf *out, enum engine_message kind)
{
    uint32_t header[2] = {0, (uint32_t)kind};
    buf_clear(out);
    (void)buf_add(out, header, sizeof header);
}

bool frame_end(struct buf *out)
{
    if (out->full || out->size - HEADER > UINT32_MAX) {
        return false;
    }
    uint32_t size = (uint32_t)(out->size - HEADER);
    memcpy(out->data, &size, sizeof size);
    return true;
}

void frame_put_byte(struct buf *out, uint8_t value)
{
    (void)buf_char(out, (char)value);
}

void frame_put_number(struct buf *out, uint64_t value)
{
    char *room = buf_room_quick(out, sizeof value);
    if (room) {
        memcpy(room, &value, sizeof value);
    }
}

static void frame_put_text(struct buf *out, const char *data, size_t size)
{
    frame_put_number(out, size);
    (void)buf_add(out, data ? data : "", size);
}

void frame_put_string(struct buf *out, const char *text)
{
    frame_put_text(out, text, text ? strlen(text) : 0);
}

/* ------------------------------------------------------------------ reading */

static const char *engine_wire_take(struct frame_reader *in, size_t size)
{
    if (in->bad || size > in->left) {
        in->bad = true;
        return NULL;
    }
    const char *at = in->at;
    in->at += size;
    in->left -= size;
    return at;
}

uint8_t frame_get_byte(struct frame_reader *in)
{
    const char *at = engine_wire_take(in, 1);
    return at ? (uint8_t)*at : 0;
}

uint64_t frame_get_number(struct frame_reader *in)
{
    uint64_t value = 0;
    const char *at = engine_wire_take(in, sizeof value);
    if (at) {
        memcpy(&value, at, sizeof value);
    }
    return value;
}

const char *frame_get_text(struct frame_reader *in, size_t *size)
{
    uint64_t said = frame_get_number(in);
    const char *at = said <= in->left ? engine_wire_take(in, (size_t)said) : NULL;
    in->bad = in->bad || !at;
    *size = at ? (size_t)said : 0;
    return at ? at : "";
}

const char *frame_get_string(struct frame_reader *in, struct arena *arena)
{
    size_t size = 0;
    const char *text = frame_get_text(in, &size);
    return arena_copy(arena, text, size);
}

/* ------------------------------------------------------------------ sockets */

void frame_stream_init(struct frame_stream *stream, int fd, frame_wait *wait,
                       void *context)
{
    *stream =
        (struct frame_stream){.fd = fd, .wait = wait, .context = context, .passed = -1};
}

void frame_stream_release(struct frame_stream *stream)
{
    if (stream->fd >= 0) {
        (void)close(stream->fd);
        stream->fd = -1;
    }
    if (stream->passed >= 0) {
        (void)close(stream->passed);
        stream->passed = -1;
    }
    memory_free(stream->data);
    stream->data = NULL;
    stream->start = stream->end = stream->capacity = 0;
}

static bool wait_for(struct frame_stream *stream, short events)
{
    if (stream->wait) {
        return stream->wait(stream->context, stream->fd, events);
    }
    struct pollfd poller = {.fd = stream->fd, .events = events};
    return poll(&poller, 1, -1) > 0 || errno == EINTR;
}

/* A descriptor in the message, kept if it is the only one. */
static void passed_take(struct frame_stream *stream, struct msghdr *message)
{
    for (struct cmsghdr *at = CMSG_FIRSTHDR(message); at; at = CMSG_NXTHDR(message, at)) {
        if (at->cmsg_level != SOL_SOCKET || at->cmsg_type != SCM_RIGHTS) {
            continue;
        }
        size_t count = (at->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count; i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(at) + i * sizeof fd, sizeof fd);
            if (stream->passed < 0) {
                stream->passed = fd;
            } else {
                (void)close(fd);
            }
        }
    }
}

/* Reads more bytes; false at the end, or if the caller must not wait. */
static bool receive_some(struct frame_stream *stream)
{
    for (;;) {
        union {
            struct cmsghdr header;
            char room[CMSG_SPACE(sizeof(int))];
        } control;
        struct iovec part = {.iov_base = stream->data + stream->end,
                             .iov_len = stream->capacity - stream->end};
        struct msghdr message = {.msg_iov = &part,
                                 .msg_iovlen = 1,
                                 .msg_control = &control,
                                 .msg_controllen = sizeof control};
        ssize_t got = recvmsg(stream->fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
        if (got > 0) {
            passed_take(stream, &message);
            stream->end += (size_t)got;
            return true;
        }
        bool later = got < 0 && (errno == EAGAIN);
        if (got == 0 || (!later && errno != EINTR) ||
            (later && !wait_for(stream, POLLIN))) {
            return false;
        }
    }
}

/* Makes this many bytes from the start on contiguous. */
static bool receive_until(struct frame_stream *stream, size_t size)
{
    if (stream->start == stream->end) {
        stream->start = stream->end = 0;
    }
    if (stream->start + size > stream->capacity) {
        if (stream->start > 0) {
            memmove(stream->data, stream->data + stream->start,
                    stream->end - stream->start);
            stream->end -= stream->start;
            stream->start = 0;
        }
        if (size > stream->capacity) {
            stream->capacity = size < ROOM ? ROOM : size + size / 4;
            stream->data = memory_resize(stream->data, stream->capacity);
        }
    }
    while (stream->end - stream->start < size) {
        if (!receive_some(stream)) {
            return false;
        }
    }
    return true;
}

enum engine_message frame_receive(struct frame_stream *stream, size_t most,
                                  struct frame_reader *out)
{
    uint32_t header[2];
    *out = (struct frame_reader){.bad = true};
    if (!receive_until(stream, HEADER)) {
        return 0;
    }
    memcpy(header, stream->data + stream->start, HEADER);
    if (header[0] > most || header[1] > ENGINE_ROWS ||
        !receive_until(stream, HEADER + (size_t)header[0])) {
        return 0;
    }
    *out = (struct frame_reader){.at = stream->data + stream->start + HEADER,
                                 .left = header[0]};
    stream->start += HEADER + (size_t)header[0];
    return (enum engine_message)header[1];
}

bool frame_send(struct frame_stream *stream, const struct buf *frame, int passed)
{
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control = {0};
    for (size_t sent = 0; sent < frame->size;) {
        struct iovec part = {.iov_base = frame->data + sent,
                             .iov_len = frame->size - sent};
        struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
        if (passed >= 0 && sent == 0) {
            message.msg_control = &control;
            message.msg_controllen = sizeof control;
            struct cmsghdr *at = CMSG_FIRSTHDR(&message);
            at->cmsg_level = SOL_SOCKET;
            at->cmsg_type = SCM_RIGHTS;
            at->cmsg_len = CMSG_LEN(sizeof passed);
            memcpy(CMSG_DATA(at), &passed, sizeof passed);
        }
        ssize_t gone = sendmsg(stream->fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (gone > 0) {
            sent += (size_t)gone;
        } else if (errno == EAGAIN) {
            if (!wait_for(stream, POLLOUT)) {
                return false;
            }
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

bool frame_pair(int type, int out[2])
{
    if (socketpair(AF_UNIX, type, 0, out) != 0) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        int size = BUFFER;
        (void)fcntl(out[i], F_SETFD, FD_CLOEXEC);
        (void)setsockopt(out[i], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    }
    return true;
}
