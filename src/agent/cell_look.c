/* Asks the database whether one cell exists. */
#include "agent/cell_look.h"

#include <string.h>

#include "agent/run.h"
#include "agent/sources/policing.h"
#include "base/buf.h"
#include "base/str.h"

enum { LOOKS_MOST = 16, LOOK_MS = 200, SQL_MOST = 16384, COLUMNS_MOST = 12 };

static bool may_look(const struct run *run)
{
    const struct datasource *source = run_datasource(run);
    return source && !run->sources.across && !policing_wants_approval(run) &&
           !run->question.dry_run && !str_equal(source->driver->name, "bigquery");
}

static enum cell_look cell_look_ask(struct run *run, const struct buf *sql)
{
    if (sql->full || !may_look(run) || run->query.looks >= LOOKS_MOST ||
        run_stopped(run)) {
        return CELL_UNKNOWN;
    }
    run->query.looks++;
    int64_t steps;
    struct datasource_limits limits = run_probe_limits(run, LOOK_MS, 1, &steps);
    struct arena *arena = arena_new();
    struct rows rows;
    struct err err;
    err_clear(&err);
    rows_init(&rows, arena);
    bool told = datasource_execute(run_datasource(run), buf_get(sql), run_schema(run),
                                   &limits, &rows, &err);
    enum cell_look found = !told ? CELL_UNKNOWN : rows.count ? CELL_PRESENT : CELL_ABSENT;
    arena_free(arena);
    return found;
}

/* Some engines read a backslash as the start of an escape. */
static bool cell_look_is_plain(const char *text)
{
    return !strchr(text, '\\');
}

static void begin(struct buf *sql, enum dialect dialect, const struct table *table)
{
    buf_init(sql, SQL_MOST);
    (void)buf_text(sql, "SELECT 1 FROM ");
    dialect_quote(sql, dialect, table->name, true);
    (void)buf_text(sql, " WHERE ");
}

enum cell_look cell_look(struct run *run, const struct table *table,
                         const struct column *column, const char *text)
{
    if (!run_datasource(run) || !cell_look_is_plain(text)) {
        return CELL_UNKNOWN;
    }
    enum dialect dialect = datasource_dialect(run_datasource(run));
    struct buf sql;
    begin(&sql, dialect, table);
    dialect_quote(&sql, dialect, column->name, false);
    (void)buf_text(&sql, " = ");
    (void)buf_quote(&sql, text, '\'');
    (void)buf_text(&sql, " LIMIT 1");
    enum cell_look found = cell_look_ask(run, &sql);
    buf_release(&sql);
    return found;
}

/* Enumerations need no case folding, and their values are in the schema. */
static bool holds_words(const struct column *column)
{
    return column->is_text && !str_contains_nocase(column->type, "enum");
}

static void add_words(struct buf *sql, struct arena *arena, const struct texts *words)
{
    for (size_t i = 0; i < words->count; i++) {
        (void)buf_text(sql, i ? ", " : "");
        (void)buf_quote(sql, str_lower(arena, words->items[i]), '\'');
    }
}

enum cell_look cell_look_words(struct run *run, const struct table *table,
                               const struct texts *words)
{
    for (size_t i = 0; i < words->count; i++) {
        if (!cell_look_is_plain(words->items[i])) {
            return CELL_UNKNOWN;
        }
    }
    if (!run_datasource(run) || !words->count) {
        return CELL_UNKNOWN;
    }
    enum dialect dialect = datasource_dialect(run_datasource(run));
    struct buf sql;
    size_t columns = 0;
    begin(&sql, dialect, table);
    for (size_t i = 0; i < table->columns.count && columns < COLUMNS_MOST; i++) {
        if (holds_words(&table->columns.items[i])) {
            (void)buf_text(&sql, columns++ ? " OR LOWER(" : "LOWER(");
            dialect_quote(&sql, dialect, table->columns.items[i].name, false);
            (void)buf_text(&sql, ") IN (");
            add_words(&sql, run->scratch, words);
            (void)buf_text(&sql, ")");
        }
    }
    (void)buf_text(&sql, " LIMIT 1");
    enum cell_look found = columns ? cell_look_ask(run, &sql) : CELL_ABSENT;
    buf_release(&sql);
    return found;
}
