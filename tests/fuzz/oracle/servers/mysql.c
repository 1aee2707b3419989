/*
 * A private MariaDB as the judge. Each statement is explained first, and the text that
 * the server makes of it is looked at; then it runs, as root, in a transaction that only
 * reads and is rolled back.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "mysql_judge.h"

enum {
    HANGS_S = 60,     /* a statement that the server does not end */
    TIMED_OUT = 1969, /* its own limit of time */
    TOO_LONG = 3024,  /* the same, of MySQL */
    SYNTAX = 1064,
    ONLY_READS = 1792, /* it would write */
    FORBIDDEN = 1290,  /* by an option of the server */
    GONE = 2006,
    LOST = 2013,
    TRANSACTION = 50 /* statements in one */
};

static struct mysql_world world;
static int in_transaction;

bool mysql_said(MYSQL *handle, const char *sql)
{
    if (!handle || mysql_query(handle, sql) != 0) {
        (void)fprintf(stderr, "oracle: %.300s\n",
                      handle ? mysql_error(handle) : "no server");
        return false;
    }
    for (int more = 0; more == 0; more = mysql_next_result(handle)) {
        mysql_free_result(mysql_store_result(handle));
    }
    if (mysql_errno(handle)) {
        (void)fprintf(stderr, "oracle: %.300s\n", mysql_error(handle));
    }
    return mysql_errno(handle) == 0;
}

MYSQL_RES *mysql_answer(MYSQL *handle, const char *sql)
{
    return mysql_query(handle, sql) == 0 ? mysql_store_result(handle) : NULL;
}

static MYSQL *join(const char *database, unsigned long flags)
{
    char path[100];
    unsigned int seconds = HANGS_S;
    (void)snprintf(path, sizeof path, "%s/sock", world.place.folder);
    MYSQL *handle = mysql_init(NULL);
    (void)mysql_options(handle, MYSQL_SET_CHARSET_NAME, "utf8mb4");
    (void)mysql_options(handle, MYSQL_OPT_READ_TIMEOUT, &seconds);
    if (!mysql_real_connect(handle, NULL, "root", NULL, database, 0, path, flags)) {
        (void)fprintf(stderr, "oracle: %s\n", mysql_error(handle));
        mysql_close(handle);
        return NULL;
    }
    return handle;
}

/* As the driver's own sessions, but for who it is. */
static bool session_open(void)
{
    in_transaction = 0;
    world.session = join("shop", 0);
    return mysql_said(world.session, "SET SESSION TRANSACTION READ ONLY") &&
           mysql_said(world.session, "SET SESSION max_statement_time = 0.15") &&
           /* as the driver does for statements with subqueries: the server may crash */
           mysql_said(world.session, "SET SESSION optimizer_switch = "
                                     "'condition_pushdown_for_derived=off'") &&
           mysql_said(world.session, "SET SESSION group_concat_max_len = 1000000");
}

/* A statement that ends its session gets its neighbours a new one. */
static bool session_ready(void)
{
    unsigned int number = world.session ? mysql_errno(world.session) : LOST;
    if (number != LOST && number != GONE) {
        return true;
    }
    mysql_close(world.session);
    return session_open();
}

static bool script_run(struct arena *arena, MYSQL *handle, const char *root,
                       const char *path)
{
    struct err err;
    size_t size;
    char *text =
        file_read(arena, arena_format(arena, "%s/%s", root, path), 1 << 20, &size, &err);
    return text && mysql_said(handle, text);
}

static bool world_make(struct arena *arena, const char *root)
{
    MYSQL *owner = join(NULL, CLIENT_MULTI_STATEMENTS);
    bool made = mysql_said(owner, "CREATE DATABASE shop; USE shop") &&
                script_run(arena, owner, root, "tests/fixtures/guard/honest/shop.sql") &&
                script_run(arena, owner, root, "tests/fuzz/oracle/servers/mysql.sql");
    mysql_close(owner);
    world.watch = made ? join("shop", 0) : NULL;
    world.bystander = made ? join("shop", 0) : NULL;
    return world.bystander &&
           mysql_said(world.bystander, "SELECT get_lock('bystander', 1)") &&
           mysql_said(world.watch, "SET SESSION group_concat_max_len = 1000000") &&
           place_canaries(&world.place) && session_open();
}

static int start(struct arena *arena, const char *root, struct vocabulary *words)
{
    char url[200];
    char what[WHAT_SIZE];
    /* files may be read and written: a canary tells of it */
    (void)setenv("MYSQL_SERVER_MORE", "--secure-file-priv=", 1);
    int status = place_start(&world.place, "mysql", DRAGOMAN_MYSQL_SERVER);
    if (status != 0) {
        return status;
    }
    (void)snprintf(url, sizeof url, "mysql://reader:reader@127.0.0.1:%d/shop",
                   world.place.port);
    if (!world_make(arena, root) || !mysql_words_read(world.session, arena, words) ||
        !(world.schema = place_schema(url)) || !mysql_watch_unchanged(&world, what)) {
        return 1;
    }
    return 0;
}

static void stop(void)
{
    MYSQL *const handles[] = {world.session, world.watch, world.bystander};
    for (size_t i = 0; i < sizeof handles / sizeof *handles; i++) {
        if (handles[i]) {
            mysql_close(handles[i]);
        }
    }
    schema_unref(world.schema);
    place_stop(&world.place);
    mysql_library_end();
}

static struct schema *schema(void)
{
    return world.schema;
}

static void error_take(struct outcome *out)
{
    unsigned int number = mysql_errno(world.session);
    const char *text = mysql_error(world.session);
    bool limited = number == TIMED_OUT || number == TOO_LONG;
    out->kind = limited ? OUTCOME_LIMITED : OUTCOME_FAILED;
    str_put(out->error, sizeof out->error, text);
    if (strstr(text, CANARY)) {
        str_put(out->what, sizeof out->what, text);
    } else if (number == LOST || number == GONE) {
        str_put(out->what, sizeof out->what,
                "the connection is lost, or the server hangs");
    } else if (number == ONLY_READS || number == FORBIDDEN) {
        str_put(out->what, sizeof out->what, "the server's own lock had to stop it");
    }
}

/* All rows of what was asked. */
static void rows_look(struct outcome *out)
{
    MYSQL_RES *rows = mysql_store_result(world.session);
    if (!rows) {
        if (mysql_errno(world.session)) {
            error_take(out);
        } else {
            str_put(out->what, sizeof out->what, "it is no query: it gave no rows");
        }
        return;
    }
    unsigned int count = mysql_num_fields(rows);
    for (MYSQL_ROW row; (row = mysql_fetch_row(rows));) {
        const unsigned long *sizes = mysql_fetch_lengths(rows);
        for (unsigned int i = 0; i < count; i++) {
            if (row[i] && memmem(row[i], sizes[i], CANARY, strlen(CANARY))) {
                str_put(out->what, sizeof out->what, "a canary was read");
            }
        }
    }
    mysql_free_result(rows);
}

/* False: it must not run. */
static bool explain(const char *sql, const struct guard_result *judged,
                    struct outcome *out)
{
    struct arena *arena = arena_new();
    MYSQL_RES *rows =
        mysql_answer(world.session, arena_format(arena, "EXPLAIN EXTENDED %s", sql));
    arena_free(arena);
    if (!rows) {
        error_take(out);
        /* some statements run that cannot be explained */
        return !out->what[0] && mysql_errno(world.session) == SYNTAX;
    }
    mysql_free_result(rows);
    rows = mysql_answer(world.session, "SHOW WARNINGS");
    for (MYSQL_ROW row; rows && (row = mysql_fetch_row(rows));) {
        if (str_equal(row[1], "1003")) {
            mysql_text_check(row[2], judged, out->what);
        }
    }
    mysql_free_result(rows);
    return !out->what[0];
}

static void run(const char *sql, const struct guard_result *judged, struct outcome *out)
{
    *out = (struct outcome){.kind = OUTCOME_DONE};
    if (!session_ready()) {
        out->kind = OUTCOME_GONE;
        str_put(out->what, sizeof out->what, "the server is gone");
        return;
    }
    if (in_transaction-- <= 0) {
        (void)mysql_said(world.session, "ROLLBACK");
        (void)mysql_said(world.session, "START TRANSACTION READ ONLY");
        in_transaction = TRANSACTION;
    }
    if (judged && !explain(sql, judged, out)) {
        return;
    }
    *out = (struct outcome){.kind = OUTCOME_DONE};
    if (mysql_query(world.session, sql) == 0) {
        rows_look(out);
    } else {
        error_take(out);
    }
}

static bool unchanged(char what[WHAT_SIZE])
{
    in_transaction = 0;
    if (!session_ready() || !mysql_said(world.session, "ROLLBACK")) {
        str_put(what, WHAT_SIZE, "the session is lost");
        return false;
    }
    return mysql_watch_unchanged(&world, what);
}

const struct judge judge_mysql = {
    .name = "mysql",
    .place = &world.place,
    .dialect = DIALECT_MYSQL,
    .start = start,
    .stop = stop,
    .schema = schema,
    .run = run,
    .unchanged = unchanged,
};
