/*
 * libsodium, loaded when it is first needed, so that only those who keep secrets need it.
 * Only the files of the store include this.
 */
#ifndef DGM_STORE_SODIUM_H
#define DGM_STORE_SODIUM_H

#ifdef DRAGOMAN_HAS_SODIUM
#include <sodium.h>
#include <stdbool.h>

struct err;

#define SODIUM_FUNCTIONS(F)                                                              \
    F(sodium_init)                                                                       \
    F(sodium_memzero)                                                                    \
    F(sodium_bin2hex)                                                                    \
    F(sodium_hex2bin)                                                                    \
    F(randombytes_buf)                                                                   \
    F(crypto_generichash)                                                                \
    F(crypto_aead_xchacha20poly1305_ietf_encrypt)                                        \
    F(crypto_aead_xchacha20poly1305_ietf_decrypt)

struct sodium {
#define F(name) __typeof__(&name) name; /* NOLINT: a member's name */
    SODIUM_FUNCTIONS(F)
#undef F
};

/* NULL: it is not on this machine, and err says what to do. */
const struct sodium *sodium_get(struct err *err);

#endif
#endif
