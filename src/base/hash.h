/* Fast hashing (xxHash): for cache keys and signatures, never for secrets. */
#ifndef DGM_BASE_HASH_H
#define DGM_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

struct hash; /* a running 128-bit hash */

struct hash *hash_new(void);
void hash_free(struct hash *hash);
void hash_add(struct hash *hash, const void *data, size_t size);
void hash_text(struct hash *hash,
               const char *text); /* with its length, so parts cannot run together */
void hash_hex(struct hash *hash, char out[33]); /* 32 hex digits and a NUL */

uint64_t hash_of(const void *data, size_t size); /* 64 bit, one shot */

#endif
