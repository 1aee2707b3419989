/* A PostgreSQL URL as what libpq connects with; secrets may stand in a variable or file.
 */
#include "datasource/postgres/postgres_driver.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

enum {
    CONNECT_TIMEOUT_S = 10,
};

static void pair_add(struct arena *arena, struct texts *keywords, struct texts *values,
                     const char *keyword, const char *value)
{
    VEC_PUSH(arena, keywords, arena_text(arena, keyword));
    VEC_PUSH(arena, values, arena_text(arena, value));
}

static const char *option_of(const PQconninfoOption *options, const char *keyword)
{
    const char *found = NULL;
    for (const PQconninfoOption *at = options; at->keyword; at++) {
        found = str_equal(at->keyword, keyword) ? at->val : found;
    }
    return found;
}

/* A datasource that somebody added goes to the address that was allowed, and gets none of
 * the secrets that libpq finds in this machine's environment and files. */
static void added_fill(const struct datasource *source, const PQconninfoOption *options,
                       struct texts *keywords, struct texts *values)
{
    struct arena *arena = source->arena;
    if (!option_of(options, "password")) {
        pair_add(arena, keywords, values, "password", "-");
    }
    pair_add(arena, keywords, values, "passfile", "/dev/null");
    pair_add(arena, keywords, values, "gssencmode", "disable");
    /* a path that cannot be: one that exists must hold a certificate */
    pair_add(arena, keywords, values, "sslcert", "/dev/null/none");
    if (source->address) { /* libpq needs the host name again for each address */
        const char *host = option_of(options, "host");
        const char *hosts = str_or_empty(host);
        for (const char *at = source->address; (at = strchr(at, ',')); at++) {
            hosts = arena_format(arena, "%s,%s", hosts, str_or_empty(host));
        }
        pair_add(arena, keywords, values, "host", hosts);
        pair_add(arena, keywords, values, "hostaddr", source->address);
    }
}

/* Which hosts libpq will go to; NULL: a socket. A service names them in a file that is
 * not read here, so it counts as another machine. */
static const char *hosts_of(const struct datasource *source,
                            const PQconninfoOption *options)
{
    const char *hosts =
        source->address ? source->address : option_of(options, "hostaddr");
    hosts = hosts ? hosts : option_of(options, "host");
    if (!hosts && !source->added) {
        hosts = getenv("PGHOSTADDR");
        hosts = hosts ? hosts : getenv("PGHOST");
    }
    bool service = option_of(options, "service") || getenv("PGSERVICE");
    return !hosts && service ? "service" : hosts;
}

/* libpq's "prefer" goes on in plain text after a handshake that failed, and when the
 * server refuses the login: it is not used. Where it is meant, TLS is required at first,
 * and only a server that says that it has none is asked again without
 * (postgres_connect.c). What goes to another machine is encrypted unless the URL says
 * otherwise. */
static void tls_fill(const struct datasource *source, struct postgres_state *state,
                     const PQconninfoOption *options, struct texts *keywords,
                     struct texts *values)
{
    struct arena *arena = source->arena;
    const char *mode = option_of(options, "sslmode");
    server_line_init(&state->line, source, hosts_of(source, options), state->database);
    mode = mode || source->added ? mode : getenv("PGSSLMODE");
    mode = !str_empty(mode) ? mode : state->line.here ? "prefer" : "require";
    if (!str_equal(mode, "prefer") && !str_equal(mode, "allow")) {
        pair_add(arena, keywords, values, "sslmode", mode);
        return;
    }
    struct texts plain = {0};
    for (size_t i = 0; i < values->count; i++) {
        VEC_PUSH(arena, &plain, values->items[i]);
    }
    VEC_PUSH(arena, &plain, "disable");
    VEC_PUSH(arena, &plain, NULL);
    state->plain_values = plain.items;
    pair_add(arena, keywords, values, "sslmode", "require");
}

/* What libpq understood, and what we add to it. */
static void pairs_fill(struct datasource *source, struct postgres_state *state,
                       const PQconninfoOption *options, const char *password)
{
    struct arena *arena = source->arena;
    struct texts keywords = {0};
    struct texts values = {0};
    state->database = "";
    state->connect_timeout_ms = CONNECT_TIMEOUT_S * 1000L;
    for (const PQconninfoOption *at = options; at->keyword; at++) {
        if (!at->val) {
            continue;
        }
        int64_t seconds = 0;
        if (str_equal(at->keyword, "dbname")) {
            state->database = arena_text(arena, at->val);
        } else if (str_equal(at->keyword, "connect_timeout") &&
                   str_to_int(at->val, &seconds) && seconds > 0 && seconds < 3600) {
            state->connect_timeout_ms = seconds * 1000;
        }
        pair_add(arena, &keywords, &values, at->keyword, at->val);
    }
    if (password) {
        pair_add(arena, &keywords, &values, "password", password);
    }
    if (source->added) {
        added_fill(source, options, &keywords, &values);
    }
    pair_add(arena, &keywords, &values, "client_encoding", "UTF8");
    pair_add(arena, &keywords, &values, "fallback_application_name", "dragoman");
    tls_fill(source, state, options, &keywords, &values);
    VEC_PUSH(arena, &keywords, NULL);
    VEC_PUSH(arena, &values, NULL);
    state->keywords = keywords.items;
    state->values = values.items;
}

static bool url_unclear(struct err *err)
{
    (void)err_set(err, ERR_DATASOURCE_NOT_FOUND,
                  "The PostgreSQL URL cannot be understood.");
    return err_hint(err, "It is postgres://user:password@host:5432/database?sslmode="
                         "require; other characters in a part are written as %%40.");
}

bool postgres_url_read(struct datasource *source, struct postgres_state *state,
                       struct err *err)
{
    struct server_secrets secrets = {0};
    const char *password = NULL;
    const char *url =
        server_secret_split(source->arena, "postgresql", source->url, &secrets);
    char *message = NULL; /* may quote the password: not shown */
    PQconninfoOption *options = url ? PQconninfoParse(url, &message) : NULL;
    PQfreemem(message);
    if (!options) {
        return url_unclear(err);
    }
    bool ok =
        server_rights_init(&state->rights, source, secrets.ruler) || url_unclear(err);
    state->allow_own_types = source->allow_own_types;
    ok = ok &&
         (!secrets.own_types || str_to_bool(secrets.own_types, &state->allow_own_types) ||
          url_unclear(err));
    ok = ok && server_secret_read(source->arena, secrets.variable, secrets.file,
                                  &password, err);
    if (ok) {
        pairs_fill(source, state, options, password);
    }
    PQconninfoFree(options);
    return ok;
}
