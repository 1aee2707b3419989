/*
 * What PostgreSQL says, in our words: no address, no name and no secret of it gets out.
 */
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "store/postgres/postgres_backend.h"

static const struct failure {
    const char *state; /* the beginning of an SQLSTATE */
    enum err_code ours;
    const char *message;
    const char *hint;
} failures[] = {
    {"53100", ERR_DISK_FULL, "The disk of the store's database is full.", NULL},
    {"53300", ERR_STORE, "The store's database has no connection left.",
     "Raise max_connections of the database; each dragoman takes up to seven."},
    {"28", ERR_STORE, "The store's database refused the user or the password.",
     "Check the user and the password in store.url."},
    {"3D000", ERR_STORE, "The store's database does not exist.",
     "Create it first (createdb), or check store.url."},
    {"42501", ERR_STORE, "The store's user may not do this in the database.",
     "It must own the schema 'dragoman', or have the right to create it."},
    {"25006", ERR_STORE, "The store's database is read-only.",
     "Is store.url the address of a standby?"},
    {"57014", ERR_STORE, "The store's database took too long.", "Try again."},
    {"55P03", ERR_STORE, "The store's database was locked for too long.", "Try again."},
    {"40", ERR_STORE, "Two writes to the store were in conflict.", "Try again."},
    {"57P", ERR_STORE, "The store's database was shut down.", "Try again in a moment."},
    {"08", ERR_STORE, "The connection to the store's database was lost.",
     "Try again in a moment."},
};

static bool lost(PGconn *link, struct err *err)
{
    (void)link;
    (void)err_set(err, ERR_STORE, "The connection to the store's database was lost.");
    return err_hint(err, "Try again in a moment.");
}

bool store_postgres_fail(PGconn *link, const PGresult *result, struct err *err)
{
    const char *state = result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
    if (!state) {
        return lost(link, err);
    }
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++) {
        if (strncmp(state, failures[i].state, strlen(failures[i].state)) == 0) {
            (void)err_set(err, failures[i].ours, "%s", failures[i].message);
            (void)err_detail(err, "SQLSTATE %.5s", state);
            return failures[i].hint ? err_hint(err, "%s", failures[i].hint) : false;
        }
    }
    const char *text = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    (void)err_set(err, ERR_STORE, "The store's database failed.");
    return err_detail(err, "SQLSTATE %.5s: %.300s", state, str_or_empty(text));
}

/* A link that could not be made has no result: libpq's text is searched for what it means
 * and not shown, as it names hosts and users. */
bool store_postgres_unreachable(PGconn *link, struct err *err)
{
    static const struct {
        const char *part;
        const char *message;
        const char *hint;
    } reasons[] = {
        {"authentication failed",
         "The store's database refused the user or the password.",
         "Check the user and the password in store.url."},
        {"no password supplied", "The store's database requires a password.",
         "Put it into store.url, or into a file for DRAGOMAN_STORE_URL_FILE."},
        {"does not exist", "The store's database, or its user, does not exist.",
         "Create it first (createdb), or check store.url."},
        {"too many", "The store's database has no connection left.",
         "Raise max_connections of the database; each dragoman takes up to seven."},
        {STORE_POSTGRES_NO_TLS,
         "The store's database offers no TLS, and the connection must be encrypted.",
         "Enable TLS on the server, or add sslmode=prefer to store.url to connect "
         "without it."},
        {"SSL", "The TLS handshake with the store's database failed.",
         "Check sslmode and the certificates in store.url, and those of the database."},
        {"invalid", "store.url is not understood.",
         "Write it as postgres://user@host:5432/database."},
        {"missing", "store.url is not understood.",
         "Write it as postgres://user@host:5432/database."},
    };
    const char *said = link ? PQerrorMessage(link) : "";
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        if (strstr(said, reasons[i].part)) {
            (void)err_set(err, ERR_STORE, "%s", reasons[i].message);
            return err_hint(err, "%s", reasons[i].hint);
        }
    }
    (void)err_set(err, ERR_STORE, "The store's database cannot be reached.");
    return err_hint(err, "Check that it is running, and that store.url is right.");
}

bool store_postgres_run(PGconn *link, const char *sql, struct err *err)
{
    PGresult *result = PQexec(link, sql);
    ExecStatusType status = PQresultStatus(result);
    bool ok = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK ||
              store_postgres_fail(link, result, err);
    PQclear(result);
    return ok;
}
