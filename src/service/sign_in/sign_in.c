/* A token as an account: verified, mapped, limited, noted. */
#include "service/sign_in/sign_in.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/sha256.h"
#include "base/str.h"
#include "base/vec.h"
#include "model/actor.h"
#include "service/accounts/accounts.h"
#include "service/sign_in/identity.h"
#include "service/sign_in/issuer.h"
#include "service/sign_in/sign_in_state.h"
#include "store/store.h"

enum {
    REFUSALS_LOGGED = 20, /* per minute */
    MINUTE_MS = 60000,
    AUDIT_EVERY_S = 60 * 60,
    RETRY_S = 5,
};

struct sign_in *sign_in_new(void)
{
    struct sign_in *sign_in = memory_alloc(sizeof *sign_in);
    (void)pthread_mutex_init(&sign_in->lock, NULL);
    sign_in->issuer = issuer_new();
    return sign_in;
}

void sign_in_free(struct sign_in *sign_in)
{
    if (sign_in) {
        issuer_free(sign_in->issuer);
        (void)pthread_mutex_destroy(&sign_in->lock);
        memory_free(sign_in);
    }
}

bool sign_in_is_token(const struct dgm *dgm, const char *text)
{
    const struct options *options = dgm->options;
    return text && !str_empty(options->oidc_issuer) && !str_starts(text, "dgm_");
}

bool dgm_sign_in_check(struct dgm *dgm, struct dgm_error *error)
{
    const struct options *options = dgm->options;
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    if (str_empty(options->oidc_issuer)) {
        return true;
    }
    if (!issuer_url_good(options->oidc_issuer)) {
        (void)err_set(&err, ERR_CONFIG,
                      "oidc.issuer must be an https URL (http only on loopback).");
    } else if (str_empty(options->oidc_audience) && str_empty(options->oidc_client_id)) {
        (void)err_set(&err, ERR_CONFIG,
                      "Single sign-on needs oidc.audience or oidc.client_id.");
        (void)err_hint(&err, "Tokens for other services must not be valid here.");
    } else if (!str_empty(options->oidc_default_scope) &&
               !accounts_scope_bits(options->oidc_default_scope)) {
        (void)err_set(&err, ERR_CONFIG, "oidc.default_scope is read, ask or admin.");
    }
    return err.code == ERR_OK || instance_fail(error, &err);
}

/* ------------------------------------------------------------------ refusing */

/* Somebody who sends many bad tokens cannot fill the log. */
static bool may_log(struct sign_in *sign_in, bool person)
{
    int64_t now = clock_ms();
    (void)pthread_mutex_lock(&sign_in->lock);
    if (now - sign_in->window_ms >= MINUTE_MS) {
        sign_in->window_ms = now;
        sign_in->refused[0] = sign_in->refused[1] = 0;
    }
    bool logs = ++sign_in->refused[person] <= REFUSALS_LOGGED;
    (void)pthread_mutex_unlock(&sign_in->lock);
    return logs;
}

bool sign_in_refuse(struct dgm *dgm, bool person, struct err *err)
{
    if (may_log(dgm->sign_in, person)) {
        LOG(LOG_SERVICE, LOG_WARN, "single sign-on: refused: %s", err->message);
    }
    if (err->code == ERR_FORBIDDEN) {
        (void)err_set(err, ERR_FORBIDDEN, "The token gives no access to this server.");
        return err_hint(err, "Ask an administrator for access.");
    }
    (void)err_set(err, ERR_UNAUTHORIZED, "The token is not valid.");
    return err_hint(err, "Sign in again, or send an access key.");
}

static bool unavailable(struct err *err)
{
    (void)err_set(err, ERR_BUSY, "Signing in is not possible at the moment.");
    err->retry_after_s = RETRY_S;
    return false;
}

/* ------------------------------------------------------------------ the token */

static bool check_claims(const struct options *options, struct arena *arena,
                         const struct jwt *jwt, struct err *err)
{
    struct texts audiences = {0};
    struct texts trimmed = {0};
    const char *text = str_empty(options->oidc_audience) ? options->oidc_client_id
                                                         : options->oidc_audience;
    str_split(arena, text, ',', &audiences);
    for (size_t i = 0; i < audiences.count; i++) {
        const char *audience = str_trim(arena, audiences.items[i]);
        if (*audience) {
            VEC_PUSH(arena, &trimmed, audience);
        }
    }
    const struct jwt_rules rules = {.issuer = options->oidc_issuer,
                                    .audiences = &trimmed,
                                    .now_s = clock_wall_s(),
                                    .skew_s = options->oidc_clock_skew_s};
    return jwt_check(jwt, &rules, err);
}

/* What is known of the issuer, after asking it where that is due. later NULL: may block. */
struct issuer_facts *sign_in_facts(struct dgm *dgm, const struct options *options,
                                   const struct jwt *jwt, bool *later, struct err *err)
{
    struct issuer *issuer = dgm->sign_in->issuer;
    struct issuer_facts *facts = issuer_get(issuer, options);
    bool new_key = facts && !jwk_find(&facts->keys, jwt->key_id, jwt->kind);
    bool due = issuer_is_due(issuer, options, facts, new_key);
    if (!due && facts && !new_key) {
        return facts;
    }
    issuer_facts_unref(facts);
    if (!due) { /* another thread may have asked it since the first look */
        facts = issuer_get(issuer, options);
        return facts || unavailable(err) ? facts : NULL;
    }
    if (later) {
        *later = true;
        return NULL;
    }
    (void)issuer_ask(issuer, options, err);
    err_clear(err);
    facts = issuer_get(issuer, options);
    return facts || unavailable(err) ? facts : NULL;
}

bool sign_in_bearer(const json_t *claims, struct err *err)
{
    return !json_object_get(claims, "cnf") ||
           err_set(err, ERR_UNAUTHORIZED,
                   "The token is bound to a key of its sender (claim 'cnf').");
}

static bool verify(struct dgm *dgm, const struct options *options, struct arena *arena,
                   const char *token, bool *later, struct identity *out, struct err *err)
{
    struct jwt jwt;
    if (!jwt_read(arena, token, &jwt, err)) {
        (void)sign_in_refuse(dgm, false, err);
        return false;
    }
    struct issuer_facts *facts = sign_in_facts(dgm, options, &jwt, later, err);
    if (!facts) {
        return false;
    }
    bool ok = jwt_verify(&jwt, &facts->keys, err) == JWT_TRUSTED &&
              check_claims(options, arena, &jwt, err) &&
              sign_in_bearer(jwt.claims, err) &&
              identity_read(options, arena, jwt.claims, out, err);
    issuer_facts_unref(facts);
    if (!ok) {
        (void)sign_in_refuse(dgm, false, err);
    }
    return ok;
}

/* ------------------------------------------------------------------ the account */

/* Usage is counted by account, as it is by key. */
static void access_of(struct dgm *dgm, const struct options *options,
                      const struct identity *identity, struct dgm_access *access)
{
    unsigned char digest[SHA256_SIZE];
    char hex[ACCOUNTS_ID_SIZE];
    *access = (struct dgm_access){
        .scopes = identity->scopes,
        .until_s = identity->expires_at + options->oidc_clock_skew_s,
    };
    sha256(identity->account, strlen(identity->account), digest);
    str_hex(hex, digest, sizeof hex / 2);
    (void)snprintf(access->key_id, sizeof access->key_id, ACCOUNTS_TOKEN "%s", hex);
    str_put(access->account, sizeof access->account, identity->account);
    str_put(access->datasources, sizeof access->datasources, identity->datasources);
    actor_name(access->actor, identity->account, identity->text);
    sources_introduce(dgm->agent.sources, access->actor, identity->text);
}

/* Whether the use has to be written to the audit log, once per hour. */
static bool count_use(struct dgm *dgm, const struct options *options,
                      const struct dgm_access *access, bool may_note, bool *notes,
                      struct err *err)
{
    struct accounts *accounts = dgm->accounts;
    int64_t now = clock_wall_s();
    (void)pthread_mutex_lock(&accounts->lock);
    struct account_key *key = accounts_token(accounts, access, err);
    if (key) {
        key->rate_per_minute = options->oidc_rate_per_minute;
        key->concurrent = options->oidc_concurrent;
        *notes = now - key->last_used_at >= AUDIT_EVERY_S;
    }
    bool ok = key && ((*notes && !may_note) || limits_request(key, err));
    if (ok && *notes && may_note) {
        key->last_used_at = now;
    }
    (void)pthread_mutex_unlock(&accounts->lock);
    return ok;
}

static bool may(const struct dgm_access *access, enum dgm_scope needed, struct err *err)
{
    unsigned bits = (unsigned)needed;
    return (bits & access->scopes) == bits ||
           err_set(err, ERR_FORBIDDEN, "The token may not do this: it needs '%s'.",
                   accounts_scope_name(needed));
}

bool sign_in_enter(struct dgm *dgm, const char *token, enum dgm_scope needed, bool *later,
                   struct dgm_access *access, struct err *err)
{
    const struct options *options = dgm->options;
    struct identity identity;
    struct arena *arena = arena_new();
    bool notes = false;
    bool ok = verify(dgm, options, arena, token, later, &identity, err);
    if (ok) {
        access_of(dgm, options, &identity, access);
        ok = may(access, needed, err) &&
             count_use(dgm, options, access, !later, &notes, err);
    }
    if (ok && notes && later) {
        *later = true;
        ok = false;
    } else if (ok && notes &&
               (!instance_store(dgm, err) ||
                !store_audit(dgm->agent.store, access->account, "token used",
                             access->key_id, err))) {
        LOG(LOG_SERVICE, LOG_WARN, "the use of a token was not noted: %s", err->message);
        err_clear(err);
    }
    arena_free(arena);
    return ok;
}
