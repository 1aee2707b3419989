/*
 * A plain round-robin proxy for TCP: each connection goes to the next address that takes
 * it. round_robin PORT... Prints "port N" and runs until it is killed.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKENDS_MOST = 16, BLOCK = 65536 };

static int ports[BACKENDS_MOST];
static int count;
static atomic_uint turn;

static struct sockaddr_in local(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static int connect_next(void)
{
    for (int i = 0; i < count; i++) {
        struct sockaddr_in address =
            local(ports[atomic_fetch_add(&turn, 1) % (unsigned)count]);
        int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0) {
            return fd;
        }
        (void)close(fd);
    }
    return -1;
}

static int pass(int from, int to)
{
    static _Thread_local char block[BLOCK];
    ssize_t size = recv(from, block, sizeof block, 0);
    ssize_t sent = 0;
    while (size > 0 && sent < size) {
        ssize_t step = send(to, block + sent, (size_t)(size - sent), MSG_NOSIGNAL);
        if (step <= 0) {
            return 0;
        }
        sent += step;
    }
    return size > 0;
}

static void *serve(void *context)
{
    int client = (int)(intptr_t)context;
    int server = connect_next();
    struct pollfd both[2] = {{.fd = client, .events = POLLIN},
                             {.fd = server, .events = POLLIN}};
    int open = server >= 0;
    while (open && poll(both, 2, -1) > 0) {
        open = (!both[0].revents || pass(client, server)) &&
               (!both[1].revents || pass(server, client));
    }
    (void)close(client);
    if (server >= 0) {
        (void)close(server);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc && count < BACKENDS_MOST; i++) {
        ports[count++] = (int)strtol(argv[i], NULL, 10);
    }
    (void)signal(SIGPIPE, SIG_IGN);
    struct sockaddr_in address = local(0);
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (!count || bind(listener, (struct sockaddr *)&address, size) != 0 ||
        listen(listener, 128) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &size) != 0) {
        return 1;
    }
    (void)printf("port %d\n", ntohs(address.sin_port));
    (void)fflush(stdout);
    for (;;) {
        int client = accept(listener, NULL, NULL);
        pthread_t thread;
        if (client >= 0 &&
            pthread_create(&thread, NULL, serve, (void *)(intptr_t)client) == 0) {
            (void)pthread_detach(thread);
        } else if (client >= 0) {
            (void)close(client);
        }
    }
}
