/* Loads libcrypto when the first key is read. libcurl brings it along in most builds. */
#include "base/jwt/jwt_crypto.h"

#include "base/err.h"
#include "base/library.h"

static struct jwt_crypto crypto;
static const char *const files[] = {"libcrypto.so.3", "libcrypto.so.1.1", "libcrypto.so",
                                    NULL};
#define F(name) LIBRARY_FUNCTION(struct jwt_crypto, name, #name)
static const struct library_function list[] = {
    F(d2i_PUBKEY), F(EVP_PKEY_free),        F(EVP_MD_CTX_new),   F(EVP_MD_CTX_free),
    F(EVP_sha256), F(EVP_DigestVerifyInit), F(EVP_DigestVerify), F(ERR_clear_error),
};
#undef F

static struct library library = {
    LIBRARY(files, list, &crypto),
    .code = ERR_CONFIG,
    .message = "The library libcrypto could not be loaded, so tokens cannot be verified.",
    .hint = "Install OpenSSL (libssl3 on Debian).",
};

const struct jwt_crypto *jwt_crypto_get(struct err *err)
{
    return library_load(&library, err) ? &crypto : NULL;
}
