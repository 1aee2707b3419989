/*
 * The end of sessions: people sign out at the issuer as well (RP-Initiated Logout), and the
 * issuer ends the sessions of a person itself (Back-Channel Logout), for example because it
 * has closed the account.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include "base/sha256.h"
#include "base/str.h"
#include "base/vec.h"
#include "datasource/web_url.h"
#include "service/accounts/accounts.h"
#include "service/links/link_maker.h"
#include "service/sign_in/identity.h"
#include "service/sign_in/issuer.h"
#include "service/sign_in/sign_in_state.h"
#include "store/store.h"

enum { URL_MOST = 4096, MARK_BYTES = 16 };

/* ------------------------------------------------------------------ at the issuer */

char *dgm_sign_out_url(struct dgm *dgm, const char *back)
{
    const struct options *options = dgm->options;
    struct issuer *issuer = dgm->sign_in->issuer;
    struct issuer_facts *facts = issuer_get(issuer, options);
    if (!facts && !str_empty(options->oidc_issuer) &&
        issuer_is_due(issuer, options, NULL, false)) {
        struct err ignored; /* another process has signed the person in */
        err_clear(&ignored);
        facts =
            issuer_ask(issuer, options, &ignored) ? issuer_get(issuer, options) : NULL;
    }
    const char *end = facts && options->oidc_issuer_sign_out ? facts->end_url : NULL;
    char *url = NULL;
    if (end && !str_empty(options->oidc_client_id)) {
        struct buf out;
        buf_init(&out, URL_MOST);
        (void)buf_format(&out, "%s%sclient_id=", end, strchr(end, '?') ? "&" : "?");
        web_url_encode(&out, options->oidc_client_id);
        (void)buf_text(&out, "&post_logout_redirect_uri=");
        web_url_encode(&out, back);
        url = out.full ? NULL : buf_take(&out);
        buf_release(&out);
    }
    issuer_facts_unref(facts);
    return url;
}

/* ------------------------------------------------------------------ by the issuer */

/* What the store keeps of a claim, to compare it; "-": there is none. */
static const char *mark_of(struct arena *arena, const json_t *claims, const char *name)
{
    unsigned char digest[SHA256_SIZE];
    char hex[2 * MARK_BYTES + 1];
    const char *value = json_text_at(claims, name);
    if (str_empty(value)) {
        return "-";
    }
    sha256(value, strlen(value), digest);
    str_hex(hex, digest, MARK_BYTES);
    return arena_text(arena, hex);
}

const char *sign_in_mark(struct arena *arena, const json_t *claims)
{
    return arena_format(arena, "%s,%s", mark_of(arena, claims, "sub"),
                        mark_of(arena, claims, "sid"));
}

/* Is this the session that ends? identity: "TIME,SUB,SID JSON". A notice that is sent again
 * does not end a session that was opened after it. */
static bool ends(const char *identity, const char *subject, const char *session,
                 int64_t at)
{
    const char *subject_at = strchr(identity, ',');
    const char *session_at = subject_at ? strchr(subject_at + 1, ',') : NULL;
    const char *rest = session_at ? strchr(session_at, ' ') : NULL;
    if (!rest || rest < session_at || strtoll(identity, NULL, 10) > at) {
        return false;
    }
    size_t subject_size = (size_t)(session_at - subject_at - 1);
    size_t session_size = (size_t)(rest - session_at - 1);
    bool same = *subject == '-' || (strlen(subject) == subject_size &&
                                    memcmp(subject, subject_at + 1, subject_size) == 0);
    bool here = *session == '-' || (strlen(session) == session_size &&
                                    memcmp(session, session_at + 1, session_size) == 0);
    return same && here && (*subject != '-' || *session != '-');
}

static bool end_sessions(struct dgm *dgm, struct arena *arena, const json_t *claims,
                         struct err *err)
{
    const struct options *options = dgm->options;
    struct store_keys keys = {0};
    const char *subject = mark_of(arena, claims, "sub");
    const char *session = mark_of(arena, claims, "sid");
    int64_t at = json_int_at(claims, "iat", 0) + options->oidc_clock_skew_s;
    bool ok =
        instance_store(dgm, err) && store_key_list(dgm->agent.store, arena, &keys, err);
    for (size_t i = 0; i < keys.count && ok; i++) {
        const struct store_key *key = &keys.items[i];
        if (key->identity && ends(key->identity, subject, session, at)) {
            ok = store_key_delete(dgm->agent.store, key->id, err);
            accounts_forget(dgm->accounts, key->id);
            ok = ok && store_audit(dgm->agent.store, key->account,
                                   "signed out by the issuer", key->id, err);
        }
    }
    return ok && link_end_sessions(dgm, subject, session, at, err);
}

static bool is_text_or_absent(const json_t *claims, const char *name)
{
    return !json_object_get(claims, name) || !str_empty(json_text_at(claims, name));
}

/* A notice of sign-out, and no other token. */
static bool check_notice(const json_t *claims, struct err *err)
{
    const json_t *events = json_object_get(claims, "events");
    const char *problem = NULL;
    if (!json_is_object(json_object_get(events, JWT_LOGOUT_EVENT)) ||
        json_object_get(claims, "nonce")) {
        problem = "The token is not a logout token.";
    } else if (!json_is_integer(json_object_get(claims, "iat"))) {
        problem = "The logout token has no claim 'iat'.";
    } else if (str_empty(json_text_at(claims, "jti"))) {
        problem = "The logout token has no claim 'jti'.";
    } else if (!json_object_get(claims, "sub") && !json_object_get(claims, "sid")) {
        problem = "The logout token has neither 'sub' nor 'sid'.";
    } else if (!is_text_or_absent(claims, "sub") || !is_text_or_absent(claims, "sid")) {
        problem = "The claims 'sub' and 'sid' of the logout token are not texts.";
    }
    return !problem || err_set(err, ERR_UNAUTHORIZED, "%s", problem);
}

static void mark_notice(const json_t *claims, unsigned char out[NOTICE_MARK])
{
    unsigned char digest[SHA256_SIZE];
    const char *id = str_or_empty(json_text_at(claims, "jti"));
    sha256(id, strlen(id), digest);
    memcpy(out, digest, NOTICE_MARK);
}

/* Each notice counts once, in this process. */
static bool notice_is_new(struct sign_in *sign_in, const json_t *claims, struct err *err)
{
    unsigned char mark[NOTICE_MARK];
    int64_t now = clock_wall_s();
    bool seen = false;
    mark_notice(claims, mark);
    (void)pthread_mutex_lock(&sign_in->lock);
    for (size_t i = 0; i < NOTICES_KEPT && !seen; i++) {
        const struct notice *notice = &sign_in->notices[i];
        seen = notice->until_s > now && memcmp(notice->mark, mark, NOTICE_MARK) == 0;
    }
    (void)pthread_mutex_unlock(&sign_in->lock);
    return !seen || err_set(err, ERR_UNAUTHORIZED, "The logout token was already used.");
}

/* After it was obeyed: the issuer may send it again if that failed. */
static void keep_notice(struct sign_in *sign_in, const json_t *claims, int64_t skew_s)
{
    struct notice notice = {.until_s =
                                (int64_t)json_real_at(claims, "exp", 0) + skew_s + 1};
    mark_notice(claims, notice.mark);
    (void)pthread_mutex_lock(&sign_in->lock);
    sign_in->notices[sign_in->notice_next] = notice;
    sign_in->notice_next = (sign_in->notice_next + 1) % NOTICES_KEPT;
    (void)pthread_mutex_unlock(&sign_in->lock);
}

bool dgm_sign_out_notice(struct dgm *dgm, const char *token, struct dgm_error *error)
{
    const struct options *options = dgm->options;
    const char *client = options->oidc_client_id;
    const struct texts audiences = {.items = &client, .count = 1};
    const struct jwt_rules rules = {.issuer = options->oidc_issuer,
                                    .audiences = &audiences,
                                    .now_s = clock_wall_s(),
                                    .skew_s = options->oidc_clock_skew_s};
    struct issuer_facts *facts = NULL;
    struct jwt jwt;
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    bool ok = jwt_read_logout(arena, str_or_empty(token), &jwt, &err) &&
              (facts = sign_in_facts(dgm, options, &jwt, NULL, &err)) != NULL &&
              jwt_verify(&jwt, &facts->keys, &err) == JWT_TRUSTED &&
              jwt_check(&jwt, &rules, &err) && check_notice(jwt.claims, &err) &&
              notice_is_new(dgm->sign_in, jwt.claims, &err) &&
              end_sessions(dgm, arena, jwt.claims, &err);
    if (ok) {
        keep_notice(dgm->sign_in, jwt.claims, options->oidc_clock_skew_s);
    }
    issuer_facts_unref(facts);
    arena_free(arena);
    if (!ok && err.code == ERR_UNAUTHORIZED) {
        (void)sign_in_refuse(dgm, false, &err);
        err.code = ERR_INVALID_DATA; /* as the standard has it: 400 */
    }
    return ok || instance_fail(error, &err);
}
