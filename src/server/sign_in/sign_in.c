/* The settings of single sign-on, as the server uses them. */
#include "server/sign_in/sign_in.h"

#include <string.h>

#include "base/err.h"
#include "base/host.h"
#include "base/str.h"
#include "base/workers.h"
#include "server/exchange.h"
#include "server/state.h"

/* Scheme and host, perhaps with a port. */
static bool is_base(const char *url)
{
    const char *host = str_starts(url, "https://")  ? url + 8
                       : str_starts(url, "http://") ? url + 7
                                                    : "";
    return *host && !strpbrk(host, "/?#@\\\" \t\r\n<>;,");
}

/* Of http://host:port: is it this machine? */
static bool is_here(const char *url)
{
    char host[256];
    const char *at = url + sizeof "http://" - 1;
    bool six = *at == '[';
    at += six;
    size_t size = strcspn(at, six ? "]" : ":");
    str_put(host, size < sizeof host ? size + 1 : 1, at);
    return *host && hosts_are_here(host);
}

bool sign_in_check(struct server *server, struct err *err)
{
    const struct server_settings *settings = &server->settings;
    struct dgm_error error;
    if (*settings->public_url && !is_base(settings->public_url)) {
        (void)err_set(err, ERR_CONFIG, "server.public_url is not the URL of a server.");
        return err_hint(err, "Write it like https://ask.example.com, without a path.");
    }
    if (str_empty(settings->issuer)) {
        return true;
    }
    if (str_starts(settings->public_url, "http://") && !is_here(settings->public_url)) {
        (void)err_set(err, ERR_CONFIG,
                      "With single sign-on, server.public_url is https.");
        return err_hint(err, "Otherwise tokens and sessions could be read on their way.");
    }
    if (!*settings->public_url && !server->loopback) {
        (void)err_set(err, ERR_CONFIG, "Single sign-on needs server.public_url.");
        return err_hint(err, "It is the URL under which clients reach this server.");
    }
    if (!dgm_sign_in_check(server->dgm, &error)) {
        (void)err_set(err, ERR_CONFIG, "%s", error.message);
        return err_hint(err, "%s", error.hint);
    }
    return true;
}

const char *sign_in_base(const struct exchange *exchange)
{
    const struct server_settings *settings = &exchange->server->settings;
    if (*settings->public_url) {
        return settings->public_url;
    }
    const char *host =
        MHD_lookup_connection_value(exchange->connection, MHD_HEADER_KIND, "Host");
    return arena_format(exchange->arena, "http%s://%s", *settings->tls_cert ? "s" : "",
                        str_trim(exchange->arena, str_or_empty(host)));
}

bool sign_in_is_full(const struct exchange *exchange)
{
    const struct server *server = exchange->server;
    return server->sign_ins &&
           workers_waiting(server->sign_ins) >= (size_t)server->settings.queue;
}

struct workers *sign_in_workers(const struct exchange *exchange)
{
    struct server *server = exchange->server;
    bool token = server->sign_ins && !str_starts(exchange->credential, "dgm_");
    return token ? server->sign_ins : server->store_workers;
}
