/*
 * Groups with a figure each: who leads, with what share, and who follows. A share of the
 * total is told only if the rows are all groups and their figures add up.
 */
#include <math.h>

#include "agent/sentence/say.h"

enum { NAMED_MOST = 3 };

struct ranking {
    const struct telling *telling;
    const struct shape *shape;
    const struct fact_column *fact;
    struct extremes extremes;
    bool lowest; /* the least one was asked for */
    bool adds;   /* shares may be told */
    const struct telling
        *all;       /* with the row without a group, which is not in `telling` */
    size_t unnamed; /* that row of `all`; or the number of its rows */
    double total;   /* of all rows */
};

static bool is_first(const struct ranking *ranking, size_t row)
{
    double number = extremes_cell(ranking->telling->rows, row, ranking->shape->figure);
    const struct extremes *extremes = &ranking->extremes;
    return extremes_equal(number, ranking->lowest ? extremes->least : extremes->greatest);
}

/* Two rows of the same name: which of them is meant could not be told. */
static bool is_ambiguous(const struct ranking *ranking, size_t row)
{
    const struct telling *telling = ranking->telling;
    for (size_t i = 0; i < telling->rows->count; i++) {
        if (i != row && shape_same_name(telling, ranking->shape, i, row)) {
            return true;
        }
    }
    return false;
}

static const char *cell_of(const struct ranking *ranking, size_t row)
{
    bool few = ranking->telling->rows->count <= NAMED_MOST;
    return number_cell(ranking->telling, row, ranking->shape->figure,
                       few ? NUMBER_EXACT : NUMBER_ROUND);
}

/* "Germany", "Germany and Austria"; returns how many share the first place. */
static size_t name_first(const struct ranking *ranking, const char **names, size_t *row)
{
    const struct telling *telling = ranking->telling;
    const struct extremes *extremes = &ranking->extremes;
    size_t count = ranking->lowest ? extremes->least_count : extremes->greatest_count;
    *row = ranking->lowest ? extremes->least_row : extremes->greatest_row;
    const char *items[NAMED_MOST] = {NULL};
    size_t found = 0;
    for (size_t i = *row; count <= NAMED_MOST && i < telling->rows->count; i++) {
        if (found < count && is_first(ranking, i)) {
            items[found++] = shape_name(telling, ranking->shape, i);
        }
    }
    *names = count <= NAMED_MOST ? say_list(telling, items, found) : NULL;
    return count;
}

static bool may_be_lower(const struct ranking *ranking)
{
    return shape_may_be_lower(ranking->telling, ranking->shape, ranking->extremes.least);
}

static void say_first_places(const struct ranking *ranking, struct slots *slots,
                             size_t count)
{
    const struct telling *telling = ranking->telling;
    enum fact_kind kind = ranking->fact->kind;
    bool leads = !ranking->lowest && (kind == FACT_COUNT || kind == FACT_SUM);
    bool told =
        leads && count <= NAMED_MOST &&
        (ranking->fact->unit.symbol || number_things(telling, ranking->fact, false));
    if (!told) {
        say(telling, PHRASE_OF_MEASURE, slots);
    }
    if (count > NAMED_MOST) {
        say(telling, ranking->lowest ? PHRASE_MANY_LOWEST : PHRASE_MANY_HIGHEST, slots);
    } else if (leads) {
        say(telling, count == 1 ? PHRASE_LEADS : PHRASE_LEAD_TIED, slots);
    } else if (ranking->lowest && may_be_lower(ranking)) {
        say(telling, count == 1 ? PHRASE_LOWEST_SHOWN : PHRASE_LOWEST_SHOWN_TIED, slots);
    } else if (ranking->lowest) {
        say(telling, count == 1 ? PHRASE_LOWEST : PHRASE_LOWEST_TIED, slots);
    } else {
        say(telling, count == 1 ? PHRASE_HIGHEST : PHRASE_HIGHEST_TIED, slots);
    }
}

static void say_shares(const struct ranking *ranking, size_t count)
{
    const struct telling *telling = ranking->telling;
    const struct extremes *extremes = &ranking->extremes;
    if (!ranking->adds || ranking->lowest || count != 1) {
        return;
    }
    struct slots slots = {.texts = {[SLOT_SHARE] = number_share(
                                        telling, extremes->greatest, ranking->total)}};
    say(telling, PHRASE_OF_TOTAL, &slots);
    bool clear = extremes->greatest > extremes->sum * 2 / 3; /* the others hardly count */
    bool whole = ranking->all == telling;
    if (whole && extremes->numbers > NAMED_MOST + 1 && !clear) {
        double top = extremes->top[0] + extremes->top[1] + extremes->top[2];
        slots.texts[SLOT_COUNT] = number_count(telling, telling->rows->count);
        slots.texts[SLOT_SHARE] = number_share(telling, top, extremes->sum);
        say(telling, PHRASE_TOP_THREE, &slots);
    }
}

/* The others in their order: the next two, by a search that is short since few are shown. */
static void say_followers(const struct ranking *ranking)
{
    const struct telling *telling = ranking->telling;
    const char *items[NAMED_MOST] = {NULL};
    size_t count = 0;
    double last = ranking->lowest ? ranking->extremes.least : ranking->extremes.greatest;
    for (size_t round = 0; round < NAMED_MOST - 1; round++) {
        size_t best = telling->rows->count;
        double found = 0;
        for (size_t i = 0; i < telling->rows->count; i++) {
            double number = extremes_cell(telling->rows, i, ranking->shape->figure);
            bool behind = ranking->lowest ? number > last : number < last;
            bool nearer = best == telling->rows->count ||
                          (ranking->lowest ? number < found : number > found);
            if (behind && !extremes_equal(number, last) && nearer) {
                best = i;
                found = number;
            }
        }
        for (size_t i = 0; best < telling->rows->count && i < telling->rows->count; i++) {
            double number = extremes_cell(telling->rows, i, ranking->shape->figure);
            if (count < NAMED_MOST - 1 && extremes_equal(number, found)) {
                struct slots slots = {
                    .texts = {[SLOT_NAME] = shape_name(telling, ranking->shape, i),
                              [SLOT_VALUE] = cell_of(ranking, i)}};
                items[count++] = say_text(telling, PHRASE_VALUE_OF, &slots);
            }
        }
        last = found;
    }
    if (count) {
        struct slots slots = {.texts = {[SLOT_LIST] = say_list(telling, items, count)}};
        say(telling, PHRASE_FOLLOWED, &slots);
    }
}

/* Of two: by how much the first is higher. */
static void say_difference(const struct ranking *ranking, const char *name)
{
    const struct extremes *extremes = &ranking->extremes;
    const char *more = number_more(ranking->telling, extremes->least, extremes->greatest);
    if (more && extremes->numbers == 2 && !ranking->lowest && !ranking->shape->share) {
        struct slots slots = {.texts = {[SLOT_NAME] = name, [SLOT_SHARE] = more}};
        say(ranking->telling, PHRASE_HIGHER, &slots);
    }
}

static void say_equal(const struct ranking *ranking)
{
    const struct telling *telling = ranking->telling;
    const char *items[NAMED_MOST] = {NULL};
    size_t rows = telling->rows->count;
    bool few = rows <= NAMED_MOST;
    for (size_t i = 0; few && i < rows; i++) {
        items[i] = shape_name(telling, ranking->shape, i);
    }
    struct slots slots = {
        .texts = {[SLOT_MEASURE] = cell_heading(telling, ranking->shape->figure),
                  [SLOT_VALUE] = cell_of(ranking, 0),
                  [SLOT_COUNT] = number_count(telling, rows),
                  [SLOT_LIST] = few ? say_list(telling, items, rows) : NULL}};
    say(telling, PHRASE_OF_MEASURE, &slots);
    say(telling, few ? PHRASE_EQUAL : PHRASE_ALL_EQUAL, &slots);
}

/* Rows that belong to no group lead nothing: "; (no store): 6,692 orders, 66 % of the total". */
static void say_unnamed(const struct ranking *ranking)
{
    const struct telling *all = ranking->all;
    size_t figure = ranking->shape->figure;
    if (all == ranking->telling) {
        return;
    }
    struct slots slots = {
        .texts = {[SLOT_NAME] = shape_name(all, ranking->shape, ranking->unnamed),
                  [SLOT_VALUE] =
                      number_cell(all, ranking->unnamed, figure, NUMBER_ROUND)}};
    say(all, PHRASE_UNNAMED, &slots);
    if (ranking->adds && !ranking->lowest) {
        double value = extremes_cell(all->rows, ranking->unnamed, figure);
        slots.texts[SLOT_SHARE] = number_share(all, value, ranking->total);
        say(all, PHRASE_OF_TOTAL, &slots);
    }
}

/* All groups are there, in any order. */
static bool say_whole(const struct ranking *ranking)
{
    const struct telling *telling = ranking->telling;
    const struct extremes *extremes = &ranking->extremes;
    size_t rows = telling->rows->count;
    size_t row = 0;
    const char *names = NULL;
    if (extremes->greatest_count == rows && rows > 1) {
        say_equal(ranking);
        say_unnamed(ranking);
        return true;
    }
    size_t count = name_first(ranking, &names, &row);
    if (count <= NAMED_MOST && is_ambiguous(ranking, row)) {
        return false;
    }
    struct slots slots = {
        .texts = {[SLOT_NAME] = names,
                  [SLOT_LIST] = names,
                  [SLOT_VALUE] = cell_of(ranking, row),
                  [SLOT_MEASURE] = cell_heading(telling, ranking->shape->figure),
                  [SLOT_COUNT] = number_count(telling, count),
                  [SLOT_MORE] = number_count(telling, rows)}};
    say_first_places(ranking, &slots, count);
    say_shares(ranking, count);
    if (rows <= NAMED_MOST && !extremes->nulls) {
        say_followers(ranking);
        if (count == 1) {
            say_difference(ranking, names);
        }
    } else if (!ranking->adds && !ranking->lowest && count <= NAMED_MOST &&
               extremes->least_count == 1 && !may_be_lower(ranking) &&
               !is_ambiguous(ranking, extremes->least_row)) {
        slots.texts[SLOT_NAME] = shape_name(telling, ranking->shape, extremes->least_row);
        slots.texts[SLOT_VALUE] = cell_of(ranking, extremes->least_row);
        say(telling, PHRASE_AND_LOWEST, &slots);
    }
    say_unnamed(ranking);
    return true;
}

/* The first ones of an order; what comes after them is not known. */
static bool say_part(const struct ranking *ranking)
{
    const struct telling *telling = ranking->telling;
    const struct facts *facts = telling->facts;
    const struct rows *rows = telling->rows;
    size_t figure = ranking->shape->figure;
    if (facts->order != figure || !facts->keyed || ranking->extremes.nulls) {
        return false;
    }
    for (size_t i = 1; i < rows->count; i++) {
        double before = extremes_cell(rows, i - 1, figure);
        double number = extremes_cell(rows, i, figure);
        if (facts->descending ? number > before : number < before) {
            return false;
        }
    }
    size_t row = 0;
    const char *names = NULL;
    size_t count = name_first(ranking, &names, &row);
    if ((count == rows->count && count > 1) || count > NAMED_MOST || row != 0 ||
        is_ambiguous(ranking, 0)) {
        return false;
    }
    struct slots slots = {.texts = {[SLOT_NAME] = names,
                                    [SLOT_LIST] = names,
                                    [SLOT_VALUE] = cell_of(ranking, 0),
                                    [SLOT_MEASURE] = cell_heading(telling, figure)}};
    say_first_places(ranking, &slots, count);
    say_followers(ranking);
    say_unnamed(ranking);
    return true;
}

static size_t first_place(const struct ranking *ranking)
{
    return ranking->lowest ? ranking->extremes.least_row : ranking->extremes.greatest_row;
}

/* Is it the only row that belongs to no group, and ahead of all others? */
static bool is_only_unnamed(const struct ranking *ranking, size_t first)
{
    const struct extremes *extremes = &ranking->extremes;
    const struct rows *rows = ranking->telling->rows;
    bool only =
        (ranking->lowest ? extremes->least_count : extremes->greatest_count) == 1 &&
        !extremes->nulls && rows_given(rows) == rows->count;
    for (size_t i = 0; only && i < rows->count; i++) {
        only = i == first || !shape_is_unnamed(ranking->telling, ranking->shape, i);
    }
    return only;
}

/* The same rows but for one. */
static void leave_out(const struct telling *telling, size_t row, struct rows *out)
{
    const struct rows *rows = telling->rows;
    size_t width = rows->column_count;
    *out = *rows;
    out->cells = arena_array(telling->arena, rows->count * width, sizeof *out->cells);
    out->count = rows->count - 1;
    out->passed = false;
    for (size_t i = 0; i < out->count * width; i++) {
        out->cells[i] = rows->cells[i < row * width ? i : i + width];
    }
}

static bool say_ranked(struct ranking *ranking, bool whole)
{
    struct telling named = *ranking->telling;
    struct rows rest;
    ranking->all = ranking->telling;
    ranking->total = ranking->extremes.sum;
    ranking->unnamed = first_place(ranking);
    if (shape_is_unnamed(ranking->telling, ranking->shape, ranking->unnamed)) {
        if (!is_only_unnamed(ranking, ranking->unnamed)) {
            return false;
        }
        leave_out(ranking->telling, ranking->unnamed, &rest);
        named.rows = &rest;
        ranking->telling = &named;
        extremes_read(&rest, ranking->shape->figure, &ranking->extremes);
    }
    return whole ? say_whole(ranking) : say_part(ranking);
}

bool say_ranking(const struct telling *telling, const struct shape *shape)
{
    const struct facts *facts = telling->facts;
    struct shape named_by = *shape;
    if (facts->columns[shape->figure].kind == FACT_PLAIN) { /* rows, and not groups */
        shape_keep_name(telling, &named_by);
        shape = &named_by;
    }
    struct ranking ranking = {.telling = telling,
                              .shape = shape,
                              .fact = &facts->columns[shape->figure],
                              .lowest =
                                  facts->order == shape->figure && !facts->descending};
    bool named =
        shape->label_count || shape->time != NO_COLUMN || shape->identifier != NO_COLUMN;
    if (!named || (ranking.fact->kind == FACT_PLAIN && facts->order != shape->figure)) {
        return false;
    }
    extremes_read(telling->rows, shape->figure, &ranking.extremes);
    const struct extremes *extremes = &ranking.extremes;
    if (!extremes->clean || extremes->numbers < 2) {
        return false;
    }
    bool whole = shape_is_whole(telling);
    ranking.adds = whole && ranking.fact->adds && !shape->share && extremes->least >= 0 &&
                   extremes->sum > 0;
    return say_ranked(&ranking, whole);
}
