/* The signature under a service account's claims: RSA with SHA-256, by OpenSSL's library,
 * which is loaded when the first one is made. libcurl brings it along in most builds. */
#include <string.h>

#include "base/base64url.h"
#include "base/library.h"
#include "base/memory.h"
#include "datasource/bigquery/bigquery_driver.h"

enum { SIGNATURE_MOST = 2048 };

/* The functions of libcrypto that are used, with void * instead of its types. */
struct crypto {
    void *(*BIO_new_mem_buf)(const void *data, int size);
    int (*BIO_free)(void *bio);
    void *(*PEM_read_bio_PrivateKey)(void *bio, void **key, void *ask, void *context);
    void (*EVP_PKEY_free)(void *key);
    void *(*EVP_MD_CTX_new)(void);
    void (*EVP_MD_CTX_free)(void *context);
    const void *(*EVP_sha256)(void);
    int (*EVP_DigestSignInit)(void *context, void **key_context, const void *digest,
                              void *engine, void *key);
    int (*EVP_DigestSign)(void *context, unsigned char *signature, size_t *size,
                          const unsigned char *text, size_t text_size);
    void (*ERR_clear_error)(void);
};

static struct crypto crypto;
static const char *const files[] = {"libcrypto.so.3", "libcrypto.so.1.1", "libcrypto.so",
                                    NULL};
#define F(name) LIBRARY_FUNCTION(struct crypto, name, #name)
static const struct library_function list[] = {
    F(BIO_new_mem_buf), F(BIO_free),           F(PEM_read_bio_PrivateKey),
    F(EVP_PKEY_free),   F(EVP_MD_CTX_new),     F(EVP_MD_CTX_free),
    F(EVP_sha256),      F(EVP_DigestSignInit), F(EVP_DigestSign),
    F(ERR_clear_error),
};
#undef F

static struct library library = {
    LIBRARY(files, list, &crypto),
    .code = ERR_CONFIG,
    .message = "The library libcrypto could not be loaded.",
    .hint = "Install OpenSSL (libssl3 on Debian), or give a token by token_env.",
};

/* No passphrase is asked for on the terminal. */
static int no_passphrase(char *out, int size, int writing, void *context)
{
    (void)out;
    (void)size;
    (void)writing;
    (void)context;
    return 0;
}

static bool sign(const char *key_text, const char *text, size_t size,
                 unsigned char signature[SIGNATURE_MOST], size_t *signature_size)
{
    int (*ask)(char *, int, int, void *) = no_passphrase;
    void *asker = NULL;
    memcpy(&asker, &ask, sizeof asker);
    void *bio = crypto.BIO_new_mem_buf(key_text, (int)strlen(key_text));
    void *key = bio ? crypto.PEM_read_bio_PrivateKey(bio, NULL, asker, NULL) : NULL;
    void *context = key ? crypto.EVP_MD_CTX_new() : NULL;
    *signature_size = SIGNATURE_MOST;
    bool ok =
        context &&
        crypto.EVP_DigestSignInit(context, NULL, crypto.EVP_sha256(), NULL, key) == 1 &&
        crypto.EVP_DigestSign(context, signature, signature_size,
                              (const unsigned char *)text, size) == 1;
    crypto.EVP_MD_CTX_free(context);
    crypto.EVP_PKEY_free(key);
    if (bio) {
        (void)crypto.BIO_free(bio);
    }
    crypto.ERR_clear_error();
    return ok;
}

char *bigquery_sign(const char *key, const char *text, size_t size, struct err *err)
{
    if (!library_load(&library, err)) {
        return NULL;
    }
    unsigned char signature[SIGNATURE_MOST];
    size_t signature_size = 0;
    if (!sign(key, text, size, signature, &signature_size)) {
        (void)err_set(err, ERR_CONFIG, "The private key in the credentials is invalid.");
        (void)err_hint(err, "Make a new JSON key for the service account.");
        return NULL;
    }
    struct buf out;
    buf_init(&out, (size_t)SIGNATURE_MOST * 2);
    base64url_write(&out, signature, signature_size);
    return buf_take(&out);
}
