/* What a query would read: rows and bytes of the tables it names, and from servers that
 * tell it, how much of that its conditions on the primary key leave. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "datasource/clickhouse/clickhouse_driver.h"
#include "sql/guard.h"
#include "sql/statement.h"

enum { SQL_MOST = 64 * 1024, TEXT_MOST = 16384, TABLES_MOST = 32 };

struct read_table {
    const char *database;
    const char *name;
    int64_t total; /* rows it has; -1: not known */
    int64_t bytes;
    int64_t rows; /* rows that would be read; -1: not known */
};

struct planning {
    struct clickhouse_state *state;
    const struct datasource_limits *limits;
    struct arena *arena;
    struct read_table tables[TABLES_MOST];
    size_t count;
    struct buf text;
};

static struct read_table *table_find(struct planning *work, const char *database,
                                     const char *name)
{
    for (size_t i = 0; i < work->count; i++) {
        if (str_equal(work->tables[i].database, database) &&
            str_equal(work->tables[i].name, name)) {
            return &work->tables[i];
        }
    }
    return NULL;
}

/* Tables as the guard reads them out of the SQL: "orders", "sales.orders". */
static void tables_find(struct planning *work, const char *sql)
{
    struct guard_result guard = {0};
    struct sql_statement statement;
    statement_read(work->arena, DIALECT_CLICKHOUSE, sql, work->limits, &statement);
    guard_check_statement(work->arena, &statement, NULL, &guard);
    for (size_t i = 0; i < guard.tables.count && work->count < TABLES_MOST; i++) {
        const char *name = guard.tables.items[i];
        const char *dot = strchr(name, '.');
        const char *database = dot ? arena_copy(work->arena, name, (size_t)(dot - name))
                                   : work->state->database;
        name = dot ? dot + 1 : name;
        if (!table_find(work, database, name)) {
            work->tables[work->count++] = (struct read_table){
                .database = database, .name = name, .total = -1, .bytes = -1, .rows = -1};
        }
    }
}

/* database, table, rows, bytes */
static bool size_row(void *context, const char *const *texts)
{
    struct planning *work = context;
    struct read_table *table =
        texts[0] && texts[1] ? table_find(work, texts[0], texts[1]) : NULL;
    if (table && texts[2] && texts[3]) {
        (void)str_to_int(texts[2], &table->total);
        (void)str_to_int(texts[3], &table->bytes);
    }
    return true;
}

static bool sizes_ask(struct planning *work, struct err *err)
{
    struct buf sql;
    buf_init(&sql, SQL_MOST);
    (void)buf_text(&sql,
                   "SELECT database, table, toString(sum(rows)),"
                   " toString(sum(bytes_on_disk)) FROM system.parts WHERE active AND"
                   " table IN (''");
    for (size_t i = 0; i < work->count; i++) {
        (void)buf_text(&sql, ", ");
        clickhouse_quote_text(&sql, work->tables[i].name);
    }
    (void)buf_text(&sql, ") GROUP BY database, table");
    bool ok =
        clickhouse_rows(work->state, buf_get(&sql), work->limits, size_row, work, err);
    buf_release(&sql);
    return ok;
}

/* database, table, parts, rows, marks */
static bool estimate_row(void *context, const struct value *cells)
{
    struct planning *work = context;
    if (cells[0].kind == VALUE_TEXT && cells[1].kind == VALUE_TEXT &&
        cells[3].kind == VALUE_INT) {
        struct read_table *table =
            table_find(work, cells[0].text.data, cells[1].text.data);
        if (table) {
            table->rows = cells[3].integer + (table->rows > 0 ? table->rows : 0);
        }
    }
    return true;
}

static bool estimate_columns(void *context, const struct rows_column *columns,
                             size_t count)
{
    (void)context;
    (void)columns;
    return count == 5;
}

static bool plan_columns(void *context, const struct rows_column *columns, size_t count)
{
    (void)context;
    (void)columns;
    return count == 1;
}

static bool plan_row(void *context, const struct value *cells)
{
    struct planning *work = context;
    if (cells[0].kind == VALUE_TEXT) {
        (void)buf_text(&work->text, cells[0].text.data);
        (void)buf_char(&work->text, '\n');
    }
    return !work->text.full;
}

static bool explain(struct planning *work, const char *how, const char *sql,
                    const struct datasource_sink *sink, struct err *err)
{
    const struct clickhouse_question question = {.prefix = how, .sql = sql};
    struct datasource_limits whole = {0};
    if (work->limits) {
        whole = *work->limits;
        whole.max_rows = 0;
    }
    return clickhouse_call(work->state, &question, &whole, sink, err);
}

static void sum_up(struct planning *work, struct datasource_estimate *out)
{
    int64_t largest = -1;
    for (size_t i = 0; i < work->count; i++) {
        const struct read_table *table = &work->tables[i];
        int64_t rows = table->rows >= 0 ? table->rows : table->total;
        bool home = str_equal(table->database, work->state->database);
        const char *name =
            home ? table->name
                 : arena_format(work->arena, "%s.%s", table->database, table->name);
        if (rows < 0) {
            (void)buf_format(&work->text, "%s: rows not known\n", name);
            continue;
        }
        (void)buf_format(&work->text, "%s: %lld of %lld rows\n", name, (long long)rows,
                         (long long)table->total);
        out->rows = (out->rows < 0 ? 0 : out->rows) + rows;
        if (table->total > 0 && table->bytes >= 0) {
            double share = (double)rows / (double)table->total;
            out->bytes = (out->bytes < 0 ? 0 : out->bytes) +
                         (int64_t)((double)table->bytes * (share > 1 ? 1 : share));
        }
        if (rows >= table->total && rows > largest) {
            largest = rows;
            out->full_scan = true;
            out->table = arena_text(work->arena, name);
        }
    }
}

bool clickhouse_estimate(struct datasource *source, const char *sql, struct arena *arena,
                         const struct datasource_limits *limits,
                         struct datasource_estimate *out, struct err *err)
{
    struct planning work = {.state = source->state, .limits = limits, .arena = arena};
    size_t size = 0;
    if (!source->driver->check(source, sql, limits, err) ||
        !clickhouse_query_only(sql, &size, err)) {
        return false;
    }
    const char *one = arena_copy(arena, sql, size);
    const struct datasource_sink estimates = {
        .columns = estimate_columns, .row = estimate_row, .context = &work};
    const struct datasource_sink plan = {
        .columns = plan_columns, .row = plan_row, .context = &work};
    buf_init(&work.text, TEXT_MOST);
    tables_find(&work, one);
    bool ok = work.count == 0 || sizes_ask(&work, err);
    if (ok && work.state->has_explain) {
        struct err ignored; /* a plan helps, but nothing depends on it */
        err_clear(&ignored);
        (void)explain(&work, "EXPLAIN ESTIMATE ", one, &estimates, &ignored);
        (void)explain(&work, "EXPLAIN PLAN ", one, &plan, &ignored);
        ok = limits_hold(limits, err);
    }
    if (ok) {
        sum_up(&work, out);
        out->text = work.text.size ? buf_clone(&work.text, arena) : "no table is read";
    }
    buf_release(&work.text);
    return ok;
}
