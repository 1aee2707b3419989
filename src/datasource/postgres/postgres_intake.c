/*
 * How much libpq takes from the line at a time. Left alone it reads for as long as the
 * server sends, and keeps all of it until a message is whole: an error that quotes a text
 * of 300 MB is in memory before anybody can count. So its calls of recv are led through
 * here, where a read ends when its room is used up, as if the line had no more for now.
 */
#include <errno.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "base/redirect.h"
#include "datasource/postgres/postgres_driver.h"

/* Of the call of libpq that this thread is in; NULL: nobody counts. */
static _Thread_local size_t *room;
static ssize_t (*line_receive)(int fd, void *bytes, size_t size, int flags);
static bool redirected;

/* Under TLS it is the same call: libpq receives for the TLS library. */
static ssize_t receive_counted(int fd, void *bytes, size_t size, int flags)
{
    if (!room) {
        return line_receive(fd, bytes, size, flags);
    }
    if (*room == 0) {
        errno = EAGAIN;
        return -1;
    }
    ssize_t got = line_receive(fd, bytes, size < *room ? size : *room, flags);
    *room -= got > 0 ? (size_t)got : 0;
    return got;
}

static void redirect(void)
{
    ssize_t (*instead)(int, void *, size_t, int) = receive_counted;
    redirected = redirect_import(libpq_handle(), "recv", &instead, &line_receive);
}

bool postgres_intake_load(struct err *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    bool loaded = libpq_load(ERR_DATASOURCE_KIND, err);
    if (loaded) {
        (void)pthread_once(&once, redirect);
    }
    return loaded;
}

bool postgres_intake_counts(void)
{
    return redirected;
}

int postgres_intake(PGconn *connection, size_t most, size_t *taken)
{
    size_t left = most;
    room = &left;
    int good = PQconsumeInput(connection);
    room = NULL;
    *taken = most - left;
    return good;
}
