/*
 * Creates secrets (access keys) of which only a hash is stored.
 */
#ifndef DGM_STORE_SECRET_H
#define DGM_STORE_SECRET_H

#include <stdbool.h>
#include <stddef.h>

struct err;

enum {
    SECRET_SIZE = 65,      /* 256 random bits as hexadecimal digits, and the NUL */
    SECRET_HASH_SIZE = 65, /* BLAKE2b-256 as hexadecimal digits, and the NUL */
};

/* False: this machine or build has no libsodium, and err says so. */
bool secret_new(char out[SECRET_SIZE], struct err *err);
/* The secrets are 256 random bits, so a fast hash without salt is enough: nobody can try
 * them all. */
bool secret_hash(const char *secret, size_t size, char out[SECRET_HASH_SIZE],
                 struct err *err);
/* In constant time. */
bool secret_equal(const char left[SECRET_HASH_SIZE], const char right[SECRET_HASH_SIZE]);
void secret_forget(void *data, size_t size); /* the compiler does not optimize it away */

#endif
