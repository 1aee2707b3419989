/* With what a link was made, and whether that still allows it. */
#ifndef DGM_SERVICE_LINK_MAKER_H
#define DGM_SERVICE_LINK_MAKER_H

#include "service/instance.h"
#include "store/store.h"

/* Sets account, owner and key of a link. `key` is the id of an access key; or for a person who
 * signed in "oidc-SESSION SUB,SID", where the last two are the session's digests of what the issuer
 * calls the person and the session; or "". FORBIDDEN for tokens of the issuer. */
bool link_maker_bind(struct dgm *dgm, struct arena *arena,
                     const struct dgm_access *access, struct store_share *share,
                     struct err *err);
/* A session may have ended while the link was made. */
bool link_maker_remains(struct dgm *dgm, struct arena *arena,
                        const struct dgm_access *access, struct err *err);
/* Its access key was revoked or has expired, so that the link never works again. */
bool link_maker_ended(struct dgm *dgm, struct arena *arena,
                      const struct store_share *share);
/* May whoever made it still use the server, and the datasources that it needs? */
bool link_maker_holds(struct dgm *dgm, struct arena *arena,
                      const struct store_share *share);

/* Ends the links of an access key or session. */
bool link_end_key(struct dgm *dgm, const char *key_id, bool session, struct err *err);
/* Ends the links made until then in sessions of these digests ("-": any), also if the sessions have
 * ended before. */
bool link_end_sessions(struct dgm *dgm, const char *subject, const char *session,
                       int64_t until, struct err *err);

#endif
