/* Dates in text whose samples could be read in two ways ("05/03/2026"): a value further down may tell the day from the
 * month ("28/03/2026"), and becomes one of the samples. */
#include "base/str.h"
#include "datasource/profile/profile_state.h"
#include "model/kept.h"

enum { LOOKED_MOST = 400, COUNTED_ROWS = 200000 };

static bool is_unclear(const struct column *column)
{
    struct kept kept = {0};
    kept_of(column, &kept);
    return kept.unclear;
}

/* Puts the first of the values that decides in the place of the last sample. */
static void decide(struct column *column, struct texts few, const struct texts *values)
{
    const char *last = few.items[few.count - 1];
    column->samples = few;
    for (size_t i = 0; i < values->count; i++) {
        few.items[few.count - 1] = values->items[i];
        if (!is_unclear(column)) {
            return;
        }
    }
    few.items[few.count - 1] = last;
}

/* Other texts among the values, or both orders: then the column holds no dates of one kind. */
static bool fits_all(struct column *column, const struct texts *values)
{
    struct kept kept = {0};
    struct texts few = column->samples;
    column->samples = *values;
    kept_of(column, &kept);
    column->samples = few;
    return kept.form == KEPT_DATE;
}

bool profile_days(struct profiling *work, struct err *err)
{
    for (size_t i = 0; i < work->table->columns.count; i++) {
        struct column *column = &work->table->columns.items[i];
        if (!work->small || work->table->is_view || column->samples_all ||
            work->table->row_count > COUNTED_ROWS || work->dialect->samples_seen ||
            !column->samples.count || !is_unclear(column)) {
            continue;
        }
        struct texts few = column->samples;
        int samples = work->samples;
        column->samples = (struct texts){0};
        work->samples = LOOKED_MOST;
        bool ok = profile_samples_of(work, i, err);
        struct texts values = column->samples;
        work->samples = samples;
        column->samples = few;
        if (!ok) {
            return false;
        }
        if (fits_all(column, &values)) {
            decide(column, few, &values);
        }
    }
    return true;
}
