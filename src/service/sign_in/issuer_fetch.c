/* Reads the issuer's description and keys over HTTPS. */
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/host.h"
#include "base/json.h"
#include "base/str.h"
#include "base/webclient.h"
#include "service/sign_in/issuer.h"

enum {
    DOCUMENT_MOST = 256 * 1024,
    URL_MOST = 2048,
    CONNECT_MS = 5000,
    TOTAL_MS = 10000, /* of each document */
};

static const char secure[] = "https://";
static const char plain[] = "http://";

/* Is its host this machine? */
static bool is_here(const char *at)
{
    char host[256];
    bool six = *at == '[';
    at += six;
    size_t length = strcspn(at, six ? "]" : ":/?");
    if (length == 0 || length >= sizeof host) {
        return false;
    }
    str_put(host, length + 1, at);
    return !strchr(host, ',') && hosts_are_here(host) && *host != '/';
}

bool issuer_url_good(const char *url)
{
    size_t size = url ? strnlen(url, URL_MOST + 1) : 0;
    if (size == 0 || size > URL_MOST || strpbrk(url, "#@\\ \t\r\n\"<>")) {
        return false;
    }
    if (str_starts(url, secure)) {
        return url[sizeof secure - 1] != '\0' && url[sizeof secure - 1] != '/';
    }
    return str_starts(url, plain) && is_here(url + sizeof plain - 1);
}

bool issuer_leads_to(const char *issuer, const char *url)
{
    if (!issuer_url_good(issuer) || !issuer_url_good(url)) {
        return false;
    }
    return str_starts(issuer, plain) ||
           (str_starts(url, secure) &&
            (!is_here(url + sizeof secure - 1) || is_here(issuer + sizeof secure - 1)));
}

static json_t *fetch_json(struct webclient *client, struct arena *arena, const char *url,
                          const char *what, const char **text, size_t *size,
                          struct err *err)
{
    static const char *const headers[] = {"Accept: application/json", NULL};
    const struct webclient_request request = {.method = "GET",
                                              .url = url,
                                              .headers = headers,
                                              .connect_timeout_ms = CONNECT_MS,
                                              .deadline_ms = clock_ms() + TOTAL_MS,
                                              .max_bytes = DOCUMENT_MOST};
    struct webclient_reply reply;
    json_t *json = NULL;
    bool ok = webclient_call(client, &request, &reply, err);
    if (ok && reply.status != 200) {
        ok = err_set(err, ERR_NETWORK, "The issuer's %s came with the status %d.", what,
                     reply.status);
    }
    if (ok) {
        *text = arena_copy(arena, buf_get(&reply.body), reply.body.size);
        *size = reply.body.size;
        json = json_parse(arena, *text, *size, err);
    }
    webclient_reply_release(&reply);
    return json;
}

static const char *address_at(struct issuer_facts *facts, const json_t *description,
                              const char *name)
{
    const char *url = json_text_at(description, name);
    return issuer_leads_to(facts->url, url) ? arena_text(facts->arena, url) : NULL;
}

static bool read_description(struct webclient *client, struct issuer_facts *facts,
                             const char **keys_url, struct err *err)
{
    const char *text = NULL;
    size_t size = strlen(facts->url);
    size -= size > 0 && facts->url[size - 1] == '/';
    const char *url = arena_format(facts->arena, "%.*s/.well-known/openid-configuration",
                                   (int)size, facts->url);
    const json_t *description =
        fetch_json(client, facts->arena, url, "description", &text, &size, err);
    if (!description) {
        return false;
    }
    if (!str_equal(json_text_at(description, "issuer"), facts->url)) {
        return err_set(err, ERR_INVALID_DATA,
                       "The issuer calls itself differently than oidc.issuer.");
    }
    facts->authorization_url = address_at(facts, description, "authorization_endpoint");
    facts->token_url = address_at(facts, description, "token_endpoint");
    facts->end_url = address_at(facts, description, "end_session_endpoint");
    facts->names_itself = json_bool_at(
        description, "authorization_response_iss_parameter_supported", false);
    *keys_url = address_at(facts, description, "jwks_uri");
    return *keys_url || err_set(err, ERR_INVALID_DATA,
                                "The issuer names no usable address for its keys.");
}

struct issuer_facts *issuer_fetch(struct webclient *client, const char *url,
                                  struct err *err)
{
    struct arena *arena = arena_new();
    struct issuer_facts *facts = ARENA_NEW(arena, struct issuer_facts);
    const char *keys_url = NULL;
    const char *text = NULL;
    size_t size = 0;
    atomic_init(&facts->references, 1);
    facts->arena = arena;
    facts->url = arena_text(arena, url);
    bool ok = (issuer_url_good(url) ||
               err_set(err, ERR_CONFIG,
                       "oidc.issuer must be an https URL (http only on loopback).")) &&
              read_description(client, facts, &keys_url, err) &&
              fetch_json(client, arena, keys_url, "key set", &text, &size, err) &&
              jwk_set_read(arena, text, size, &facts->keys, err);
    facts->read_ms = clock_ms();
    if (!ok) {
        arena_free(arena);
    }
    return ok ? facts : NULL;
}
