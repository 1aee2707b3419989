/* The values of a column in memory. */
#include "knowledge/keys/key_values.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/memory.h"
#include "datasource/datasource.h"

enum { VALUES_MOST = 20000, SQL_MOST = 4096 };

struct key_values {
    struct arena *arena; /* holds the texts */
    struct map known;
};

static bool values_query(struct key_values *values, struct datasource *source,
                         const char *sql, const struct datasource_limits *limits)
{
    struct rows rows;
    struct err err;
    err_clear(&err);
    rows_init(&rows, values->arena);
    if (!datasource_execute(source, sql, NULL, limits, &rows, &err) ||
        rows.count > VALUES_MOST) {
        return false;
    }
    for (size_t i = 0; i < rows.count; i++) {
        const struct value *value = rows_cell(&rows, i, 0);
        if (value->kind == VALUE_TEXT) {
            (void)map_set(&values->known,
                          arena_copy(values->arena, value->text.data, value->text.size),
                          values);
        }
    }
    return true;
}

struct key_values *key_values_read(struct datasource *source, const struct table *table,
                                   const struct column *column,
                                   const struct datasource_limits *limits)
{
    if (table->row_count > VALUES_MOST) {
        return NULL;
    }
    enum dialect dialect = datasource_dialect(source);
    struct key_values *values = memory_alloc(sizeof *values);
    struct datasource_limits all = *limits;
    struct buf sql;
    values->arena = arena_new();
    map_init(&values->known, false);
    buf_init(&sql, SQL_MOST);
    (void)buf_text(&sql, "SELECT ");
    dialect_quote(&sql, dialect, column->name, false);
    (void)buf_text(&sql, " FROM ");
    dialect_quote(&sql, dialect, table->name, true);
    (void)buf_format(&sql, " LIMIT %d", VALUES_MOST + 1);
    all.max_rows = VALUES_MOST + 1;
    bool ok = !sql.full && values_query(values, source, buf_get(&sql), &all);
    buf_release(&sql);
    if (!ok) {
        key_values_free(values);
        return NULL;
    }
    return values;
}

void key_values_free(struct key_values *values)
{
    if (values) {
        map_release(&values->known);
        arena_free(values->arena);
        memory_free(values);
    }
}

bool key_values_hold(const struct key_values *values, const struct column *other)
{
    for (size_t i = 0; i < other->samples.count; i++) {
        if (!map_has(&values->known, other->samples.items[i])) {
            return false;
        }
    }
    return true;
}
