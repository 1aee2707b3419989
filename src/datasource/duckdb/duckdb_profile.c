/* Sample values, row counts and statistics of one DuckDB table. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "datasource/duckdb/duckdb.h"

enum {
    SCAN_ROWS = 10000,   /* rows looked at for samples */
    EXACT_ROWS = 100000, /* up to here distinct values are counted, not estimated */
    EXACT_COLUMNS = 100, /* and up to so many columns: each is a table of hashes */
    BATCH_COLUMNS = 100,
    SAMPLE_BYTES = 100,
    SQL_MOST = 1 << 20,
};

struct profiling {
    struct duck_session *session;
    struct table *table;
    struct arena *arena;
    struct buf sql;
    size_t from; /* the columns being asked about */
    size_t to;
    struct column *column; /* the one being sampled */
};

static void quote(struct buf *out, const char *name)
{
    (void)buf_char(out, '"');
    for (; *name; name++) {
        if (*name == '"') {
            (void)buf_char(out, '"');
        }
        (void)buf_char(out, *name);
    }
    (void)buf_char(out, '"');
}

static void quote_table(struct buf *out, const struct table *table)
{
    if (table->namespace[0]) {
        quote(out, table->namespace);
        (void)buf_char(out, '.');
    }
    quote(out, table->bare_name);
}

static bool count_row(void *context, const char *const *texts)
{
    struct profiling *work = context;
    int64_t count = 0;
    if (texts[0] && str_to_int(texts[0], &count)) {
        work->table->row_count = count;
        work->table->row_count_exact = true;
    }
    return false;
}

static const char *extreme(struct profiling *work, const struct column *column,
                           const char *text)
{
    bool words = str_starts_nocase(column->type, "VARCHAR") ||
                 str_starts_nocase(column->type, "ENUM");
    if (!text || (words && !text_is_date(text, strlen(text)))) {
        return NULL;
    }
    return arena_text(work->arena, text);
}

static bool statistics_row(void *context, const char *const *texts)
{
    struct profiling *work = context;
    double rows = (double)work->table->row_count;
    for (size_t i = work->from; i < work->to; i++) {
        struct column *column = &work->table->columns.items[i];
        const char *const *four = texts + 4 * (i - work->from);
        int64_t present = 0;
        if (rows > 0 && four[0] && str_to_int(four[0], &present)) {
            column->null_share = 1.0 - (double)present / rows;
        }
        if (!four[1] || !str_to_int(four[1], &column->distinct)) {
            column->distinct = -1;
        }
        column->least = extreme(work, column, four[2]);
        column->greatest = extreme(work, column, four[3]);
    }
    return false;
}

/* Values that have an order worth knowing and are no bytes. */
static bool comparable(const struct column *column)
{
    static const char *const not_these[] = {"BLOB", "STRUCT", "MAP",  "UNION",
                                            "[",    "BIT",    "JSON", "UUID"};
    for (size_t i = 0; i < sizeof not_these / sizeof *not_these; i++) {
        if (str_contains_nocase(column->type, not_these[i])) {
            return false;
        }
    }
    return true;
}

static bool statistics_read(struct profiling *work, struct err *err)
{
    struct buf *sql = &work->sql;
    bool exact = work->table->row_count <= EXACT_ROWS &&
                 work->table->columns.count <= EXACT_COLUMNS;
    buf_clear(sql);
    (void)buf_text(sql, "SELECT ");
    for (size_t i = work->from; i < work->to; i++) {
        const struct column *column = &work->table->columns.items[i];
        const char *const forms[] = {
            "system.main.count(%)::VARCHAR",
            !comparable(column) ? "NULL"
            : exact             ? "system.main.count(DISTINCT %)::VARCHAR"
                                : "system.main.approx_count_distinct(%)::VARCHAR",
            comparable(column) ? "system.main.min(%)::VARCHAR" : "NULL",
            comparable(column) ? "system.main.max(%)::VARCHAR" : "NULL",
        };
        for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
            (void)buf_text(sql, i > work->from || f > 0 ? ", " : "");
            for (const char *at = forms[f]; *at; at++) {
                if (*at == '%') {
                    quote(sql, column->name);
                } else {
                    (void)buf_char(sql, *at);
                }
            }
        }
    }
    (void)buf_text(sql, " FROM ");
    quote_table(sql, work->table);
    return duck_rows(work->session, buf_get(sql), statistics_row, work, err);
}

static bool sample_row(void *context, const char *const *texts)
{
    struct profiling *work = context;
    if (texts[0]) {
        VEC_PUSH(work->arena, &work->column->samples, arena_text(work->arena, texts[0]));
    }
    return true;
}

static bool samples_read(struct profiling *work, int samples, struct err *err)
{
    struct buf *sql = &work->sql;
    buf_clear(sql);
    (void)buf_text(sql, "SELECT v FROM (SELECT ");
    quote(sql, work->column->name);
    (void)buf_text(sql, "::VARCHAR AS v FROM ");
    quote_table(sql, work->table);
    (void)buf_format(sql,
                     " LIMIT %d) WHERE v <> '' AND system.main.length(v) <= %d GROUP BY v"
                     " ORDER BY system.main.count(*) DESC, v LIMIT %d",
                     SCAN_ROWS, SAMPLE_BYTES, samples);
    return duck_rows(work->session, buf_get(sql), sample_row, work, err);
}

static bool profile_run(struct profiling *work, int samples, struct err *err)
{
    struct table *table = work->table;
    buf_clear(&work->sql);
    (void)buf_text(&work->sql, "SELECT system.main.count(*)::VARCHAR FROM ");
    quote_table(&work->sql, table);
    if (!duck_rows(work->session, buf_get(&work->sql), count_row, work, err)) {
        return false;
    }
    for (work->from = 0; work->from < table->columns.count; work->from = work->to) {
        work->to = work->from + BATCH_COLUMNS;
        work->to = work->to < table->columns.count ? work->to : table->columns.count;
        if (!statistics_read(work, err)) {
            return false;
        }
    }
    for (size_t i = 0; samples > 0 && i < table->columns.count; i++) {
        work->column = &table->columns.items[i];
        bool words = str_equal_nocase(work->column->type, "VARCHAR") ||
                     str_starts_nocase(work->column->type, "ENUM");
        if (words && !samples_read(work, samples, err)) {
            return false;
        }
    }
    return true;
}

bool duck_profile(struct datasource *source, struct schema *schema, struct table *table,
                  struct arena *arena, int samples,
                  const struct datasource_limits *limits, struct err *err)
{
    (void)schema;
    struct duck_session session;
    if (!duck_begin(source, limits, &session, err)) {
        return false;
    }
    struct profiling work = {.session = &session, .table = table, .arena = arena};
    buf_init(&work.sql, SQL_MOST);
    bool ok = profile_run(&work, samples, err);
    buf_release(&work.sql);
    duck_end(source, &session);
    return ok;
}
