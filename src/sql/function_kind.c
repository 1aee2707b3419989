/*
 * Kinds of functions that are refused whatever the list of allowed ones says: those that
 * find SQL or the name of a table in a text, where neither the guard nor a policy can
 * look.
 */
#include "sql/function.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

static const struct kind {
    const char *why;
    const char *const *names; /* in lower case; ending in '*': a beginning */
} kinds[] = {
    {"it runs SQL hidden in a text", (const char *const[]){"ts_stat",
                                                           "ts_rewrite",
                                                           "query_to_xml*",
                                                           "query_to_json*",
                                                           "cursor_to_xml*",
                                                           "xpath_table",
                                                           "crosstab*",
                                                           "connectby*",
                                                           "dblink*",
                                                           "exec",
                                                           "execute",
                                                           "execute_immediate",
                                                           "eval",
                                                           "query",
                                                           "sp_execute*",
                                                           "sp_prepare*",
                                                           "sp_cursor*",
                                                           "openquery",
                                                           "openrowset",
                                                           "opendatasource",
                                                           "dbms_*",
                                                           "json_execute_serialized_sql",
                                                           "postgres_query",
                                                           "postgres_execute",
                                                           "mysql_query",
                                                           "mysql_execute",
                                                           "sqlite_query",
                                                           "odbc_query",
                                                           "external_query",
                                                           "system$*",
                                                           NULL}},
    {"it turns SQL into data that can be run, or back",
     (const char *const[]){"json_serialize_*", "json_deserialize_sql", NULL}},
    {"it reads a table named by a text",
     (const char *const[]){"table_to_xml*", "query_table", "joinget*", "dictget*",
                           "dictionary", "hascolumnintable", "identifier", NULL}},
    /* ClickHouse's functions behind IN: a name as their second argument is a table */
    {"it can read a table that FROM does not name: write IN",
     (const char *const[]){"notin", "nullin", "notnullin", "globalin", "globalnotin",
                           "globalnullin", "globalnotnullin", "inignoreset",
                           "notinignoreset", NULL}},
    {"it reads every table of a schema", (const char *const[]){"schema_to_xml*", NULL}},
    {"it reads every table of the database",
     (const char *const[]){"database_to_xml*", NULL}},
};

static bool matches(const char *pattern, const char *name)
{
    for (; *pattern; pattern++, name++) {
        if (*pattern == '*') {
            return true;
        }
        if (*pattern != tolower((unsigned char)*name)) {
            return false;
        }
    }
    return *name == '\0';
}

static bool in_list(const char *const *names, const char *name)
{
    for (; *names; names++) {
        if (matches(*names, name)) {
            return true;
        }
    }
    return false;
}

const char *function_kind(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (in_list(kinds[i].names, name)) {
            return kinds[i].why;
        }
    }
    return NULL;
}

bool function_is_no_column(const char *name)
{
    static const char *const others[] = {
        "pg_sleep*",     "pg_read_*",         "pg_ls_*",
        "pg_stat_file",  "pg_cancel_*",       "pg_terminate_*",
        "pg_advisory_*", "pg_try_advisory_*", "pg_reload_*",
        "pg_rotate_*",   "pg_switch_*",       "pg_notify",
        "lo_import",     "lo_export",         "lo_unlink",
        "set_config",    "current_setting",   NULL};
    return in_list(others, name) || (strchr(name, '_') && function_kind(name));
}
