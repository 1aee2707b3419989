/* How many of a column's values another column has. */
#include "knowledge/keys/key_probe.h"

#include "base/arena.h"
#include "base/buf.h"
#include "datasource/datasource.h"

enum {
    PROBE_ROWS = 20000, /* in which values are looked for: the first ones */
    SQL_MOST = 4096,
};

static void write_probe(struct buf *out, enum dialect dialect,
                        const struct key_probe *probe)
{
    (void)buf_text(out, "SELECT COUNT(*) AS n, COUNT(CASE WHEN v IN (SELECT ");
    dialect_quote(out, dialect, probe->key->name, false);
    (void)buf_text(out, " FROM ");
    dialect_quote(out, dialect, probe->to->name, true);
    (void)buf_text(out, ") THEN 1 END) AS found FROM (SELECT DISTINCT v FROM "
                        "(SELECT ");
    dialect_quote(out, dialect, probe->column->name, false);
    (void)buf_text(out, " AS v FROM ");
    dialect_quote(out, dialect, probe->from->name, true);
    (void)buf_format(out,
                     " LIMIT %d) AS part WHERE v IS NOT NULL LIMIT %zu) AS some_values",
                     PROBE_ROWS, probe->values);
}

bool key_probe_run(struct datasource *source, const struct key_probe *probe,
                   const struct datasource_limits *limits, struct key_share *out)
{
    struct arena *arena = arena_new();
    struct buf sql;
    struct rows rows;
    struct err err;
    err_clear(&err);
    buf_init(&sql, SQL_MOST);
    rows_init(&rows, arena);
    write_probe(&sql, datasource_dialect(source), probe);
    bool ok = !sql.full &&
              datasource_execute(source, buf_get(&sql), NULL, limits, &rows, &err) &&
              rows.count == 1 && rows_cell(&rows, 0, 0)->kind == VALUE_INT &&
              rows_cell(&rows, 0, 1)->kind == VALUE_INT;
    if (ok) {
        out->values = rows_cell(&rows, 0, 0)->integer;
        out->found = rows_cell(&rows, 0, 1)->integer;
        ok = out->values > 0;
    }
    buf_release(&sql);
    arena_free(arena);
    return ok;
}
