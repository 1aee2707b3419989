/* The version of a store in PostgreSQL, in a table of its schema, and the way from one to
 * another. Several processes may start at once: one of them migrates, the others wait. */
#include <stdlib.h>

#include "base/arena.h"
#include "base/err.h"
#include "store/migrate.h"
#include "store/postgres/postgres_backend.h"

/* "dgm1", as in the header of a SQLite store */
static const char migration_lock[] = "SELECT pg_advisory_xact_lock(1684499761)";

static bool read_number(PGconn *link, const char *sql, int *out, struct err *err)
{
    PGresult *result = PQexec(link, sql);
    bool ok =
        PQresultStatus(result) == PGRES_TUPLES_OK || store_postgres_fail(result, err);
    *out = ok && PQntuples(result) ? (int)strtol(PQgetvalue(result, 0, 0), NULL, 10) : 0;
    PQclear(result);
    return ok;
}

bool store_postgres_version(PGconn *link, int *version, struct err *err)
{
    int there = 0;
    *version = 0;
    if (!read_number(link,
                     "SELECT (to_regclass('dragoman.store_version') IS NOT NULL)::int",
                     &there, err) ||
        (there && !read_number(link, "SELECT version FROM dragoman.store_version",
                               version, err))) {
        return false;
    }
    if (*version > store_migrate_latest()) {
        (void)err_set(err, ERR_STORE,
                      "The store was written by a newer dragoman (version %d; this one "
                      "knows up to %d).",
                      *version, store_migrate_latest());
        return err_hint(err, "Upgrade dragoman, or use another database in store.url.");
    }
    return true;
}

static bool set_version(PGconn *link, int version, struct err *err)
{
    struct arena *arena = arena_new();
    bool ok = store_postgres_run(
        link,
        arena_format(arena,
                     "CREATE TABLE IF NOT EXISTS store_version(version BIGINT NOT NULL);"
                     "DELETE FROM store_version;"
                     "INSERT INTO store_version VALUES(%d)",
                     version),
        err);
    arena_free(arena);
    return ok;
}

static bool step(PGconn *link, int version, bool up, struct err *err)
{
    struct arena *arena = arena_new();
    bool ok = store_postgres_run(
        link, store_migrate_text(arena, version, up, STORE_DIALECT_POSTGRES), err);
    arena_free(arena);
    return ok;
}

static bool migrate_locked(PGconn *link, int target, struct err *err)
{
    int version = 0; /* read again: another process may have been quicker */
    bool ok = store_postgres_run(link, "CREATE SCHEMA IF NOT EXISTS dragoman", err) &&
              store_postgres_version(link, &version, err);
    while (ok && version < target) {
        ok = step(link, version++, true, err);
    }
    while (ok && version > target) {
        ok = step(link, --version, false, err);
    }
    return ok && set_version(link, target, err);
}

bool store_postgres_migrate(PGconn *link, int target, struct err *err)
{
    if (!store_postgres_run(link, "BEGIN", err)) {
        return false;
    }
    if (store_postgres_run(link, migration_lock, err) &&
        migrate_locked(link, target, err) && store_postgres_run(link, "COMMIT", err)) {
        return true;
    }
    struct err ignored;
    (void)store_postgres_run(link, "ROLLBACK", &ignored);
    return false;
}
