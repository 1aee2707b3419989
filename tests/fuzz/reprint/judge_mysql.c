/* A private MariaDB server: what it makes of a statement, in its own words (EXPLAIN EXTENDED). */
#include "judge.h"

#ifdef DRAGOMAN_HAS_MYSQL
#include <ctype.h>
#include <mysql.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "fuzz/oracle/servers/place.h"

enum {
    REWRITTEN = 1003, /* the note that holds the server's own text */
    GONE = 2006,
    LOST = 2013,
    STARTS_MOST = 50
};

static struct place place;
static MYSQL *session;
static const char *folder;
static int starts;

static void stop(void)
{
    if (session) {
        mysql_close(session);
        session = NULL;
        place_stop(&place);
    }
}

static bool said(const char *sql)
{
    bool ok = mysql_query(session, sql) == 0;
    for (int more = 0; ok && more == 0; more = mysql_next_result(session)) {
        mysql_free_result(mysql_store_result(session));
    }
    return ok && mysql_errno(session) == 0;
}

static bool open_mysql(const char *root)
{
    static const char *const files[] = {"tests/fixtures/guard/honest/shop.sql",
                                        "tests/fixtures/dialects/tables.sql"};
    if (place_start(&place, "mysql", DRAGOMAN_MYSQL_SERVER) != 0) {
        return false;
    }
    folder = root;
    if (starts++ == 0) {
        (void)atexit(stop);
    }
    char path[100];
    (void)snprintf(path, sizeof path, "%s/sock", place.folder);
    session = mysql_init(NULL);
    (void)mysql_options(session, MYSQL_SET_CHARSET_NAME, "utf8mb4");
    struct arena *arena = arena_new();
    bool ok = mysql_real_connect(session, NULL, "root", NULL, NULL, 0, path,
                                 CLIENT_MULTI_STATEMENTS) &&
              said("CREATE DATABASE shop; USE shop");
    for (size_t i = 0; ok && i < sizeof files / sizeof *files; i++) {
        struct err err;
        size_t size;
        char *sql = file_read(arena, arena_format(arena, "%s/%s", root, files[i]),
                              1 << 20, &size, &err);
        ok = sql && said(sql);
    }
    ok = ok && said("SET SESSION TRANSACTION READ ONLY") &&
         /* the damaged texts have a space before each parenthesis */
         said("SET SESSION sql_mode = CONCAT(@@sql_mode, ',IGNORE_SPACE')") &&
         said("SET SESSION max_statement_time = 1") &&
         /* the server may crash otherwise */
         said("SET SESSION optimizer_switch = 'condition_pushdown_for_derived=off'");
    arena_free(arena);
    return ok;
}

/* A column without a name gets the text it was written with: `1+2`, `1 + 2`. */
static void add_without_headings(struct buf *out, const char *text)
{
    while (*text) {
        size_t size = *text == '`' ? strcspn(text + 1, "`") : 0;
        bool plain = !isdigit((unsigned char)text[1]); /* 0x4D */
        for (size_t i = 0; i < size; i++) {
            plain = plain && (isalnum((unsigned char)text[1 + i]) || text[1 + i] == '_');
        }
        if (*text == '`' && text[1 + size]) {
            (void)(plain ? buf_add(out, text, size + 2) : buf_text(out, "`?`"));
            text += size + 2;
        } else {
            (void)buf_char(out, *text++);
        }
    }
}

/* Some statements end the server: the next ones get another. */
static void revive(void)
{
    unsigned int number = session ? mysql_errno(session) : LOST;
    if (number == GONE || number == LOST) {
        stop();
        if (starts >= STARTS_MOST || !open_mysql(folder)) {
            (void)fprintf(stderr, "reprint: the server does not start again\n");
            exit(1);
        }
    }
}

static bool read_mysql(const char *sql, struct buf *out)
{
    struct buf text;
    buf_init(&text, 1 << 20);
    (void)buf_format(&text, "EXPLAIN EXTENDED %s", sql);
    bool ok = mysql_query(session, text.data) == 0;
    buf_release(&text);
    MYSQL_RES *rows = ok ? mysql_store_result(session) : NULL;
    mysql_free_result(rows);
    if (!ok) {
        revive();
    }
    ok = ok && mysql_query(session, "SHOW WARNINGS") == 0;
    rows = ok ? mysql_store_result(session) : NULL;
    for (MYSQL_ROW row; rows && (row = mysql_fetch_row(rows));) {
        if (strtol(row[1], NULL, 10) == REWRITTEN) {
            add_without_headings(out, row[2]);
        }
    }
    mysql_free_result(rows);
    return ok;
}
#else
static bool open_mysql(const char *root)
{
    (void)root;
    return false;
}

static bool read_mysql(const char *sql, struct buf *out)
{
    (void)sql;
    (void)out;
    return false;
}
#endif

const struct judge judge_mysql = {"mysql", DIALECT_MYSQL, open_mysql, read_mysql, true};
