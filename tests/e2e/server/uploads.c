/*
 * Holds uploads open over raw sockets, and ends them in every way that a client can. An
 * upload asks for "100 Continue": once that has come, the server counts it. So nothing
 * here has to guess how fast the server is.
 *
 * usage: uploads PORT bound KEY OTHER_KEY   the bound, and how places are given back
 *        uploads PORT cut KEY               eight that the server cuts, then one more
 *        uploads PORT hold KEY FILE         writes FILE when eight are held; ends after
 *                                           them
 *        uploads PORT large KEY BYTES TEXT  headers alone are refused, naming TEXT
 */
#include <arpa/inet.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 8, REPLY_SIZE = 4096, PATIENCE_S = 60 };

#define FILE_TEXT "id,name\n1,Ann\n"
#define LENGTH    "Content-Length: 14"
static const char *port;
static int failures;

static void expect(bool right, const char *what, const char *seen)
{
    if (!right) {
        failures++;
        printf("FAILED %s; the server said: %.1000s\n", what, seen);
    }
}

static int connection_open(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)strtol(port, NULL, 10)),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct timeval patience = {.tv_sec = PATIENCE_S};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (fd < 0 || connect(fd, (struct sockaddr *)&at, sizeof at) != 0) {
        perror("connect");
        exit(1);
    }
    return fd;
}

/* One reply: its head, and as much of its body as the head promises. */
static void reply_read(int fd, char reply[REPLY_SIZE])
{
    size_t size = 0;
    *reply = '\0';
    while (size < REPLY_SIZE - 1) {
        const char *end = strstr(reply, "\r\n\r\n");
        const char *length = strstr(reply, "Content-Length: ");
        if (end && strlen(end + 4) >= (length ? strtoul(length + 16, NULL, 10) : 0)) {
            return;
        }
        ssize_t got = recv(fd, reply + size, REPLY_SIZE - 1 - size, 0);
        if (got <= 0) {
            return;
        }
        size += (size_t)got;
        reply[size] = '\0';
    }
}

static bool is(const char *reply, const char *status)
{
    return strncmp(reply, "HTTP/1.1 ", 9) == 0 &&
           strncmp(reply + 9, status, strlen(status)) == 0;
}

/* Headers alone; `length` is the header that says how long the body will be. */
static int upload_start(const char *key, const char *length, char reply[REPLY_SIZE])
{
    char head[1024];
    int fd = connection_open();
    int size = snprintf(head, sizeof head,
                        "POST /api/v1/datasets?name=held.csv&replace=true HTTP/1.1\r\n"
                        "Host: 127.0.0.1:%s\r\nAuthorization: Bearer %s\r\n%s\r\n"
                        "Expect: 100-continue\r\n\r\n",
                        port, key, length);
    (void)send(fd, head, (size_t)size, MSG_NOSIGNAL);
    reply_read(fd, reply);
    return fd;
}

static int upload_hold(const char *key)
{
    char reply[REPLY_SIZE];
    int fd = upload_start(key, LENGTH, reply);
    expect(is(reply, "100"), "an upload should be taken", reply);
    (void)send(fd, FILE_TEXT, 3, MSG_NOSIGNAL); /* a part of it */
    return fd;
}

static void expect_refusal(const char *key)
{
    char reply[REPLY_SIZE];
    int fd = upload_start(key, LENGTH, reply);
    expect(is(reply, "429"), "one more upload should get 429", reply);
    expect(strstr(reply, "RATE_LIMITED") && strstr(reply, "8 uploads"),
           "the refusal should say why", reply);
    (void)close(fd);
}

/* A place is given back once the server has noticed that an upload is over, which may be
 * after its client knows. */
static int upload_hold_soon(const char *key, const char *length, const char *what)
{
    char reply[REPLY_SIZE] = "";
    const struct timespec pause = {.tv_nsec = 5000000};
    for (time_t until = time(NULL) + PATIENCE_S; time(NULL) < until;) {
        int fd = upload_start(key, length, reply);
        if (is(reply, "100")) {
            return fd;
        }
        (void)close(fd);
        (void)nanosleep(&pause, NULL);
    }
    expect(false, what, reply);
    return connection_open();
}

/* ------------------------------------------------------------------ ways to end */

static void end_by_closing(int fd)
{
    (void)close(fd);
}

static void end_by_reset(int fd)
{
    struct linger none = {.l_onoff = 1};
    (void)setsockopt(fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    (void)close(fd);
}

/* It sends no more, but would still read: the connection stays open on this side. */
static void end_by_half_closing(int fd)
{
    (void)shutdown(fd, SHUT_WR);
}

static void end_by_reply(int fd)
{
    char reply[REPLY_SIZE];
    reply_read(fd, reply);
    expect(is(reply, "201") || is(reply, "4"), "it should be replied to", reply);
}

static const struct way {
    const char *what;
    const char *length;
    const char *bytes; /* sent before its end */
    void (*end)(int fd);
} ways[] = {
    {"a place should be free after closing", LENGTH, "id,", end_by_closing},
    {"a place should be free when nothing was sent", LENGTH, "", end_by_closing},
    {"a place should be free after a reset", LENGTH, "id,", end_by_reset},
    {"a place should be free after half closing", LENGTH, "id,", end_by_half_closing},
    {"a place should be free after a whole upload", LENGTH, FILE_TEXT, end_by_reply},
    {"a place should be free after a useless form",
     "Content-Type: multipart/form-data; boundary=x\r\n" LENGTH, FILE_TEXT, end_by_reply},
    {"a place should be free after a broken chunk", "Transfer-Encoding: chunked",
     "5\r\nid,naXX\r\n", end_by_reply},
    {"a place should be free after half a chunk", "Transfer-Encoding: chunked", "5\r\nid",
     end_by_half_closing},
};

static void check_bound(const char *key, const char *other)
{
    int held[MOST];
    for (int i = 0; i < MOST; i++) {
        held[i] = upload_hold(key);
    }
    expect_refusal(key);
    (void)close(upload_hold(other));
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const struct way *way = &ways[i];
        (void)close(held[0]);
        held[0] = upload_hold_soon(key, way->length, "a place should be free");
        expect_refusal(key);
        (void)send(held[0], way->bytes, strlen(way->bytes), MSG_NOSIGNAL);
        way->end(held[0]);
        held[0] = upload_hold_soon(key, LENGTH, way->what);
        expect_refusal(key);
    }
    printf("%zu ways to end an upload\n", sizeof ways / sizeof *ways);
}

/* Until the server has closed it. */
static void wait_for_end(int fd)
{
    char bytes[64];
    ssize_t got = 0;
    while ((got = recv(fd, bytes, sizeof bytes, 0)) > 0) {}
    expect(got == 0, "the server should close the connection", "nothing");
}

static void check_cut(const char *key)
{
    int held[MOST];
    for (int i = 0; i < MOST; i++) {
        held[i] = upload_hold(key);
    }
    for (int i = 0; i < MOST; i++) {
        wait_for_end(held[i]);
    }
    (void)close(upload_hold_soon(key, LENGTH, "places should be free after a cut"));
}

static void hold_to_the_end(const char *key, const char *path)
{
    int held[MOST];
    for (int i = 0; i < MOST; i++) {
        held[i] = upload_hold(key);
    }
    FILE *file = fopen(path, "w");
    if (!file || fputs("held\n", file) < 0 || fclose(file) != 0) {
        expect(false, "the file should be written", path);
    }
    for (int i = 0; i < MOST; i++) {
        wait_for_end(held[i]);
    }
}

static void check_large(const char *key, const char *bytes, const char *text)
{
    char reply[REPLY_SIZE];
    char length[64];
    (void)snprintf(length, sizeof length, "Content-Length: %s", bytes);
    (void)close(upload_start(key, length, reply));
    expect(is(reply, "413"), "its length alone should be refused", reply);
    expect(strstr(reply, "BODY_TOO_LARGE") && strstr(reply, text),
           "the refusal should name the setting", reply);
}

int main(int count, char **arguments)
{
    if (count < 4) {
        return 2;
    }
    const char *what = arguments[2];
    port = arguments[1];
    if (strcmp(what, "bound") == 0 && count == 5) {
        check_bound(arguments[3], arguments[4]);
    } else if (strcmp(what, "cut") == 0) {
        check_cut(arguments[3]);
    } else if (strcmp(what, "hold") == 0 && count == 5) {
        hold_to_the_end(arguments[3], arguments[4]);
    } else if (strcmp(what, "large") == 0 && count == 6) {
        check_large(arguments[3], arguments[4], arguments[5]);
    } else {
        return 2;
    }
    return failures ? 1 : 0;
}
