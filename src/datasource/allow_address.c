/* Which addresses are public, and whether one lies in a network. */
#include "datasource/allow_state.h"

#include <arpa/inet.h>
#include <string.h>

#include "base/str.h"
#include "datasource/allow.h"

struct network {
    const char *base;
    int bits;
};

/* Everything that is not for the public internet. Those that hold an IPv4 address are
 * taken apart first. */
static const struct network internal[] = {
    {"0.0.0.0", 8},      {"10.0.0.0", 8},    {"100.64.0.0", 10},   {"127.0.0.0", 8},
    {"169.254.0.0", 16}, {"172.16.0.0", 12}, {"192.0.0.0", 24},    {"192.0.2.0", 24},
    {"192.168.0.0", 16}, {"198.18.0.0", 15}, {"198.51.100.0", 24}, {"203.0.113.0", 24},
    {"224.0.0.0", 4},    {"240.0.0.0", 4},   {"::", 128},          {"::1", 128},
    {"fc00::", 7},       {"fe80::", 10},     {"fec0::", 10},       {"ff00::", 8},
    {"2001::", 23},      {"2001:db8::", 32}, {"100::", 64},
};

bool address_read(const char *text, struct address *out)
{
    *out = (struct address){0};
    if (inet_pton(AF_INET, text, out->bytes) == 1) {
        out->size = 4;
        return true;
    }
    if (inet_pton(AF_INET6, text, out->bytes) != 1) {
        return false;
    }
    out->size = 16;
    static const unsigned char mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
    static const unsigned char nat64[12] = {0, 0x64, 0xFF, 0x9B};
    static const unsigned char compatible[12] = {0};
    bool low = memcmp(out->bytes, compatible, 12) == 0 &&
               (out->bytes[12] || out->bytes[13] || out->bytes[14]);
    if (low || memcmp(out->bytes, mapped, 12) == 0 ||
        memcmp(out->bytes, nat64, 12) == 0) {
        memmove(out->bytes, out->bytes + 12, 4);
        out->size = 4;
    } else if (out->bytes[0] == 0x20 && out->bytes[1] == 0x02) { /* 6to4 */
        memmove(out->bytes, out->bytes + 2, 4);
        out->size = 4;
    }
    return true;
}

bool address_in(const struct address *address, const struct address *base, int bits)
{
    if (address->size != base->size) {
        return false;
    }
    size_t whole = (size_t)bits / 8;
    int rest = bits % 8;
    unsigned mask = rest ? (0xFFU << (8 - rest)) & 0xFFU : 0;
    return memcmp(address->bytes, base->bytes, whole) == 0 &&
           (!rest || (address->bytes[whole] & mask) == (base->bytes[whole] & mask));
}

bool allow_is_public(const char *text)
{
    struct address address;
    struct address base;
    if (!address_read(text, &address)) {
        return false;
    }
    for (size_t i = 0; i < sizeof internal / sizeof *internal; i++) {
        if (address_read(internal[i].base, &base) &&
            address_in(&address, &base, internal[i].bits)) {
            return false;
        }
    }
    return true;
}
