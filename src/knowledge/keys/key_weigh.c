/* What the values say of columns that may be keys. */
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/str.h"
#include "datasource/driver.h"
#include "knowledge/keys/key_find_state.h"
#include "knowledge/keys/key_probe.h"
#include "knowledge/keys/key_values.h"

enum {
    PROBES_LOCAL = 1200,
    PROBES_SERVER = 64, /* somebody else's machine does the work */
    PROBE_VALUES = 200,
    PROBE_MS = 400,
    PROBE_STEPS = 4000000,
};

/* What it takes to believe a key, by how much its name says. */
static const struct belief {
    double names;  /* at least */
    double share;  /* of the values that must be there */
    int64_t words; /* different values, where they are text */
    int64_t wide;  /* and where they are numbers that seldom fit by chance */
    int64_t dense; /* and where they are 1, 2, 3 …; 0: never */
    bool spread;   /* dense ones must reach as far as the key's */
    double confidence;
} beliefs[] = {
    {0.65, 0.90, 1, 1, 1, false, 0.97}, /* customer_id -> customers.id */
    {0.45, 0.90, 1, 3, 3, true, 0.85},  /* orders.customer -> customers.id */
    {0.30, 0.98, 3, 5, 5, true, 0.80},  /* ring_number -> birds.ring */
    {0.10, 0.99, 3, 8, 0, false, 0.60}, /* flights.source -> airports.code */
};

static bool range_of(const struct column *column, double *least, double *greatest)
{
    return column->least && column->greatest && str_to_real(column->least, least) &&
           str_to_real(column->greatest, greatest);
}

bool key_is_wide(const struct table *table, const struct column *column)
{
    enum { APART = 20, ROWS_LEAST = 4 };
    double least, greatest;
    return table->row_count >= ROWS_LEAST && range_of(column, &least, &greatest) &&
           greatest - least > APART * (double)table->row_count;
}

/* Do the values reach about as far as those of the key? Grades from 1 to 12 are no ids of
 * 400 classes. */
static bool reaches(const struct column *column, const struct column *key)
{
    double least, greatest, key_least, key_greatest;
    return !range_of(column, &least, &greatest) ||
           !range_of(key, &key_least, &key_greatest) ||
           greatest - key_least >= (key_greatest - key_least) / 2;
}

/* One letter is a grade or a sex, and no name of anything. */
static bool has_words(const struct column *column)
{
    for (size_t i = 0; i < column->samples.count; i++) {
        if (strlen(column->samples.items[i]) > 1) {
            return true;
        }
    }
    return column->samples.count == 0;
}

static void weigh(const struct key_finding *finding, struct key_guess *guess,
                  const struct key_share *share)
{
    const struct column *column = key_column(finding, guess->from, guess->column);
    const struct column *key = key_column(finding, guess->to, guess->key);
    const struct table *parent = &finding->schema->tables.items[guess->to];
    const struct belief *belief = beliefs;
    while (guess->names < belief->names) {
        belief++;
    }
    bool words = finding->sides[guess->from].columns[guess->column].class != 'n' &&
                 finding->sides[guess->to].columns[guess->key].class != 'n';
    bool wide = key_is_wide(parent, key);
    int64_t least = words ? belief->words : wide ? belief->wide : belief->dense;
    if (least == 0 || share->values < least ||
        (double)share->found < belief->share * (double)share->values ||
        (words && belief->names < KEY_NAME_ALONE && !has_words(column)) ||
        (!words && !wide && belief->spread && !reaches(column, key))) {
        return;
    }
    guess->confidence = belief->confidence;
}

size_t key_probes_of(const struct datasource *source)
{
    static const char *const servers[] = {"postgres", "mysql"};
    for (size_t i = 0; i < sizeof servers / sizeof *servers; i++) {
        if (str_equal(source->driver->name, servers[i])) {
            return PROBES_SERVER;
        }
    }
    return source->driver->local ? PROBES_LOCAL : 0;
}

static const struct key_values *values_of(struct key_finding *finding, size_t table,
                                          size_t column)
{
    for (size_t i = 0; i < finding->read.count; i++) {
        const struct read_key *known = &finding->read.items[i];
        if (known->table == table && known->column == column) {
            return known->values;
        }
    }
    struct read_key key = {
        table, column,
        key_values_read(finding->source, &finding->schema->tables.items[table],
                        key_column(finding, table, column), &finding->limits)};
    VEC_PUSH(finding->scratch, &finding->read, key);
    return key.values;
}

/* Most words without a common name do not fit: their samples tell without a question each. */
static bool is_refuted(struct key_finding *finding, const struct key_guess *guess)
{
    const struct column *column = key_column(finding, guess->from, guess->column);
    const struct column *key = key_column(finding, guess->to, guess->key);
    double least, greatest, key_least, key_greatest;
    if (guess->names > KEY_NO_NAME) {
        return false;
    }
    if (finding->sides[guess->from].columns[guess->column].class != 't') {
        return range_of(column, &least, &greatest) &&
               range_of(key, &key_least, &key_greatest) &&
               (least < key_least || greatest > key_greatest);
    }
    const struct key_values *values = values_of(finding, guess->to, guess->key);
    return values && !key_values_hold(values, column);
}

void key_weigh_all(struct key_finding *finding)
{
    const struct table *tables = finding->schema->tables.items;
    size_t most = key_probes_of(finding->source);
    most = most < finding->guesses.count ? most : finding->guesses.count;
    finding->guesses.count = most;
    for (size_t i = 0; i < most && !limits_spent(&finding->limits); i++) {
        struct key_guess *guess = &finding->guesses.items[i];
        if (is_refuted(finding, guess)) {
            continue;
        }
        const struct key_probe probe = {
            &tables[guess->from], key_column(finding, guess->from, guess->column),
            &tables[guess->to], key_column(finding, guess->to, guess->key), PROBE_VALUES};
        struct datasource_limits limits = finding->limits;
        int64_t steps = PROBE_STEPS;
        bool counted = finding->source->driver->counts_steps;
        int64_t end_ms = clock_ms() + PROBE_MS * (counted ? 20 : 1);
        limits.max_rows = 1;
        limits.steps = counted ? &steps : NULL;
        limits.deadline_ms = end_ms < limits.deadline_ms ? end_ms : limits.deadline_ms;
        struct key_share share;
        if (key_probe_run(finding->source, &probe, &limits, &share)) {
            weigh(finding, guess, &share);
        }
    }
}
