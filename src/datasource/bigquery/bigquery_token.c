/* Tokens: given, or got for a service account by a signed claim and kept until shortly
 * before they end. */
#include <string.h>

#include "base/arena.h"
#include "base/base64url.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/writer.h"
#include "datasource/bigquery/bigquery_driver.h"
#include "datasource/web_url.h"

enum {
    CLAIM_MOST = 64 * 1024,
    CLAIM_S = 3600,
    EARLY_MS = 60000, /* so long before its end a token is not used any more */
    CONNECT_MS = 10000,
    ANSWER_MOST = 256 * 1024,
};

#define SCOPE "https://www.googleapis.com/auth/bigquery"

/* header.claims, both as base64url of JSON */
static void claim_write(const struct bigquery_state *state, struct buf *out)
{
    struct buf part;
    struct writer writer;
    buf_init(&part, CLAIM_MOST);
    writer_init(&writer, &part);
    writer_object(&writer);
    writer_key_text(&writer, "alg", "RS256");
    writer_key_text(&writer, "typ", "JWT");
    writer_key_text(&writer, "kid", state->key_id);
    writer_object_end(&writer);
    base64url_write(out, buf_get(&part), part.size);
    buf_clear(&part);
    writer_init(&writer, &part);
    int64_t now_s = clock_wall_s();
    writer_object(&writer);
    writer_key_text(&writer, "iss", state->account);
    writer_key_text(&writer, "scope", SCOPE);
    writer_key_text(&writer, "aud", state->token_url);
    writer_key_int(&writer, "iat", now_s);
    writer_key_int(&writer, "exp", now_s + CLAIM_S);
    writer_object_end(&writer);
    (void)buf_char(out, '.');
    base64url_write(out, buf_get(&part), part.size);
    buf_release(&part);
}

static bool refused(struct err *err, const json_t *answer)
{
    (void)err_set(err, ERR_ACCESS, "The service account was refused.");
    (void)err_hint(err,
                   "Check the key: it may have been deleted, or the clock is wrong.");
    const char *why = json_text_at(answer, "error");
    return why ? err_detail(err, "%.100s", why) : false;
}

/* The answer of the token service; with the lock held. */
static bool token_keep(struct bigquery_state *state, const struct webclient_reply *reply,
                       struct arena *arena, struct err *err)
{
    struct err ignored;
    const json_t *answer =
        json_parse(arena, buf_get(&reply->body), reply->body.size, &ignored);
    const char *token = json_text_at(answer, "access_token");
    if (reply->status >= 500) {
        return bigquery_unreachable(err);
    }
    if (reply->status != 200 || !token || strpbrk(token, "\r\n")) {
        return refused(err, answer);
    }
    int64_t seconds = json_int_at(answer, "expires_in", CLAIM_S);
    memory_free(state->fresh);
    state->fresh = memory_text(token);
    state->fresh_until_ms = clock_ms() + seconds * 1000 - EARLY_MS;
    return true;
}

/* With the lock held: one asks, the others wait for what it gets. */
static bool token_get(struct bigquery_state *state,
                      const struct datasource_limits *limits, struct arena *arena,
                      struct err *err)
{
    struct buf claim;
    struct buf body;
    struct webclient_reply reply;
    buf_init(&claim, CLAIM_MOST);
    buf_init(&body, CLAIM_MOST);
    claim_write(state, &claim);
    char *signature = bigquery_sign(state->key, buf_get(&claim), claim.size, err);
    if (!signature) {
        buf_release(&claim);
        return false;
    }
    (void)buf_text(&body, "grant_type=");
    web_url_encode(&body, "urn:ietf:params:oauth:grant-type:jwt-bearer");
    (void)buf_format(&body, "&assertion=%s.%s", buf_get(&claim), signature);
    static const char *const headers[] = {
        "Content-Type: application/x-www-form-urlencoded", NULL};
    const struct webclient_request request = {
        .method = "POST",
        .url = state->token_url,
        .headers = headers,
        .body = buf_get(&body),
        .body_size = body.size,
        .connect_timeout_ms = CONNECT_MS,
        .deadline_ms = clock_ms() + limits_left_ms(limits, 30000) + 1,
        .cancel = limits ? limits->cancel : NULL,
        .max_bytes = ANSWER_MOST};
    bool ok = webclient_call(state->client, &request, &reply, err);
    if (ok) {
        ok = token_keep(state, &reply, arena, err);
    } else if (limits_hold(limits, err)) {
        struct err cause = *err;
        (void)err_set(err, ERR_DATASOURCE_UNREACHABLE, "%s", cause.message);
    }
    webclient_reply_release(&reply);
    memory_free(signature);
    buf_release(&claim);
    buf_release(&body);
    return ok;
}

bool bigquery_authorize(struct bigquery_state *state,
                        const struct datasource_limits *limits, bool renew,
                        struct arena *arena, const char **header, struct err *err)
{
    *header = "";
    if (state->anonymous) {
        return true;
    }
    if (state->token) {
        *header = arena_format(arena, "Authorization: Bearer %s", state->token);
        return true;
    }
    (void)pthread_mutex_lock(&state->lock);
    bool ok = state->fresh && !renew && clock_ms() < state->fresh_until_ms;
    ok = ok || token_get(state, limits, arena, err);
    if (ok) {
        *header = arena_format(arena, "Authorization: Bearer %s", state->fresh);
    }
    (void)pthread_mutex_unlock(&state->lock);
    return ok;
}
