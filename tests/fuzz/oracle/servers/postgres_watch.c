/* Looks whether the world of a PostgreSQL server is as it was. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/str.h"
#include "postgres_judge.h"
#include "watched.h"

/* Each row is the name of a part and what it is now. */
#define COUNT(catalog) "SELECT '" catalog "', count(*)::text FROM " catalog
#define ALL            " UNION ALL "
static const char world_sql[] = COUNT("pg_class") ALL COUNT("pg_proc") ALL COUNT(
    "pg_type") ALL COUNT("pg_namespace") ALL COUNT("pg_roles") ALL COUNT("pg_database")
    ALL COUNT("pg_trigger") ALL COUNT("pg_event_trigger") ALL COUNT("pg_extension")
        ALL COUNT("pg_prepared_xacts") ALL COUNT("pg_replication_slots")
            ALL COUNT("pg_replication_origin") ALL COUNT("pg_publication")
                ALL COUNT("pg_subscription") ALL COUNT("pg_foreign_server")
                    ALL COUNT("pg_largeobject_metadata") ALL COUNT("pg_statistic_ext")
                        ALL COUNT("pg_db_role_setting") ALL COUNT("pg_tablespace") ALL
    "SELECT 'largeobjects', md5(string_agg(data::text, '')) FROM pg_largeobject" ALL
    "SELECT 'customers', md5(string_agg(t::text, '' ORDER BY id)) FROM customers t" ALL
    "SELECT 'orders', md5(string_agg(t::text, '' ORDER BY id)) FROM orders t" ALL
    "SELECT 'items', md5(string_agg(t::text, '' ORDER BY id)) FROM items t" ALL
    "SELECT 'vault', md5(string_agg(t::text, '')) FROM vault t" ALL
    "SELECT 'sequences', string_agg(last_value::text, ',') FROM pg_sequences" ALL
    "SELECT 'bystanders', count(*)::text FROM pg_stat_activity WHERE application_name ="
    " 'bystander " CANARY "'" ALL "SELECT 'advisory locks', count(*)::text FROM pg_locks "
    "WHERE locktype = 'advisory'" ALL
    "SELECT 'settings', md5(string_agg(name || setting, ',' ORDER BY name)) FROM"
    " pg_settings" ALL "SELECT 'configuration', pg_conf_load_time()::text" ALL
    "SELECT 'server', pg_postmaster_start_time()::text" ALL
    /* every function that was really called and is not the server's own: those are in the
     * tree */
    "SELECT 'functions', coalesce(sum(calls), 0)::text FROM pg_stat_user_functions"
    " WHERE schemaname NOT IN ('pg_catalog', 'other')" ALL
    "SELECT 'sessions', count(*)::text FROM pg_stat_activity WHERE backend_type IN"
    " ('client backend', 'background worker', 'parallel worker', 'walsender')" ALL
    "SELECT 'statistics', coalesce(stats_reset::text, '-') FROM pg_stat_database WHERE"
    " datname = current_database()" ALL
    "SELECT 'replication', count(*)::text FROM pg_stat_replication" ALL
    "SELECT 'recovery', pg_is_in_recovery()::text";
/* Without allow_own_types, those that no statement names are not called either. */
static const char unnamed_sql[] =
    "SELECT 'unnamed functions', coalesce(sum(calls), 0)::text FROM"
    " pg_stat_user_functions WHERE schemaname = 'other'";
/* The same for the session in which the statements run. */
static const char session_sql[] =
    "SELECT 'session settings', md5(string_agg(name || setting, ',' ORDER BY name)) FROM"
    " pg_settings" ALL "SELECT 'prepared statements', count(*)::text FROM"
    " pg_prepared_statements WHERE name <> ''" ALL
    "SELECT 'cursors', count(*)::text FROM pg_cursors" ALL
    "SELECT 'channels', count(*)::text FROM pg_listening_channels()" ALL
    "SELECT 'role', session_user || current_user || pg_my_temp_schema()::text";

static bool rows_look(PGconn *connection, const char *sql, struct watched *watched,
                      char what[WHAT_SIZE])
{
    PGresult *result = postgres_answer(connection, sql);
    if (!result) {
        (void)snprintf(what, WHAT_SIZE, "the server cannot be asked: %.150s",
                       PQerrorMessage(connection));
        return false;
    }
    for (int i = 0; i < PQntuples(result); i++) {
        watched_look(watched, PQgetvalue(result, i, 0), PQgetvalue(result, i, 1), what);
    }
    PQclear(result);
    return true;
}

/* Sessions that are not ours write each of their statements to the server's log. */
static void log_look(const struct postgres_world *world, struct watched *watched,
                     char what[WHAT_SIZE])
{
    char path[200];
    char size[32];
    struct stat status = {0};
    (void)snprintf(path, sizeof path, "%s/log", world->place.folder);
    (void)stat(path, &status);
    (void)snprintf(size, sizeof size, "%lld bytes", (long long)status.st_size);
    watched_look(watched, "the server's log", size, what);
}

bool postgres_watch_unchanged(struct postgres_world *world, char what[WHAT_SIZE])
{
    static const struct watched_folder folders[] = {{"out", true},
                                                    {"data/pg_replslot", false},
                                                    {"data/pg_tblspc", false},
                                                    {"data", false}};
    static struct watched watched;
    what[0] = '\0';
    watched.count = 0;
    PQclear(postgres_answer(world->session, "SELECT pg_stat_force_next_flush()"));
    if (!rows_look(world->session, session_sql, &watched, what) ||
        !rows_look(world->watch, world_sql, &watched, what) ||
        (!world->own_types && !rows_look(world->watch, unnamed_sql, &watched, what))) {
        return false;
    }
    log_look(world, &watched, what);
    watched_files(&watched, world->place.folder, folders, 4, what);
    return !what[0];
}
