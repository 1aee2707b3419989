/*
 * How much an ODBC driver receives within one call. MariaDB's driver keeps a whole result
 * before it hands out the first row, PostgreSQL's a hundred rows, and both an error
 * message of any length. So the calls that their libraries make to receive are led
 * through here and counted for the thread that is in the driver; beyond the limit they
 * fail as if the line were gone. Other users of these libraries are not affected.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "base/redirect.h"
#include "datasource/odbc/odbc_driver.h"

/* Of the call that this thread is in; NULL: nobody counts. */
static _Thread_local struct odbc_intake *counting;

/* Whether anything may still be received; cuts the size down to that. */
static bool room_for(size_t *size)
{
    if (!counting) {
        return true;
    }
    counting->over = counting->over || counting->left == 0;
    *size = *size < counting->left ? *size : counting->left;
    return !counting->over;
}

static void received(ssize_t got)
{
    if (counting && got > 0) {
        counting->left -= (size_t)got;
    }
}

static ssize_t receive_counted(ssize_t (*receive)(int, void *, size_t, int), int fd,
                               void *bytes, size_t size, int flags)
{
    if (!room_for(&size)) {
        (void)shutdown(fd, SHUT_RDWR);
        errno = ECONNRESET;
        return -1;
    }
    ssize_t got = receive(fd, bytes, size, flags);
    if (!(flags & MSG_PEEK)) {
        received(got);
    }
    return got;
}

static ssize_t (*libpq_receive)(int fd, void *bytes, size_t size, int flags);
static ssize_t (*mariadb_receive)(int fd, void *bytes, size_t size, int flags);
static int (*mariadb_openssl)(void *session, void *bytes, int size);
static ssize_t (*mariadb_gnutls)(void *session, void *bytes, size_t size);

static ssize_t receive_libpq(int fd, void *bytes, size_t size, int flags)
{
    return receive_counted(libpq_receive, fd, bytes, size, flags);
}

static ssize_t receive_mariadb(int fd, void *bytes, size_t size, int flags)
{
    return receive_counted(mariadb_receive, fd, bytes, size, flags);
}

static int receive_openssl(void *session, void *bytes, int size)
{
    size_t most = size > 0 ? (size_t)size : 0;
    if (!room_for(&most)) {
        return -1;
    }
    int got = mariadb_openssl(session, bytes, (int)most);
    received(got);
    return got;
}

static ssize_t receive_gnutls(void *session, void *bytes, size_t size)
{
    enum { PULL_ERROR = -54 }; /* GNUTLS_E_PULL_ERROR */
    if (!room_for(&size)) {
        return PULL_ERROR;
    }
    ssize_t got = mariadb_gnutls(session, bytes, size);
    received(got);
    return got;
}

/* libpq receives for its TLS library; MariaDB's lets it receive for itself. */
static ssize_t (*const libpq_instead)(int, void *, size_t, int) = receive_libpq;
static ssize_t (*const mariadb_instead)(int, void *, size_t, int) = receive_mariadb;
static int (*const openssl_instead)(void *, void *, int) = receive_openssl;
static ssize_t (*const gnutls_instead)(void *, void *, size_t) = receive_gnutls;

static const struct {
    const char *library;
    const char *name;
    const void *instead;
    void *was;
} calls[] = {
    {"libpq.so.5", "recv", &libpq_instead, &libpq_receive},
    {"libmariadb.so.3", "recv", &mariadb_instead, &mariadb_receive},
    {"libmariadb.so.3", "SSL_read", &openssl_instead, &mariadb_openssl},
    {"libmariadb.so.3", "gnutls_record_recv", &gnutls_instead, &mariadb_gnutls},
};

enum { CALLS = sizeof calls / sizeof *calls };

/* Once for each library, when a driver has loaded it. It then stays loaded. */
void odbc_intake_load(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool done[CALLS];
    (void)pthread_mutex_lock(&lock);
    for (size_t i = 0; i < CALLS; i++) {
        void *library =
            done[i] ? NULL : dlopen(calls[i].library, RTLD_LAZY | RTLD_NOLOAD);
        if (library) {
            (void)redirect_import(library, calls[i].name, calls[i].instead, calls[i].was);
            done[i] = true;
        }
    }
    (void)pthread_mutex_unlock(&lock);
}

void odbc_intake_begin(struct odbc_intake *intake, size_t most)
{
    intake->left = most;
    counting = intake;
}

void odbc_intake_end(void)
{
    counting = NULL;
}

bool odbc_intake_refuse(const struct odbc_intake *intake, struct err *err)
{
    if (!intake->over) {
        return false;
    }
    err_clear(err);
    (void)err_set(err, ERR_RESULT_TOO_LARGE,
                  "The database sends more at once than an answer may hold.");
    (void)err_hint(err, "Ask for fewer rows (LIMIT) or columns, or for a part of a long "
                        "text.");
    return true;
}
