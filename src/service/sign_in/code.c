/*
 * People sign in on the page by the authorization code flow with PKCE. A sign-in in
 * progress is one secret in the browser's cookie; state, nonce and the code's verifier are
 * made from it, so any process can finish what another has begun, and an answer that was
 * meant for another browser does not fit. What came back once is remembered for a day.
 */
#include <stdio.h>
#include <string.h>

#include "base/base64url.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/sha256.h"
#include "base/str.h"
#include "base/vec.h"
#include "base/webclient.h"
#include "datasource/web_url.h"
#include "service/accounts/accounts.h"
#include "service/sign_in/identity.h"
#include "service/sign_in/issuer.h"
#include "service/sign_in/sign_in_state.h"
#include "store/store.h"

enum {
    URL_MOST = 16384,
    PART_MOST = 4096, /* of what the browser brings back */
    REPLY_MOST = 256 * 1024,
    CONNECT_MS = 5000,
    TOTAL_MS = 10000,
    SESSIONS_MOST = 20,    /* of one account; a further one ends the oldest */
    USED_S = 24 * 60 * 60, /* longer than any cookie of a sign-in lives */
};

/* ------------------------------------------------------------------ texts */

/* A text that only who has the secret can make. */
static const char *derived(struct arena *arena, const char *secret, const char *use)
{
    unsigned char digest[SHA256_SIZE];
    struct buf out;
    buf_init(&out, URL_MOST);
    sha256_keyed(secret, strlen(secret), use, strlen(use), digest);
    base64url_write(&out, digest, sizeof digest);
    const char *text = buf_clone(&out, arena);
    buf_release(&out);
    return text;
}

static void add_pair(struct buf *out, const char *name, const char *value)
{
    (void)buf_format(out, "%s%s=", out->size > 0 ? "&" : "", name);
    web_url_encode(out, value);
}

static bool is_secret(const char *secret)
{
    size_t size = secret ? strnlen(secret, SECRET_SIZE) : 0;
    for (size_t i = 0; i < size; i++) {
        if (str_hex_digit(secret[i]) < 0) {
            return false;
        }
    }
    return size == SECRET_SIZE - 1;
}

static bool same_text(const char *a, const char *b)
{
    size_t size = strlen(a);
    unsigned char difference = strlen(b) != size;
    for (size_t i = 0; i < size && !difference; i++) {
        difference |= (unsigned char)(a[i] ^ b[i]);
    }
    return difference == 0;
}

static struct issuer_facts *facts_of(struct dgm *dgm, const struct options *options,
                                     struct err *err)
{
    struct issuer *issuer = dgm->sign_in->issuer;
    struct issuer_facts *facts = issuer_get(issuer, options);
    if (issuer_is_due(issuer, options, facts, false)) {
        issuer_facts_unref(facts);
        (void)issuer_ask(issuer, options, err);
        facts = NULL;
    }
    /* another thread may have asked it since the first look */
    facts = facts ? facts : issuer_get(issuer, options);
    if (facts && facts->authorization_url && facts->token_url) {
        return facts;
    }
    issuer_facts_unref(facts);
    (void)err_set(err, ERR_BUSY, "Signing in is not possible at the moment.");
    return NULL;
}

/* The person learns only that it did not work. */
static bool sign_in_failed(struct dgm *dgm, struct err *err)
{
    if (err->code != ERR_BUSY && err->code != ERR_FORBIDDEN) {
        err->code = ERR_UNAUTHORIZED;
    }
    (void)(err->code == ERR_BUSY || sign_in_refuse(dgm, true, err));
    if (err->code == ERR_UNAUTHORIZED) {
        (void)err_set(err, ERR_UNAUTHORIZED, "Signing in did not work.");
        (void)err_hint(err, "Try again.");
    }
    return false;
}

/* ------------------------------------------------------------------ beginning */

static char *sign_in_url(const struct options *options, struct arena *arena,
                         const struct issuer_facts *facts, const char *callback,
                         const char *secret)
{
    struct buf query;
    struct buf url;
    buf_init(&query, URL_MOST);
    buf_init(&url, URL_MOST);
    const char *verifier = derived(arena, secret, "verifier");
    unsigned char digest[SHA256_SIZE];
    sha256(verifier, strlen(verifier), digest);
    add_pair(&query, "response_type", "code");
    add_pair(&query, "client_id", options->oidc_client_id);
    add_pair(&query, "redirect_uri", callback);
    add_pair(&query, "scope", options->oidc_login_scopes);
    add_pair(&query, "state", derived(arena, secret, "state"));
    add_pair(&query, "nonce", derived(arena, secret, "nonce"));
    (void)buf_text(&query, "&code_challenge_method=S256&code_challenge=");
    base64url_write(&query, digest, sizeof digest);
    (void)buf_format(&url, "%s%s%s", facts->authorization_url,
                     strchr(facts->authorization_url, '?') ? "&" : "?", buf_get(&query));
    buf_release(&query);
    return buf_take(&url);
}

char *dgm_sign_in_begin(struct dgm *dgm, const char *callback,
                        char secret[DGM_SIGN_IN_SECRET], struct dgm_error *error)
{
    const struct options *options = dgm->options;
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    char *url = NULL;
    struct issuer_facts *facts =
        secret_new(secret, &err) ? facts_of(dgm, options, &err) : NULL;
    if (facts) {
        url = sign_in_url(options, arena, facts, callback, secret);
    } else {
        (void)instance_fail(error, &err);
    }
    issuer_facts_unref(facts);
    arena_free(arena);
    return url;
}

/* ------------------------------------------------------------------ the code */

static const char *basic(struct arena *arena, const struct options *options)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    struct buf pair;
    struct buf out;
    buf_init(&pair, URL_MOST);
    buf_init(&out, URL_MOST);
    web_url_encode(&pair, options->oidc_client_id);
    (void)buf_char(&pair, ':');
    web_url_encode(&pair, options->oidc_client_secret);
    const unsigned char *bytes = (const unsigned char *)buf_get(&pair);
    (void)buf_text(&out, "Authorization: Basic ");
    for (size_t i = 0; i < pair.size; i += 3) {
        size_t left = pair.size - i < 3 ? pair.size - i : 3;
        unsigned bits = (unsigned)bytes[i] << 16;
        bits |= left > 1 ? (unsigned)bytes[i + 1] << 8 : 0;
        bits |= left > 2 ? (unsigned)bytes[i + 2] : 0;
        for (size_t digit = 0; digit < 4; digit++) {
            (void)buf_char(&out,
                           digit <= left ? digits[bits >> (18 - 6 * digit) & 63] : '=');
        }
    }
    const char *header = buf_clone(&out, arena);
    buf_release(&pair);
    buf_release(&out);
    return header;
}

/* The ID token that the issuer gives for the code; NULL: none. */
static const char *redeem(const struct options *options, struct arena *arena,
                          const char *url, const char *callback, const char *secret,
                          const char *code, struct err *err)
{
    struct webclient *client = webclient_new(options->oidc_ca_file, err);
    struct webclient_reply reply;
    struct buf form;
    bool known = *options->oidc_client_secret != '\0';
    buf_init(&form, URL_MOST);
    add_pair(&form, "grant_type", "authorization_code");
    add_pair(&form, "code", code);
    add_pair(&form, "redirect_uri", callback);
    add_pair(&form, "code_verifier", derived(arena, secret, "verifier"));
    if (!known) {
        add_pair(&form, "client_id", options->oidc_client_id);
    }
    const char *const headers[] = {"Content-Type: application/x-www-form-urlencoded",
                                   "Accept: application/json",
                                   known ? basic(arena, options) : NULL, NULL};
    const struct webclient_request request = {.method = "POST",
                                              .url = url,
                                              .headers = headers,
                                              .body = buf_get(&form),
                                              .body_size = form.size,
                                              .connect_timeout_ms = CONNECT_MS,
                                              .deadline_ms = clock_ms() + TOTAL_MS,
                                              .max_bytes = REPLY_MOST};
    const char *token = NULL;
    if (client) {
        struct err ignored;
        bool ok = webclient_call(client, &request, &reply, err);
        const json_t *answer =
            ok ? json_parse(arena, buf_get(&reply.body), reply.body.size, &ignored)
               : NULL;
        token = ok && reply.status == 200
                    ? arena_text(arena, json_text_at(answer, "id_token"))
                    : NULL;
        if (ok && !token) {
            (void)err_set(err, ERR_UNAUTHORIZED,
                          "The issuer gave no ID token for the code (status %d, %.60s).",
                          reply.status, str_or_empty(json_text_at(answer, "error")));
        }
        webclient_reply_release(&reply);
    }
    webclient_free(client);
    buf_release(&form);
    return token;
}

static bool check_id_token(const struct options *options, const struct jwt *jwt,
                           const char *nonce, struct err *err)
{
    const char *client = options->oidc_client_id;
    const struct texts audiences = {.items = &client, .count = 1};
    const struct jwt_rules rules = {.issuer = options->oidc_issuer,
                                    .audiences = &audiences,
                                    .now_s = clock_wall_s(),
                                    .skew_s = options->oidc_clock_skew_s};
    const json_t *party = json_object_get(jwt->claims, "azp");
    const char *given = json_text_at(jwt->claims, "nonce");
    bool several = json_array_size(json_object_get(jwt->claims, "aud")) > 1;
    if (!jwt_check(jwt, &rules, err)) {
        return false;
    }
    if ((several || party) && !str_equal(json_string_value(party), client)) {
        return err_set(err, ERR_UNAUTHORIZED, "The ID token is for another client.");
    }
    return given && same_text(given, nonce)
               ? sign_in_bearer(jwt->claims, err)
               : err_set(err, ERR_UNAUTHORIZED, "The ID token is of another sign-in.");
}

static bool read_id_token(struct dgm *dgm, const struct options *options,
                          struct arena *arena, const char *token, const char *nonce,
                          struct identity *out, struct err *err)
{
    struct jwt jwt;
    if (!jwt_read(arena, token, &jwt, err)) {
        return false;
    }
    struct issuer_facts *facts = sign_in_facts(dgm, options, &jwt, NULL, err);
    bool ok = facts && jwt_verify(&jwt, &facts->keys, err) == JWT_TRUSTED &&
              check_id_token(options, &jwt, nonce, err) &&
              identity_read(options, arena, jwt.claims, out, err);
    issuer_facts_unref(facts);
    return ok;
}

/* ------------------------------------------------------------------ the session */

/* Removes sessions that have ended, and of this account the oldest if there are many. */
static bool make_room(struct dgm *dgm, struct arena *arena, const char *account,
                      struct err *err)
{
    struct store_keys keys = {0};
    struct texts own = {0};
    int64_t now = clock_wall_s();
    if (!store_key_list(dgm->agent.store, arena, &keys, err)) {
        return false;
    }
    for (size_t i = 0; i < keys.count; i++) { /* of one account, oldest first */
        const struct store_key *key = &keys.items[i];
        bool ended = key->identity && key->expires_at <= now;
        if (key->identity && !ended && str_equal(key->account, account)) {
            VEC_PUSH(arena, &own, key->id);
        }
        if (ended) {
            (void)store_key_delete(dgm->agent.store, key->id, err);
            accounts_forget(dgm->accounts, key->id);
        }
    }
    for (size_t i = 0; i + SESSIONS_MOST <= own.count; i++) {
        (void)store_key_delete(dgm->agent.store, own.items[i], err);
        accounts_forget(dgm->accounts, own.items[i]);
    }
    err_clear(err);
    return true;
}

/* The person's browser gets an access key that ends with the session. */
static char *open_session(struct dgm *dgm, const struct options *options,
                          struct arena *arena, const struct identity *identity,
                          struct err *err)
{
    char secret[SECRET_SIZE];
    char whole[ACCOUNTS_ID_SIZE + SECRET_SIZE + 8];
    const struct dgm_key key = {.account = identity->account,
                                .label = "signed in on the page",
                                .rate_per_minute = options->oidc_rate_per_minute,
                                .concurrent = options->oidc_concurrent,
                                .expires_in_s = options->oidc_session_s};
    struct store_key made = {
        .scopes = identity->scopes,
        .datasources = *identity->datasources ? identity->datasources : NULL,
        .identity = arena_format(arena, "%lld,%s %s", (long long)identity->issued_at,
                                 sign_in_mark(arena, identity->claims), identity->text)};
    if (!instance_store(dgm, err) || !make_room(dgm, arena, identity->account, err) ||
        !accounts_make_key(dgm, arena, &key, &made, secret, err)) {
        return NULL;
    }
    (void)snprintf(whole, sizeof whole, "dgm_%s_%s", made.id, secret);
    char *text = memory_text(whole);
    secret_forget(secret, sizeof secret);
    secret_forget(whole, sizeof whole);
    return text;
}

static bool came_back(struct arena *arena, const struct options *options,
                      const char *secret, const struct dgm_sign_in *back, struct err *err)
{
    if (!is_secret(secret) || str_empty(back->state) || str_empty(back->code) ||
        strlen(back->state) > PART_MOST || strlen(back->code) > PART_MOST) {
        return err_set(err, ERR_UNAUTHORIZED, "A sign-in came back incomplete.");
    }
    if (!same_text(derived(arena, secret, "state"), back->state)) {
        return err_set(err, ERR_UNAUTHORIZED, "A sign-in came back to another browser.");
    }
    return !back->issuer || str_equal(back->issuer, options->oidc_issuer) ||
           err_set(err, ERR_UNAUTHORIZED, "A sign-in came back from another issuer.");
}

/* A sign-in comes back once, whatever becomes of it; in this process. */
static bool is_first(struct sign_in *sign_in, const char *secret, struct err *err)
{
    unsigned char digest[SHA256_SIZE];
    int64_t now = clock_wall_s();
    bool seen = false;
    sha256(secret, strlen(secret), digest);
    (void)pthread_mutex_lock(&sign_in->lock);
    for (size_t i = 0; i < NOTICES_KEPT && !seen; i++) {
        const struct notice *used = &sign_in->used[i];
        seen = used->until_s > now && memcmp(used->mark, digest, NOTICE_MARK) == 0;
    }
    if (!seen) {
        struct notice *used = &sign_in->used[sign_in->used_next];
        used->until_s = now + USED_S;
        memcpy(used->mark, digest, NOTICE_MARK);
        sign_in->used_next = (sign_in->used_next + 1) % NOTICES_KEPT;
    }
    (void)pthread_mutex_unlock(&sign_in->lock);
    return !seen || err_set(err, ERR_UNAUTHORIZED, "A sign-in came back a second time.");
}

/* An issuer that always names itself (RFC 9207) did not send what came without its name. */
static bool is_named(const struct issuer_facts *facts, const struct dgm_sign_in *back,
                     struct err *err)
{
    return back->issuer || !facts->names_itself ||
           err_set(
               err, ERR_UNAUTHORIZED,
               "The reply of the issuer to a sign-in has no name of the issuer (iss).");
}

char *dgm_sign_in_end(struct dgm *dgm, const char *callback, const char *secret,
                      const struct dgm_sign_in *back, struct dgm_error *error)
{
    const struct options *options = dgm->options;
    struct identity identity;
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    char *key = NULL;
    bool came = came_back(arena, options, secret, back, &err) &&
                is_first(dgm->sign_in, secret, &err);
    struct issuer_facts *facts = came ? facts_of(dgm, options, &err) : NULL;
    const char *token =
        facts && is_named(facts, back, &err)
            ? redeem(options, arena, facts->token_url, callback, secret, back->code, &err)
            : NULL;
    issuer_facts_unref(facts);
    if (token && read_id_token(dgm, options, arena, token,
                               derived(arena, secret, "nonce"), &identity, &err)) {
        key = open_session(dgm, options, arena, &identity, &err);
    }
    if (!key) {
        (void)sign_in_failed(dgm, &err);
        (void)instance_fail(error, &err);
    }
    arena_free(arena);
    return key;
}
