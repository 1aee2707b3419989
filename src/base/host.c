/* Which names and addresses are those of this machine. */
#include "base/host.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

static bool is_here(const char *host)
{
    static const unsigned char mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
    unsigned char bytes[sizeof(struct in6_addr)];
    if (host[0] == '/' || host[0] == '@' || str_equal_nocase(host, "localhost")) {
        return true;
    }
    if (inet_pton(AF_INET, host, bytes) == 1) {
        return bytes[0] == IN_LOOPBACKNET;
    }
    if (inet_pton(AF_INET6, host, bytes) != 1) {
        return false; /* 127.example.org is a name like any other */
    }
    return memcmp(bytes, mapped, sizeof mapped) == 0
               ? bytes[sizeof mapped] == IN_LOOPBACKNET
               : memcmp(bytes, &in6addr_loopback, sizeof bytes) == 0;
}

bool hosts_are_here(const char *hosts)
{
    struct arena *arena = arena_new();
    struct texts parts = {0};
    str_split(arena, str_or_empty(hosts), ',', &parts);
    bool here = true;
    for (size_t i = 0; i < parts.count && here; i++) {
        const char *host = str_trim(arena, parts.items[i]);
        size_t size = strlen(host);
        if (size > 2 && host[0] == '[' && host[size - 1] == ']') {
            host = arena_copy(arena, host + 1, size - 2);
        }
        here = !host[0] || is_here(host);
    }
    arena_free(arena);
    return here;
}
