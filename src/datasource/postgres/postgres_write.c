/*
 * One approved write to PostgreSQL, in a transaction that a preview rolls back. It has a
 * connection of its own, which is closed in any case: whatever goes wrong before the
 * commit, the server goes back to before.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "datasource/postgres/postgres_driver.h"

enum {
    SERVER_GRACE_MS = 1000,
    COMMIT_PATIENCE_MS = 30000, /* a stop must not make us guess how it ended */
};

/* One statement to its end. touched may be NULL. */
static bool step(struct postgres_session *session, const char *sql, int64_t *touched,
                 struct err *err)
{
    bool ok = true;
    if (!PQsendQueryParams(session->connection, sql, 0, NULL, NULL, NULL, NULL, 0)) {
        return postgres_lost(session, err);
    }
    for (;;) {
        PGresult *result = NULL;
        struct err ignored;
        if (!postgres_next(session, &result, ok ? err : &ignored)) {
            return false;
        }
        if (!result) {
            return ok;
        }
        ExecStatusType status = PQresultStatus(result);
        if (ok && status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
            ok = postgres_fail(session, result, "", sql, err);
        } else if (ok && touched) {
            *touched = strtoll(PQcmdTuples(result), NULL, 10);
        }
        PQclear(result);
    }
}

static bool postgres_write_begin(struct postgres_session *session, struct err *err)
{
    char sql[120];
    int64_t left_ms = limits_left_ms(session->base.limits, 3600000) + SERVER_GRACE_MS;
    (void)snprintf(sql, sizeof sql, "SET LOCAL statement_timeout = %lld",
                   (long long)left_ms);
    return step(session, "BEGIN READ WRITE", NULL, err) && step(session, sql, NULL, err);
}

static bool commit_now(struct postgres_session *session, struct err *err)
{
    const struct datasource_limits patient = {.deadline_ms =
                                                  clock_ms() + COMMIT_PATIENCE_MS};
    session->base.limits = &patient;
    bool ok = step(session, "COMMIT", NULL, err);
    session->base.limits = NULL;
    bool answered =
        ok || err->code == ERR_INVALID_SQL || err->code == ERR_DATABASE_LOCKED;
    return answered ? ok : writing_unsure(err);
}

bool postgres_write(struct datasource *source, const char *sql, int64_t approved,
                    const struct datasource_limits *limits, int64_t *touched,
                    struct err *err)
{
    *touched = 0;
    if (!writing_holds(DIALECT_POSTGRES, sql, err)) {
        return false;
    }
    struct postgres_session *session = postgres_connect(source->state, limits, err);
    if (!session) {
        return false;
    }
    /* what is checked at the end of a transaction is checked in a preview as well */
    bool ok = postgres_write_begin(session, err) && step(session, sql, touched, err) &&
              step(session, "SET CONSTRAINTS ALL IMMEDIATE", NULL, err);
    enum writing_end end = ok ? writing_ends(approved, *touched, err) : WRITING_DIFFERS;
    if (!ok) {
        postgres_cancel(session);
        *touched = 0;
    } else if (end == WRITING_COMMITS) {
        ok = commit_now(session, err);
        *touched = ok ? *touched : 0;
    }
    ok = ok && end != WRITING_DIFFERS;
    if (err->code == ERR_ACCESS && !ok) {
        (void)err_set(err, ERR_ACCESS, "The database role may not change this.");
    }
    postgres_disconnect(session);
    return ok;
}
