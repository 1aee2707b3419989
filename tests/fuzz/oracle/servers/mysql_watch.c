/* Looks whether the world of a MariaDB server is as it was. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "mysql_judge.h"
#include "watched.h"

#define ALL          " UNION ALL "
#define COUNT(table) "SELECT '" table "', count(*) FROM " table
#define SUM(table, columns)                                                              \
    "SELECT '" table "', md5(group_concat(concat_ws(',', " columns ") SEPARATOR ';'))"   \
    " FROM " table
/* Each row is the name of a part and what it is now. The counts of commands tell that
 * nothing but queries was run since. */
static const char world_sql[] = COUNT("information_schema.tables")
    ALL COUNT("information_schema.routines") ALL COUNT("information_schema.triggers")
        ALL COUNT("information_schema.events") ALL COUNT("information_schema.schemata")
            ALL COUNT("information_schema.plugins") ALL COUNT("mysql.global_priv")
                ALL COUNT("mysql.tables_priv")
                    ALL SUM("customers", "id, name, city, email")
                        ALL SUM("orders", "id, customer_id, status, total")
                            ALL SUM("items", "id, n, t, d, j")
                                ALL SUM("vault", "id, secret") ALL
    "SELECT 'sequence', next_not_cached_value FROM counter" ALL
    "SELECT 'lock', is_used_lock('bystander')" ALL
    "SELECT 'commands', group_concat(concat(variable_name, variable_value) ORDER BY"
    " variable_name) FROM information_schema.global_status WHERE variable_name LIKE "
    "'COM\\_%'"
    " AND variable_value <> '0' AND variable_name NOT IN ('COM_SELECT', 'COM_ROLLBACK',"
    " 'COM_BEGIN', 'COM_SHOW_WARNINGS', 'COM_CHANGE_DB', 'COM_SET_OPTION')" ALL
    "SELECT 'variables', md5(group_concat(concat(variable_name, variable_value) ORDER BY"
    " variable_name)) FROM information_schema.global_variables WHERE variable_name NOT "
    "LIKE"
    " 'GTID%' AND variable_name NOT LIKE 'INNODB%'";
/* The same for the session in which the statements run. Its limit of time is for them. */
static const char session_sql[] =
    "SET STATEMENT max_statement_time = 60 FOR SELECT 'session variables', "
    "md5(group_concat(concat(variable_name, variable_value) "
    "ORDER"
    " BY variable_name)) FROM information_schema.session_variables WHERE variable_name "
    "NOT IN"
    " ('TIMESTAMP', 'IN_TRANSACTION', 'WARNING_COUNT', 'ERROR_COUNT', 'LAST_GTID',"
    " 'RAND_SEED1', 'RAND_SEED2')"
    " AND variable_name NOT LIKE 'GTID%' AND variable_name NOT LIKE 'INNODB%'" ALL
    "SELECT 'user variables', coalesce(group_concat(concat(variable_name, '=',"
    " variable_value) ORDER BY variable_name), '-') FROM "
    "information_schema.user_variables" ALL "SELECT 'locks', release_all_locks()" ALL
    "SELECT 'user', concat(user(), current_user(), database())";

static bool rows_look(MYSQL *handle, const char *sql, struct watched *watched,
                      char what[WHAT_SIZE])
{
    MYSQL_RES *rows = mysql_answer(handle, sql);
    if (!rows) {
        (void)snprintf(what, WHAT_SIZE, "the server cannot be asked: %.150s",
                       mysql_error(handle));
        return false;
    }
    for (MYSQL_ROW row; (row = mysql_fetch_row(rows));) {
        watched_look(watched, row[0], row[1] ? row[1] : "NULL", what);
    }
    mysql_free_result(rows);
    return true;
}

bool mysql_watch_unchanged(struct mysql_world *world, char what[WHAT_SIZE])
{
    static const struct watched_folder folders[] = {
        {"out", true}, {"data/shop", false}, {"data/mysql", false}, {"data", false}};
    static struct watched watched;
    what[0] = '\0';
    watched.count = 0;
    if (!rows_look(world->session, session_sql, &watched, what) ||
        !rows_look(world->watch, world_sql, &watched, what)) {
        return false;
    }
    watched_files(&watched, world->place.folder, folders, 4, what);
    return !what[0];
}
