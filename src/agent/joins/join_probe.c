/* Checks in a datasource whether two columns have values in common. */
#include "agent/joins/join_probe.h"

#include "agent/sources/policing.h"
#include "base/str.h"
#include "knowledge/keys/key_probe.h"

enum {
    PROBE_MS = 200,     /* for one pair of columns */
    PROBE_VALUES = 100, /* of the referring column */
};

static double probe(struct run *run, const struct join_guess *guess)
{
    struct datasource *source = run_datasource(run);
    int64_t steps;
    struct datasource_limits limits = run_probe_limits(run, PROBE_MS, 1, &steps);
    const struct key_probe probe = {guess->from, guess->column, guess->to, guess->key,
                                    PROBE_VALUES};
    struct key_share share;
    return key_probe_run(source, &probe, &limits, &share)
               ? (double)share.found / (double)share.values
               : -1;
}

/* Compares the sample values: common values say that the columns fit, no common values
 * say nothing. */
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
