/* The cookies of people who signed in on the page. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "server/exchange.h"
#include "server/sign_in/sign_in.h"
#include "server/state.h"

/* "__Host-": browsers take such a cookie only over HTTPS, from this very host, so neither
 * another subdomain nor an attacker on the network can plant one. */
static const char *sign_in_cookie_name(const struct exchange *exchange,
                                       enum sign_in_cookie cookie)
{
    static const char *const names[][2] = {
        [SIGN_IN_SESSION] = {"dgm_session", "__Host-dgm_session"},
        [SIGN_IN_SECRET] = {"dgm_sign_in", "__Host-dgm_sign_in"},
    };
    return names[cookie][str_starts(sign_in_base(exchange), "https://")];
}

const char *sign_in_cookie_get(const struct exchange *exchange,
                               enum sign_in_cookie cookie)
{
    return MHD_lookup_connection_value(exchange->connection, MHD_COOKIE_KIND,
                                       sign_in_cookie_name(exchange, cookie));
}

/* Strict: no other website can make the browser send it. The way back from the issuer is
 * such a visit from elsewhere, so the secret of a sign-in in progress is Lax. */
void sign_in_cookie_set(const struct exchange *exchange, struct MHD_Response *response,
                        enum sign_in_cookie cookie, const char *value, int64_t seconds)
{
    bool secure = str_starts(sign_in_base(exchange), "https://");
    (void)MHD_add_response_header(
        response, "Set-Cookie",
        arena_format(
            exchange->arena, "%s=%s; Path=/; Max-Age=%lld; HttpOnly; SameSite=%s%s",
            sign_in_cookie_name(exchange, cookie), value, (long long)seconds,
            cookie == SIGN_IN_SESSION ? "Strict" : "Lax", secure ? "; Secure" : ""));
}

/* Of a browser: does the request come from one of our pages? access_host has refused any
 * other Origin. */
static bool is_from_page(const struct exchange *exchange)
{
    const char *site = MHD_lookup_connection_value(exchange->connection, MHD_HEADER_KIND,
                                                   "Sec-Fetch-Site");
    const char *origin =
        MHD_lookup_connection_value(exchange->connection, MHD_HEADER_KIND, "Origin");
    bool reads =
        str_equal(exchange->method, "GET") || str_equal(exchange->method, "HEAD");
    bool own = !site || str_equal(site, "same-origin") || str_equal(site, "none");
    return own && (reads || origin);
}

const char *sign_in_cookie(const struct exchange *exchange)
{
    if (!exchange->server->settings.page_signs_in || !is_from_page(exchange)) {
        return NULL;
    }
    return sign_in_cookie_get(exchange, SIGN_IN_SESSION);
}
