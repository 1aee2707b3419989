/* Reads the keys of a JWK set. */
#include "base/jwt/jwk.h"

#include <string.h>

#include "base/base64url.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"
#include "base/jwt/jwk_state.h"
#include "base/jwt/jwt_crypto.h"
#include "base/str.h"
#include "base/vec.h"

enum {
    KEYS_MOST = 100,
    ID_MOST = 256,
    DER_MOST = 8192,
    EXPONENT_MOST = 4, /* bytes */
};

/* A number or a coordinate out of a key. */
struct octets {
    const unsigned char *data;
    size_t size;
};

static bool octets_of(struct arena *arena, const json_t *key, const char *name,
                      struct octets *out)
{
    const char *text = json_text_at(key, name);
    size_t size = text ? strlen(text) : 0;
    out->data = size > 0 && size <= DER_MOST
                    ? base64url_read(arena, text, size, &out->size)
                    : NULL;
    return out->data != NULL;
}

static void drop_zeros(struct octets *number)
{
    for (; number->size > 1 && *number->data == 0; number->size--) {
        number->data++;
    }
}

/* An exponent of 1 would make every text its own signature. */
static bool exponent_good(const struct octets *e)
{
    unsigned long value = 0;
    for (size_t i = 0; i < e->size && e->size <= EXPONENT_MOST; i++) {
        value = value << 8 | e->data[i];
    }
    return value >= 3 && value % 2 == 1;
}

static bool write_rsa(struct arena *arena, const json_t *key, struct buf *der)
{
    struct octets n;
    struct octets e;
    if (!octets_of(arena, key, "n", &n) || !octets_of(arena, key, "e", &e)) {
        return false;
    }
    drop_zeros(&n);
    drop_zeros(&e);
    if (n.size < JWK_RSA_LEAST || n.size > JWK_RSA_MOST ||
        (n.size == JWK_RSA_LEAST && !(*n.data & 0x80)) || !exponent_good(&e)) {
        return false;
    }
    jwk_der_rsa(der, n.data, n.size, e.data, e.size);
    return true;
}

static bool write_p256(struct arena *arena, const json_t *key, struct buf *der)
{
    struct octets x;
    struct octets y;
    if (!octets_of(arena, key, "x", &x) || !octets_of(arena, key, "y", &y) ||
        x.size != JWK_CURVE_SIZE || y.size != JWK_CURVE_SIZE) {
        return false;
    }
    jwk_der_p256(der, x.data, y.data);
    return true;
}

static bool write_ed25519(struct arena *arena, const json_t *key, struct buf *der)
{
    struct octets x;
    if (!octets_of(arena, key, "x", &x) || x.size != JWK_CURVE_SIZE) {
        return false;
    }
    jwk_der_ed25519(der, x.data);
    return true;
}

static const struct kind_row {
    const char *type;
    const char *curve; /* NULL: it has none */
    const char *algorithm;
    enum jwk_kind kind;
    bool (*write)(struct arena *arena, const json_t *key, struct buf *der);
} kinds[] = {
    {"RSA", NULL, "RS256", JWK_RSA, write_rsa},
    {"EC", "P-256", "ES256", JWK_P256, write_p256},
    {"OKP", "Ed25519", "EdDSA", JWK_ED25519, write_ed25519},
};

/* What the key says of its purpose must agree, as far as it says anything. */
static bool is_for_signatures(const json_t *key, const struct kind_row *row)
{
    const char *use = json_text_at(key, "use");
    const char *algorithm = json_text_at(key, "alg");
    const json_t *operations = json_array_at(key, "key_ops");
    bool verifies = !operations;
    for (size_t i = 0; i < json_array_size(operations); i++) {
        const char *name = json_string_value(json_array_get(operations, i));
        verifies = verifies || str_equal(name, "verify");
    }
    return verifies && (!use || str_equal(use, "sig")) &&
           (!algorithm || str_equal(algorithm, row->algorithm));
}

static const struct kind_row *kind_of(const json_t *key)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct kind_row *row = &kinds[i];
        if (str_equal(json_text_at(key, "kty"), row->type) &&
            (!row->curve || str_equal(json_text_at(key, "crv"), row->curve)) &&
            is_for_signatures(key, row)) {
            return row;
        }
    }
    return NULL;
}

static void key_free(void *key)
{
    struct err ignored;
    const struct jwt_crypto *crypto = jwt_crypto_get(&ignored);
    crypto->EVP_PKEY_free(key);
}

static void add_key(struct arena *arena, const struct jwt_crypto *crypto,
                    const json_t *key, struct jwk_set *out)
{
    const struct kind_row *row = kind_of(key);
    const char *id = str_or_empty(json_text_at(key, "kid"));
    struct buf der;
    buf_init(&der, DER_MOST);
    if (row && strlen(id) <= ID_MOST && row->write(arena, key, &der) && !der.full) {
        const unsigned char *at = (const unsigned char *)buf_get(&der);
        void *read = crypto->d2i_PUBKEY(NULL, &at, (long)der.size);
        if (read) {
            arena_defer(arena, key_free, read);
            *VEC_ADD(arena, out) =
                (struct jwk){.id = arena_text(arena, id), .kind = row->kind, .key = read};
        }
        crypto->ERR_clear_error();
    }
    buf_release(&der);
}

bool jwk_set_read(struct arena *arena, const char *json, size_t size, struct jwk_set *out,
                  struct err *err)
{
    *out = (struct jwk_set){0};
    const struct jwt_crypto *crypto = jwt_crypto_get(err);
    const json_t *root = crypto ? json_parse(arena, json, size, err) : NULL;
    const json_t *keys = json_array_at(root, "keys");
    if (root && !keys) {
        return err_set(err, ERR_INVALID_DATA, "The reply is no JWK set.");
    }
    for (size_t i = 0; i < json_array_size(keys) && i < KEYS_MOST; i++) {
        add_key(arena, crypto, json_array_get(keys, i), out);
    }
    return keys && (out->count > 0 ||
                    err_set(err, ERR_INVALID_DATA,
                            "The JWK set has no key for RS256, ES256 or EdDSA."));
}

const struct jwk *jwk_find(const struct jwk_set *set, const char *id, enum jwk_kind kind)
{
    const struct jwk *found = NULL;
    for (size_t i = 0; i < set->count; i++) {
        const struct jwk *key = &set->items[i];
        if (key->kind != kind || (id && !str_equal(key->id, id))) {
            continue;
        }
        if (found) {
            return NULL;
        }
        found = key;
    }
    return found;
}
