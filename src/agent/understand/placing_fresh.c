/* Is a word a cell that was written after the cells were read? Asked of the database directly. */
#include <string.h>

#include "agent/sources/policing.h"
#include "agent/understand/brain.h"
#include "agent/understand/placing.h"
#include "base/buf.h"
#include "base/str.h"
#include "knowledge/value_index/value_index.h"

enum { COLUMNS_MOST = 12, LOOK_MS = 200, SQL_MOST = 4096 };

static bool column_has(struct run *run, const struct table *table,
                       const struct column *column, const char *word)
{
    struct datasource *source = run_datasource(run);
    enum dialect dialect = datasource_dialect(source);
    int64_t steps;
    struct datasource_limits limits = run_probe_limits(run, LOOK_MS, 1, &steps);
    struct arena *arena = arena_new();
    struct rows rows;
    struct buf sql;
    struct err err;
    err_clear(&err);
    rows_init(&rows, arena);
    buf_init(&sql, SQL_MOST);
    (void)buf_text(&sql, "SELECT 1 FROM ");
    dialect_quote(&sql, dialect, table->name, true);
    (void)buf_text(&sql, " WHERE LOWER(");
    dialect_quote(&sql, dialect, column->name, false);
    (void)buf_text(&sql, ") = ");
    (void)buf_quote(&sql, str_lower(arena, word), '\'');
    (void)buf_text(&sql, " LIMIT 1");
    bool found = !sql.full &&
                 datasource_execute(source, buf_get(&sql), run_schema(run), &limits,
                                    &rows, &err) &&
                 rows.count > 0;
    buf_release(&sql);
    arena_free(arena);
    return found;
}

bool placing_refresh(struct run *run, const struct texts *tables, const char *word)
{
    struct datasource *source = run_datasource(run);
    size_t looked = 0;
    if (run->sources.across || !source->driver->local || policing_wants_approval(run)) {
        return false;
    }
    for (size_t t = 0; t < tables->count; t++) {
        const struct table *table = schema_table(run_schema(run), tables->items[t]);
        for (size_t c = 0; table && c < table->columns.count && looked < COLUMNS_MOST;
             c++) {
            const struct column *column = &table->columns.items[c];
            if (!column->is_text) {
                continue;
            }
            looked++;
            if (column_has(run, table, column, word)) {
                value_index_cache_drop(brain_values(run->agent->brain), source->id);
                return true;
            }
        }
    }
    return false;
}
