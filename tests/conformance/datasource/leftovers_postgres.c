/* What a statement could leave in a session of PostgreSQL, for the suite. */
#include "conformance.h"

/* Functions of the database may do what our own statements may not. */
#define LEAVING(name, does)                                                              \
    "CREATE FUNCTION leave_" name "() RETURNS int LANGUAGE plpgsql AS $$ BEGIN EXECUTE " \
    "$_$" does "$_$; RETURN 1; END $$;"

const char leftovers_postgres_script[] =
    "CREATE TABLE item (id INTEGER); INSERT INTO item VALUES (1);"
    /* clang-format off */
    LEAVING("prepared", "PREPARE left_behind AS SELECT 1")
    LEAVING("listening", "LISTEN left_behind")
    LEAVING("role", "SET ROLE pg_monitor")
    LEAVING("temporary", "CREATE TEMP TABLE left_behind (a INTEGER)")
    LEAVING("cursor", "DECLARE left_behind CURSOR WITH HOLD FOR SELECT 1")
    /* clang-format on */
    "GRANT pg_monitor TO "
    "reader";

#define SETTING(name, value, kept)                                                       \
    {                                                                                    \
        .what = "the setting " name,                                                     \
        .leave = "SELECT pg_catalog.set_config('" name "', '" value "', false)",         \
        .during = "SELECT pg_catalog.set_config('" name "', '" value "', false)",        \
        .probe = "SELECT pg_catalog.current_setting('" name "', true)", .clean = (kept)  \
    }

const struct leftover leftovers_postgres[] = {
    SETTING("search_path", "pg_temp, public", "pg_catalog, public, pg_temp"),
    SETTING("datestyle", "SQL, DMY", "ISO, YMD"),
    SETTING("lock_timeout", "0", "10s"),
    SETTING("default_transaction_read_only", "off", "on"),
    SETTING("work_mem", "77MB", "4MB"),
    SETTING("standard_conforming_strings", "off", "on"),
    {.what = "a lock",
     .leave = "SELECT pg_advisory_lock(7)",
     .during = "SELECT count(*) FROM (SELECT pg_advisory_lock(7) OFFSET 0) a, pg_locks"
               " WHERE locktype = 'advisory'",
     .probe = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'",
     .clean = "0"},
    {.what = "a prepared statement",
     .leave = "SELECT leave_prepared()",
     .during = "SELECT count(*) FROM (SELECT leave_prepared() OFFSET 0) a,"
               " LATERAL (SELECT a.*, p.name FROM pg_prepared_statement() p) b",
     .probe = "SELECT count(*) FROM pg_prepared_statement() WHERE name = 'left_behind'",
     .clean = "0"},
    {.what = "a channel",
     .leave = "SELECT leave_listening()",
     .probe = "SELECT count(*) FROM pg_listening_channels()",
     .clean = "0"},
    {.what = "a role",
     .leave = "SELECT leave_role()",
     .probe = "SELECT current_user",
     .clean = "reader"},
    {.what = "a temporary table",
     .leave = "SELECT leave_temporary()",
     .refused = true, /* the transaction only reads */
     .probe = "SELECT count(*) FROM left_behind"},
    {.what = "a cursor",
     .leave = "SELECT leave_cursor()",
     .probe = "SELECT count(*) FROM pg_cursor() WHERE name = 'left_behind'",
     .clean = "0"},
    {.what = NULL},
};
