/*
 * The distinct values of a datasource's text columns, read through its guard and limits.
 */
#include "base/buf.h"
#include "base/clock.h"
#include "base/str.h"
#include "datasource/datasource.h"
#include "knowledge/value_index/value_index_state.h"

enum {
    SQL_MOST = 8192,
    COLUMN_BYTES = 4 << 20, /* of one column's answer */
    UNTYPED_ROWS = 20000,   /* looked at in a column that should hold no text */
    VALUE_SHARE = 96,       /* bytes a value takes, when columns share the room */
    LEAST_VALUES = 100,     /* per column, however many columns there are */
};

struct reading {
    struct value_index *index;
    struct datasource *source;
    const struct schema *schema;
    const struct datasource_limits *limits;
    struct arena *arena; /* emptied after each column */
    size_t values;       /* per column */
    size_t columns_read;
};

static bool is_sqlite(const struct schema *schema)
{
    return str_equal_nocase(schema->dialect, "sqlite");
}

/* SQLite lets any column hold text, and dates are text there. Of other databases' types
 * only text has values worth finding: numbers and dates are found in the question. */
static bool worth_reading(const struct reading *reading, const struct column *column)
{
    return column->is_text || is_sqlite(reading->schema);
}

static void write_sql(struct reading *reading, const struct table *table,
                      const struct column *column, struct buf *out)
{
    enum dialect dialect = datasource_dialect(reading->source);
    bool sift = !column->is_text;
    size_t rows = sift ? UNTYPED_ROWS : reading->index->settings.rows_per_column;
    (void)buf_text(out, "SELECT DISTINCT ");
    dialect_quote(out, dialect, column->name, false);
    (void)buf_text(out, " FROM (SELECT ");
    dialect_quote(out, dialect, column->name, false);
    (void)buf_text(out, " FROM ");
    dialect_quote(out, dialect, table->name, true);
    (void)buf_format(out, " LIMIT %zu) AS part WHERE ", rows);
    if (sift) {
        (void)buf_text(out, "typeof(");
        dialect_quote(out, dialect, column->name, false);
        (void)buf_text(out, ") = 'text'");
    } else {
        dialect_quote(out, dialect, column->name, false);
        (void)buf_text(out, " IS NOT NULL");
    }
    (void)buf_format(out, " LIMIT %zu", reading->values);
}

static void take_rows(struct reading *reading, struct value_place place,
                      const struct rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct value *cell = rows_cell(rows, i, 0);
        if (cell->kind == VALUE_TEXT) {
            (void)value_index_add(reading->index, place, cell->text.data,
                                  cell->text.size);
        }
    }
}

/* A failure that another try may not meet; a view that is broken stays so. */
static bool passes(const struct err *err)
{
    return err->code == ERR_TIMEOUT || err->code == ERR_STOPPED ||
           err->code == ERR_DATABASE_LOCKED || err->code == ERR_DATASOURCE_UNREACHABLE;
}

/* False when reading must end: stopped, or out of time. */
static bool read_column(struct reading *reading, size_t table, size_t column,
                        struct err *err)
{
    const struct table *from = &reading->schema->tables.items[table];
    struct datasource_limits limits = *reading->limits;
    struct buf sql;
    struct rows rows;
    buf_init(&sql, SQL_MOST);
    limits.max_rows = (int64_t)reading->values;
    limits.max_bytes = COLUMN_BYTES;
    write_sql(reading, from, &from->columns.items[column], &sql);
    rows_init(&rows, reading->arena);
    bool read = !sql.full && datasource_execute(reading->source, buf_get(&sql), NULL,
                                                &limits, &rows, err);
    if (read || rows.count) {
        take_rows(reading, (struct value_place){(uint32_t)table, (uint32_t)column},
                  &rows);
        reading->columns_read++;
    }
    reading->index->partial =
        reading->index->partial || !read || rows.count >= reading->values;
    buf_release(&sql);
    arena_reset(reading->arena);
    reading->index->unfinished = reading->index->unfinished || (!read && passes(err));
    bool over = cancel_fired(limits.cancel) ||
                (limits.deadline_ms && clock_ms() >= limits.deadline_ms);
    return read || !over;
}

static size_t count_columns(const struct reading *reading)
{
    size_t count = 0;
    for (size_t i = 0; i < reading->schema->tables.count; i++) {
        const struct columns *columns = &reading->schema->tables.items[i].columns;
        for (size_t j = 0; j < columns->count; j++) {
            count += worth_reading(reading, &columns->items[j]);
        }
    }
    return count;
}

/* Text columns first, so that they are there when the time is up. */
static bool read_columns(struct reading *reading, bool text, struct err *err)
{
    for (size_t i = 0; i < reading->schema->tables.count; i++) {
        const struct columns *columns = &reading->schema->tables.items[i].columns;
        for (size_t j = 0; j < columns->count; j++) {
            const struct column *column = &columns->items[j];
            if (column->is_text == text && worth_reading(reading, column) &&
                !read_column(reading, i, j, err)) {
                return false;
            }
        }
    }
    return true;
}

struct value_index *value_index_build(struct datasource *source,
                                      const struct schema *schema,
                                      const struct value_index_settings *settings,
                                      const struct datasource_limits *limits,
                                      struct err *err)
{
    static const struct datasource_limits none = {0};
    struct reading reading = {
        .index = value_index_new(settings),
        .source = source,
        .schema = schema,
        .limits = limits ? limits : &none,
        .arena = arena_new(),
    };
    const struct value_index_settings *given = &reading.index->settings;
    size_t columns = count_columns(&reading);
    size_t share = columns ? given->total_bytes / VALUE_SHARE / columns : 0;
    share = share < LEAST_VALUES ? LEAST_VALUES : share;
    reading.values = share < given->values_per_column ? share : given->values_per_column;
    bool whole = read_columns(&reading, true, err) && read_columns(&reading, false, err);
    arena_free(reading.arena);
    if (!whole && (cancel_fired(reading.limits->cancel) || reading.columns_read == 0)) {
        value_index_unref(reading.index);
        return NULL;
    }
    err_clear(err);
    value_index_freeze(reading.index);
    return reading.index;
}
