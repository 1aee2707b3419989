/* The functions of OpenSSL's libcrypto that verifying needs, with void * instead of its
 * types. */
#ifndef DGM_BASE_JWT_CRYPTO_H
#define DGM_BASE_JWT_CRYPTO_H

#include <stdbool.h>
#include <stddef.h>

struct err;

struct jwt_crypto {
    void *(*d2i_PUBKEY)(void **key, const unsigned char **data, long size);
    void (*EVP_PKEY_free)(void *key);
    void *(*EVP_MD_CTX_new)(void);
    void (*EVP_MD_CTX_free)(void *context);
    const void *(*EVP_sha256)(void);
    int (*EVP_DigestVerifyInit)(void *context, void **key_context, const void *digest,
                                void *engine, void *key);
    int (*EVP_DigestVerify)(void *context, const unsigned char *signature, size_t size,
                            const unsigned char *text, size_t text_size);
    void (*ERR_clear_error)(void);
};

/* NULL: the library is missing (CONFIG). */
const struct jwt_crypto *jwt_crypto_get(struct err *err);

#endif
