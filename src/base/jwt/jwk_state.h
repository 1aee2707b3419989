/* Inside of reading keys: what the files here share. */
#ifndef DGM_BASE_JWK_STATE_H
#define DGM_BASE_JWK_STATE_H

#include "base/buf.h"

enum {
    JWK_RSA_LEAST = 2048 / 8, /* bytes of a modulus */
    JWK_RSA_MOST = 8192 / 8,  /* more would cost too much time per token */
    JWK_CURVE_SIZE = 32,      /* a coordinate of P-256, a key of Ed25519 */
};

/* jwk_der.c: a SubjectPublicKeyInfo. RSA: the numbers without leading zeros. */
void jwk_der_rsa(struct buf *out, const unsigned char *n, size_t n_size,
                 const unsigned char *e, size_t e_size);
void jwk_der_p256(struct buf *out, const unsigned char *x, const unsigned char *y);
void jwk_der_ed25519(struct buf *out, const unsigned char *x);
/* The raw signature r || s of ES256 as a DER sequence. */
void jwk_der_signature(struct buf *out, const unsigned char *raw);

#endif
