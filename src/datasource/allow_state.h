/* Addresses, for the list of what may be added. */
#ifndef DGM_DATASOURCE_ALLOW_STATE_H
#define DGM_DATASOURCE_ALLOW_STATE_H

#include <stdbool.h>
#include <stddef.h>

struct address {
    unsigned char bytes[16];
    size_t size; /* 4 or 16; an IPv6 address that stands for an IPv4 one has 4 */
};

bool address_read(const char *text, struct address *out);
bool address_in(const struct address *address, const struct address *base, int bits);

#endif
