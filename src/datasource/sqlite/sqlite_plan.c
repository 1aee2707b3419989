/*
 * What running a query would read, from SQLite's own program for it: a loop from Rewind
 * to Next visits every row of the tree its cursor was opened on. Names in the readable
 * plan may be aliases; root pages never are.
 */
#include "datasource/sqlite/sqlite_driver.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

enum { LOOPS_MOST = 64, PLAN_BYTES = 16384 };

struct loop {
    int start;
    int end;
    int cursor;
    const char *table;
    int64_t rows; /* -1 when not known */
};

struct operation {
    const char *name;
    int p1;
    int p2;
};

struct operations {
    struct operation *items;
    size_t count;
    size_t capacity;
};

struct planning {
    struct datasource *source;
    struct sqlite_connection *reader; /* prepares other people's SQL */
    struct sqlite_connection *own;    /* looks up tables and sizes */
    struct arena *arena;
    struct operations program;
    bool scans; /* the readable plan says so; a search for an end loops, too */
    struct loop loops[LOOPS_MOST];
    size_t loop_count;
};

static sqlite3_stmt *explain(struct planning *work, const char *how, const char *sql,
                             struct err *err)
{
    const char *text = arena_format(work->arena, "%s %s", how, sql);
    sqlite3_stmt *statement = sqlite_prepare_one(work->reader, text, err);
    if (!statement && err->position >= 0) {
        err->position -= (int)strlen(how) + 1;
    }
    return statement;
}

static bool program_read(struct planning *work, const char *sql, struct err *err)
{
    sqlite3_stmt *statement = explain(work, "EXPLAIN", sql, err);
    if (!statement) {
        return false;
    }
    int result;
    while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
        struct operation *operation = VEC_ADD(work->arena, &work->program);
        const char *name = (const char *)sqlite3_column_text(statement, 1);
        operation->name = arena_text(work->arena, name ? name : "");
        operation->p1 = sqlite3_column_int(statement, 2);
        operation->p2 = sqlite3_column_int(statement, 3);
    }
    bool ok = result == SQLITE_DONE ||
              sqlite_fail(work->reader, result, work->source->path, err);
    (void)sqlite3_finalize(statement);
    return ok;
}

/* One value of our own SQL with one bound text or number; -1 when there is none. */
static int64_t own_number(struct planning *work, const char *sql)
{
    struct err ignored;
    err_clear(&ignored);
    sqlite3_stmt *statement = sqlite_prepare_own(work->own, sql, &ignored);
    int64_t number = -1;
    if (statement && sqlite3_step(statement) == SQLITE_ROW &&
        sqlite3_column_type(statement, 0) != SQLITE_NULL) {
        number = sqlite3_column_int64(statement, 0);
    }
    (void)sqlite3_finalize(statement);
    return number;
}

static const char *table_at_page(struct planning *work, int page)
{
    struct err ignored;
    err_clear(&ignored);
    sqlite3_stmt *statement = sqlite_prepare_own(
        work->own, "SELECT tbl_name FROM sqlite_master WHERE rootpage = ?1", &ignored);
    const char *name = NULL;
    if (statement) {
        (void)sqlite3_bind_int(statement, 1, page);
        if (sqlite3_step(statement) == SQLITE_ROW) {
            name =
                arena_text(work->arena, (const char *)sqlite3_column_text(statement, 0));
        }
    }
    (void)sqlite3_finalize(statement);
    return name;
}

static int64_t table_rows(struct planning *work, const char *table)
{
    char *known = sqlite3_mprintf(
        "SELECT CAST(stat AS INTEGER) FROM sqlite_stat1 WHERE tbl = %Q LIMIT 1", table);
    int64_t rows = own_number(work, known);
    sqlite3_free(known);
    if (rows < 0) {
        char *largest = sqlite3_mprintf("SELECT max(rowid) FROM \"%w\"", table);
        rows = own_number(work, largest);
        sqlite3_free(largest);
    }
    return rows;
}

/* The page on which a cursor was opened before the given place; 0: none. */
static int cursor_page(const struct operations *program, int cursor, int before)
{
    for (int i = before; i >= 0; i--) {
        const struct operation *operation = &program->items[i];
        if (operation->p1 == cursor && str_equal(operation->name, "OpenRead")) {
            return operation->p2;
        }
    }
    /* Opening code may stand at the end of the program. */
    for (size_t i = (size_t)before; i < program->count; i++) {
        const struct operation *operation = &program->items[i];
        if (operation->p1 == cursor && str_equal(operation->name, "OpenRead")) {
            return operation->p2;
        }
    }
    return 0;
}

static void loop_add(struct planning *work, int start, int end, int cursor)
{
    int page = cursor_page(&work->program, cursor, start);
    if (page == 0 || work->loop_count >= LOOPS_MOST) {
        return;
    }
    const char *table = table_at_page(work, page);
    if (!table) {
        return;
    }
    struct loop *loop = &work->loops[work->loop_count++];
    loop->start = start;
    loop->end = end;
    loop->cursor = cursor;
    loop->table = table;
    loop->rows = table_rows(work, table);
}

static void loops_find(struct planning *work)
{
    const struct operations *program = &work->program;
    for (size_t i = 0; i < program->count; i++) {
        const struct operation *from = &program->items[i];
        if (str_equal(from->name, "Count")) {
            loop_add(work, (int)i, (int)i, from->p1);
        }
        if (!str_equal(from->name, "Rewind") && !str_equal(from->name, "Last")) {
            continue;
        }
        for (size_t j = i + 1; j < program->count; j++) {
            const struct operation *to = &program->items[j];
            if (to->p1 == from->p1 && to->p2 == (int)i + 1 &&
                (str_equal(to->name, "Next") || str_equal(to->name, "Prev"))) {
                loop_add(work, (int)i, (int)j, from->p1);
                break;
            }
        }
    }
}

/* Is the inner loop guarded so that it runs once, whatever goes round it? */
static bool runs_once(const struct operations *program, const struct loop *outer,
                      const struct loop *inner)
{
    for (int i = outer->start + 1; i < inner->start; i++) {
        const struct operation *operation = &program->items[i];
        if (str_equal(operation->name, "Once") && operation->p2 > inner->end) {
            return true;
        }
    }
    return false;
}

static int64_t multiply(int64_t a, int64_t b)
{
    int64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

static void loops_sum(const struct planning *work, struct datasource_estimate *out)
{
    int64_t total = 0;
    int64_t largest = -1;
    bool known = true;
    for (size_t i = 0; i < work->loop_count; i++) {
        const struct loop *loop = &work->loops[i];
        known = known && loop->rows >= 0;
        int64_t rows = loop->rows > 0 ? loop->rows : 0;
        for (size_t o = 0; o < work->loop_count; o++) {
            const struct loop *outer = &work->loops[o];
            if (outer->start < loop->start && outer->end > loop->end &&
                !runs_once(&work->program, outer, loop)) {
                rows = multiply(rows, outer->rows > 0 ? outer->rows : 1);
            }
        }
        if (loop->rows > largest) {
            largest = loop->rows;
            out->table = loop->table;
        }
        total = total > INT64_MAX - rows ? INT64_MAX : total + rows;
    }
    out->full_scan = work->loop_count > 0;
    out->rows = known ? total : -1;
}

static bool plan_text(struct planning *work, const char *sql,
                      struct datasource_estimate *out, struct err *err)
{
    sqlite3_stmt *statement = explain(work, "EXPLAIN QUERY PLAN", sql, err);
    if (!statement) {
        return false;
    }
    struct buf text;
    buf_init(&text, PLAN_BYTES);
    int result;
    while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
        const char *line = (const char *)sqlite3_column_text(statement, 3);
        line = line ? line : "";
        work->scans = work->scans || str_starts(line, "SCAN ");
        (void)buf_format(&text, "%s%s", text.size ? "\n" : "", line);
    }
    out->text = buf_clone(&text, work->arena);
    buf_release(&text);
    bool ok = result == SQLITE_DONE ||
              sqlite_fail(work->reader, result, work->source->path, err);
    (void)sqlite3_finalize(statement);
    return ok;
}

bool sqlite_estimate(struct datasource *source, const char *sql, struct arena *arena,
                     const struct datasource_limits *limits,
                     struct datasource_estimate *out, struct err *err)
{
    struct planning work = {.source = source, .arena = arena};
    work.reader = sqlite_take(source, SQLITE_FOR_READING, limits, err);
    if (!work.reader) {
        return false;
    }
    work.own = sqlite_take(source, SQLITE_FOR_SCHEMA, limits, err);
    bool ok =
        work.own && plan_text(&work, sql, out, err) && program_read(&work, sql, err);
    if (ok && work.scans) {
        loops_find(&work);
    }
    if (ok) {
        loops_sum(&work, out);
    }
    if (work.own) {
        sqlite_give(source, work.own);
    }
    sqlite_give(source, work.reader);
    return ok;
}
