/* How the helpers of these tests listen on a free port of this machine. */
#ifndef DGM_TESTS_E2E_LISTENING_H
#define DGM_TESTS_E2E_LISTENING_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>

/* The port's number is written into the file; -1: it failed. */
static inline int listen_somewhere(const char *port_file)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, size) != 0 ||
        listen(fd, 64) != 0 || getsockname(fd, (struct sockaddr *)&address, &size) != 0) {
        return -1;
    }
    /* Whoever waits for the file must find the whole number in it. */
    char part[4096];
    (void)snprintf(part, sizeof part, "%s.part", port_file);
    FILE *file = fopen(part, "w");
    if (!file) {
        return -1;
    }
    (void)fprintf(file, "%d\n", ntohs(address.sin_port));
    (void)fclose(file);
    return rename(part, port_file) == 0 ? fd : -1;
}

#endif
