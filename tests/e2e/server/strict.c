/*
 * Sends bytes over raw sockets and says how they should have been answered. Every row is
 * followed by a proper request on the same connection, which is answered only where the
 * connection may go on; a row is sent at once, byte by byte, and behind a proper request.
 */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "strict_table.h"

enum { BYTES_MOST = 32768, PATIENCE_S = 60, STATUSES_SIZE = 64 };

static const char GOOD[] = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
static const char TAIL[] =
    "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

static int failures;

static int connect_to(const char *port)
{
    int one = 1;
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)strtol(port, NULL, 10)),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct timeval patience = {.tv_sec = PATIENCE_S};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (fd < 0 || connect(fd, (struct sockaddr *)&at, sizeof at) != 0) {
        perror("connect");
        exit(1);
    }
    return fd;
}

/* What the server does not want to read any more may be refused. */
static void send_all(int fd, const char *bytes, size_t size, bool slowly)
{
    const struct timespec pause = {.tv_nsec = 100000};
    for (size_t at = 0; at < size;) {
        ssize_t sent = send(fd, bytes + at, slowly ? 1 : size - at, MSG_NOSIGNAL);
        if (sent <= 0) {
            return;
        }
        at += (size_t)sent;
        if (slowly) {
            (void)nanosleep(&pause, NULL);
        }
    }
}

/* Until the other end closes; -1: it never does. */
static ssize_t read_all(int fd, char *bytes)
{
    ssize_t size = 0;
    ssize_t got = 0;
    while (size < BYTES_MOST - 1 &&
           (got = recv(fd, bytes + size, (size_t)(BYTES_MOST - 1 - size), 0)) > 0) {
        size += got;
    }
    bytes[size] = '\0';
    return got < 0 && size == 0 ? -1 : size;
}

/* "200 400": the statuses of all replies; "?" where there is none. */
static void read_statuses(const char *bytes, char *statuses)
{
    *statuses = '\0';
    while (*bytes) {
        const char *end = strstr(bytes, "\r\n\r\n");
        const char *length = strcasestr(bytes, "\r\nContent-Length: ");
        size_t used = strlen(statuses);
        if (strncmp(bytes, "HTTP/1.1 ", 9) != 0 || !end || used > STATUSES_SIZE - 8) {
            (void)snprintf(statuses + used, STATUSES_SIZE - used, "%s?", used ? " " : "");
            return;
        }
        (void)snprintf(statuses + used, STATUSES_SIZE - used, "%s%.3s", used ? " " : "",
                       bytes + 9);
        size_t body = length && length < end ? strtoul(length + 18, NULL, 10) : 0;
        size_t rest = strlen(end + 4);
        bytes = end + 4 + (body < rest ? body : rest);
    }
}

static void expect(const struct row *row, const char *how, const char *wanted,
                   const char *statuses, const char *bytes)
{
    if (strcmp(wanted, statuses) != 0) {
        failures++;
        printf("FAILED %s (%s): should be answered with '%s', was with '%s'\n%.1500s\n",
               row->what, how, wanted, statuses, bytes);
    }
}

static void try_row(const char *port, const struct row *row, bool slowly, bool behind)
{
    static char bytes[BYTES_MOST];
    char statuses[STATUSES_SIZE];
    char wanted[STATUSES_SIZE];
    int fd = connect_to(port);
    if (behind) {
        send_all(fd, GOOD, sizeof GOOD - 1, false);
    }
    send_all(fd, row->bytes, row->size, slowly);
    send_all(fd, TAIL, sizeof TAIL - 1, slowly);
    ssize_t size = read_all(fd, bytes);
    (void)close(fd);
    read_statuses(size < 0 ? "" : bytes, statuses);
    (void)snprintf(wanted, sizeof wanted, "%s%s", behind ? "200 " : "", row->statuses);
    expect(row,
           slowly   ? "byte by byte"
           : behind ? "behind another"
                    : "at once",
           wanted, statuses, bytes);
}

int main(int count, char **arguments)
{
    if (count != 2) {
        return 2;
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        try_row(arguments[1], &rows[i], false, false);
        try_row(arguments[1], &rows[i], true, false);
        try_row(arguments[1], &rows[i], false, true);
    }
    printf("%zu rows, %d failures\n", sizeof rows / sizeof *rows, failures);
    return failures ? 1 : 0;
}
