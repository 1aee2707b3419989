/*
 * What PostgreSQL says, in our words: no address, no name and no secret of it gets out.
 */
#include <string.h>

#include "base/err_rows.h"
#include "base/str.h"
#include "store/postgres/postgres_backend.h"

#define TRY_LATER "Try again in a moment."

/* By SQLSTATE, or its beginning. */
static const struct err_row failures[] = {
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
    {"57P", ERR_STORE, "The store's database was shut down.", TRY_LATER},
    {"08", ERR_STORE, "The connection to the store's database was lost.", TRY_LATER},
    {NULL, ERR_COUNT, NULL, NULL},
};

bool store_postgres_fail(const PGresult *result, struct err *err)
{
    const char *state = result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
    if (!state) { /* of a lost connection */
        return err_rows_tell(err_rows_find(failures, ERR_ROWS_START, "08"), err);
    }
    const struct err_row *failure = err_rows_find(failures, ERR_ROWS_START, state);
    if (failure) {
        (void)err_rows_tell(failure, err);
        return err_detail(err, "SQLSTATE %.5s", state);
    }
    const char *text = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    (void)err_set(err, ERR_STORE, "The store's database failed.");
    return err_detail(err, "SQLSTATE %.5s: %.300s", state, str_or_empty(text));
}

/* A link that could not be made has no result: libpq's text is searched for what it means
 * and not shown, as it names hosts and users. */
bool store_postgres_unreachable(PGconn *link, struct err *err)
{
    static const struct err_row reasons[] = {
        {"authentication failed", ERR_STORE,
         "The store's database refused the user or the password.",
         "Check the user and the password in store.url."},
        {"no password supplied", ERR_STORE, "The store's database requires a password.",
         "Put it into store.url, or into a file for DRAGOMAN_STORE_URL_FILE."},
        {"does not exist", ERR_STORE,
         "The store's database, or its user, does not exist.",
         "Create it first (createdb), or check store.url."},
        {"too many", ERR_STORE, "The store's database has no connection left.",
         "Raise max_connections of the database; each dragoman takes up to seven."},
        {STORE_POSTGRES_NO_TLS, ERR_STORE,
         "The store's database offers no TLS, and the connection must be encrypted.",
         "Enable TLS on the server, or add sslmode=prefer to store.url to connect "
         "without it."},
        {"SSL", ERR_STORE, "The TLS handshake with the store's database failed.",
         "Check sslmode and the certificates in store.url, and those of the database."},
        {"invalid", ERR_STORE, "store.url is not understood.",
         "Write it as postgres://user@host:5432/database."},
        {"missing", ERR_STORE, "store.url is not understood.",
         "Write it as postgres://user@host:5432/database."},
        {NULL, ERR_COUNT, NULL, NULL},
    };
    const char *said = link ? PQerrorMessage(link) : "";
    const struct err_row *reason = err_rows_find(reasons, ERR_ROWS_PART, said);
    if (reason) {
        return err_rows_tell(reason, err);
    }
    (void)err_set(err, ERR_STORE, "The store's database cannot be reached.");
    return err_hint(err, "Check that it is running, and that store.url is right.");
}

bool store_postgres_run(PGconn *link, const char *sql, struct err *err)
{
    PGresult *result = PQexec(link, sql);
    ExecStatusType status = PQresultStatus(result);
    bool ok = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK ||
              store_postgres_fail(result, err);
    PQclear(result);
    return ok;
}
