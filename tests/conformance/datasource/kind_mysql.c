/* MariaDB for the suite: a private server, and a database of its own for each test. */
#include <mysql.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/str.h"
#include "conformance.h"
#include "kinds.h"

#define READER "reader"
#define SECRET "p@ss/w:rd"

static char folder[64];
static int port;

static int control(const char *what)
{
    char command[700];
    (void)snprintf(command, sizeof command, "cd / && %s %s %s %d %ld",
                   DRAGOMAN_MYSQL_SERVER, what, folder, port, (long)getpid());
    int status = system(command); /* NOLINT(cert-env33-c) */
    return status < 0 ? -1 : status >> 8;
}

/* As the owner of everything, by the socket. */
static MYSQL *connect_as_owner(const char *database)
{
    char path[100];
    (void)snprintf(path, sizeof path, "%s/sock", folder);
    MYSQL *handle = mysql_init(NULL);
    (void)mysql_options(handle, MYSQL_SET_CHARSET_NAME, "utf8mb4");
    if (!mysql_real_connect(handle, NULL, "root", NULL, database, 0, path,
                            CLIENT_MULTI_STATEMENTS)) {
        mysql_close(handle);
        return NULL;
    }
    return handle;
}

/* Every statement; the last number of the last result, or -1. */
static long run(MYSQL *handle, const char *sql)
{
    long number = 0;
    if (!handle || mysql_query(handle, sql) != 0) {
        return -1;
    }
    for (int more = 0; more == 0; more = mysql_next_result(handle)) {
        MYSQL_RES *result = mysql_store_result(handle);
        MYSQL_ROW row = result ? mysql_fetch_row(result) : NULL;
        number = row && row[0] ? strtol(row[0], NULL, 10) : 0;
        mysql_free_result(result);
    }
    return mysql_errno(handle) ? -1 : number;
}

static long run_once(const char *sql)
{
    MYSQL *handle = connect_as_owner(NULL);
    long number = run(handle, sql);
    if (number < 0) {
        (void)fprintf(stderr, "%s\n", handle ? mysql_error(handle) : "no server");
    }
    if (handle) {
        mysql_close(handle);
    }
    return number;
}

long kind_mysql_number(const char *sql)
{
    return run_once(sql);
}

/* Rights by pattern: on every test's database and on the few others that tests make. */
#define RIGHTS "GRANT SELECT, SHOW VIEW, EXECUTE ON "
static const char rights[] =
    "CREATE USER " READER "@'127.0.0.1' IDENTIFIED BY '" SECRET "';" RIGHTS
    "`dragoman-%`.* TO " READER "@'127.0.0.1';" RIGHTS "`sales`.* TO " READER
    "@'127.0.0.1';" RIGHTS "`s`.* TO " READER "@'127.0.0.1';" RIGHTS "`crm`.* TO " READER
    "@'127.0.0.1'";

static int start(void)
{
    enum { TRIES = 4, STRIDE = 1777 };
    (void)snprintf(folder, sizeof folder, "/tmp/dragoman-mysql-XXXXXX");
    if (!mkdtemp(folder)) {
        return 1;
    }
    port = 20500 + (int)(getpid() % 10000);
    int status = control("start");
    if (status == 77) {
        (void)rmdir(folder);
        return status;
    }
    for (int i = 1; status != 0 && i < TRIES; i++) { /* somebody else has the port */
        port += STRIDE;
        status = control("up");
    }
    if (status != 0 || run_once(rights) < 0) {
        (void)control("stop");
        return 1;
    }
    return 0;
}

static void stop(void)
{
    (void)control("stop");
    mysql_library_end();
}

static void down(void)
{
    assert_int_equal(control("down"), 0);
}

static void up(void)
{
    assert_int_equal(control("up"), 0);
}

static void up_plain(void)
{
    assert_int_equal(control("plain"), 0);
}

static int port_get(void)
{
    return port;
}

/* /tmp/dragoman-Ab12cd/shop -> dragoman-Ab12cd */
static const char *database_of(const char *path)
{
    static char name[64];
    const char *from = strchr(path + 1, '/');
    from = from ? from + 1 : path;
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(from, "/"), from);
    return name;
}

/* Names in backticks, texts with lengths, comments and keys as MariaDB writes them. */
static const char *translate(struct arena *arena, const char *sql)
{
    static const char *const words[][2] = {
        {"COMMENT ON TABLE item IS", "ALTER TABLE item COMMENT"},
        {"COMMENT ON COLUMN item.name IS",
         "ALTER TABLE item MODIFY name VARCHAR COMMENT"},
        {"REFERENCES customer)", "REFERENCES customer (number))"},
        {"ANALYZE;", "ANALYZE TABLE item;"},
        {"; ANALYZE", "; ANALYZE TABLE item"},
    };
    const char *text = arena_text(arena, sql);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *found = strstr(text, words[i][0]);
        if (found && !strstr(text, "ANALYZE TABLE")) {
            text = arena_format(arena, "%.*s%s%s", (int)(found - text), text, words[i][1],
                                found + strlen(words[i][0]));
        }
    }
    struct buf out;
    bool quoted = false;
    buf_init(&out, 64 << 20);
    for (const char *at = text; *at; at++) {
        if (*at == '\'' && !quoted) { /* a text, with all that is in it */
            size_t size = strcspn(at + 1, "'") + 2;
            (void)buf_add(&out, at, size);
            at += size - 1;
        } else if (*at == '"' && quoted && at[1] == '"') {
            (void)buf_char(&out, *at++);
        } else if (*at == '"') {
            quoted = !quoted;
            (void)buf_char(&out, '`');
        } else if (str_starts(at, "VARCHAR") && at[7] != '(') {
            (void)buf_text(&out, "VARCHAR(255)");
            at += 6;
        } else {
            (void)buf_char(&out, *at);
        }
    }
    text = buf_clone(&out, arena);
    buf_release(&out);
    return text;
}

static void script(const char *path, const char *sql)
{
    const char *database = database_of(path);
    MYSQL *handle = connect_as_owner(database);
    struct arena *arena = arena_new();
    if (!handle) {
        char create[128];
        (void)snprintf(create, sizeof create, "CREATE DATABASE `%s`", database);
        assert_true(run_once(create) >= 0);
        handle = connect_as_owner(database);
    }
    assert_non_null(handle);
    if (run(handle, translate(arena, sql)) < 0) {
        fail_msg("the script failed: %s", mysql_error(handle));
    }
    mysql_close(handle);
    arena_free(arena);
}

static void drop(const char *path)
{
    char sql[500];
    const char *database = database_of(path);
    (void)snprintf(sql, sizeof sql,
                   "DROP DATABASE IF EXISTS `%s`; DROP DATABASE IF EXISTS sales;"
                   "DROP DATABASE IF EXISTS s; DROP DATABASE IF EXISTS crm;"
                   /* rights outlive what they are for, and the doctor tells of them */
                   "DELETE FROM mysql.tables_priv WHERE Db = '%s'; FLUSH PRIVILEGES",
                   database, database);
    (void)run_once(sql);
}

static void url(const char *path, const char *extra, char *out, size_t size)
{
    (void)snprintf(out, size, "mysql://" READER ":p%%40ss%%2Fw%%3Ard@127.0.0.1:%d/%s%s%s",
                   port, database_of(path), extra ? "?" : "", extra ? extra : "");
}

static void url_of(enum kind_url form, const char *path, char *out, size_t size)
{
    char more[200];
    switch (form) {
    case KIND_URL_GOOD:
        url(path, NULL, out, size);
        break;
    case KIND_URL_WRONG_PASSWORD:
        (void)snprintf(out, size, "mysql://" READER ":hunter2@127.0.0.1:%d/%s", port,
                       database_of(path));
        break;
    case KIND_URL_WRONG_HOST: /* nobody listens there */
        (void)snprintf(out, size, "mariadb://" READER ":hunter2@127.0.0.1:1/%s",
                       database_of(path));
        break;
    case KIND_URL_SECRET_IN_VARIABLE:
        assert_int_equal(setenv("DRAGOMAN_TEST_SECRET", SECRET, 1), 0);
        (void)snprintf(out, size,
                       "mariadb://" READER "@127.0.0.1:%d/%s?password_env="
                       "DRAGOMAN_TEST_SECRET",
                       port, database_of(path));
        break;
    case KIND_URL_SECRET_IN_FILE:
        (void)snprintf(more, sizeof more, "%s.secret", path);
        FILE *file = fopen(more, "w");
        assert_non_null(file);
        (void)fputs(SECRET "\n", file);
        assert_int_equal(fclose(file), 0);
        (void)snprintf(out, size, "mysql://" READER "@127.0.0.1:%d/%s?password_file=%s",
                       port, database_of(path), more);
        break;
    case KIND_URL_ENCRYPTED:
        (void)snprintf(more, sizeof more, "ssl-mode=VERIFY_IDENTITY&ssl-ca=%s/root.crt",
                       folder);
        url(path, more, out, size);
        break;
    case KIND_URL_UNTRUSTED:
        url(path, "ssl_mode=verify_identity", out, size);
        break;
    }
}

/* Queries of dragoman that the server is working on at this moment. */
static long running(const char *path)
{
    char sql[300];
    (void)snprintf(sql, sizeof sql,
                   "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE DB = '%s'"
                   " AND USER = '" READER "' AND COMMAND <> 'Sleep'",
                   database_of(path));
    return run_once(sql);
}

static void terminate(const char *path)
{
    char sql[300];
    (void)path;
    (void)snprintf(sql, sizeof sql, "KILL HARD USER " READER "@'127.0.0.1'");
    assert_true(run_once(sql) >= 0);
}

void kind_mysql_freeze(bool frozen)
{
    char path[100];
    long process = 0;
    (void)snprintf(path, sizeof path, "%s/pid", folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char line[32] = "";
    assert_non_null(fgets(line, sizeof line, file));
    (void)fclose(file);
    process = strtol(line, NULL, 10);
    assert_true(process > 1);
    assert_int_equal(kill((pid_t)process, frozen ? SIGSTOP : SIGCONT), 0);
}

static const struct typed values[] = {
    {"42", VALUE_INT, "42"},
    {"CAST(-9223372036854775808 AS SIGNED)", VALUE_INT, "-9223372036854775808"},
    {"9223372036854775807", VALUE_INT, "9223372036854775807"},
    {"18446744073709551615", VALUE_NUMBER, "18446744073709551615"},
    {"CAST(7 AS UNSIGNED)", VALUE_INT, "7"},
    {"CAST(1.5 AS DECIMAL(4, 2))", VALUE_NUMBER, "1.50"},
    {"-0.05", VALUE_NUMBER, "-0.05"},
    {"12345678901234567890.123456789012345678901234567890", VALUE_NUMBER,
     "12345678901234567890.123456789012345678901234567890"},
    {"CAST(12 AS DECIMAL(4, 0))", VALUE_INT, "12"},
    {"1e0 / 3", VALUE_REAL, "0.3333333333333333"},
    {"0.1e0", VALUE_REAL, "0.1"},
    {"NULL", VALUE_NULL, ""},
    {"''", VALUE_TEXT, ""},
    {"'NULL'", VALUE_TEXT, "NULL"},
    {"'Gr\xC3\xBC\xC3\x9F dich \xF0\x9F\x98\x80'", VALUE_TEXT,
     "Gr\xC3\xBC\xC3\x9F dich \xF0\x9F\x98\x80"},
    {"x'00ff10'", VALUE_BLOB, "x'00ff10'"},
    {"CAST('' AS BINARY)", VALUE_BLOB, "x''"},
    {"DATE '2024-02-29'", VALUE_TEXT, "2024-02-29"},
    {"TIME '10:20:30.5'", VALUE_TEXT, "10:20:30.5"},
    {"TIME '-838:59:59'", VALUE_TEXT, "-838:59:59"},
    {"TIMESTAMP '2024-01-31 23:59:59.123456'", VALUE_TEXT, "2024-01-31 23:59:59.123456"},
    {"FROM_UNIXTIME(0)", VALUE_TEXT,
     "1970-01-01 00:00:00"}, /* though it sits in +05:00 */
    {"JSON_OBJECT('a', 1)", VALUE_JSON, "{\"a\": 1}"},
    {"JSON_ARRAY(1, NULL, 'x')", VALUE_JSON, "[1, null, \"x\"]"},
    {"(SELECT SUM(x) FROM (SELECT 1 AS x UNION ALL SELECT 2) AS t)", VALUE_INT, "3"},
    {"COUNT(*)", VALUE_INT, "1"},
    {NULL, VALUE_NULL, NULL},
};

static const char *const changes[] = {
    "CREATE TABLE more (a INTEGER)",
    "ALTER TABLE more ADD COLUMN b VARCHAR(20)",
    "ALTER TABLE more RENAME COLUMN b TO c",
    "ALTER TABLE more MODIFY c VARCHAR(30)",
    "ALTER TABLE more MODIFY c INTEGER",
    "ALTER TABLE more MODIFY c INTEGER NOT NULL",
    "ALTER TABLE more ALTER COLUMN c SET DEFAULT 5",
    "ALTER TABLE more ALTER COLUMN c SET DEFAULT 6",
    "ALTER TABLE more MODIFY c INTEGER AFTER a",
    "ALTER TABLE more DROP COLUMN c",
    "ALTER TABLE more ADD PRIMARY KEY (a)",
    "ALTER TABLE more DROP PRIMARY KEY",
    "ALTER TABLE more ADD CONSTRAINT k FOREIGN KEY (a) REFERENCES item (id)",
    "ALTER TABLE more DROP FOREIGN KEY k",
    "ALTER TABLE more RENAME TO less",
    "DROP TABLE less",
    "CREATE VIEW seen AS SELECT id FROM item",
    "CREATE OR REPLACE VIEW seen AS SELECT id FROM item WHERE id > 1",
    "CREATE OR REPLACE VIEW seen AS SELECT name FROM item",
    "CREATE INDEX by_name ON item (name)",
    "ALTER TABLE item COMMENT 'what we sell'",
    "ALTER TABLE item MODIFY name VARCHAR(255) COMMENT 'as printed'",
    "CREATE SCHEMA s; CREATE TABLE s.item (id INTEGER)",
    "DROP SCHEMA s",
    "CREATE TABLE feels (mood ENUM('sad', 'ok'))",
    "ALTER TABLE feels MODIFY mood ENUM('sad', 'ok', 'happy')",
    NULL,
};

static const char *const attacks[] = {
    "INSERT INTO item VALUES (9, 'x')",
    "INSERT INTO item VALUES (9, 'x') RETURNING id",
    "REPLACE INTO item VALUES (9, 'x')",
    "UPDATE item SET name = 'x'",
    "DELETE FROM item",
    "WITH x AS (SELECT 1) DELETE FROM item",
    "SELECT * FROM item FOR UPDATE",
    "SELECT * FROM item LOCK IN SHARE MODE",
    "SELECT 'x' INTO OUTFILE '/tmp/dragoman-out.txt'",
    "SELECT 'x' INTO DUMPFILE '/tmp/dragoman-out.txt'",
    "SELECT 'x' INTO/**/OUTFILE '/tmp/dragoman-out.txt'",
    "SELECT 1 UNION SELECT 2 INTO OUTFILE '/tmp/dragoman-out.txt'",
    "SELECT 1 INTO @v",
    "SELECT @v := 5",
    "SELECT @@datadir",
    "SELECT LOAD_FILE('/etc/passwd')",
    "SELECT `LOAD_FILE`('/etc/passwd')",
    "SELECT SLEEP(5)",
    "SELECT BENCHMARK(1000000, SHA2('a', 512))",
    "SELECT GET_LOCK('a', 0)",
    "SELECT RELEASE_ALL_LOCKS()",
    "SELECT NEXTVAL(numbers)",
    "SELECT * FROM item PROCEDURE ANALYSE()",
    "EXPLAIN DELETE FROM item",
    "EXPLAIN SELECT 1",
    "ANALYZE DELETE FROM item",
    "ANALYZE FORMAT=JSON SELECT 1",
    "CREATE TABLE z (a INTEGER)",
    "CREATE TEMPORARY TABLE z (a INTEGER)",
    "CREATE TABLE z AS SELECT * FROM item",
    "CREATE VIEW z AS SELECT 1",
    "CREATE FUNCTION f() RETURNS INT RETURN 1",
    "CREATE FUNCTION sys_exec RETURNS INT SONAME 'x.so'",
    "CREATE USER z@localhost",
    "DROP TABLE item",
    "TRUNCATE item",
    "RENAME TABLE item TO gone",
    "ALTER TABLE item ADD COLUMN z INTEGER",
    "LOAD DATA INFILE '/etc/passwd' INTO TABLE item",
    "LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE item",
    "SET SESSION TRANSACTION READ WRITE",
    "SET @@session.max_statement_time = 0",
    "SET sql_mode = 'ANSI_QUOTES'",
    "SET GLOBAL general_log = 1",
    "SET PASSWORD = PASSWORD('x')",
    "SET STATEMENT max_statement_time = 0 FOR SELECT 1",
    "SHOW PROCESSLIST",
    "SHOW GRANTS",
    "SHOW VARIABLES LIKE 'secure_file_priv'",
    "SHOW CREATE TABLE item",
    "DESCRIBE item",
    "BEGIN",
    "COMMIT",
    "ROLLBACK",
    "START TRANSACTION READ WRITE",
    "SAVEPOINT s",
    "XA START 'a'",
    "BEGIN NOT ATOMIC DELETE FROM item; END",
    "PREPARE p FROM 'DROP TABLE item'",
    "EXECUTE p",
    "EXECUTE IMMEDIATE 'DELETE FROM item'",
    "CALL x()",
    "DO SLEEP(1)",
    "HANDLER item OPEN",
    "LOCK TABLES item WRITE",
    "UNLOCK TABLES",
    "FLUSH TABLES WITH READ LOCK",
    "KILL 1",
    "SHUTDOWN",
    "USE mysql",
    "OPTIMIZE TABLE item",
    "CHECK TABLE item",
    "REPAIR TABLE item",
    "ANALYZE TABLE item",
    "CACHE INDEX item IN hot",
    "CHANGE MASTER TO MASTER_HOST = 'x'",
    "INSTALL SONAME 'x'",
    "GRANT ALL ON *.* TO reader@'127.0.0.1'",
    "SELECT COUNT(*) FROM mysql.user",
    "SELECT /*!50000 1 */",
    "/*!50000 DROP TABLE item */",
    "/*M!100000 DROP TABLE item */",
    "SELECT 1 /*! INTO OUTFILE '/tmp/dragoman-out.txt' */",
    "SELECT 1--1;DROP TABLE item",
    "SELECT 1) INTO OUTFILE '/tmp/dragoman-out.txt' #",
    "SELECT 1; DROP TABLE item",
    "SELECT 1; SELECT 2",
    "",
    "-- nothing",
    NULL,
};

static const struct kind_type types[] = {
    {"INT", "BIGINT"},           {"REAL", "DOUBLE"},    {"TEXT", "VARCHAR(200)"},
    {"DATETIME", "DATETIME"},    {"DATE", "DATE"},      {"TIMESTAMP", "DATETIME"},
    {"BOOL", "BOOLEAN"},         {"NUMERIC", "DOUBLE"}, {"DECIMAL", "DECIMAL(18, 2)"},
    {"VARCHAR", "VARCHAR(200)"}, {NULL, NULL},
};

static const struct kind_copy copy = {.types = types, .booleans = true};

static const struct kind_server server = {
    .start = start,
    .stop = stop,
    .up = up,
    .down = down,
    .url = url_of,
    .drop = drop,
    .running = running,
    .terminate = terminate,
    .line = KIND_LINE_MYSQL,
    .port = port_get,
    .rights = true,
    .up_plain = up_plain,
};

const struct kind kind_mysql = {
    .name = "mysql",
    .copy = &copy,
    .extension = "",
    .server = &server,
    .script = script,
    .comments = true,
    .namespaces = true,
    .translate = translate,
    .endless = "SELECT COUNT(*) FROM seq_1_to_100000000 a, seq_1_to_100000000 b"
               " WHERE a.seq * b.seq > 7",
    .many = "SELECT a.seq, REPEAT('x', 200) FROM seq_1_to_100000000 a",
    .values = values,
    .changes = changes,
    .attacks = attacks,
    .writes = true,
    .may_write = "GRANT INSERT, UPDATE, DELETE ON item TO " READER "@'127.0.0.1';"
                 "GRANT INSERT, UPDATE, DELETE ON sale TO " READER "@'127.0.0.1'",
    .leftovers = leftovers_mysql,
    .leftovers_script = leftovers_mysql_script,
    .leave_many = "SELECT leave_variable(), a.seq FROM seq_1_to_50000 a",
    .session = "SELECT CONNECTION_ID()",
    .honest = true,
    .huge = "SELECT name FROM item",
    .huge_script = "CREATE TABLE item (name LONGTEXT) ENGINE = Aria;"
                   "INSERT INTO item VALUES (REPEAT('x', 300000000))",
    .huge_refused = true,
    .more = suite_mysql,
};
