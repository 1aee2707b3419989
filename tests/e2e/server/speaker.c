/*
 * A model service that begins its reply as a stream and then goes on for ever, a piece at
 * a time: who hangs up is noted, with the time.
 *
 * usage: speaker PORT_FILE HEARD_FILE   (listens on 127.0.0.1, ends after two minutes)
 * HEARD_FILE gets a line "called MS" for each caller and "closed MS" when it hangs up.
 */
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "../listening.h"

enum { PATIENCE_S = 120, PIECE_MS = 200 };

static void note(FILE *heard, const char *what)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    fprintf(heard, "%s %lld\n", what,
            (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000);
    (void)fflush(heard);
}

/* Until the caller hangs up; what it asks is read and not looked at. */
static void speak(int fd)
{
    static const char head[] = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                               "Transfer-Encoding: chunked\r\n\r\n";
    static const char piece[] =
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\" \"}}]}\n\n";
    char data[4096];
    struct pollfd look = {.fd = fd, .events = POLLIN};
    bool begun = false;
    for (;;) {
        int ready = poll(&look, 1, PIECE_MS);
        if (ready > 0 && read(fd, data, sizeof data) <= 0) {
            return;
        }
        if (ready == 0) {
            char chunk[256];
            int size = snprintf(chunk, sizeof chunk, "%s%zx\r\n%s\r\n", begun ? "" : head,
                                strlen(piece), piece);
            begun = true;
            if (send(fd, chunk, (size_t)size, MSG_NOSIGNAL) < 0) {
                return;
            }
        }
    }
}

int main(int argc, char **argv)
{
    int listening = argc == 3 ? listen_somewhere(argv[1]) : -1;
    FILE *heard = listening >= 0 ? fopen(argv[2], "w") : NULL;
    if (!heard) {
        fprintf(stderr, "usage: speaker PORT_FILE HEARD_FILE\n");
        return 2;
    }
    (void)alarm(PATIENCE_S);
    for (int fd; (fd = accept(listening, NULL, NULL)) >= 0;) {
        note(heard, "called");
        speak(fd);
        note(heard, "closed");
        (void)close(fd);
    }
    return 0;
}
