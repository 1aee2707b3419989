/* A figure over time: from the first to the last period, with the extremes between them. */
#include <math.h>
#include <string.h>

#include "agent/sentence/period.h"
#include "agent/sentence/say.h"

struct series {
    const struct telling *telling;
    const struct shape *shape;
    struct period *periods; /* one for each row */
    struct extremes extremes;
    size_t first; /* rows: the first and the last period that are over */
    size_t last;
    size_t running; /* the row of the period that is not over; or the number of rows */
    size_t ahead;   /* how many lie after today */
    size_t gaps;    /* periods between the first and the last that have no row */
    bool dense;     /* it is known that there are none */
};

/* The first days of at least three months are these months. */
static void widen(struct period *periods, size_t count)
{
    bool months = count >= 3;
    bool years = count >= 3;
    for (size_t i = 0; i < count; i++) {
        months = months && periods[i].kind == PERIOD_DAY && periods[i].day == 1;
        years = years && months && periods[i].part == 1;
    }
    bool next = false; /* quarters are not months, and months may be missing */
    for (size_t i = 1; i < count; i++) {
        int apart = (periods[i].year - periods[i - 1].year) * 12 + periods[i].part -
                    periods[i - 1].part;
        next = next || apart == 1 || apart == -1;
    }
    months = months && next;
    for (size_t i = 0; (months || years) && i < count; i++) {
        period_widen(&periods[i], years ? PERIOD_YEAR : PERIOD_MONTH);
    }
}

/* Days and moments together are moments; other kinds do not mix. */
static bool unify(struct period *periods, size_t count)
{
    bool moments = false;
    for (size_t i = 0; i < count; i++) {
        moments = moments || periods[i].kind == PERIOD_MOMENT;
    }
    for (size_t i = 0; i < count; i++) {
        if (moments && periods[i].kind == PERIOD_DAY) {
            periods[i].kind = PERIOD_MOMENT;
        }
        if (periods[i].kind != periods[0].kind) {
            return false;
        }
    }
    return true;
}

/* Rows in the order of time, either way, no period twice. */
static bool read_periods(struct series *series)
{
    const struct rows *rows = series->telling->rows;
    const struct shape *shape = series->shape;
    series->periods =
        arena_array(series->telling->arena, rows->count, sizeof *series->periods);
    for (size_t i = 0; i < rows->count; i++) {
        if (!period_read(rows_cell(rows, i, shape->time), shape->years, shape->months,
                         &series->periods[i])) {
            return false;
        }
    }
    widen(series->periods, rows->count);
    if (!unify(series->periods, rows->count)) {
        return false;
    }
    bool up = period_compare(&series->periods[0], &series->periods[1]) < 0;
    for (size_t i = 1; i < rows->count; i++) {
        int order = period_compare(&series->periods[i - 1], &series->periods[i]);
        if (up ? order >= 0 : order <= 0) {
            return false;
        }
    }
    series->first = up ? 0 : rows->count - 1;
    series->last = up ? rows->count - 1 : 0;
    return true;
}

/* A month without a row has no figure here, but it may be the lowest one. */
static void count_gaps(struct series *series)
{
    int apart =
        period_apart(&series->periods[series->first], &series->periods[series->last]);
    size_t rows = series->telling->rows->count;
    size_t over = rows - series->ahead - (series->running < rows);
    series->gaps = apart > 0 && (size_t)apart + 1 > over ? (size_t)apart + 1 - over : 0;
    series->dense = apart > 0 && series->gaps == 0;
}

static void say_gaps(const struct series *series)
{
    static const enum phrase phrases[] = {
        [PERIOD_YEAR] = PHRASE_GAPS_YEARS,
        [PERIOD_QUARTER] = PHRASE_GAPS_QUARTERS,
        [PERIOD_MONTH] = PHRASE_GAPS_MONTHS,
        [PERIOD_MONTH_NAME] = PHRASE_GAPS_MONTHS,
    };
    const struct telling *telling = series->telling;
    if (series->gaps && !telling->facts->picked) {
        struct slots slots = {
            .texts = {[SLOT_COUNT] = number_count(telling, series->gaps)}};
        say(telling, phrases[series->periods[0].kind], &slots);
    }
}

/* The current month is no month to compare with, and what is planned or booked for later
 * ones even less. All in the future: they are compared with each other. */
static void leave_running(struct series *series)
{
    const struct telling *telling = series->telling;
    const char *today = telling->facts->today;
    size_t rows = telling->rows->count;
    size_t before = series->last ? (size_t)-1 : 1;
    size_t last = series->last;
    series->running = rows;
    while (series->ahead + 1 < rows && period_is_after(&series->periods[last], today)) {
        series->ahead++;
        last += before;
    }
    if (period_is_after(&series->periods[last], today)) {
        series->ahead = 0;
        return;
    }
    series->last = last;
    if (period_holds(&series->periods[last], today)) {
        series->running = last;
        series->last += last == series->first ? 0 : before;
    }
}

static double value_at(const struct series *series, size_t row)
{
    return extremes_cell(series->telling->rows, row, series->shape->figure);
}

static const char *value_text(const struct series *series, size_t row,
                              enum number_form form)
{
    return number_bare(series->telling, row, series->shape->figure, form);
}

static const char *measure_text(const struct series *series)
{
    const struct fact_column *fact =
        &series->telling->facts->columns[series->shape->figure];
    return fact->kind == FACT_COUNT && fact->things
               ? fact->things
               : cell_heading(series->telling, series->shape->figure);
}

static void say_change(const struct series *series)
{
    const struct telling *telling = series->telling;
    double from = value_at(series, series->first);
    double to = value_at(series, series->last);
    bool same = extremes_equal(from, to);
    const char *was = value_text(series, series->first, NUMBER_ROUND);
    const char *is = value_text(series, series->last, NUMBER_ROUND);
    if (!same && strcmp(was, is) == 0) {
        was = value_text(series, series->first, NUMBER_EXACT);
        is = value_text(series, series->last, NUMBER_EXACT);
    }
    struct slots slots = {
        .texts = {
            [SLOT_MEASURE] = measure_text(series),
            [SLOT_VALUE] = was,
            [SLOT_VALUE2] = is,
            [SLOT_WHEN] = period_text(telling, &series->periods[series->first], true),
            [SLOT_WHEN2] = period_text(telling, &series->periods[series->last], true)}};
    if (series->first == series->last) {
        say(telling, PHRASE_ONLY_ONCE, &slots);
        return;
    }
    say(telling, same ? PHRASE_SAME : to > from ? PHRASE_ROSE : PHRASE_FELL, &slots);
    slots.texts[SLOT_SHARE] =
        series->shape->share || to < 0 ? NULL : number_change(telling, from, to);
    if (slots.texts[SLOT_SHARE]) {
        say(telling, PHRASE_CHANGE, &slots);
    }
}

static void say_extreme(const struct series *series, enum phrase phrase, size_t row,
                        size_t count)
{
    bool up = series->first == 0;
    bool later = up ? row > series->last : row < series->last; /* not over yet */
    if (count != 1 || row == series->first || row == series->last || later) {
        return;
    }
    struct slots slots = {
        .texts = {[SLOT_WHEN] =
                      period_text(series->telling, &series->periods[row], false),
                  [SLOT_VALUE] = value_text(series, row, NUMBER_ROUND)}};
    say(series->telling, phrase, &slots);
}

static void say_running(const struct series *series)
{
    if (series->running < series->telling->rows->count) {
        size_t row = series->running;
        struct slots slots = {
            .texts = {[SLOT_WHEN] =
                          period_text(series->telling, &series->periods[row], false),
                      [SLOT_VALUE] = value_text(series, row, NUMBER_ROUND)}};
        say(series->telling, PHRASE_SO_FAR, &slots);
    }
}

static void say_ahead(const struct series *series)
{
    const struct telling *telling = series->telling;
    size_t row = series->first == 0 ? telling->rows->count - 1 : 0;
    struct slots slots = {
        .texts = {[SLOT_COUNT] = number_count(telling, series->ahead),
                  [SLOT_WHEN] = period_text(telling, &series->periods[row], false),
                  [SLOT_VALUE] = value_text(series, row, NUMBER_ROUND)}};
    if (series->ahead) {
        say(telling, series->ahead == 1 ? PHRASE_AHEAD_1 : PHRASE_AHEAD, &slots);
    }
}

/* The highest and the lowest one, if no period that is not there could be it. */
static void say_extremes(const struct series *series)
{
    const struct extremes *extremes = &series->extremes;
    enum fact_kind kind = series->telling->facts->columns[series->shape->figure].kind;
    bool zeros = !series->dense && (kind == FACT_COUNT || kind == FACT_SUM);
    if (series->gaps || !shape_is_whole(series->telling)) {
        return;
    }
    if (!zeros || extremes->greatest >= 0) {
        say_extreme(series, PHRASE_PEAK, extremes->greatest_row,
                    extremes->greatest_count);
    }
    if (!zeros || extremes->least <= 0) {
        say_extreme(series, PHRASE_DIP, extremes->least_row, extremes->least_count);
    }
}

static bool say_periods(const struct telling *telling, const struct shape *shape)
{
    struct series series = {.telling = telling, .shape = shape};
    extremes_read(telling->rows, shape->figure, &series.extremes);
    if (!series.extremes.clean || series.extremes.nulls || !read_periods(&series)) {
        return false;
    }
    leave_running(&series);
    if (series.ahead && series.first == 0) { /* the highest of those that are over */
        struct rows over = *telling->rows;
        over.count = series.last + 1;
        over.passed = false;
        extremes_read(&over, shape->figure, &series.extremes);
    }
    count_gaps(&series);
    say_change(&series);
    say_extremes(&series);
    say_gaps(&series);
    say_running(&series);
    say_ahead(&series);
    return true;
}

static bool is_without(const struct rows *rows, size_t row, size_t column)
{
    return rows_cell(rows, row, column)->kind == VALUE_NULL;
}

static void say_without(const struct telling *telling, const struct shape *shape,
                        size_t row)
{
    if (!is_without(telling->rows, row, shape->figure)) {
        struct slots slots = {.texts = {[SLOT_VALUE] = number_bare(
                                            telling, row, shape->figure, NUMBER_ROUND)}};
        say(telling, PHRASE_NO_PERIOD, &slots);
    }
}

bool say_series(const struct telling *telling, const struct shape *shape)
{
    const struct rows *rows = telling->rows;
    bool ranked = telling->facts->order == shape->figure; /* asked for in that order */
    if (ranked || shape->time == NO_COLUMN || shape->label_count || rows->count < 2 ||
        rows->count > RANKED_MOST || rows_given(rows) != rows->count ||
        rows_given_cut(rows) != ROWS_WHOLE) {
        return false;
    }
    bool first = is_without(rows, 0, shape->time);
    bool last = is_without(rows, rows->count - 1, shape->time);
    if (first == last || rows->count < 3) {
        return say_periods(telling, shape);
    }
    struct rows dated = *rows; /* the row without a period is none in the series */
    dated.count = rows->count - 1;
    dated.cells += first ? rows->column_count : 0;
    dated.passed = false;
    struct telling part = *telling;
    part.rows = &dated;
    if (!say_periods(&part, shape)) {
        return false;
    }
    say_without(telling, shape, first ? 0 : rows->count - 1);
    return true;
}
