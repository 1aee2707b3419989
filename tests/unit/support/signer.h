/* Keys made at test time, as an issuer publishes them, and tokens signed with them. */
#ifndef DGM_TESTS_SIGNER_H
#define DGM_TESTS_SIGNER_H

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/base64url.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/jwt/jwk.h"
#include "base/library.h"
#include "base/sha256.h"

enum {
    SIGNER_RSA = 6,        /* EVP_PKEY_RSA */
    SIGNER_EC = 408,       /* EVP_PKEY_EC */
    SIGNER_ED = 1087,      /* EVP_PKEY_ED25519 */
    SIGNER_P256 = 415,     /* NID_X9_62_prime256v1 */
    SIGNER_CURVE = 0x1001, /* EVP_PKEY_CTRL_EC_PARAMGEN_CURVE_NID */
    SIGNER_BITS = 0x1003,  /* EVP_PKEY_CTRL_RSA_KEYGEN_BITS */
    SIGNER_KEYGEN = 4,     /* EVP_PKEY_OP_KEYGEN (of both 1.1 and 3) */
    SIGNER_DER_MOST = 2048,
};

struct signer_crypto {
    void *(*EVP_PKEY_CTX_new_id)(int id, void *engine);
    int (*EVP_PKEY_keygen_init)(void *context);
    int (*EVP_PKEY_CTX_ctrl)(void *context, int type, int operation, int command, int p1,
                             void *p2);
    int (*EVP_PKEY_keygen)(void *context, void **key);
    void (*EVP_PKEY_CTX_free)(void *context);
    void (*EVP_PKEY_free)(void *key);
    int (*i2d_PUBKEY)(void *key, unsigned char **out);
    void *(*EVP_MD_CTX_new)(void);
    void (*EVP_MD_CTX_free)(void *context);
    const void *(*EVP_sha256)(void);
    int (*EVP_DigestSignInit)(void *context, void **key_context, const void *digest,
                              void *engine, void *key);
    int (*EVP_DigestSign)(void *context, unsigned char *signature, size_t *size,
                          const unsigned char *text, size_t text_size);
};

static struct signer_crypto signer_crypto;
static const char *const signer_files[] = {"libcrypto.so.3", "libcrypto.so.1.1",
                                           "libcrypto.so", NULL};
#define F(name) LIBRARY_FUNCTION(struct signer_crypto, name, #name)
static const struct library_function signer_list[] = {
    F(EVP_PKEY_CTX_new_id), F(EVP_PKEY_keygen_init), F(EVP_PKEY_CTX_ctrl),
    F(EVP_PKEY_keygen),     F(EVP_PKEY_CTX_free),    F(EVP_PKEY_free),
    F(i2d_PUBKEY),          F(EVP_MD_CTX_new),       F(EVP_MD_CTX_free),
    F(EVP_sha256),          F(EVP_DigestSignInit),   F(EVP_DigestSign),
};
#undef F
static struct library signer_library = {
    LIBRARY(signer_files, signer_list, &signer_crypto),
    .code = ERR_CONFIG,
    .message = "no libcrypto",
};

struct signer {
    enum jwk_kind kind;
    void *key;
    unsigned char der[SIGNER_DER_MOST]; /* SubjectPublicKeyInfo */
    size_t size;
};

static inline void signer_check(bool ok)
{
    if (!ok) {
        abort();
    }
}

/* bits: of an RSA key; 0: 2048 */
static inline void signer_init(struct signer *signer, enum jwk_kind kind, int bits)
{
    static const int ids[] = {
        [JWK_RSA] = SIGNER_RSA, [JWK_P256] = SIGNER_EC, [JWK_ED25519] = SIGNER_ED};
    struct err err;
    signer_check(library_load(&signer_library, &err));
    *signer = (struct signer){.kind = kind};
    void *context = signer_crypto.EVP_PKEY_CTX_new_id(ids[kind], NULL);
    signer_check(signer_crypto.EVP_PKEY_keygen_init(context) == 1);
    signer_check(kind != JWK_P256 ||
                 signer_crypto.EVP_PKEY_CTX_ctrl(context, SIGNER_EC, -1, SIGNER_CURVE,
                                                 SIGNER_P256, NULL) == 1);
    signer_check(!bits || signer_crypto.EVP_PKEY_CTX_ctrl(context, SIGNER_RSA, -1,
                                                          SIGNER_BITS, bits, NULL) == 1);
    signer_check(signer_crypto.EVP_PKEY_keygen(context, &signer->key) == 1);
    signer_crypto.EVP_PKEY_CTX_free(context);
    unsigned char *at = signer->der;
    int size = signer_crypto.i2d_PUBKEY(signer->key, &at);
    signer_check(size > 0 && size <= SIGNER_DER_MOST);
    signer->size = (size_t)size;
}

static inline void signer_release(struct signer *signer)
{
    signer_crypto.EVP_PKEY_free(signer->key);
}

static inline const char *signer_encoded(struct arena *arena, const void *data,
                                         size_t size)
{
    struct buf out;
    buf_init(&out, 1 << 20);
    base64url_write(&out, data, size);
    const char *text = buf_clone(&out, arena);
    buf_release(&out);
    return text;
}

/* The key as a member of a JWK set; further: more fields, such as "\"use\":\"enc\"," */
static inline const char *signer_jwk(struct arena *arena, const struct signer *signer,
                                     const char *id, const char *further)
{
    const unsigned char *end = signer->der + signer->size;
    const char *head = arena_format(arena, "{%s\"kid\":\"%s\",", further, id);
    if (signer->kind == JWK_RSA) { /* … INTEGER n, INTEGER 65537 (five bytes) */
        size_t size = signer->size > 280 ? 256 : 128;
        return arena_format(arena, "%s\"kty\":\"RSA\",\"n\":\"%s\",\"e\":\"AQAB\"}", head,
                            signer_encoded(arena, end - 5 - size, size));
    }
    if (signer->kind == JWK_P256) {
        return arena_format(
            arena, "%s\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"%s\",\"y\":\"%s\"}", head,
            signer_encoded(arena, end - 64, 32), signer_encoded(arena, end - 32, 32));
    }
    return arena_format(arena, "%s\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"%s\"}",
                        head, signer_encoded(arena, end - 32, 32));
}

/* One number of a DER signature as 32 bytes. */
static inline const unsigned char *signer_number(const unsigned char *at,
                                                 unsigned char out[32])
{
    size_t size = at[1];
    const unsigned char *number = at + 2;
    for (; size > 32; size--) {
        number++;
    }
    memset(out, 0, 32 - size);
    for (size_t i = 0; i < size; i++) {
        out[32 - size + i] = number[i];
    }
    return number + size;
}

/* header.claims.signature */
static inline const char *signer_token(struct arena *arena, const struct signer *signer,
                                       const char *header, const char *claims)
{
    unsigned char raw[64];
    unsigned char signature[1024];
    size_t size = sizeof signature;
    const char *text =
        arena_format(arena, "%s.%s", signer_encoded(arena, header, strlen(header)),
                     signer_encoded(arena, claims, strlen(claims)));
    void *context = signer_crypto.EVP_MD_CTX_new();
    const void *digest = signer->kind == JWK_ED25519 ? NULL : signer_crypto.EVP_sha256();
    signer_check(
        signer_crypto.EVP_DigestSignInit(context, NULL, digest, NULL, signer->key) == 1);
    signer_check(signer_crypto.EVP_DigestSign(context, signature, &size,
                                              (const unsigned char *)text,
                                              strlen(text)) == 1);
    signer_crypto.EVP_MD_CTX_free(context);
    if (signer->kind == JWK_P256) {
        (void)signer_number(signer_number(signature + 2, raw), raw + 32);
        return arena_format(arena, "%s.%s", text, signer_encoded(arena, raw, sizeof raw));
    }
    return arena_format(arena, "%s.%s", text, signer_encoded(arena, signature, size));
}

#endif
