/* Columns with few distinct values: all values are stored, and it is noted that they
 * are complete. Only counting the whole column can prove that. */
#include "base/str.h"
#include "datasource/profile/profile_state.h"

enum { COUNTED_ROWS = 200000 }; /* of a larger table no column is counted for this */

struct counted {
    int64_t distinct;
};

static bool count_row(void *context, const char *const *texts)
{
    struct counted *counted = context;
    if (!texts[0] || !str_to_int(texts[0], &counted->distinct)) {
        counted->distinct = -1;
    }
    return false;
}

/* How many values the column has; -1: it is not counted. */
static bool values_count(struct profiling *work, size_t index, int64_t *distinct,
                         struct err *err)
{
    const struct column *column = &work->table->columns.items[index];
    const struct profile_session *session = work->session;
    *distinct = profile_counts(work, column) ? column->distinct : -1;
    if (*distinct >= 0 || !work->small || work->table->is_view ||
        work->table->row_count > COUNTED_ROWS || work->dialect->samples_seen) {
        return true; /* a view may compute for long; others were counted already */
    }
    struct counted counted = {-1};
    buf_clear(&work->sql);
    (void)buf_text(&work->sql, "SELECT ");
    profile_sql_add(work, work->dialect->distinct, index, NULL);
    (void)buf_text(&work->sql, " FROM ");
    profile_sql_add(work, "{table}", index, NULL);
    if (!session->rows(session->context, buf_get(&work->sql), 1, count_row, &counted,
                       err)) {
        return false;
    }
    *distinct = counted.distinct;
    return true;
}

static bool column_look(struct profiling *work, size_t index, struct err *err)
{
    struct column *column = &work->table->columns.items[index];
    int64_t distinct = -1;
    if (!values_count(work, index, &distinct, err)) {
        return false;
    }
    if (distinct > (int64_t)column->samples.count && distinct <= PROFILE_FEW &&
        work->table->row_count > work->scan) { /* a rare one stands further down */
        int64_t scan = work->scan;
        work->scan = work->table->row_count;
        bool ok = profile_samples_of(work, index, err);
        work->scan = scan;
        if (!ok) {
            return false;
        }
    }
    column->samples_all = distinct > 0 && distinct == (int64_t)column->samples.count;
    return true;
}

bool profile_few(struct profiling *work, int most, struct err *err)
{
    for (size_t i = 0; most > 0 && i < work->table->columns.count; i++) {
        struct column *column = &work->table->columns.items[i];
        if (column->samples.count == 0) {
            continue;
        }
        if (column->samples.count <= PROFILE_FEW && !column_look(work, i, err)) {
            return false;
        }
        if (!column->samples_all && (int)column->samples.count > most) {
            column->samples.count = (size_t)most;
        }
    }
    return true;
}
