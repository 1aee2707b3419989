/*
 * The ClickHouse engine as the judge. Each statement is explained twice first, as it was
 * read and as it was understood; then it runs in a session that only reads, as the
 * driver's do, and in one where nothing but the guard stands before it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "clickhouse_judge.h"

enum { ANSWER_MOST = 64 << 20, TRIES = 100, PAUSE_US = 10000 };

/* The library brings an allocator of its own and cannot be loaded where a sanitizer has
 * taken the place of malloc. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

static struct place place;
static struct schema *known;
static struct texts real_names; /* of listed functions */
static struct texts all_types;
static struct buf answer;

static bool said(const char *sql)
{
    bool ok = clickhouse_ask(SESSION_OPEN, sql, &answer) == REPLY_ROWS;
    if (!ok) {
        (void)fprintf(stderr, "oracle: %.80s: %.300s\n", sql, buf_get(&answer));
    }
    return ok;
}

/* The rows of the honest shop; its tables are made by clickhouse.sql. */
static bool rows_insert(struct arena *arena, const char *root)
{
    struct err err;
    struct texts lines = {0};
    size_t size;
    bool ok = true;
    char *text = file_read(
        arena, arena_format(arena, "%s/tests/fixtures/guard/honest/shop.sql", root),
        1 << 20, &size, &err);
    if (text) {
        str_split(arena, text, '\n', &lines);
    }
    for (size_t i = 0; ok && i < lines.count; i++) {
        ok = !str_starts(lines.items[i], "INSERT") || said(lines.items[i]);
    }
    return ok && lines.count > 0;
}

static bool world_make(struct arena *arena, const char *root)
{
    struct err err;
    size_t size;
    char *text = file_read(
        arena, arena_format(arena, "%s/tests/fuzz/oracle/servers/clickhouse.sql", root),
        1 << 20, &size, &err);
    return text && said(text) && rows_insert(arena, root);
}

/* As the driver tells of it, but without what the reader must not know of. */
static bool schema_read_in(struct arena *arena)
{
    static const char sql[] =
        "SELECT table, name, type FROM system.columns WHERE database = 'shop' AND table "
        "NOT LIKE 'vault%' AND table <> 'secrets' ORDER BY table, position";
    struct texts lines = {0};
    struct table *table = NULL;
    if (!said(sql)) {
        return false;
    }
    known = schema_new();
    known->home = "shop";
    str_split(arena, buf_get(&answer), '\n', &lines);
    for (size_t i = 0; i < lines.count; i++) {
        struct texts cells = {0};
        str_split(arena, lines.items[i], '\t', &cells);
        if (cells.count < 3) {
            continue;
        }
        if (!table || !str_equal(table->name, cells.items[0])) {
            table = schema_add_table(known, cells.items[0]);
        }
        (void)table_add_column(known, table, cells.items[1], cells.items[2]);
    }
    schema_normalize(known);
    return known->tables.count > 0;
}

static bool folders_make(void)
{
    static const char *const names[] = {"data", "engine"};
    char path[100];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", place.folder, names[i]);
        if (mkdir(path, 0755) != 0) {
            return false;
        }
    }
    return place_canaries(&place);
}

static int start(struct arena *arena, const char *root, struct vocabulary *words)
{
    char what[WHAT_SIZE] = "";
    if (SANITIZED || access(DRAGOMAN_CHDB "/libchdb.so", R_OK) != 0) {
        return 77;
    }
    (void)snprintf(place.folder, sizeof place.folder,
                   "/tmp/dragoman-oracle-clickhouse-XXXXXX");
    if (!mkdtemp(place.folder)) {
        return 1;
    }
    buf_init(&answer, ANSWER_MOST);
    /* a busy machine must not give another world or vocabulary than an idle one */
    static const char unlimited[] = "SET max_execution_time = 0";
    bool ok = folders_make() && clickhouse_start(place.folder) && said(unlimited) &&
              world_make(arena, root);
    clickhouse_stop(); /* its counts of commands begin anew, without those of the world */
    ok = ok && clickhouse_start(place.folder) && said(unlimited) &&
         schema_read_in(arena) && clickhouse_real_names(arena, &real_names) &&
         clickhouse_types(arena, &all_types) && clickhouse_words_read(arena, words);
    clickhouse_stop();
    ok = ok && clickhouse_start(place.folder) && clickhouse_watch_unchanged(&place, what);
    if (what[0]) {
        (void)fprintf(stderr, "oracle: %s\n", what);
    }
    return ok ? 0 : 1;
}

static void stop(void)
{
    char command[100];
    clickhouse_stop();
    schema_unref(known);
    buf_release(&answer);
    (void)snprintf(command, sizeof command, "rm -rf %s", place.folder);
    int status = system(command); /* NOLINT(cert-env33-c) */
    (void)status;
}

static struct schema *schema(void)
{
    return known;
}

/* "Code: 164. DB::Exception: …" */
static int code_of(const char *error)
{
    return str_starts(error, "Code: ") ? (int)strtol(error + strlen("Code: "), NULL, 10)
                                       : 0;
}

static void error_take(struct outcome *out)
{
    enum { TOO_SLOW = 159, MEMORY = 241, ROWS = 396, BYTES = 307, READONLY = 164 };
    int code = code_of(buf_get(&answer));
    bool limited = code == TOO_SLOW || code == MEMORY || code == ROWS || code == BYTES;
    out->kind = limited ? OUTCOME_LIMITED : OUTCOME_FAILED;
    str_put(out->error, sizeof out->error, buf_get(&answer));
    if (code == READONLY) {
        str_put(out->what, sizeof out->what, "the server's own lock had to stop it");
    }
}

/* False: there is no answer to look at, or it is an error. */
static bool ask(enum clickhouse_session session, const char *sql, struct outcome *out)
{
    enum clickhouse_reply reply = clickhouse_ask(session, sql, &answer);
    *out = (struct outcome){.kind = OUTCOME_DONE};
    if (reply == REPLY_DEAD || reply == REPLY_HANGS) {
        str_put(out->what, sizeof out->what,
                reply == REPLY_DEAD ? "the engine died" : "the engine hangs");
        out->kind = OUTCOME_FAILED;
        clickhouse_stop();
        if (!clickhouse_start(place.folder)) {
            out->kind = OUTCOME_GONE;
        }
        return false;
    }
    if (reply == REPLY_ERROR) {
        error_take(out);
    }
    if (memmem(answer.data, answer.size, CANARY, strlen(CANARY))) {
        str_put(out->what, sizeof out->what, "a canary was read");
    }
    return reply == REPLY_ROWS;
}

/* FORMAT and INTO OUTFILE, which EXPLAIN takes for its own, and a second statement have
 * no place in parentheses, where every query can stand. */
static void end_check(struct arena *arena, const char *sql, struct outcome *out)
{
    enum { SYNTAX = 62 };
    const char *inside =
        arena_format(arena, "EXPLAIN AST SELECT * FROM (\n%s\n) AS whole", sql);
    if (!ask(SESSION_OPEN, inside, out) && code_of(out->error) == SYNTAX) {
        str_put(out->what, sizeof out->what, "more than a query stands there");
    }
}

/* False: it must not run. */
static bool explain(const char *sql, const struct guard_result *judged,
                    struct outcome *out)
{
    struct arena *arena = arena_new();
    const char *read = arena_format(arena, "EXPLAIN AST %s", sql);
    /* now and then, on a busy machine, an explanation is empty: then it is asked again */
    bool told = ask(SESSION_OPEN, read, out);
    for (int i = 0; i < TRIES && told && !answer.size; i++) {
        (void)usleep(PAUSE_US);
        told = ask(SESSION_OPEN, read, out);
    }
    if (told && !answer.size) { /* nobody has judged it */
        out->kind = OUTCOME_LIMITED;
        arena_free(arena);
        return false;
    }
    if (told) {
        clickhouse_syntax_check(buf_get(&answer), judged, &all_types, out->what);
        if (!out->what[0]) {
            end_check(arena, sql, out);
        }
    }
    if (!out->what[0] &&
        ask(SESSION_OPEN,
            arena_format(arena, "EXPLAIN QUERY TREE run_passes = 1, passes = 1 %s", sql),
            out)) {
        clickhouse_tree_check(buf_get(&answer), judged, &real_names, out->what);
    }
    arena_free(arena);
    return !out->what[0];
}

static void run(const char *sql, const struct guard_result *judged, struct outcome *out)
{
    *out = (struct outcome){.kind = OUTCOME_DONE};
    if (judged && !explain(sql, judged, out)) {
        return;
    }
    if (judged) {
        (void)ask(SESSION_LOCKED, sql, out);
        if (out->what[0]) {
            return;
        }
    }
    (void)ask(SESSION_OPEN, sql, out);
}

static bool unchanged(char what[WHAT_SIZE])
{
    return clickhouse_watch_unchanged(&place, what);
}

const struct judge judge_clickhouse = {
    .name = "clickhouse",
    .place = &place,
    .dialect = DIALECT_CLICKHOUSE,
    .start = start,
    .stop = stop,
    .schema = schema,
    .run = run,
    .unchanged = unchanged,
};
