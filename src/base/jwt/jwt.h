/*
 * Signed web tokens (JWT, RFC 7519) of an OpenID provider. Three steps, each of which may
 * refuse: read, verify, check. Only after all of them may the claims be used.
 *
 * The errors (UNAUTHORIZED) say why, for the operator's log. They are not for whoever
 * sent the token.
 */
#ifndef DGM_BASE_JWT_H
#define DGM_BASE_JWT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json.h"
#include "base/jwt/jwk.h"

struct texts;

enum { JWT_MOST = 16 * 1024 }; /* bytes of a token */

struct jwt {
    const json_t *claims;
    const char *type;   /* header "typ"; or NULL */
    const char *key_id; /* header "kid"; or NULL */
    enum jwk_kind kind; /* of the key that its algorithm needs */
    const char *text;   /* what is signed */
    size_t text_size;
    const unsigned char *signature;
    size_t signature_size;
};

enum jwt_trust { JWT_TRUSTED, JWT_KEY_UNKNOWN, JWT_FORGED };

/* What a token has to say. */
struct jwt_rules {
    const char *issuer;
    const struct texts *audiences; /* one of them must be among the token's */
    int64_t now_s;
    int64_t skew_s; /* how far the clocks may be apart */
};

/* Takes it apart, without any trust in it. It lives as long as the arena; the text of the
 * token must, too. */
bool jwt_read(struct arena *arena, const char *token, struct jwt *out, struct err *err);
/* The same for a notice of sign-out (OpenID Connect Back-Channel Logout), whose claim "events"
 * has the member JWT_LOGOUT_EVENT. */
bool jwt_read_logout(struct arena *arena, const char *token, struct jwt *out,
                     struct err *err);
#define JWT_LOGOUT_EVENT "http://schemas.openid.net/event/backchannel-logout"
/* Whether a key of the set has signed it. JWT_KEY_UNKNOWN: the set has no such key, but a
 * newer one may. */
enum jwt_trust jwt_verify(const struct jwt *jwt, const struct jwk_set *keys,
                          struct err *err);
/* Issuer, audience, times. */
bool jwt_check(const struct jwt *jwt, const struct jwt_rules *rules, struct err *err);

#endif
