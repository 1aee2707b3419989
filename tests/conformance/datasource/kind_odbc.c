/* ODBC for the suite: over the private PostgreSQL and MariaDB of the other kinds, and
 * over SQLite files. What differs from those kinds is here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "conformance.h"
#include "datasource/server/server_url.h"
#include "kinds.h"

/* The kind behind, of which the server is. */
static const struct kind *behind;
static struct kind_server server;
static struct kind made;

/* The URL of the kind behind as a connection string. */
static void string_of(const char *driver, const char *tail, const char *url, char *out,
                      size_t size)
{
    struct arena *arena = arena_new();
    struct server_url parts;
    assert_true(server_url_read(arena, url, &parts));
    const char *secret = "";
    for (size_t i = 0; i < parts.parameters.count; i++) {
        const struct server_parameter *one = &parts.parameters.items[i];
        if (str_starts(one->name, "password_")) {
            secret = arena_format(arena, "%s=%s;", one->name, one->value);
        }
    }
    (void)snprintf(out, size, "odbc:Driver={%s};Server=%s;Port=%d;Database=%s;UID=%s;%s",
                   driver, parts.host, parts.port, parts.database, parts.user, secret);
    if (parts.password) {
        size_t used = strlen(out);
        (void)snprintf(out + used, size - used, "PWD={%s};", parts.password);
    }
    size_t used = strlen(out);
    (void)snprintf(out + used, size - used, "%s", tail);
    arena_free(arena);
}

/* The path that a parameter of the URL names. */
static const char *path_in(const char *url, const char *name, char out[200])
{
    const char *at = strstr(url, name);
    (void)snprintf(out, 200, "%s", at ? at + strlen(name) : "/nowhere");
    return out;
}

static void postgres_url(enum kind_url form, const char *path, char *out, size_t size)
{
    char url[400];
    char root[200];
    char tail[300] = "";
    behind->server->url(form, path, url, sizeof url);
    if (form == KIND_URL_ENCRYPTED || form == KIND_URL_UNTRUSTED) {
        (void)snprintf(tail, sizeof tail, "SSLmode=verify-full;pqopt={sslrootcert=%s};",
                       path_in(url, "sslrootcert=", root));
    }
    string_of("PostgreSQL Unicode", tail, url, out, size);
}

static void mysql_url(enum kind_url form, const char *path, char *out, size_t size)
{
    char url[400];
    char root[200];
    char tail[300] = "";
    behind->server->url(form, path, url, sizeof url);
    if (form == KIND_URL_ENCRYPTED || form == KIND_URL_UNTRUSTED) {
        (void)snprintf(tail, sizeof tail, "SSLCA=%s;SSLVERIFY=1;FORCETLS=1;",
                       path_in(url, "ssl-ca=", root));
    }
    string_of("MariaDB Unicode", tail, url, out, size);
}

static void sqlite_url(const char *path, char *out, size_t size)
{
    (void)snprintf(out, size, "odbc:Driver={SQLite3};Database=%s", path);
}

#define ENDLESS "WITH RECURSIVE n AS (SELECT 1 AS x UNION ALL SELECT 1 - x FROM n)"

static const struct typed postgres_values[] = {
    {"42", VALUE_INT, "42"},
    {"CAST(-32768 AS smallint)", VALUE_INT, "-32768"},
    {"CAST(-9223372036854775808 AS bigint)", VALUE_INT, "-9223372036854775808"},
    {"CAST(1.5 AS numeric(4, 2))", VALUE_NUMBER, "1.50"},
    {"CAST(12345678901234567890.1234567890 AS numeric(30, 10))", VALUE_NUMBER,
     "12345678901234567890.1234567890"},
    {"CAST(0.1 AS double precision)", VALUE_REAL, "0.1"},
    {"true", VALUE_BOOL, "true"},
    {"NULL", VALUE_NULL, ""},
    {"''", VALUE_TEXT, ""},
    {"'Gr\xC3\xBC\xC3\x9F dich \xF0\x9F\x98\x80'", VALUE_TEXT,
     "Gr\xC3\xBC\xC3\x9F dich \xF0\x9F\x98\x80"},
    {"CAST('\\x00ff10' AS bytea)", VALUE_BLOB, "x'00ff10'"},
    {"DATE '2024-02-29'", VALUE_TEXT, "2024-02-29"},
    {"TIMESTAMP '2024-01-31 23:59:59.123456'", VALUE_TEXT, "2024-01-31 23:59:59.123456"},
    {"CAST('{\"a\": 1}' AS json)", VALUE_TEXT, "{\"a\": 1}"},
    {"CAST('550e8400-e29b-41d4-a716-446655440000' AS uuid)", VALUE_TEXT,
     "550e8400-e29b-41d4-a716-446655440000"},
    {NULL, VALUE_NULL, NULL},
};

static const struct typed mysql_values[] = {
    {"42", VALUE_INT, "42"},
    {"CAST(-9223372036854775808 AS SIGNED)", VALUE_INT, "-9223372036854775808"},
    {"CAST(1.5 AS DECIMAL(4, 2))", VALUE_NUMBER, "1.50"},
    {"12345678901234567890.123456789012345678901234567890", VALUE_NUMBER,
     "12345678901234567890.123456789012345678901234567890"},
    {"0.1e0", VALUE_REAL, "0.1"},
    {"NULL", VALUE_NULL, ""},
    {"''", VALUE_TEXT, ""},
    {"'Gr\xC3\xBC\xC3\x9F dich \xF0\x9F\x98\x80'", VALUE_TEXT,
     "Gr\xC3\xBC\xC3\x9F dich \xF0\x9F\x98\x80"},
    {"x'00ff10'", VALUE_BLOB, "x'00ff10'"},
    {"DATE '2024-02-29'", VALUE_TEXT, "2024-02-29"},
    {"TIMESTAMP '2024-01-31 23:59:59'", VALUE_TEXT, "2024-01-31 23:59:59"},
    {NULL, VALUE_NULL, NULL},
};

static const struct typed sqlite_values[] = {
    {"42", VALUE_INT, "42"},
    {"9223372036854775807", VALUE_INT, "9223372036854775807"},
    {"0.5", VALUE_REAL, "0.5"},
    {"''", VALUE_TEXT, ""},
    {"'Gr\xC3\xBC\xC3\x9F dich \xF0\x9F\x98\x80'", VALUE_TEXT,
     "Gr\xC3\xBC\xC3\x9F dich \xF0\x9F\x98\x80"},
    {NULL, VALUE_NULL, NULL},
};

/* What the catalog functions show; a view's text is not among it. */
static const char *const postgres_changes[] = {
    "CREATE TABLE more (a INTEGER)",
    "ALTER TABLE more ADD COLUMN b VARCHAR",
    "ALTER TABLE more RENAME COLUMN b TO c",
    "ALTER TABLE more ALTER COLUMN c TYPE INTEGER USING 1",
    "ALTER TABLE more ALTER COLUMN c SET NOT NULL",
    "ALTER TABLE more ALTER COLUMN c SET DEFAULT 5",
    "ALTER TABLE more DROP COLUMN c",
    "ALTER TABLE more ADD PRIMARY KEY (a)",
    "ALTER TABLE more ADD FOREIGN KEY (a) REFERENCES item (id)",
    "ALTER TABLE more RENAME TO less",
    "DROP TABLE less",
    "CREATE VIEW seen AS SELECT id FROM item",
    "DROP VIEW seen; CREATE VIEW seen AS SELECT name FROM item",
    "CREATE INDEX by_name ON item (name)",
    "CREATE SCHEMA s; CREATE TABLE s.item (id INTEGER)",
    NULL,
};

static const char *const mysql_changes[] = {
    "CREATE TABLE more (a INTEGER)",
    "ALTER TABLE more ADD COLUMN b VARCHAR(20)",
    "ALTER TABLE more RENAME COLUMN b TO c",
    "ALTER TABLE more MODIFY c INTEGER",
    "ALTER TABLE more MODIFY c INTEGER NOT NULL",
    "ALTER TABLE more DROP COLUMN c",
    "ALTER TABLE more ADD PRIMARY KEY (a)",
    "ALTER TABLE more ADD CONSTRAINT k FOREIGN KEY (a) REFERENCES item (id)",
    "ALTER TABLE more RENAME TO less",
    "DROP TABLE less",
    "CREATE VIEW seen AS SELECT id FROM item",
    "CREATE OR REPLACE VIEW seen AS SELECT name FROM item",
    "CREATE INDEX by_name ON item (name)",
    "ALTER TABLE item COMMENT 'what we sell'",
    NULL,
};

static const char *const sqlite_changes[] = {
    "CREATE TABLE more (a INTEGER)",
    "ALTER TABLE more ADD COLUMN b VARCHAR",
    "ALTER TABLE more RENAME COLUMN b TO c",
    "ALTER TABLE more RENAME TO less",
    "DROP TABLE less",
    "CREATE VIEW seen AS SELECT id FROM item",
    "CREATE INDEX by_name ON item (name)",
    NULL,
};

static const struct kind *
over_server(const struct kind *kind_behind,
            void (*url)(enum kind_url, const char *, char *, size_t),
            const struct typed *values, const char *const *changes)
{
    behind = kind_behind;
    made = *kind_behind;
    server = *kind_behind->server;
    server.url = url;
    server.line = KIND_LINE_NONE; /* its driver agrees on encryption */
    made.name = "odbc";
    made.server = &server;
    made.values = values;
    made.changes = changes;
    made.copy = NULL;
    made.writes = false;
    made.leftovers = NULL; /* the guard is part of the driver: nothing gets past it */
    made.speaks = kind_behind->name;
    made.more = suite_odbc;
    made.endless = ENDLESS " SELECT COUNT(*) FROM n";
    return &made;
}

/* Is the driver installed? */
static bool driver_there(const char *name)
{
    FILE *file = fopen("/etc/odbcinst.ini", "r");
    char line[200];
    char wanted[100];
    bool there = false;
    (void)snprintf(wanted, sizeof wanted, "[%s]", name);
    while (file && fgets(line, sizeof line, file)) {
        there = there || str_starts(line, wanted);
    }
    if (file) {
        (void)fclose(file);
    }
    return there;
}

const struct kind *kind_odbc_find(const char *name)
{
    if (strcmp(name, "odbc-postgres") == 0 && driver_there("PostgreSQL Unicode")) {
        const struct kind *over =
            over_server(&kind_postgres, postgres_url, postgres_values, postgres_changes);
        made.comments = false; /* its driver tells none */
        /* it takes the ? of operators for parameters, and a ; in a comment for an end */
        made.honest_most = 4;
        made.many = ENDLESS " SELECT x, 'abcdefghijklmnopqrstuvwxyz' FROM n";
        return over;
    }
    if (strcmp(name, "odbc-mysql") == 0 && driver_there("MariaDB Unicode")) {
        const struct kind *over =
            over_server(&kind_mysql, mysql_url, mysql_values, mysql_changes);
        made.namespaces = false;
        /* MariaDB 10.11.18 itself ends with a segmentation fault now and then when eight
         * connections ask as its ODBC driver does; by its own protocol it does not. */
        made.crowd_breaks = true;
        made.endless = kind_mysql.endless; /* recursion ends after 1,000 rounds there */
        made.many = "SELECT seq, 'abcdefghijklmnopqrstuvwxyz' FROM seq_1_to_100000000";
        return over;
    }
    if (strcmp(name, "odbc-sqlite") == 0 && driver_there("SQLite3")) {
        made = kind_sqlite;
        made.name = "odbc";
        made.url = sqlite_url;
        made.values = sqlite_values;
        made.changes = sqlite_changes;
        made.writes = false;
        made.copy = NULL;
        made.speaks = kind_sqlite.name;
        made.honest_most =
            1; /* its driver takes a ; in a comment for another statement */
        made.more = suite_odbc;
        made.endless = ENDLESS " SELECT COUNT(*) FROM n";
        return &made;
    }
    return NULL;
}
