/*
 * How much SQL survives the way into the IR and back: every query of a question file is
 * read, rebuilt for SQLite, and both are run. Prints the shares that could be read and
 * that gave the same rows (in the same order where the query sorts).
 *
 * usage: round_trip QUESTIONS.json DATABASES [--show read|rows|all] [--only DB]
 */
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/json.h"
#include "base/str.h"
#include "base/vec.h"
#include "datasource/datasource.h"
#include "knowledge/keys/key_find.h"
#include "parser/ir/ir_schema.h"
#include "parser/to_sql/rebuild.h"
#include "parser/from_sql/sql_to_ir.h"

enum { ROWS_MAX = 5000, FILE_MAX = 64 << 20, RUN_MS = 2000 };

struct database {
    const char *id;
    struct datasource *source;
    struct schema *schema;
    const struct ir_schema *ir;
    sqlite3 *db;
};

struct databases {
    struct database *items;
    size_t count;
    size_t capacity;
};

struct bench {
    struct arena *arena;
    struct options *options;
    struct databases databases;
    const char *folder;
    const char *show;
    size_t asked, unread, gold_bad, same, differs, failed;
    int64_t ir_us;
    size_t tokens;
};

static struct database *database_get(struct bench *bench, const char *id)
{
    struct err err;
    for (size_t i = 0; i < bench->databases.count; i++) {
        if (str_equal(bench->databases.items[i].id, id)) {
            return &bench->databases.items[i];
        }
    }
    char *path = arena_format(bench->arena, "%s/%s/%s.sqlite", bench->folder, id, id);
    struct database database = {.id = arena_text(bench->arena, id)};
    const struct datasource_setting setting = {.id = database.id, .url = path};
    database.source = datasource_open(&setting, bench->options, &err);
    if (!database.source) {
        fprintf(stderr, "%s: %s\n", id, err.message);
        return NULL;
    }
    database.schema = datasource_describe(database.source, NULL, &err);
    if (!database.schema ||
        sqlite3_open_v2(path, &database.db, SQLITE_OPEN_READONLY, NULL)) {
        fprintf(stderr, "%s: %s\n", id, err.message);
        return NULL;
    }
    schema_normalize(database.schema);
    (void)datasource_enrich(database.source, database.schema, NULL, &err);
    key_find(database.source, database.schema, NULL);
    database.ir = ir_schema_new(bench->arena, database.schema);
    VEC_PUSH(bench->arena, &bench->databases, database);
    return &bench->databases.items[bench->databases.count - 1];
}

struct values {
    struct arena *arena;
    struct ir_values list;
};

static struct ir_token find_value(void *context, const char *literal, bool is_text)
{
    struct values *values = context;
    for (size_t i = 0; i < values->list.count; i++) {
        if (str_equal(values->list.items[i].text, literal) &&
            values->list.items[i].is_text == is_text) {
            return (struct ir_token){IR_VALUE, (int)i};
        }
    }
    struct ir_value value = {.text = arena_text(values->arena, literal),
                             .is_text = is_text};
    VEC_PUSH(values->arena, &values->list, value);
    return (struct ir_token){IR_VALUE, (int)values->list.count - 1};
}

struct run {
    int64_t end_ms;
};

static int over_time(void *context)
{
    const struct run *run = context;
    return clock_ms() > run->end_ms;
}

static void cell_print(struct buf *out, sqlite3_stmt *statement, int column)
{
    int type = sqlite3_column_type(statement, column);
    if (type == SQLITE_NULL) {
        buf_text(out, "NULL|");
    } else if (type == SQLITE_TEXT || type == SQLITE_BLOB) {
        buf_format(out, "%s|", (const char *)sqlite3_column_text(statement, column));
    } else {
        double value = sqlite3_column_double(statement, column);
        buf_format(out, "%.6g|", fabs(value) < 1e-9 ? 0 : value);
    }
}

static int text_order(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* False when it does not run. `any_order`: of columns, as `*` gives them. */
static bool rows_get(struct arena *arena, sqlite3 *db, const char *sql, bool any_order,
                     struct texts *rows)
{
    sqlite3_stmt *statement = NULL;
    struct run run = {clock_ms() + RUN_MS};
    sqlite3_progress_handler(db, 10000, over_time, &run);
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK) {
        return false;
    }
    int code = SQLITE_ROW;
    while (rows->count < ROWS_MAX && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        struct buf line;
        buf_init(&line, 1 << 20);
        struct texts cells = {0};
        for (int i = 0; i < sqlite3_column_count(statement); i++) {
            buf_clear(&line);
            cell_print(&line, statement, i);
            VEC_PUSH(arena, &cells, buf_clone(&line, arena));
        }
        if (any_order) {
            qsort(cells.items, cells.count, sizeof *cells.items, text_order);
        }
        VEC_PUSH(arena, rows, str_join(arena, &cells, ""));
        buf_release(&line);
    }
    sqlite3_finalize(statement);
    return code == SQLITE_ROW || code == SQLITE_DONE;
}

static bool rows_same(struct texts *a, struct texts *b, bool ordered)
{
    if (a->count != b->count) {
        return false;
    }
    if (!ordered && a->count > 1) {
        qsort(a->items, a->count, sizeof *a->items, text_order);
        qsort(b->items, b->count, sizeof *b->items, text_order);
    }
    for (size_t i = 0; i < a->count; i++) {
        if (strcmp(a->items[i], b->items[i]) != 0) {
            return false;
        }
    }
    return true;
}

static void show(const struct bench *bench, const char *what, const char *id,
                 const char *gold, const char *ir, const char *detail)
{
    if (str_equal(bench->show, what) || str_equal(bench->show, "all")) {
        printf("%s %s\n  gold %s\n  ir   %s\n  now  %s\n", what, id, gold, ir, detail);
    }
}

static void question_try(struct bench *bench, const json_t *item)
{
    const char *id = json_text_at(item, "db_id");
    const char *gold = json_text_at(item, "query");
    struct database *database = database_get(bench, id);
    struct arena *arena = arena_new();
    struct values values = {.arena = arena};
    struct texts before = {0}, after = {0};
    struct err err;
    struct buf words;
    buf_init(&words, 1 << 16);
    bool star = str_contains_nocase(gold, "select *") ||
                str_contains_nocase(gold, "select distinct *");
    if (!database || !rows_get(arena, database->db, gold, star, &before)) {
        bench->gold_bad++;
        goto end;
    }
    bench->asked++;
    struct sql_to_ir_request request = {.schema = database->ir,
                                        .dialect = DIALECT_SQLITE,
                                        .question = json_text_at(item, "question"),
                                        .find_value = find_value,
                                        .context = &values};
    struct sql_to_ir_result ir;
    struct rebuild_result rebuilt;
    int64_t start_us = clock_us();
    if (!sql_to_ir(arena, &request, gold, &ir, &err)) {
        bench->unread++;
        show(bench, "read", id, gold, "", err.message);
        goto end;
    }
    struct rebuild_request back = {.schema = database->ir,
                                   .values = &values.list,
                                   .dialect = DIALECT_SQLITE,
                                   .question = request.question};
    ir_print(&words, &ir.tokens, database->ir, &values.list);
    if (!rebuild_sql(arena, &back, &ir.tokens, &rebuilt, &err)) {
        bench->failed++;
        show(bench, "rebuild", id, gold, buf_get(&words), err.message);
        goto end;
    }
    bench->ir_us += clock_us() - start_us;
    bench->tokens += ir.tokens.count;
    bool ordered = str_contains_nocase(gold, "order by");
    if (!rows_get(arena, database->db, rebuilt.sql, star, &after)) {
        bench->failed++;
        show(bench, "run", id, gold, buf_get(&words), rebuilt.sql);
        show(bench, "run", id, "", "", sqlite3_errmsg(database->db));
    } else if (rows_same(&before, &after, ordered)) {
        bench->same++;
        show(bench, "same", id, gold, buf_get(&words), rebuilt.sql);
    } else {
        bench->differs++;
        show(bench, "rows", id, gold, buf_get(&words), rebuilt.sql);
    }
end:
    buf_release(&words);
    arena_free(arena);
}

int main(int argc, char **argv)
{
    struct err err;
    struct bench bench = {.arena = arena_new(), .options = options_new(), .show = ""};
    const char *only = NULL;
    if (argc < 3) {
        fprintf(stderr,
                "usage: round_trip QUESTIONS.json DATABASES [--show WHAT] [--only DB]\n");
        return 2;
    }
    for (int i = 3; i + 1 < argc; i += 2) {
        if (str_equal(argv[i], "--show")) {
            bench.show = argv[i + 1];
        } else if (str_equal(argv[i], "--only")) {
            only = argv[i + 1];
        }
    }
    bench.folder = argv[2];
    size_t size;
    char *text = file_read(bench.arena, argv[1], FILE_MAX, &size, &err);
    json_t *list = text ? json_parse(bench.arena, text, size, &err) : NULL;
    if (!list) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        if (!only || str_equal(only, json_text_at(item, "db_id"))) {
            question_try(&bench, item);
        }
    }
    double all = bench.asked ? (double)bench.asked : 1;
    printf("%zu queries that run (%zu do not): read %.2f %%, same rows %.2f %%; "
           "%zu differ, %zu do not run; %.1f tokens, %.0f us each\n",
           bench.asked, bench.gold_bad,
           100 * ((double)(bench.asked - bench.unread)) / all,
           100 * (double)bench.same / all, bench.differs, bench.failed,
           (double)bench.tokens / all, (double)bench.ir_us / all);
    for (size_t i = 0; i < bench.databases.count; i++) {
        sqlite3_close(bench.databases.items[i].db);
        schema_unref(bench.databases.items[i].schema);
        datasource_close(bench.databases.items[i].source);
    }
    options_free(bench.options);
    arena_free(bench.arena);
    return 0;
}
