/* What MongoDB and its library say, in our words. Their own texts may name hosts, users
 * and files: only what the server says about a command is kept, as the detail. */
#include <string.h>

#include "datasource/mongodb/mongodb_driver.h"

struct class
{
    uint32_t code; /* of the server */
    enum err_code ours;
    const char *message;
    const char *hint; /* or NULL */
};

static const struct class classes[] = {
    {13, ERR_ACCESS, "The user may not read this in the database.",
     "Give the user the role 'read' on the database."},
    {18, ERR_ACCESS, "The database refused the user name or the password.",
     "Check the user and the password in the URL, password_env or password_file, and "
     "authSource."},
    {8000, ERR_ACCESS, "The database refused this user.",
     "Check the user and the password in the URL."},
    {50, ERR_TIMEOUT, "The query took too long and was ended.", NULL},
    {262, ERR_TIMEOUT, "The query took too long and was ended.", NULL},
    {24, ERR_TIMEOUT, "The query waited too long for a lock.", NULL},
    {11601, ERR_INTERRUPTED, "The database's administrator ended the query.", NULL},
    {11600, ERR_DATASOURCE_UNREACHABLE, "The database server is stopping.",
     "Try again in a moment."},
    {91, ERR_DATASOURCE_UNREACHABLE, "The database server is stopping.",
     "Try again in a moment."},
    {189, ERR_DATASOURCE_UNREACHABLE, "The database is electing another primary.",
     "Try again in a moment."},
    {43, ERR_DATASOURCE_UNREACHABLE, "The database closed the query while it was read.",
     "Ask again."},
    {237, ERR_DATASOURCE_UNREACHABLE, "The database closed the query while it was read.",
     "Ask again."},
};

/* Words of the library, which has no codes for them. */
static const struct class connect_classes[] = {
    {0, ERR_DATASOURCE_UNREACHABLE, "The server's certificate could not be trusted.",
     "Check tls, tlsCAFile and the host name in the URL."},
    {0, ERR_DATASOURCE_UNREACHABLE,
     "The TLS handshake with the database server failed, or its certificate could not be "
     "trusted.",
     "Check tls, tlsCAFile and the host name in the URL."},
};

static bool class_tell(const struct class *class, struct err *err)
{
    (void)err_set(err, class->ours, "%s", class->message);
    return class->hint ? err_hint(err, "%s", class->hint) : false;
}

static bool is_network(const bson_error_t *error)
{
    return error->domain == MONGOC_ERROR_STREAM ||
           error->domain == MONGOC_ERROR_SERVER_SELECTION ||
           error->domain == MONGOC_ERROR_PROTOCOL;
}

bool mongodb_fail(struct mongodb_session *session, const bson_error_t *error,
                  struct err *err)
{
    bool from_server = error->domain == MONGOC_ERROR_SERVER;
    session->base.broken = session->base.broken || !from_server;
    if (!limits_hold(session->base.limits, err)) {
        return false;
    }
    if (error->domain == MONGOC_ERROR_CLIENT &&
        error->code == MONGOC_ERROR_CLIENT_AUTHENTICATE) {
        return class_tell(&classes[1], err);
    }
    for (size_t i = 0; from_server && i < sizeof classes / sizeof *classes; i++) {
        if (classes[i].code == error->code) {
            session->base.broken =
                session->base.broken || classes[i].ours == ERR_DATASOURCE_UNREACHABLE;
            return class_tell(&classes[i], err);
        }
    }
    bool handshake = strstr(error->message, "TLS handshake") != NULL;
    if (handshake || strstr(error->message, "certificate")) {
        (void)class_tell(&connect_classes[handshake ? 1 : 0], err);
        return session->state->tls_assumed
                   ? err_hint(err, "A server on another machine is asked over TLS. Check "
                                   "its certificate and tlsCAFile in the URL, or add "
                                   "tls=false to go without.")
                   : false;
    }
    if (is_network(error)) {
        return session->connect_until_ms
                   ? err_set(err, ERR_DATASOURCE_UNREACHABLE,
                             "The database server cannot be reached.")
                   : err_set(err, ERR_DATASOURCE_UNREACHABLE,
                             "The connection to the database was lost.");
    }
    (void)err_set(err, from_server ? ERR_INVALID_DATA : ERR_DATASOURCE_UNREACHABLE,
                  "The database did not do what it was asked.");
    return from_server ? err_detail(err, "%s", error->message) : false;
}
