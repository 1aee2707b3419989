/* A MongoDB URL for libmongoc; secrets may stand in a variable or a file. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "datasource/mongodb_driver.h"

enum {
    URL_MOST = 8192,
    CONNECT_TIMEOUT_MS = 10000,
    CONNECT_TIMEOUT_MOST_MS = 600000,
};

/* Parameters of ours that libmongoc does not know: taken out of the URL. */
struct own {
    const char *variable; /* ?password_env=NAME */
    const char *file;     /* ?password_file=PATH */
};

static bool own_parameter(struct arena *arena, const char *pair, size_t size,
                          struct own *own)
{
    const struct {
        const char *name;
        const char **value;
    } known[] = {{"password_env=", &own->variable}, {"password_file=", &own->file}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t length = strlen(known[i].name);
        if (size >= length && strncmp(pair, known[i].name, length) == 0) {
            *known[i].value = arena_copy(arena, pair + length, size - length);
            return true;
        }
    }
    return false;
}

static char *url_for_library(struct arena *arena, const char *url, struct own *own)
{
    struct buf out;
    buf_init(&out, URL_MOST);
    const char *query = strchr(url, '?');
    (void)buf_add(&out, url, query ? (size_t)(query - url) : strlen(url));
    char separator = '?';
    while (query && *query) {
        query++; /* the ? or & */
        size_t size = strcspn(query, "&");
        if (size > 0 && !own_parameter(arena, query, size, own)) {
            (void)buf_char(&out, separator);
            (void)buf_add(&out, query, size);
            separator = '&';
        }
        query += size;
    }
    char *text = out.full ? NULL : buf_clone(&out, arena);
    buf_release(&out);
    return text;
}

static bool url_unclear(struct err *err)
{
    (void)err_set(err, ERR_DATASOURCE_NOT_FOUND, "The MongoDB URL cannot be understood.");
    return err_hint(err, "It is mongodb://user:password@host:27017/database?tls=true; "
                         "other characters in a part are written as %%40.");
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
    struct own own = {0};
    const char *password = NULL;
    bson_error_t ignored; /* may quote the password: not shown */
    const char *url = url_for_library(source->arena, source->url, &own);
    if (!url ||
        !server_secret_read(source->arena, own.variable, own.file, &password, err)) {
        return url ? false : url_unclear(err);
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
    return true;
}
