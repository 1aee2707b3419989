/* Looks into a datasource whether two columns share their values. */
#include "agent/joins/join_probe.h"

#include "agent/sources/policing.h"
#include "base/buf.h"
#include "base/str.h"

enum {
    PROBE_MS = 200,     /* for one pair of columns */
    PROBE_VALUES = 100, /* of the referring column */
    PROBE_ROWS = 20000, /* in which they are looked for: the first ones */
    SQL_MOST = 4096,
};

/* How many values of the column there are, and how many of them the key has. */
static void write_probe(struct buf *out, enum dialect dialect,
                        const struct join_guess *guess)
{
    (void)buf_text(out, "SELECT COUNT(*) AS n, COUNT(CASE WHEN v IN (SELECT ");
    dialect_quote(out, dialect, guess->key->name, false);
    (void)buf_text(out, " FROM ");
    dialect_quote(out, dialect, guess->to->name, true);
    (void)buf_text(out, ") THEN 1 END) AS found FROM (SELECT DISTINCT v FROM "
                        "(SELECT ");
    dialect_quote(out, dialect, guess->column->name, false);
    (void)buf_text(out, " AS v FROM ");
    dialect_quote(out, dialect, guess->from->name, true);
    (void)buf_format(out,
                     " LIMIT %d) AS part WHERE v IS NOT NULL LIMIT %d) AS some_values",
                     PROBE_ROWS, PROBE_VALUES);
}

static double probe(struct run *run, const struct join_guess *guess)
{
    struct datasource *source = run_datasource(run);
    int64_t steps;
    struct datasource_limits limits = run_probe_limits(run, PROBE_MS, 1, &steps);
    struct arena *arena = arena_new();
    struct buf sql;
    struct rows rows;
    struct err err;
    err_clear(&err);
    buf_init(&sql, SQL_MOST);
    rows_init(&rows, arena);
    write_probe(&sql, datasource_dialect(source), guess);
    double share = -1;
    if (!sql.full &&
        datasource_execute(source, buf_get(&sql), NULL, &limits, &rows, &err) &&
        rows.count == 1 && rows_cell(&rows, 0, 0)->kind == VALUE_INT &&
        rows_cell(&rows, 0, 1)->kind == VALUE_INT) {
        int64_t all = rows_cell(&rows, 0, 0)->integer;
        share = all > 0 ? (double)rows_cell(&rows, 0, 1)->integer / (double)all : -1;
    }
    buf_release(&sql);
    arena_free(arena);
    return share;
}

/* The few sample values of the one among the few of the other: finding some says that
 * they fit, finding none says nothing. */
static double compare_samples(const struct join_guess *guess)
{
    const struct texts *mine = &guess->column->samples;
    const struct texts *theirs = &guess->key->samples;
    size_t found = 0;
    for (size_t i = 0; i < mine->count; i++) {
        for (size_t k = 0; k < theirs->count; k++) {
            if (str_equal(mine->items[i], theirs->items[k])) {
                found++;
                break;
            }
        }
    }
    return found ? 0.5 + 0.5 * (double)found / (double)mine->count : -1;
}

static double overlap(void *context, const struct join_guess *guess)
{
    struct run *run = context;
    bool may_run = run_datasource(run)->driver->local && !policing_wants_approval(run);
    double share = may_run && !run_stopped(run) ? probe(run, guess) : -1;
    return share >= 0 ? share : compare_samples(guess);
}

struct join_probe join_probe_of(struct run *run)
{
    return (struct join_probe){overlap, run};
}
