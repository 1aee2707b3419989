/*
 * Tokens of an OpenID Connect issuer, on every door that takes an access key. What the
 * caller is told about a token that is refused is always the same; the log has the reason.
 */
#ifndef DGM_SERVICE_SIGN_IN_H
#define DGM_SERVICE_SIGN_IN_H

#include "service/instance.h"

struct sign_in;

struct sign_in *sign_in_new(void);
void sign_in_free(struct sign_in *sign_in);

/* Is single sign-on configured, and is this no access key? */
bool sign_in_is_token(const struct dgm *dgm, const char *text);
/*
 * Like dgm_access_open. later NULL: may block. Otherwise sets *later if the issuer has to
 * be asked or the store to be written; nothing is decided then.
 */
bool sign_in_enter(struct dgm *dgm, const char *token, enum dgm_scope needed, bool *later,
                   struct dgm_access *access, struct err *err);

#endif
