/*
 * The public keys of an issuer (a JWK set, RFC 7517). Each key has one kind, and a kind
 * goes with one algorithm: RSA with RS256, P-256 with ES256, Ed25519 with EdDSA. Secret
 * keys are never read, so a token cannot be signed with something that is public.
 */
#ifndef DGM_BASE_JWK_H
#define DGM_BASE_JWK_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct err;

enum jwk_kind { JWK_RSA, JWK_P256, JWK_ED25519, JWK_KINDS };

struct jwk {
    const char *id; /* "": the issuer gives it none */
    enum jwk_kind kind;
    void *key; /* EVP_PKEY of libcrypto */
};

struct jwk_set {
    struct jwk *items;
    size_t count;
    size_t capacity;
};

/*
 * Reads a set; it lives as long as the arena. Keys of other kinds, for encryption, too
 * short or malformed are left out. False: it is no JWK set, no key in it can be used
 * (INVALID_DATA), or libcrypto is missing (CONFIG).
 */
bool jwk_set_read(struct arena *arena, const char *json, size_t size, struct jwk_set *out,
                  struct err *err);
/* The key with this id and kind. Without an id (NULL) the only key of that kind; NULL:
 * there is none, or more than one. */
const struct jwk *jwk_find(const struct jwk_set *set, const char *id, enum jwk_kind kind);

#endif
