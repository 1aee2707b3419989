/* Reads, verifies and checks tokens. */
#include "base/jwt/jwt.h"

#include <string.h>

#include "base/base64url.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/jwt/jwk_state.h"
#include "base/jwt/jwt_crypto.h"
#include "base/str.h"
#include "base/vec.h"

enum {
    HEADER_MOST = 4096,
    KEY_ID_MOST = 256,
    RAW_SIZE = 2 * JWK_CURVE_SIZE, /* a signature of ES256 or EdDSA */
    DER_MOST = 128,
};

static bool refuse(struct err *err, const char *why)
{
    return err_set(err, ERR_UNAUTHORIZED, "%s", why);
}

/* ------------------------------------------------------------------ reading */

static const struct {
    const char *name;
    enum jwk_kind kind;
} algorithms[] = {
    {"RS256", JWK_RSA},
    {"ES256", JWK_P256},
    {"EdDSA", JWK_ED25519},
};

static bool find_algorithm(const char *name, enum jwk_kind *kind)
{
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
        if (str_equal(name, algorithms[i].name)) {
            *kind = algorithms[i].kind;
            return true;
        }
    }
    return false;
}

/* NULL-ended. A token for another purpose is none for us; many issuers give all the same
 * type. */
static const char *const token_types[] = {"JWT", "at+jwt", "application/at+jwt", NULL};
static const char *const logout_types[] = {"JWT", "logout+jwt", "application/logout+jwt",
                                           NULL};

static bool type_good(const char *type, const char *const *types)
{
    bool good = !type;
    for (size_t i = 0; types[i]; i++) {
        good = good || str_equal_nocase(type, types[i]);
    }
    return good;
}

static const json_t *read_object(struct arena *arena, const char *text, size_t size)
{
    struct err ignored;
    size_t decoded = 0;
    const unsigned char *json = base64url_read(arena, text, size, &decoded);
    const json_t *value =
        json ? json_parse(arena, (const char *)json, decoded, &ignored) : NULL;
    return json_is_object(value) ? value : NULL;
}

/* Addresses of keys in the header (jku, x5u) and keys themselves (jwk, x5c) are not even
 * looked at. */
static bool read_header(struct arena *arena, const char *text, size_t size,
                        const char *const *types, struct jwt *out, struct err *err)
{
    const json_t *header = size <= HEADER_MOST ? read_object(arena, text, size) : NULL;
    if (!header) {
        return refuse(err, "The token's header is malformed.");
    }
    if (!find_algorithm(json_text_at(header, "alg"), &out->kind)) {
        return refuse(err, "The token's algorithm is not RS256, ES256 or EdDSA.");
    }
    if (json_object_get(header, "crit")) {
        return refuse(err, "The token has critical header fields.");
    }
    const json_t *id = json_object_get(header, "kid");
    out->key_id = json_string_value(id);
    if (id && (!out->key_id || strlen(out->key_id) > KEY_ID_MOST)) {
        return refuse(err, "The token's key id is malformed.");
    }
    const json_t *type = json_object_get(header, "typ");
    out->type = json_string_value(type);
    return (type ? out->type && type_good(out->type, types) : true) ||
           refuse(err, "The token is of another type.");
}

static bool read_token(struct arena *arena, const char *token, const char *const *types,
                       struct jwt *out, struct err *err)
{
    size_t size = strnlen(token, JWT_MOST + 1);
    const char *first = size <= JWT_MOST ? strchr(token, '.') : NULL;
    const char *second = first ? strchr(first + 1, '.') : NULL;
    *out = (struct jwt){0};
    if (size > JWT_MOST) {
        return refuse(err, "The token is too long.");
    }
    if (!second || strchr(second + 1, '.')) {
        return refuse(err, "The token does not have three parts.");
    }
    if (!read_header(arena, token, (size_t)(first - token), types, out, err)) {
        return false;
    }
    out->claims = read_object(arena, first + 1, (size_t)(second - first - 1));
    if (!out->claims) {
        return refuse(err, "The token's claims are malformed.");
    }
    out->text = token;
    out->text_size = (size_t)(second - token);
    out->signature =
        base64url_read(arena, second + 1, strlen(second + 1), &out->signature_size);
    return (out->signature && out->signature_size > 0) ||
           refuse(err, "The token's signature is malformed.");
}

bool jwt_read(struct arena *arena, const char *token, struct jwt *out, struct err *err)
{
    return read_token(arena, token, token_types, out, err) &&
           (!json_object_get(json_object_get(out->claims, "events"), JWT_LOGOUT_EVENT) ||
            refuse(err, "A logout token cannot be used here."));
}

bool jwt_read_logout(struct arena *arena, const char *token, struct jwt *out,
                     struct err *err)
{
    return read_token(arena, token, logout_types, out, err);
}

/* ------------------------------------------------------------------ verifying */

static bool signature_good(const struct jwt_crypto *crypto, const struct jwt *jwt,
                           void *key)
{
    const unsigned char *signature = jwt->signature;
    size_t size = jwt->signature_size;
    struct buf der;
    buf_init(&der, DER_MOST);
    if (jwt->kind != JWK_RSA && size != RAW_SIZE) {
        return false;
    }
    if (jwt->kind == JWK_P256) {
        jwk_der_signature(&der, signature);
        signature = (const unsigned char *)buf_get(&der);
        size = der.size;
    }
    const void *digest = jwt->kind == JWK_ED25519 ? NULL : crypto->EVP_sha256();
    void *context = crypto->EVP_MD_CTX_new();
    bool good =
        context && crypto->EVP_DigestVerifyInit(context, NULL, digest, NULL, key) == 1 &&
        crypto->EVP_DigestVerify(context, signature, size,
                                 (const unsigned char *)jwt->text, jwt->text_size) == 1;
    crypto->EVP_MD_CTX_free(context);
    crypto->ERR_clear_error();
    buf_release(&der);
    return good;
}

enum jwt_trust jwt_verify(const struct jwt *jwt, const struct jwk_set *keys,
                          struct err *err)
{
    const struct jwk *key = jwk_find(keys, jwt->key_id, jwt->kind);
    const struct jwt_crypto *crypto = jwt_crypto_get(err);
    if (!crypto) {
        return JWT_FORGED;
    }
    if (!key) {
        (void)refuse(err, jwt->key_id
                              ? "The issuer has no such key for the token's algorithm."
                              : "The token names no key, and the issuer does not have "
                                "exactly one for its algorithm.");
        return JWT_KEY_UNKNOWN;
    }
    if (signature_good(crypto, jwt, key->key)) {
        return JWT_TRUSTED;
    }
    (void)refuse(err, "The token's signature does not fit the issuer's key.");
    return JWT_FORGED;
}

/* ------------------------------------------------------------------ checking */

static bool is_ours(const struct jwt_rules *rules, const json_t *audience)
{
    const char *text = json_string_value(audience);
    for (size_t i = 0; text && i < rules->audiences->count; i++) {
        if (str_equal(text, rules->audiences->items[i])) {
            return true;
        }
    }
    return false;
}

static bool audience_good(const struct jwt_rules *rules, const json_t *audience)
{
    bool ours = is_ours(rules, audience);
    for (size_t i = 0; i < json_array_size(audience); i++) {
        ours = ours || is_ours(rules, json_array_get(audience, i));
    }
    return ours;
}

/* Seconds since 1970, possibly with a fraction. */
static bool time_of(const json_t *claims, const char *name, double *out)
{
    const json_t *value = json_object_get(claims, name);
    *out = json_number_value(value);
    return json_is_number(value) && *out >= 0 && *out < 1e12;
}

bool jwt_check(const struct jwt *jwt, const struct jwt_rules *rules, struct err *err)
{
    const json_t *claims = jwt->claims;
    double now = (double)rules->now_s;
    double skew = (double)rules->skew_s;
    double at = 0;
    if (str_empty(rules->issuer) ||
        !str_equal(json_text_at(claims, "iss"), rules->issuer)) {
        return refuse(err, "The token has another issuer.");
    }
    if (!audience_good(rules, json_object_get(claims, "aud"))) {
        return refuse(err, "The token is for another audience.");
    }
    if (!time_of(claims, "exp", &at)) {
        return refuse(err, "The token does not say when it expires.");
    }
    if (at + skew <= now) {
        return refuse(err, "The token has expired.");
    }
    if (json_object_get(claims, "nbf") &&
        (!time_of(claims, "nbf", &at) || at - skew > now)) {
        return refuse(err, "The token is not valid yet.");
    }
    if (json_object_get(claims, "iat") &&
        (!time_of(claims, "iat", &at) || at - skew > now)) {
        return refuse(err, "The token was issued in the future.");
    }
    return true;
}
