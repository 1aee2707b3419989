/*
 * A model service that answers whatever is asked: for what a wrong key, an unknown model
 * or an overloaded service look like. The last answer is given again and again.
 *
 * usage: responder PORT_FILE (STATUS BODY)…   (listens on 127.0.0.1, ends after a minute)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../listening.h"

enum { PATIENCE_S = 60 };

/* The head and as much of the body as Content-Length says. */
static void read_request(int fd)
{
    static char data[1 << 20];
    size_t used = 0;
    size_t wanted = sizeof data - 1;
    while (used < wanted) {
        ssize_t got = read(fd, data + used, wanted - used);
        if (got <= 0) {
            return;
        }
        used += (size_t)got;
        data[used] = '\0';
        char *end = strstr(data, "\r\n\r\n");
        char *length = strcasestr(data, "\ncontent-length:");
        if (end) {
            size_t body = length && length < end ? strtoul(length + 16, NULL, 10) : 0;
            size_t whole = (size_t)(end - data) + 4 + body;
            wanted = whole < sizeof data - 1 ? whole : sizeof data - 1;
        }
    }
}

int main(int argc, char **argv)
{
    if (argc < 4 || argc % 2) {
        fprintf(stderr, "usage: responder PORT_FILE (STATUS BODY)…\n");
        return 2;
    }
    (void)alarm(PATIENCE_S);
    int listener = listen_somewhere(argv[1]);
    if (listener < 0) {
        perror("responder");
        return 1;
    }
    for (int at = 2;;) {
        int fd = accept(listener, NULL, NULL);
        if (fd < 0) {
            continue;
        }
        read_request(fd);
        (void)dprintf(fd,
                      "HTTP/1.1 %s\r\nContent-Type: application/json\r\n"
                      "Content-Length: %zu\r\nConnection: close\r\n\r\n%s",
                      argv[at], strlen(argv[at + 1]), argv[at + 1]);
        (void)close(fd);
        at += at + 2 < argc ? 2 : 0;
    }
}
