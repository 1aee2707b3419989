/*
 * Single sign-on over HTTP. Clients send a token in the Authorization header, as they send
 * an access key. People sign in on the page; then their browser has an access key in a
 * cookie that no script can read and no other website can send.
 */
#ifndef DGM_SERVER_SIGN_IN_H
#define DGM_SERVER_SIGN_IN_H

#include <stdbool.h>
#include <stdint.h>

#include "server/router.h"

struct err;
struct exchange;
struct server;
struct workers;
struct MHD_Response;

/* Are the settings complete? Also true if there is no single sign-on. */
bool sign_in_check(struct server *server, struct err *err);
/* "https://ask.example.com": as configured, or on loopback as the client wrote it. */
const char *sign_in_base(const struct exchange *exchange);
/* The threads that check this credential; those for tokens may wait for the issuer. */
struct workers *sign_in_workers(const struct exchange *exchange);

/* Do too many requests wait for the issuer? */
bool sign_in_is_full(const struct exchange *exchange);

/* challenge.c: tells a client whose credential was refused where tokens come from
 * (RFC 6750, RFC 9728). */
void sign_in_challenge(struct exchange *exchange, const struct err *err,
                       enum scope needed);

/* cookie.c: the key of a person who signed in; NULL: none, or not to be trusted. A request
 * that changes something must also come from a page of this server. */
const char *sign_in_cookie(const struct exchange *exchange);
enum sign_in_cookie {
    SIGN_IN_SESSION, /* the key of a person who signed in */
    SIGN_IN_SECRET,  /* what a sign-in in progress was begun with */
};
const char *sign_in_cookie_get(const struct exchange *exchange,
                               enum sign_in_cookie cookie);
/* seconds 0: removes it. */
void sign_in_cookie_set(const struct exchange *exchange, struct MHD_Response *response,
                        enum sign_in_cookie cookie, const char *value, int64_t seconds);

#endif
