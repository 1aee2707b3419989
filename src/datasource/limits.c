/* How far a call may go: checks deadline and stop flag by every driver. */
#include "datasource/driver.h"

#include "base/clock.h"
#include "base/vec.h"
#include "model/schema.h"

bool limits_spent(const struct datasource_limits *limits)
{
    return limits &&
           (cancel_fired(limits->cancel) || (limits->steps && *limits->steps <= 0) ||
            (limits->deadline_ms && clock_passed(limits->deadline_ms)) ||
            (limits->over && limits->over(limits->over_context, NULL)));
}

bool limits_hold(const struct datasource_limits *limits, struct err *err)
{
    if (!limits) {
        return true;
    }
    if (cancel_fired(limits->cancel)) {
        return err_set(err, ERR_STOPPED, "The query was stopped.");
    }
    if ((limits->steps && *limits->steps <= 0) ||
        (limits->deadline_ms && clock_passed(limits->deadline_ms))) {
        return err_set(err, ERR_TIMEOUT, "The query took too long and was ended.");
    }
    return !limits->over || !limits->over(limits->over_context, err);
}

int64_t limits_left_ms(const struct datasource_limits *limits, int64_t most)
{
    if (!limits || !limits->deadline_ms) {
        return most;
    }
    int64_t left = limits->deadline_ms - clock_ms();
    return left < 0 ? 0 : left < most ? left : most;
}

size_t limits_cell_bytes(const struct datasource_limits *limits)
{
    enum { CELL_MOST = 16 << 20 };
    return limits && limits->max_cell_bytes > 0 ? (size_t)limits->max_cell_bytes
                                                : CELL_MOST;
}

void limits_warn_tables(struct schema *schema)
{
    VEC_PUSH(schema->arena, &schema->warnings,
             "schema.max_tables: the database has more tables; they were left out");
}
