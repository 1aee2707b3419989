/* SHA-256 and HMAC-SHA-256 (for pseudonyms that cannot be computed without the key). */
#ifndef DGM_BASE_SHA256_H
#define DGM_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_SIZE = 32 };

void sha256(const void *data, size_t size, unsigned char out[SHA256_SIZE]);
/* HMAC (RFC 2104). */
void sha256_keyed(const void *key, size_t key_size, const void *data, size_t size,
                  unsigned char out[SHA256_SIZE]);

#endif
