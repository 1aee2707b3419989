/* What is known of the databases behind ODBC: how a session is made to read only, and how
 * they name what is not there. */
#include "base/str.h"
#include "datasource/odbc/odbc_driver.h"

/* Only the home schema: what others on the path hold is named with its schema. */
static const char postgres_path[] =
    "SELECT pg_catalog.set_config('search_path', pg_catalog.concat_ws(', ',"
    " pg_catalog.quote_ident(pg_catalog.current_schema()), 'pg_temp'), false)";

static const char *const postgres_settings[] = {
    "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY",
    "SET standard_conforming_strings = on",
    "SET datestyle = 'ISO, YMD'",
    "SET statement_timeout = '15min'",
    "SET lock_timeout = '10s'",
    postgres_path,
    NULL,
};
static const char *const postgres_schemas[] = {"information_schema", "pg_catalog",
                                               "pg_toast", NULL};

static const char *const mysql_settings[] = {
    "SET SESSION sql_mode = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,"
    "NO_ENGINE_SUBSTITUTION', div_precision_increment = 8, time_zone = '+00:00'",
    "SET SESSION TRANSACTION READ ONLY",
    NULL,
};
static const char *const mysql_schemas[] = {"information_schema", "mysql",
                                            "performance_schema", "sys", NULL};

static const char *const sqlite_settings[] = {"PRAGMA query_only = 1", NULL};
static const char *const no_texts[] = {NULL};

#define SERVER_ROLE(role, line)                                                          \
    "CASE WHEN IS_SRVROLEMEMBER('" role "') = 1 THEN '" line ":' + CHAR(10) ELSE '' END"
#define SQLSERVER_ROLES                                                                  \
    SERVER_ROLE("sysadmin", "superuser")                                                 \
    " + " SERVER_ROLE("serveradmin", "serveradmin") " + " SERVER_ROLE(                   \
        "securityadmin", "securityadmin") " + " SERVER_ROLE("bulkadmin", "bulkadmin")

static const struct odbc_product products[] = {
    {.name = "PostgreSQL",
     .dialect = DIALECT_POSTGRES,
     .settings = postgres_settings,
     .home = "SELECT CAST(current_schema() AS varchar(120))",
     .own_first = "SET LOCAL search_path = pg_catalog",
     .schemas = postgres_schemas,
     .column_missing = "column ",
     .table_missing = "relation ",
     .function_missing = "function ",
     .rights = "SELECT CAST(" SERVER_RIGHTS_POSTGRES " AS varchar(8000))",
     .encryption = "SELECT CAST(version AS varchar(20)) FROM pg_stat_ssl WHERE pid ="
                   " pg_backend_pid() AND ssl",
     .places = "SELECT CAST(" SERVER_PLACES_POSTGRES " AS varchar(8000))",
     .reads = true,
     .reader = SERVER_READER_POSTGRES,
     .cuts_cells = true},
    {.name = "MariaDB",
     .dialect = DIALECT_MYSQL,
     .settings = mysql_settings,
     .home = "SELECT DATABASE()",
     .schemas = mysql_schemas,
     .column_missing = "Unknown column ",
     .table_missing = "Table ",
     .function_missing = "FUNCTION ",
     .rights = "SHOW GRANTS",
     .encryption = "SHOW SESSION STATUS LIKE 'Ssl_version'",
     .grants = true,
     .sets_roles = true,
     .reads = true,
     .reader = SERVER_READER_MYSQL,
     .limits_rows = true,
     .cuts_cells = true,
     .catalogs = true},
    {.name = "MySQL",
     .dialect = DIALECT_MYSQL,
     .settings = mysql_settings,
     .home = "SELECT DATABASE()",
     .schemas = mysql_schemas,
     .column_missing = "Unknown column ",
     .table_missing = "Table ",
     .function_missing = "FUNCTION ",
     .rights = "SHOW GRANTS",
     .encryption = "SHOW SESSION STATUS LIKE 'Ssl_version'",
     .grants = true,
     .reads = true,
     .reader = SERVER_READER_MYSQL,
     .limits_rows = true,
     .cuts_cells = true,
     .catalogs = true},
    {.name = "SQLite",
     .dialect = DIALECT_SQLITE,
     .settings = sqlite_settings,
     .schemas = no_texts,
     .own_tables = "sqlite_",
     .column_missing = "no such column: ",
     .table_missing = "no such table: ",
     .function_missing = "no such function: ",
     .own_types = true},
    {.name = "Microsoft SQL Server",
     .dialect = DIALECT_ODBC,
     .settings = no_texts,
     .schemas = postgres_schemas,
     .rights = "SELECT " SQLSERVER_ROLES,
     .reads = true,
     .reader = SERVER_READER_SQLSERVER},
};

/* Whatever else: the common ground of SQL, and autocommit off with a rollback after. */
static const struct odbc_product unknown = {.name = "",
                                            .dialect = DIALECT_ODBC,
                                            .settings = no_texts,
                                            .schemas = postgres_schemas};

const struct odbc_product *odbc_product_find(const char *name)
{
    for (size_t i = 0; i < sizeof products / sizeof *products; i++) {
        if (str_starts_nocase(name, products[i].name)) {
            return &products[i];
        }
    }
    return &unknown;
}

bool odbc_product_hides(const struct odbc_product *product, const char *schema)
{
    for (const char *const *at = product->schemas; schema && *at; at++) {
        if (str_equal_nocase(schema, *at)) {
            return true;
        }
    }
    return false;
}
