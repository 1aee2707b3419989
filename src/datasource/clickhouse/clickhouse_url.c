/* A ClickHouse URL as what requests are made of; secrets may stand in a variable or file.
 */
#include <ctype.h>

#include "base/arena.h"
#include "base/host.h"
#include "base/str.h"
#include "datasource/clickhouse/clickhouse_driver.h"
#include "datasource/server/server_pool.h"
#include "datasource/web_url.h"

enum { CONNECT_TIMEOUT_S = 10 };

static const char *const known[] = {
    "secure",    "password_env",    "password_file",   "ca_file",
    "databases", "connect_timeout", "allow_superuser", NULL};

static bool misunderstood(struct err *err)
{
    (void)err_set(err, ERR_DATASOURCE_NOT_FOUND,
                  "The ClickHouse URL cannot be understood.");
    return err_hint(err, "It is clickhouse://user:password@host:8123/database?secure=1; "
                         "other characters in a part are written as %%40.");
}

static const char *port_of(const struct web_url *url, bool secure)
{
    return url->port[0] ? url->port : secure ? "8443" : "8123";
}

/* What goes to another machine is encrypted unless the URL says otherwise. */
static bool address_make(struct arena *arena, const struct web_url *url,
                         const char *pinned, struct clickhouse_state *state)
{
    const char *said = web_url_get(url, "secure");
    state->here = hosts_are_here(pinned ? pinned : url->host);
    state->tls_assumed = !said && !state->here && !str_equal(url->scheme, "clickhouses");
    bool secure = state->tls_assumed || str_equal(url->scheme, "clickhouses");
    if (said && !str_to_bool(said, &secure)) {
        return false;
    }
    state->address =
        arena_format(arena, "%s://%s:%s/", secure ? "https" : "http",
                     url->host[0] ? url->host : "localhost", port_of(url, secure));
    return true;
}

bool clickhouse_url_read(struct datasource *source, struct clickhouse_state *state,
                         struct err *err)
{
    struct arena *arena = source->arena;
    struct web_url url;
    if (!web_url_read(arena, source->url, &url) ||
        !address_make(arena, &url, source->address, state)) {
        return misunderstood(err);
    }
    if (!server_rights_init(&state->login, source,
                            web_url_get(&url, "allow_superuser"))) {
        return misunderstood(err);
    }
    const char *stranger = web_url_stranger(&url, known);
    if (stranger) {
        (void)misunderstood(err);
        return err_detail(err, "There is no parameter '%.40s'.", stranger);
    }
    const char *password = url.password;
    if (!server_secret_read(arena, web_url_get(&url, "password_env"),
                            web_url_get(&url, "password_file"), &password, err)) {
        return false;
    }
    for (const char *at = password; *at; at++) {
        if (iscntrl((unsigned char)*at)) { /* would end the header line */
            return err_set(err, ERR_CONFIG, "The database's password cannot be sent.");
        }
    }
    size_t count = 0;
    state->user = url.user[0] ? url.user : "default";
    if (url.user[0]) {
        state->headers[count++] = arena_format(arena, "X-ClickHouse-User: %s", url.user);
        state->headers[count++] = arena_format(arena, "X-ClickHouse-Key: %s", password);
    }
    state->headers[count++] = "Content-Type: text/plain; charset=UTF-8";
    state->database = url.path[0] ? url.path : "default";
    const char *others = web_url_get(&url, "databases");
    if (others) {
        str_split(arena, others, ',', &state->databases);
    }
    int64_t seconds = CONNECT_TIMEOUT_S;
    const char *timeout = web_url_get(&url, "connect_timeout");
    if (timeout && (!str_to_int(timeout, &seconds) || seconds < 1 || seconds > 3600)) {
        return misunderstood(err);
    }
    state->connect_timeout_ms = seconds * 1000;
    state->client = webclient_new(web_url_get(&url, "ca_file"), err);
    if (state->client && source->address) {
        webclient_pin(state->client, url.host,
                      port_of(&url, str_starts(state->address, "https:")),
                      source->address);
    }
    return state->client != NULL;
}
