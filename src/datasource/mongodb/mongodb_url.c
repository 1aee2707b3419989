/* A MongoDB URL for libmongoc; secrets may stand in a variable or a file. */
#include <string.h>
#include <sys/socket.h>

#include "base/arena.h"
#include "base/host.h"
#include "base/str.h"
#include "datasource/mongodb/mongodb_driver.h"

enum {
    CONNECT_TIMEOUT_MS = 10000,
    CONNECT_TIMEOUT_MOST_MS = 600000,
};

static bool url_unclear(struct err *err)
{
    (void)err_set(err, ERR_DATASOURCE_NOT_FOUND, "The MongoDB URL cannot be understood.");
    return err_hint(err, "It is mongodb://user:password@host:27017/database?tls=true; "
                         "other characters in a part are written as %%40.");
}

/* What goes to another machine is encrypted unless the URL says otherwise. The hosts of
 * mongodb+srv are looked up later, and always encrypted. */
static void tls_complete(struct mongodb_state *state, const char *pinned)
{
    const mongoc_host_list_t *host = mongo.uri_get_hosts(state->uri);
    state->here = host != NULL;
    for (; host; host = host->next) {
        state->here = state->here && (host->family == AF_UNIX ||
                                      hosts_are_here(pinned ? pinned : host->host));
    }
    state->tls_assumed = !state->here &&
                         !mongo.uri_has_option(state->uri, MONGOC_URI_TLS) &&
                         !mongo.uri_has_option(state->uri, MONGOC_URI_SSL) &&
                         !mongo.uri_get_tls(state->uri);
    if (state->tls_assumed) {
        (void)mongo.uri_set_option_as_bool(state->uri, MONGOC_URI_TLS, true);
    }
}

/* What we add where the URL says nothing: questions go to secondaries, where there are
 * some, and nobody waits for long. */
static void url_complete(struct mongodb_state *state)
{
    mongoc_uri_t *uri = state->uri;
    if (!mongo.uri_has_option(uri, MONGOC_URI_READPREFERENCE)) {
        mongoc_read_prefs_t *preferences =
            mongo.read_prefs_new(MONGOC_READ_SECONDARY_PREFERRED);
        mongo.uri_set_read_prefs_t(uri, preferences);
        mongo.read_prefs_destroy(preferences);
    }
    if (!mongo.uri_has_option(uri, MONGOC_URI_APPNAME)) {
        (void)mongo.uri_set_appname(uri, "dragoman");
    }
    int32_t timeout = mongo.uri_get_option_as_int32(uri, MONGOC_URI_CONNECTTIMEOUTMS,
                                                    CONNECT_TIMEOUT_MS);
    if (timeout <= 0 || timeout > CONNECT_TIMEOUT_MOST_MS) {
        timeout = CONNECT_TIMEOUT_MS;
    }
    state->connect_timeout_ms = timeout;
    (void)mongo.uri_set_option_as_int32(uri, MONGOC_URI_CONNECTTIMEOUTMS, timeout);
    if (!mongo.uri_has_option(uri, MONGOC_URI_SERVERSELECTIONTIMEOUTMS)) {
        (void)mongo.uri_set_option_as_int32(uri, MONGOC_URI_SERVERSELECTIONTIMEOUTMS,
                                            timeout);
    }
}

bool mongodb_url_read(struct datasource *source, struct mongodb_state *state,
                      struct err *err)
{
    struct server_secrets own = {0};
    const char *password = NULL;
    bson_error_t ignored; /* may quote the password: not shown */
    const char *url = server_secret_split(source->arena, NULL, source->url, &own);
    if (!url || !server_rights_init(&state->rights, source, own.ruler)) {
        return url_unclear(err);
    }
    if (!server_secret_read(source->arena, own.variable, own.file, &password, err)) {
        return false;
    }
    state->uri = mongo.uri_new_with_error(url, &ignored);
    if (!state->uri || (password && !mongo.uri_set_password(state->uri, password))) {
        return url_unclear(err);
    }
    state->database = arena_text(source->arena, mongo.uri_get_database(state->uri));
    if (str_empty(state->database)) {
        (void)err_set(err, ERR_DATASOURCE_NOT_FOUND,
                      "The MongoDB URL names no database.");
        return err_hint(err, "Put its name behind the host: mongodb://host/database");
    }
    url_complete(state);
    tls_complete(state, source->address);
    if (source->address) { /* what else the server names is not asked */
        str_split(source->arena, source->address, ',', &state->addresses);
        (void)mongo.uri_set_option_as_bool(state->uri, MONGOC_URI_DIRECTCONNECTION, true);
    }
    return true;
}
