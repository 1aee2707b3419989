/* Writes public keys and signatures in DER, as libcrypto reads them. */
#include "base/jwt/jwk_state.h"

enum {
    TAG_INTEGER = 0x02,
    TAG_BITS = 0x03,
    TAG_SEQUENCE = 0x30,
    BODY_MOST = 4096,
};

static void der_add(struct buf *out, int tag, const void *data, size_t size)
{
    (void)buf_char(out, (char)tag);
    if (size > 0xff) {
        (void)buf_char(out, (char)0x82);
        (void)buf_char(out, (char)(size >> 8));
    } else if (size > 0x7f) {
        (void)buf_char(out, (char)0x81);
    }
    (void)buf_char(out, (char)(size & 0xff));
    (void)buf_add(out, data, size);
}

/* An unsigned number; a leading zero keeps it positive. */
static void der_integer(struct buf *out, const unsigned char *number, size_t size)
{
    struct buf body;
    buf_init(&body, BODY_MOST);
    for (; size > 1 && *number == 0; size--) {
        number++;
    }
    if (*number & 0x80) {
        (void)buf_char(&body, '\0');
    }
    (void)buf_add(&body, number, size);
    der_add(out, TAG_INTEGER, buf_get(&body), body.size);
    buf_release(&body);
}

static void der_pair(struct buf *out, const unsigned char *a, size_t a_size,
                     const unsigned char *b, size_t b_size)
{
    struct buf body;
    buf_init(&body, BODY_MOST);
    der_integer(&body, a, a_size);
    der_integer(&body, b, b_size);
    der_add(out, TAG_SEQUENCE, buf_get(&body), body.size);
    buf_release(&body);
}

/* The algorithm's identifier, which is DER already, and the key as bits. */
static void der_key(struct buf *out, const void *algorithm, size_t size,
                    const struct buf *key)
{
    struct buf body;
    struct buf bits;
    buf_init(&body, BODY_MOST);
    buf_init(&bits, BODY_MOST);
    (void)buf_char(&bits, '\0'); /* no unused bits */
    (void)buf_add(&bits, buf_get(key), key->size);
    (void)buf_add(&body, algorithm, size);
    der_add(&body, TAG_BITS, buf_get(&bits), bits.size);
    der_add(out, TAG_SEQUENCE, buf_get(&body), body.size);
    buf_release(&bits);
    buf_release(&body);
}

void jwk_der_rsa(struct buf *out, const unsigned char *n, size_t n_size,
                 const unsigned char *e, size_t e_size)
{
    /* rsaEncryption, NULL */
    static const unsigned char algorithm[] = {0x30, 0x0d, 0x06, 0x09, 0x2a,
                                              0x86, 0x48, 0x86, 0xf7, 0x0d,
                                              0x01, 0x01, 0x01, 0x05, 0x00};
    struct buf key;
    buf_init(&key, BODY_MOST);
    der_pair(&key, n, n_size, e, e_size);
    der_key(out, algorithm, sizeof algorithm, &key);
    buf_release(&key);
}

void jwk_der_p256(struct buf *out, const unsigned char *x, const unsigned char *y)
{
    /* ecPublicKey, prime256v1 */
    static const unsigned char algorithm[] = {0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48,
                                              0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a,
                                              0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07};
    struct buf key;
    buf_init(&key, BODY_MOST);
    (void)buf_char(&key, 0x04); /* both coordinates follow */
    (void)buf_add(&key, x, JWK_CURVE_SIZE);
    (void)buf_add(&key, y, JWK_CURVE_SIZE);
    der_key(out, algorithm, sizeof algorithm, &key);
    buf_release(&key);
}

void jwk_der_ed25519(struct buf *out, const unsigned char *x)
{
    static const unsigned char algorithm[] = {0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70};
    struct buf key;
    buf_init(&key, BODY_MOST);
    (void)buf_add(&key, x, JWK_CURVE_SIZE);
    der_key(out, algorithm, sizeof algorithm, &key);
    buf_release(&key);
}

void jwk_der_signature(struct buf *out, const unsigned char *raw)
{
    der_pair(out, raw, JWK_CURVE_SIZE, raw + JWK_CURVE_SIZE, JWK_CURVE_SIZE);
}
