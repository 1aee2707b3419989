/* What MongoDB and its library say, in our words. Their own texts may name hosts, users
 * and files: only what the server says about a command is kept, as the detail. */
#include <string.h>

#include "datasource/failures.h"
#include "datasource/mongodb/mongodb_driver.h"

static const struct err_row classes[] = {
    {"13", ERR_ACCESS, "The user may not read this in the database.",
     "Give the user the role 'read' on the database."},
    {"18", FAILS_LOGIN,
     "Check the user and the password in the URL, password_env or password_file, and "
     "authSource."},
    {"8000", ERR_ACCESS, "The database refused this user.",
     "Check the user and the password in the URL."},
    {"50", FAILS_TOO_LONG, NULL},
    {"262", FAILS_TOO_LONG, NULL},
    {"24", ERR_TIMEOUT, "The query waited too long for a lock.", NULL},
    {"11601", ERR_INTERRUPTED, "The database's administrator ended the query.", NULL},
    {"11600", FAILS_STOPPING, HINT_LATER},
    {"91", FAILS_STOPPING, HINT_LATER},
    {"189", ERR_DATASOURCE_UNREACHABLE, "The database is electing another primary.",
     HINT_LATER},
    {"43", ERR_DATASOURCE_UNREACHABLE, "The database closed the query while it was read.",
     "Ask again."},
    {"237", ERR_DATASOURCE_UNREACHABLE,
     "The database closed the query while it was read.", "Ask again."},
    {NULL, ERR_COUNT, NULL, NULL},
};

#define HINT_CERTIFICATE "Check tls, tlsCAFile and the host name in the URL."

/* Words of the library, which has no codes for them. */
static const struct err_row connect_classes[] = {
    {"TLS handshake", ERR_DATASOURCE_UNREACHABLE,
     "The TLS handshake with the database server failed, or its certificate could not be "
     "trusted.",
     HINT_CERTIFICATE},
    {"certificate", FAILS_CERTIFICATE, HINT_CERTIFICATE},
    {NULL, ERR_COUNT, NULL, NULL},
};

static bool is_network(const bson_error_t *error)
{
    return error->domain == MONGOC_ERROR_STREAM ||
           error->domain == MONGOC_ERROR_SERVER_SELECTION ||
           error->domain == MONGOC_ERROR_PROTOCOL;
}

bool mongodb_fail(struct mongodb_session *session, const bson_error_t *error,
                  struct err *err)
{
    enum { AUTHENTICATION_FAILED = 18 };
    bool from_server = error->domain == MONGOC_ERROR_SERVER;
    session->base.broken = session->base.broken || !from_server;
    if (!limits_hold(session->base.limits, err)) {
        return false;
    }
    if (error->domain == MONGOC_ERROR_CLIENT &&
        error->code == MONGOC_ERROR_CLIENT_AUTHENTICATE) {
        return err_rows_tell(err_rows_number(classes, AUTHENTICATION_FAILED), err);
    }
    const struct err_row *class =
        from_server ? err_rows_number(classes, (long)error->code) : NULL;
    if (class) {
        session->base.broken =
            session->base.broken || class->code == ERR_DATASOURCE_UNREACHABLE;
        return err_rows_tell(class, err);
    }
    const struct err_row *words =
        err_rows_find(connect_classes, ERR_ROWS_PART, error->message);
    if (words) {
        (void)err_rows_tell(words, err);
        return session->state->tls_assumed
                   ? err_hint(err, "dragoman connects to other machines over TLS. Check "
                                   "the certificate and tlsCAFile in the URL, or add "
                                   "tls=false to connect without TLS.")
                   : false;
    }
    if (is_network(error)) {
        return session->connect_until_ms ? err_set(err, FAILS_NO_SERVER)
                                         : err_set(err, FAILS_LOST);
    }
    (void)err_set(err, from_server ? ERR_INVALID_DATA : ERR_DATASOURCE_UNREACHABLE,
                  "The database did not do what it was asked.");
    return from_server ? err_detail(err, "%s", error->message) : false;
}
