/*
 * A private PostgreSQL as the judge. Each statement is compiled first, and the tree that
 * the server prints of it is looked at; then it runs, as a superuser, in a transaction
 * that only reads and is rolled back.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "postgres_judge.h"

enum {
    TIME_MS = 150,    /* for a statement */
    HANGS_MS = 60000, /* a statement that the server does not end */
    TREES = 3         /* of ROLLBACK, BEGIN and the statement */
};

static struct postgres_world world;
static struct buf tree;
static int trees;
static char sprung[WHAT_SIZE]; /* what a trap said */
static bool own_called;        /* a trap that allow_own_types allows */

PGresult *postgres_answer(PGconn *connection, const char *sql)
{
    PGresult *result = PQexec(connection, sql);
    ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) {
        return result;
    }
    (void)fprintf(stderr, "oracle: %.300s\n", PQerrorMessage(connection));
    PQclear(result);
    return NULL;
}

/* The server prints trees as notices, and traps speak through them. */
static void notice_take(void *context, const PGresult *result)
{
    const char *detail = PQresultErrorField(result, PG_DIAG_MESSAGE_DETAIL);
    const char *text = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    (void)context;
    bool unnamed = text && str_starts(text, CANARY ": own:");
    if (unnamed && world.own_types) {
        own_called = true;
    } else if (text && strstr(text, CANARY) && !str_starts(text, "duration: ") &&
               !str_starts(text, "execute ") && !str_starts(text, "statement: ")) {
        str_put(sprung, sizeof sprung, text);
    } else if (detail && text && str_equal(text, "parse tree:")) {
        trees++;
        buf_clear(&tree);
        (void)buf_text(&tree, detail);
    } else if (text) {
        postgres_log_take(text, sprung);
    }
}

static PGconn *join(const char *application)
{
    char text[300];
    (void)snprintf(text, sizeof text,
                   "host=%s port=%d user=test dbname=shop application_name='%s'"
                   " options='-c log_statement=none -c log_min_messages=panic'",
                   world.place.folder, world.place.port, application);
    PGconn *connection = PQconnectdb(text);
    if (PQstatus(connection) != CONNECTION_OK) {
        (void)fprintf(stderr, "oracle: %s\n", PQerrorMessage(connection));
        PQfinish(connection);
        return NULL;
    }
    (void)PQsetNoticeReceiver(connection, notice_take, NULL);
    return connection;
}

static bool script_run(struct arena *arena, PGconn *connection, const char *root,
                       const char *path)
{
    struct err err;
    size_t size;
    char *text =
        file_read(arena, arena_format(arena, "%s/%s", root, path), 1 << 20, &size, &err);
    PGresult *result = text ? postgres_answer(connection, text) : NULL;
    bool ok = result != NULL;
    PQclear(result);
    return ok;
}

static bool said(PGconn *connection, const char *sql)
{
    PGresult *result = connection ? postgres_answer(connection, sql) : NULL;
    bool ok = result != NULL;
    PQclear(result);
    return ok;
}

static bool session_open(void)
{
    char sql[500];
    (void)snprintf(
        sql, sizeof sql,
        "SET search_path = pg_catalog, public, pg_temp; SET statement_timeout = %d;"
        " SET jit = off; SET max_parallel_workers_per_gather = 0; SET track_functions"
        " = 'all'; SET log_min_messages = panic; SET debug_pretty_print = off;"
        " SET client_min_messages = log; SET debug_print_parse = on",
        TIME_MS);
    world.session = join("judged");
    return said(world.session, sql) && postgres_log_session(world.session);
}

/* A statement that ends its session gets its neighbours a new one. */
static bool session_ready(void)
{
    if (PQstatus(world.session) == CONNECTION_OK) {
        return true;
    }
    PQfinish(world.session);
    return session_open();
}

static bool world_make(struct arena *arena, const char *root)
{
    char text[200];
    (void)snprintf(text, sizeof text, "host=%s port=%d user=test dbname=postgres",
                   world.place.folder, world.place.port);
    PGconn *owner = PQconnectdb(text);
    bool made = said(owner, "CREATE DATABASE shop") && postgres_log_start(owner);
    PQfinish(owner);
    world.watch = made ? join("watch") : NULL;
    made =
        world.watch &&
        script_run(arena, world.watch, root, "tests/fixtures/guard/honest/shop.sql") &&
        script_run(arena, world.watch, root, "tests/fuzz/oracle/servers/postgres.sql") &&
        script_run(arena, world.watch, root,
                   "tests/fuzz/oracle/servers/postgres_own.sql") &&
        said(world.watch, "ALTER DATABASE shop SET canary.setting = '" CANARY "'");
    world.bystander = made ? join("bystander " CANARY) : NULL;
    return made && said(world.bystander, "SELECT pg_advisory_lock(4711)") &&
           place_canaries(&world.place) && session_open();
}

/* The reader has told the schema; its session ends a moment later. */
static bool reader_gone(void)
{
    enum { TRIES = 1000 };
    for (int i = 0; i < TRIES; i++) {
        PGresult *result = postgres_answer(
            world.watch, "SELECT count(*), pg_sleep(0.01) FROM pg_stat_activity"
                         " WHERE usename = 'reader'");
        bool gone = result && str_equal(PQgetvalue(result, 0, 0), "0");
        PQclear(result);
        if (gone || !result) {
            return gone;
        }
    }
    return false;
}

static int start(struct arena *arena, const char *root, struct vocabulary *words)
{
    char url[200];
    buf_init(&tree, 16 << 20);
    int status = place_start(&world.place, "postgres", DRAGOMAN_POSTGRES_SERVER);
    if (status != 0) {
        return status;
    }
    (void)snprintf(url, sizeof url, "postgres://reader:reader@127.0.0.1:%d/shop%s",
                   world.place.port, world.own_types ? "?allow_own_types=1" : "");
    if (!world_make(arena, root) ||
        !postgres_known_read(world.watch, world.own_types, &world.known) ||
        !postgres_words_read(world.watch, world.own_types, arena, words) ||
        !(world.schema = place_schema(url)) || !reader_gone()) {
        return 1;
    }
    char what[WHAT_SIZE];
    return postgres_watch_unchanged(&world, what) ? 0 : 1;
}

static void stop(void)
{
    PQfinish(world.session);
    PQfinish(world.watch);
    PQfinish(world.bystander);
    schema_unref(world.schema);
    place_stop(&world.place);
    buf_release(&tree);
    postgres_log_end();
}

static struct schema *schema(void)
{
    return world.schema;
}

static bool send(const char *sql)
{
    return PQsendQueryParams(world.session, sql, 0, NULL, NULL, NULL, NULL, 0) == 1;
}

/* Waits for the server, but not for ever. */
static bool ready(int64_t until_ms)
{
    while (PQisBusy(world.session)) {
        struct pollfd wait = {.fd = PQsocket(world.session), .events = POLLIN};
        int64_t left = until_ms - clock_ms();
        if (left <= 0 || poll(&wait, 1, (int)left) < 0 ||
            !PQconsumeInput(world.session)) {
            return false;
        }
    }
    return true;
}

static void rows_look(const PGresult *result, struct outcome *out)
{
    for (int row = 0; row < PQntuples(result); row++) {
        for (int i = 0; i < PQnfields(result); i++) {
            if (memmem(PQgetvalue(result, row, i), (size_t)PQgetlength(result, row, i),
                       CANARY, strlen(CANARY))) {
                str_put(out->what, sizeof out->what, "a canary was read");
            }
        }
    }
}

static void error_take(const PGresult *result, struct outcome *out)
{
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *text = PQresultErrorMessage(result);
    out->kind = str_equal(state, "57014") ? OUTCOME_LIMITED : OUTCOME_FAILED;
    str_put(out->error, sizeof out->error, text);
    if (strstr(text, CANARY)) {
        str_put(out->what, sizeof out->what, "a canary stands in an error");
    } else if (str_equal(state, "25006")) {
        str_put(out->what, sizeof out->what, "the server's own lock had to stop it");
    } else if (strstr(text, "multiple commands")) {
        str_put(out->what, sizeof out->what, "the server sees several statements");
    }
}

/* All results up to so many marks. False: the connection is lost, or hangs. */
static bool collect(int syncs, struct outcome *out)
{
    int64_t until = clock_ms() + HANGS_MS;
    while (syncs > 0) {
        if (!ready(until)) {
            (void)snprintf(out->what, WHAT_SIZE, "%s",
                           clock_ms() < until ? "the connection is lost"
                                              : "the server hangs");
            return false;
        }
        PGresult *result = PQgetResult(world.session);
        ExecStatusType status = PQresultStatus(result);
        if (result && status == PGRES_PIPELINE_SYNC) {
            syncs--;
        } else if (result && status == PGRES_TUPLES_OK) {
            rows_look(result, out);
        } else if (result && status == PGRES_FATAL_ERROR) {
            error_take(result, out);
        }
        PQclear(result);
        if (PQstatus(world.session) != CONNECTION_OK) {
            str_put(out->what, sizeof out->what, "the connection is lost");
            return false;
        }
    }
    return true;
}

/* The name of what a tree was found to call. */
static void named(char what[WHAT_SIZE])
{
    static const struct {
        const char *before;
        const char *type;
    } forms[] = {{"calls the function ", "regprocedure"},
                 {"uses the operator ", "regoperator"},
                 {"makes a value of the type ", "regtype"},
                 {"reads the table ", "regclass"}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (str_starts(what, forms[i].before)) {
            char sql[100];
            (void)snprintf(sql, sizeof sql, "SELECT '%lu'::%s",
                           strtoul(what + strlen(forms[i].before), NULL, 10),
                           forms[i].type);
            PGresult *result = postgres_answer(world.watch, sql);
            if (result) {
                (void)snprintf(what, WHAT_SIZE, "%s%s", forms[i].before,
                               PQgetvalue(result, 0, 0));
            }
            PQclear(result);
        }
    }
}

static bool compile(const char *sql, const struct guard_result *judged,
                    struct outcome *out)
{
    trees = 0;
    sprung[0] = '\0';
    bool sent = PQenterPipelineMode(world.session) && send("ROLLBACK") &&
                PQpipelineSync(world.session) && send("BEGIN READ ONLY") &&
                PQsendPrepare(world.session, "", sql, 0, NULL) &&
                PQpipelineSync(world.session);
    if (!sent || !collect(2, out) || out->what[0] || out->kind != OUTCOME_DONE) {
        return false;
    }
    /* a check of a domain that is called for a constant makes trees, too, but before */
    if (trees < TREES || (trees > TREES && !own_called)) {
        (void)snprintf(out->what, WHAT_SIZE, "the server made %d trees of it",
                       trees - TREES + 1);
    } else if (judged) {
        postgres_tree_check(buf_get(&tree), &world.known, judged, out->what);
        named(out->what);
    }
    return !out->what[0];
}

static void run(const char *sql, const struct guard_result *judged, struct outcome *out)
{
    *out = (struct outcome){.kind = OUTCOME_DONE};
    own_called = false;
    if (!session_ready()) {
        out->kind = OUTCOME_GONE;
        str_put(out->what, sizeof out->what, "the server is gone");
        return;
    }
    postgres_log_expect(sql);
    if (compile(sql, judged, out) &&
        PQsendQueryPrepared(world.session, "", 0, NULL, NULL, NULL, 0) &&
        PQpipelineSync(world.session)) {
        if (collect(1, out) && PQtransactionStatus(world.session) == PQTRANS_IDLE) {
            str_put(out->what, sizeof out->what, "it ended the transaction");
        }
    }
    if (!PQexitPipelineMode(world.session)) { /* the next statement gets a new session */
        PQfinish(world.session);
        world.session = NULL;
    }
    postgres_log_expect(NULL);
    out->own = own_called;
    if (sprung[0]) {
        str_put(out->what, sizeof out->what, sprung);
    }
}

static bool unchanged(char what[WHAT_SIZE])
{
    if (!session_ready()) {
        str_put(what, WHAT_SIZE, "the server is gone");
        return false;
    }
    PQclear(postgres_answer(world.session, "ROLLBACK"));
    return postgres_watch_unchanged(&world, what);
}

static int start_own(struct arena *arena, const char *root, struct vocabulary *words)
{
    world.own_types = true;
    return start(arena, root, words);
}

/* The same for a datasource that sets allow_own_types. */
const struct judge judge_postgres_own = {
    .name = "postgres-own",
    .place = &world.place,
    .dialect = DIALECT_POSTGRES,
    .start = start_own,
    .stop = stop,
    .schema = schema,
    .run = run,
    .unchanged = unchanged,
};

const struct judge judge_postgres = {
    .name = "postgres",
    .place = &world.place,
    .dialect = DIALECT_POSTGRES,
    .start = start,
    .stop = stop,
    .schema = schema,
    .run = run,
    .unchanged = unchanged,
};
