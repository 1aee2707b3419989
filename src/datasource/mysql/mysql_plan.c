/* What a query would read, from MySQL's own plan for it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "datasource/mysql/mysql_driver.h"
#include "sql/statement.h"

enum { PLAN_BYTES = 16384 };

/* Columns of EXPLAIN that are used; the two servers place them differently. */
enum { PLAN_ID, PLAN_TABLE, PLAN_TYPE, PLAN_KEY, PLAN_ROWS, PLAN_EXTRA, PLAN_COUNT };
static const char *const plan_names[PLAN_COUNT] = {"id",  "table", "type",
                                                   "key", "rows",  "Extra"};

struct planning {
    struct datasource *source;
    const char *sql;
    const struct datasource_limits *limits;
    struct arena *arena;
    struct datasource_estimate *out;
    int places[PLAN_COUNT];
    struct buf text;
    char id[32];    /* of the query that the row before belongs to */
    double product; /* rows of the tables joined so far in it */
    double rows;
    double largest;
    const char *alias; /* of the largest table read as a whole */
};

static bool plan_columns(void *context, const struct rows_column *columns, size_t count)
{
    struct planning *work = context;
    for (int i = 0; i < PLAN_COUNT; i++) {
        work->places[i] = -1;
        for (size_t at = 0; at < count; at++) {
            if (str_equal_nocase(columns[at].name, plan_names[i])) {
                work->places[i] = (int)at;
            }
        }
    }
    return true;
}

static const char *cell(struct planning *work, const struct value *cells, int which)
{
    struct buf text;
    int place = work->places[which];
    if (place < 0 || cells[place].kind == VALUE_NULL) {
        return "";
    }
    buf_init(&text, 1024);
    value_print(&text, &cells[place]);
    const char *kept = buf_clone(&text, work->arena);
    buf_release(&text);
    return kept;
}

/* Tables of one query are joined in the order of the rows: each is read once for every
 * row of those before it. */
static bool plan_row(void *context, const struct value *cells)
{
    struct planning *work = context;
    const char *id = cell(work, cells, PLAN_ID);
    const char *table = cell(work, cells, PLAN_TABLE);
    const char *type = cell(work, cells, PLAN_TYPE);
    const char *key = cell(work, cells, PLAN_KEY);
    const char *extra = cell(work, cells, PLAN_EXTRA);
    double rows = strtod(cell(work, cells, PLAN_ROWS), NULL);
    if (!str_equal(id, work->id)) {
        (void)snprintf(work->id, sizeof work->id, "%s", id);
        work->product = 1;
    }
    bool buffered = strstr(extra, "join buffer") != NULL;
    double read = buffered ? rows : rows * work->product;
    (void)buf_format(&work->text, "%s%s %s%s%s (%.0f rows)%s%s",
                     work->text.size ? "\n" : "", type[0] ? type : "-",
                     table[0] ? table : "-", key[0] ? " by " : "", key, rows,
                     extra[0] ? ": " : "", extra);
    work->product *= rows > 1 ? rows : 1;
    if (table[0] == '\0' || table[0] == '<') {
        return true; /* made by the query itself */
    }
    work->rows += read;
    if ((str_equal_nocase(type, "ALL") || str_equal_nocase(type, "index"))) {
        work->out->full_scan = true;
        if (rows > work->largest || !work->alias) {
            work->largest = rows;
            work->alias = table;
        }
    }
    return true;
}

/* The plan speaks of aliases: `shop.item AS i` is the table behind i. */
static const char *table_behind(struct planning *work, const char *alias)
{
    struct sql_statement statement;
    struct sql_nodes tables = {0};
    statement_read(work->arena, DIALECT_MYSQL, work->sql, work->limits, &statement);
    sql_collect(work->arena, statement.root, SQL_TABLE, &tables);
    for (size_t i = 0; i < tables.count; i++) {
        const struct sql_node *path = tables.items[i]->children[TABLE_PATH];
        const struct sql_node *named = tables.items[i]->children[TABLE_ALIAS];
        const char *table = path->children[path->count - 1]->text;
        if (!str_equal(named ? named->text : table, alias)) {
            continue;
        }
        return path->count > 1
                   ? arena_format(work->arena, "%s.%s",
                                  path->children[path->count - 2]->text, table)
                   : table;
    }
    return alias;
}

static bool bytes_row(void *context, const char *const *texts)
{
    struct planning *work = context;
    if (!texts[0] || !str_to_int(texts[0], &work->out->bytes)) {
        work->out->bytes = -1;
    }
    return false;
}

/* The bytes of the table that is read as a whole. */
static bool bytes_ask(struct mysql_session *session, struct planning *work,
                      struct err *err)
{
    const char *name = work->out->table;
    const char *dot = strchr(name, '.');
    struct buf sql;
    buf_init(&sql, 4096);
    (void)buf_text(&sql, "SELECT DATA_LENGTH FROM information_schema.TABLES WHERE"
                         " TABLE_SCHEMA = ");
    mysql_literal(&sql, dot ? arena_copy(work->arena, name, (size_t)(dot - name))
                            : session->state->database);
    (void)buf_text(&sql, " AND TABLE_NAME = ");
    mysql_literal(&sql, dot ? dot + 1 : name);
    bool ok = mysql_rows(session, buf_get(&sql), bytes_row, work, err);
    buf_release(&sql);
    return ok;
}

static bool plan_work(struct mysql_session *session, void *context, struct err *err)
{
    struct planning *work = context;
    const struct datasource_sink sink = {
        .columns = plan_columns, .row = plan_row, .context = work};
    struct datasource_estimate *out = work->out;
    *out = (struct datasource_estimate){.rows = -1, .bytes = -1};
    work->product = 1;
    buf_init(&work->text, PLAN_BYTES);
    bool ok = mysql_run(session, "EXPLAIN ", work->sql, &sink, err);
    out->text = buf_clone(&work->text, work->arena);
    buf_release(&work->text);
    if (!ok) {
        return false;
    }
    out->rows = work->rows < 9e18 ? (int64_t)work->rows : INT64_MAX;
    out->table = work->alias ? table_behind(work, work->alias) : NULL;
    return !out->table || bytes_ask(session, work, err);
}

bool mysql_estimate(struct datasource *source, const char *sql, struct arena *arena,
                    const struct datasource_limits *limits,
                    struct datasource_estimate *out, struct err *err)
{
    struct planning work = {
        .source = source, .sql = sql, .limits = limits, .arena = arena, .out = out};
    return mysql_with(source, limits, plan_work, &work, err);
}
