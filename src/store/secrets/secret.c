/*
 * Creates secrets that are recognised later by their hash; the secret itself is not
 * stored.
 */
#include "store/secrets/secret.h"

#include <string.h>

#include "base/err.h"
#include "store/secrets/sodium.h"

bool secret_equal(const char left[SECRET_HASH_SIZE], const char right[SECRET_HASH_SIZE])
{
    unsigned difference = 0;
    for (size_t i = 0; i < SECRET_HASH_SIZE; i++) {
        difference |= (unsigned)((unsigned char)left[i] ^ (unsigned char)right[i]);
    }
    return difference == 0;
}

void secret_forget(void *data, size_t size)
{
    volatile unsigned char *at = data;
    while (size-- > 0) {
        *at++ = 0;
    }
}

#ifdef DRAGOMAN_HAS_SODIUM

bool secret_new(char out[SECRET_SIZE], struct err *err)
{
    unsigned char bytes[SECRET_SIZE / 2];
    const struct sodium *sodium = sodium_get(err);
    if (!sodium) {
        return false;
    }
    sodium->randombytes_buf(bytes, sizeof bytes);
    (void)sodium->sodium_bin2hex(out, SECRET_SIZE, bytes, sizeof bytes);
    sodium->sodium_memzero(bytes, sizeof bytes);
    return true;
}

bool secret_hash(const char *secret, size_t size, char out[SECRET_HASH_SIZE],
                 struct err *err)
{
    unsigned char hash[SECRET_HASH_SIZE / 2];
    const struct sodium *sodium = sodium_get(err);
    if (!sodium) {
        return false;
    }
    (void)sodium->crypto_generichash(hash, sizeof hash, (const unsigned char *)secret,
                                     size, NULL, 0);
    (void)sodium->sodium_bin2hex(out, SECRET_HASH_SIZE, hash, sizeof hash);
    return true;
}

#else

static bool absent(struct err *err)
{
    (void)err_set(err, ERR_CONFIG, "This dragoman was built without libsodium.");
    return err_hint(err, "Install libsodium-dev and rebuild; keys need it.");
}

bool secret_new(char out[SECRET_SIZE], struct err *err)
{
    (void)out;
    return absent(err);
}

bool secret_hash(const char *secret, size_t size, char out[SECRET_HASH_SIZE],
                 struct err *err)
{
    (void)secret, (void)size, (void)out;
    return absent(err);
}

#endif
