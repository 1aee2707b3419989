/*
 * Asks a server on this machine whether it is alive: healthcheck [PORT]. Status 0: it is.
 * The image has no shell and no curl. Linked statically.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const int port = argc > 1 ? atoi(argv[1]) : 8080;
    static const char request[] =
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    const struct timeval patience = {.tv_sec = 3};
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((unsigned short)port)};
    char answer[64] = "";
    size_t size = 0;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int line = socket(AF_INET, SOCK_STREAM, 0);
    if (line < 0 ||
        setsockopt(line, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) != 0 ||
        connect(line, (struct sockaddr *)&address, sizeof address) != 0 ||
        write(line, request, sizeof request - 1) != (ssize_t)(sizeof request - 1)) {
        perror("healthcheck");
        return 1;
    }
    while (size < sizeof answer - 1) {
        ssize_t got = read(line, answer + size, sizeof answer - 1 - size);
        if (got <= 0) {
            break;
        }
        size += (size_t)got;
    }
    return strstr(answer, " 200 ") ? 0 : 1;
}
