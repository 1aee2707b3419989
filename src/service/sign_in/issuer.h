/*
 * The issuer of tokens, as it describes itself (OpenID Connect Discovery), and its public
 * keys. Both are cached. They are read again when they are old or when a token names a
 * key that is not there, but not more often than every oidc.keys_retry_s seconds, so that
 * nobody can make this server flood the issuer. If the issuer does not reply, the last
 * keys are used for another day.
 */
#ifndef DGM_SERVICE_ISSUER_H
#define DGM_SERVICE_ISSUER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/jwt/jwk.h"

struct arena;
struct err;
struct issuer;
struct options;

/* What is known of the issuer at one time; immutable. */
struct issuer_facts {
    atomic_int references;
    struct arena *arena;
    const char *url;               /* oidc.issuer */
    const char *authorization_url; /* where people sign in; or NULL */
    const char *token_url;         /* where a code becomes a token; or NULL */
    const char *end_url;           /* where people sign out; or NULL */
    bool names_itself;             /* it sends `iss` along with a code (RFC 9207) */
    struct jwk_set keys;
    int64_t read_ms;
};

struct issuer *issuer_new(void);
void issuer_free(struct issuer *issuer);

/* A reference to what is known; NULL: nothing, or too old. Does not block. */
struct issuer_facts *issuer_get(struct issuer *issuer, const struct options *options);
void issuer_facts_unref(struct issuer_facts *facts); /* NULL is allowed */
/* Should the issuer be asked? facts NULL: nothing is known; new_key: a token names a key
 * that is not there. False: it was asked a moment ago. */
bool issuer_is_due(struct issuer *issuer, const struct options *options,
                   const struct issuer_facts *facts, bool new_key);
/* Asks it, or waits for whoever is asking. False: the reason is in err. */
bool issuer_ask(struct issuer *issuer, const struct options *options, struct err *err);

/* issuer_fetch.c: reads everything anew; NULL: NETWORK, TIMEOUT or INVALID_DATA. */
struct webclient;
struct issuer_facts *issuer_fetch(struct webclient *client, const char *url,
                                  struct err *err);
/* https, or plain HTTP on a loopback address; without user and fragment. */
bool issuer_url_good(const char *url);
/* May its description name this address? One that came over https cannot lead to plain http,
 * nor one from elsewhere to this machine. */
bool issuer_leads_to(const char *issuer, const char *url);

#endif
