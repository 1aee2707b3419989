/* MongoDB for the suite: a peer of our own on the wire, no server; see mongodb-peer. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "conformance.h"
#include "kinds.h"
#include "mongodb_peer.h"

#define READER "reader"
#define SECRET "p@ss/w:rd"

static char folder[64];
static int port;
static int control;

/* /tmp/dragoman-Ab12cd/shop -> dragoman-Ab12cd */
static const char *database_of(const char *path)
{
    static _Thread_local char name[64];
    const char *from = strchr(path + 1, '/');
    from = from ? from + 1 : path;
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(from, "/"), from);
    return name;
}

static bool send_all(int line, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t sent = send(line, text, size, MSG_NOSIGNAL);
        if (sent <= 0) {
            return false;
        }
        text += sent;
        size -= (size_t)sent;
    }
    return true;
}

void mongodb_peer_tell(const char *what, const char *path, const char *text, char *out,
                       size_t size)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)control),
                                  .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
    char head[200];
    int line = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(line >= 0);
    assert_int_equal(connect(line, (struct sockaddr *)&address, sizeof address), 0);
    (void)snprintf(head, sizeof head, "%s %s\n", what, database_of(path));
    assert_true(send_all(line, head, strlen(head)));
    assert_true(send_all(line, text, strlen(text)));
    assert_int_equal(shutdown(line, SHUT_WR), 0);
    size_t read = 0;
    for (ssize_t got = 1; got > 0;) {
        char rest[4096];
        got = recv(line, rest, sizeof rest, 0);
        size_t kept = got > 0 ? (size_t)got : 0;
        kept = read + kept < size ? kept : size - 1 - read;
        memcpy(out + read, rest, kept);
        read += kept;
    }
    out[read] = '\0';
    (void)close(line);
    if (out[0] == '!') {
        fail_msg("the peer: %s", out);
    }
}

long mongodb_peer_ask(const char *what, const char *path, const char *text)
{
    char answer[4000];
    mongodb_peer_tell(what, path, text, answer, sizeof answer);
    return strtol(answer, NULL, 10);
}

static int start(void)
{
    enum { TRIES = 4, STRIDE = 1777 };
    int status = 1;
    (void)snprintf(folder, sizeof folder, "/tmp/dragoman-mongodb-XXXXXX");
    if (!mkdtemp(folder)) {
        return 1;
    }
    port = 21000 + (int)(getpid() % 10000);
    for (int i = 0; status != 0 && status != 77 && i < TRIES; i++) {
        char command[700];
        port += i * STRIDE;
        control = port + 1;
        (void)snprintf(command, sizeof command, "%s start %s %d %d %ld",
                       DRAGOMAN_MONGODB_PEER, folder, port, control, (long)getpid());
        status = system(command); /* NOLINT(cert-env33-c) */
        status = status < 0 ? 1 : status >> 8;
    }
    return status;
}

static void files_remove(void)
{
    static const char *const names[] = {"server.key", "server.crt", "ready", "log"};
    char path[100];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        (void)unlink(path);
    }
    (void)rmdir(folder);
}

static void stop(void)
{
    (void)mongodb_peer_ask("stop", "/", "");
    files_remove();
}

static void down(void)
{
    (void)mongodb_peer_ask("down", "/", "");
}

static int port_get(void)
{
    return port;
}

static void up(void)
{
    (void)mongodb_peer_ask("up", "/", "");
}

static void script(const char *path, const char *sql)
{
    assert_int_equal(mongodb_peer_ask("script", path, sql), 0);
}

static void drop(const char *path)
{
    (void)mongodb_peer_ask("drop", path, "");
}

static long running(const char *path)
{
    return mongodb_peer_ask("running", path, "");
}

static void terminate(const char *path)
{
    (void)mongodb_peer_ask("terminate", path, "");
}

static void freeze(const char *path)
{
    (void)mongodb_peer_ask("freeze", path, "");
}

static void thaw(void)
{
    (void)mongodb_peer_ask("thaw", "/", "");
}

static void url(const char *path, const char *extra, char *out, size_t size)
{
    (void)snprintf(out, size,
                   "mongodb://" READER
                   ":p%%40ss%%2Fw%%3Ard@127.0.0.1:%d/%s?authSource=admin%s",
                   port, database_of(path), extra);
}

static void url_of(enum kind_url form, const char *path, char *out, size_t size)
{
    char more[200];
    switch (form) {
    case KIND_URL_GOOD:
        url(path, "", out, size);
        break;
    case KIND_URL_WRONG_PASSWORD:
        (void)snprintf(out, size, "mongodb://" READER ":hunter2@127.0.0.1:%d/%s", port,
                       database_of(path));
        break;
    case KIND_URL_WRONG_HOST: /* nobody listens there */
        (void)snprintf(out, size, "mongodb://" READER ":hunter2@127.0.0.1:1/%s",
                       database_of(path));
        break;
    case KIND_URL_SECRET_IN_VARIABLE:
        assert_int_equal(setenv("DRAGOMAN_TEST_SECRET", SECRET, 1), 0);
        (void)snprintf(out, size,
                       "mongodb://" READER "@127.0.0.1:%d/%s?password_env="
                       "DRAGOMAN_TEST_SECRET&authSource=admin",
                       port, database_of(path));
        break;
    case KIND_URL_SECRET_IN_FILE:
        (void)snprintf(more, sizeof more, "%s.secret", path);
        FILE *file = fopen(more, "w");
        assert_non_null(file);
        (void)fputs(SECRET "\n", file);
        assert_int_equal(fclose(file), 0);
        (void)snprintf(out, size,
                       "mongodb://" READER
                       "@127.0.0.1:%d/%s?authSource=admin&password_file=%s",
                       port, database_of(path), more);
        break;
    case KIND_URL_ENCRYPTED:
        (void)snprintf(more, sizeof more, "&tls=true&tlsCAFile=%s/server.crt", folder);
        url(path, more, out, size);
        break;
    case KIND_URL_UNTRUSTED:
        url(path, "&tls=true", out, size);
        break;
    }
}

/* Expressions run in DuckDB, whose own suite has the rest. */
static const struct typed values[] = {
    {"42", VALUE_INT, "42"},
    {"1.50::DECIMAL(4, 2)", VALUE_NUMBER, "1.50"},
    {"true", VALUE_BOOL, "true"},
    {"NULL", VALUE_NULL, ""},
    {"''", VALUE_TEXT, ""},
    {"'Gr\xC3\xBC\xC3\x9F dich \xF0\x9F\x98\x80'", VALUE_TEXT,
     "Gr\xC3\xBC\xC3\x9F dich \xF0\x9F\x98\x80"},
    {"DATE '2024-02-29'", VALUE_TEXT, "2024-02-29"},
    {NULL, VALUE_NULL, NULL},
};

static const char *const changes[] = {
    "CREATE TABLE more (a INTEGER)",
    "{\"insert\": \"more\", \"documents\": [{\"a\": 1, \"b\": \"new field\"}]}",
    "{\"insert\": \"more\", \"documents\": [{\"a\": \"another type\"}]}",
    "{\"insert\": \"more\", \"documents\": [{\"in\": {\"side\": 1}}]}",
    "{\"insert\": \"more\", \"documents\": [{\"list\": [1, 2]}]}",
    "{\"insert\": \"more\", \"documents\": [{\"list\": [{\"x\": 1}]}]}",
    "{\"modify\": \"more\", \"options\": {\"validator\": {\"$jsonSchema\": {\"required\":"
    " [\"a\"]}}}}",
    "{\"modify\": \"more\", \"options\": {\"collation\": {\"locale\": \"de\"}}}",
    "{\"index\": \"more\", \"key\": {\"a\": 1}}",
    "{\"index\": \"more\", \"key\": {\"a\": -1, \"b\": 1}, \"unique\": true}",
    "{\"index\": \"more\", \"key\": {\"b\": 1}, \"unique\": true}",
    "{\"rename\": \"more\", \"to\": \"less\"}",
    "DROP TABLE less",
    "CREATE VIEW seen AS SELECT id FROM item",
    "DROP VIEW seen",
    NULL,
};

static const char *const attacks[] = {
    "INSERT INTO item VALUES (9, 'x')",
    "UPDATE item SET name = 'x'",
    "DELETE FROM item",
    "DROP TABLE item",
    "CREATE TABLE z (a INTEGER)",
    "CREATE TEMP TABLE z AS SELECT * FROM item",
    "ALTER TABLE item ADD COLUMN z INTEGER",
    "TRUNCATE item",
    "COPY item TO 'out.csv'",
    "COPY item FROM 'in.csv'",
    "EXPORT DATABASE 'out'",
    "ATTACH 'other.duckdb' AS o",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET enable_external_access = true",
    "SET lock_configuration = false",
    "PRAGMA database_list",
    "CALL pragma_version()",
    "BEGIN",
    "PREPARE p AS SELECT 1",
    "SELECT * FROM read_csv('/etc/passwd', sep = ':')",
    "SELECT content FROM read_text('/etc/hostname')",
    "SELECT * FROM '/etc/passwd'",
    "SELECT * FROM glob('/etc/*')",
    "SELECT * FROM 'https://host.example/x.csv'",
    "SELECT * FROM duckdb_settings()",
    "SELECT path FROM duckdb_databases()",
    "SELECT * FROM information_schema.tables",
    "SELECT getenv('HOME')",
    "SELECT * FROM query('SELECT * FROM item')",
    "SELECT * FROM \"$cmd\"",
    "SELECT * FROM \"system.users\"",
    "SELECT * FROM admin.\"system.users\"",
    "SELECT * FROM item WHERE \"$where\" = 'while(1);'",
    "db.item.drop()",
    "{\"aggregate\": \"item\", \"pipeline\": [{\"$out\": \"x\"}]}",
    "SELECT 1; DROP TABLE item",
    "SELECT 1; SELECT 2",
    "",
    "-- nothing",
    NULL,
};

static const struct kind_type types[] = {
    {"INT", "BIGINT"},         {"REAL", "DOUBLE"},    {"TEXT", "VARCHAR"},
    {"DATETIME", "TIMESTAMP"}, {"DATE", "TIMESTAMP"}, {"TIMESTAMP", "TIMESTAMP"},
    {"BOOL", "BOOLEAN"},       {"NUMERIC", "DOUBLE"}, {"DECIMAL", "DECIMAL(18, 2)"},
    {"VARCHAR", "VARCHAR"},    {NULL, NULL},
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
    .freeze = freeze,
    .thaw = thaw,
    .port = port_get,
    .relaxed = "tls=false",
};

const struct kind kind_mongodb = {
    .name = "mongodb",
    .copy = &copy,
    .extension = "",
    .server = &server,
    .documents = true,
    .script = script,
    .endless = "SELECT count(*) FROM endless",
    .many = "SELECT a, text FROM many",
    .values = values,
    .changes = changes,
    .attacks = attacks,
    .keys_measured = true,
    .more = suite_mongodb,
};
