/* Samples of a table that a policy does not show as a whole: from the rows and columns
 * that are seen, by the same way as any query. */
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "datasource/policy/restrict.h"

enum { SQL_MOST = 64 * 1024, LOOK_ROWS = 200, SAMPLE_BYTES = 80 };

static bool already(const struct column *column, const char *text, size_t size)
{
    for (size_t i = 0; i < column->samples.count; i++) {
        if (strlen(column->samples.items[i]) == size &&
            memcmp(column->samples.items[i], text, size) == 0) {
            return true;
        }
    }
    return false;
}

static void take_samples(struct column *column, struct arena *arena,
                         const struct rows *rows, size_t at, int samples)
{
    for (size_t i = 0; i < rows->count && column->samples.count < (size_t)samples; i++) {
        const struct value *cell = rows_cell(rows, i, at);
        if (cell->kind == VALUE_TEXT && cell->text.size > 0 &&
            cell->text.size <= SAMPLE_BYTES &&
            !already(column, cell->text.data, cell->text.size)) {
            VEC_PUSH(arena, &column->samples,
                     arena_copy(arena, cell->text.data, cell->text.size));
        }
    }
}

static void write_sql(const struct datasource *source, const struct table *table,
                      struct buf *sql)
{
    enum dialect dialect = datasource_dialect(source);
    (void)buf_text(sql, "SELECT ");
    for (size_t i = 0; i < table->columns.count; i++) {
        (void)buf_text(sql, i ? ", " : "");
        dialect_quote(sql, dialect, table->columns.items[i].name, false);
    }
    (void)buf_text(sql, " FROM ");
    dialect_quote(sql, dialect, table->name, true);
    if (dialect != DIALECT_ODBC) {
        (void)buf_format(sql, " LIMIT %d", LOOK_ROWS);
    }
}

bool restrict_profile(struct datasource *source, struct schema *schema,
                      struct table *table, struct arena *arena, int samples,
                      const struct datasource_limits *limits, bool *ok, struct err *err)
{
    const struct policy *policy = datasource_policy(source);
    if (!policy || (!table->is_view && !policy_touches(policy, table))) {
        return false;
    }
    struct arena *scratch = arena_new();
    struct datasource_limits few = *limits;
    struct rows rows;
    struct buf sql;
    buf_init(&sql, SQL_MOST);
    rows_init(&rows, scratch);
    few.max_rows = LOOK_ROWS;
    write_sql(source, table, &sql);
    *ok =
        !sql.full && datasource_execute(source, buf_get(&sql), schema, &few, &rows, err);
    for (size_t i = 0; *ok && i < table->columns.count; i++) {
        struct column *column = &table->columns.items[i];
        if (policy_mask_of(policy, table, column->name) == POLICY_MASK_NONE) {
            take_samples(column, arena, &rows, i, samples);
        }
    }
    table->row_count = -1;
    table->row_count_exact = false;
    buf_release(&sql);
    arena_free(scratch);
    return true;
}
