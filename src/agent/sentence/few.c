/* A result without a row, and one with a single row. */
#include <math.h>
#include <string.h>

#include "agent/sentence/period.h"
#include "agent/sentence/say.h"
#include "base/str.h"

static void say_end(const struct telling *telling)
{
    const char *end = telling->facts->data_end;
    struct value value = {.kind = VALUE_TEXT, .text = {end, strlen(end)}};
    struct period period;
    if (*end && period_read(&value, false, false, &period)) {
        struct slots slots = {.texts = {[SLOT_WHEN] = end}};
        slots.texts[SLOT_WHEN] = period_text(telling, &period, false);
        say(telling, PHRASE_DATA_END, &slots);
    }
}

static void say_none(const struct telling *telling, const char *things)
{
    bool filtered = telling->facts->filtered;
    const char *rows = telling->language->phrases[PHRASE_ROWS];
    struct slots slots = {.texts = {[SLOT_THINGS] = things ? things : rows}};
    say(telling, filtered ? PHRASE_NOTHING_MATCHES : PHRASE_NOTHING, &slots);
    say_end(telling);
}

void say_nothing(const struct telling *telling)
{
    say_none(telling, telling->facts->searched);
}

/* "2,400 customers" */
static void say_count(const struct telling *telling, const struct fact_column *fact)
{
    bool filtered = telling->facts->filtered;
    double number = extremes_cell(telling->rows, 0, 0);
    struct slots slots = {
        .texts = {[SLOT_COUNT] = number_bare(telling, 0, 0, NUMBER_EXACT),
                  [SLOT_THINGS] = number_things(telling, fact, false)}};
    if (number == 0) {
        say_none(telling, fact->things);
    } else if (number == 1 && !fact->thing) {
        say(telling, PHRASE_COUNT_1, &slots);
    } else if (number == 1) {
        slots.texts[SLOT_THINGS] = fact->thing;
        say(telling, filtered ? PHRASE_COUNT_MATCHES_1 : PHRASE_COUNT, &slots);
    } else {
        say(telling, filtered ? PHRASE_COUNT_MATCHES : PHRASE_COUNT, &slots);
    }
}

static bool is_number(const struct value *value)
{
    return value->kind == VALUE_INT || value->kind == VALUE_REAL ||
           value->kind == VALUE_NUMBER;
}

/* Numbers with their unit, dates by their name, anything else as it is. */
static const char *value_text(const struct telling *telling, const struct shape *shape,
                              size_t column)
{
    const struct value *value = rows_cell(telling->rows, 0, column);
    struct period period;
    if (value->kind == VALUE_TEXT && period_read(value, false, false, &period)) {
        return period_text(telling, &period, false);
    }
    if (column == shape->time &&
        period_read(value, shape->years, shape->months, &period)) {
        return period_text(telling, &period, false);
    }
    if (telling->facts->columns[column].truth && value->kind == VALUE_INT) {
        return say_text(telling, value->integer ? PHRASE_YES : PHRASE_NO, NULL);
    }
    bool name = column == shape->identifier && value->kind == VALUE_INT;
    return is_number(value) && !name ? number_bare(telling, 0, column, NUMBER_EXACT)
                                     : cell_text(telling, value);
}

/* "2025 minus 2026: 2,768.72" */
static bool say_difference(const struct telling *telling, const char *value)
{
    const struct fact_column *fact = &telling->facts->columns[0];
    struct period one;
    struct period other;
    struct slots slots = {.texts = {[SLOT_VALUE] = value}};
    if (!fact->difference) {
        return false;
    }
    if (period_of_span(fact->span.from, fact->span.until, &one) &&
        period_of_span(fact->minus.from, fact->minus.until, &other)) {
        slots.texts[SLOT_WHEN] = period_text(telling, &one, false);
        slots.texts[SLOT_WHEN2] = period_text(telling, &other, false);
        say(telling, PHRASE_MINUS, &slots);
    } else {
        say(telling, PHRASE_DIFFERENCE, &slots);
    }
    return true;
}

static void say_figure(const struct telling *telling, const struct shape *shape)
{
    const struct value *value = rows_cell(telling->rows, 0, 0);
    const struct fact_column *fact = &telling->facts->columns[0];
    bool truth = value->kind == VALUE_BOOL || (fact->truth && value->kind == VALUE_INT);
    if (truth) {
        bool yes = value->kind == VALUE_BOOL ? value->boolean : value->integer != 0;
        say(telling, yes ? PHRASE_YES : PHRASE_NO, NULL);
    } else if (fact->kind == FACT_COUNT && value->kind == VALUE_INT &&
               (fact->things || (fact->values && value->integer > 1))) {
        say_count(telling, fact);
    } else {
        struct slots slots = {.texts = {[SLOT_MEASURE] = cell_heading(telling, 0),
                                        [SLOT_VALUE] = value_text(telling, shape, 0)}};
        const char *name = str_or_empty(telling->rows->columns[0].name);
        if (!is_number(value) || !str_equal(name, "value") ||
            !say_difference(telling, slots.texts[SLOT_VALUE])) {
            say(telling, PHRASE_FIGURE, &slots);
        }
    }
}

/* The first of a ranking, if it was asked for one and is known to be the only first. */
static bool say_first(const struct telling *telling, const struct shape *shape,
                      const char *name)
{
    const struct facts *facts = telling->facts;
    size_t column = shape->figure;
    if (!name || column == NO_COLUMN || facts->order != column || !facts->untied ||
        facts->whole || isnan(extremes_cell(telling->rows, 0, column)) ||
        (!facts->descending &&
         shape_may_be_lower(telling, shape, extremes_cell(telling->rows, 0, column)))) {
        return false;
    }
    const struct fact_column *fact = &facts->columns[column];
    bool leads =
        facts->descending && (fact->kind == FACT_COUNT || fact->kind == FACT_SUM);
    struct slots slots = {
        .texts = {[SLOT_NAME] = name,
                  [SLOT_VALUE] = number_cell(telling, 0, column, NUMBER_EXACT),
                  [SLOT_MEASURE] = cell_heading(telling, column)}};
    if (!leads || !(fact->unit.symbol || number_things(telling, fact, false))) {
        say(telling, PHRASE_OF_MEASURE, &slots);
    }
    say(telling,
        leads               ? PHRASE_LEADS
        : facts->descending ? PHRASE_HIGHEST
                            : PHRASE_LOWEST,
        &slots);
    return true;
}

static bool is_label(const struct shape *shape, size_t column)
{
    bool only = !shape->label_count;
    for (size_t i = 0; i < shape->label_count; i++) {
        if (shape->labels[i] == column) {
            return true;
        }
    }
    return only && column == (shape->time != NO_COLUMN ? shape->time : shape->identifier);
}

/* "count", "count_2": names that say nothing about the difference. */
static bool is_numbered(const struct telling *telling)
{
    const struct rows *rows = telling->rows;
    const char *first = str_or_empty(rows->columns[0].name);
    size_t size = strlen(first);
    for (size_t i = 1; i < rows->column_count; i++) {
        const char *name = str_or_empty(rows->columns[i].name);
        if (!size || strncmp(name, first, size) != 0 || name[size] != '_' ||
            !name[size + 1] || name[size + 1 + strspn(name + size + 1, "0123456789")]) {
            return false;
        }
    }
    return rows->column_count > 1;
}

/* "101 members in 2026", "101"; NULL: it is no number. */
static const char *numbered_text(const struct telling *telling, size_t column)
{
    const struct fact_column *fact = &telling->facts->columns[column];
    struct fact_column counted = *fact;
    struct period period;
    counted.things = fact->span_things;
    counted.thing = fact->span_thing;
    if (!is_number(rows_cell(telling->rows, 0, column))) {
        return NULL;
    }
    const char *value = number_cell(telling, 0, column, NUMBER_EXACT);
    const char *things =
        fact->things ? NULL
                     : number_things(telling, &counted,
                                     extremes_cell(telling->rows, 0, column) == 1);
    if (*fact->span.from == '\0' || fact->difference ||
        !period_of_span(fact->span.from, fact->span.until, &period)) {
        return value;
    }
    struct slots slots = {
        .texts = {[SLOT_VALUE] =
                      things ? arena_format(telling->arena, "%s %s", value, things)
                             : value,
                  [SLOT_WHEN] = period_text(telling, &period, true)}};
    return say_text(telling, PHRASE_VALUE_WHEN, &slots);
}

/* "101 members in 2026 and 133 members in 2025": figures whose columns have one name. */
static bool say_numbered(const struct telling *telling)
{
    enum { MOST = 5 };
    const char *texts[MOST];
    size_t count = telling->rows->column_count;
    if (count > MOST || !is_numbered(telling)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        texts[i] = numbered_text(telling, i);
        if (!texts[i]) {
            return false;
        }
    }
    (void)buf_text(telling->out, say_list(telling, texts, count));
    return true;
}

/* "Germany: 12 orders, average amount 4.5" */
static void say_pairs(const struct telling *telling, const struct shape *shape,
                      const char *name)
{
    enum { SHOWN = 5 };
    const char *pairs[SHOWN];
    size_t count = 0;
    size_t left = 0;
    for (size_t i = 0; i < telling->rows->column_count; i++) {
        if (name && is_label(shape, i)) {
            continue;
        }
        if (count == SHOWN || i >= FACTS_COLUMNS) {
            left++;
            continue;
        }
        const struct fact_column *fact = &telling->facts->columns[i];
        const struct value *value = rows_cell(telling->rows, 0, i);
        bool counts = fact->kind == FACT_COUNT && value->kind == VALUE_INT &&
                      number_things(telling, fact, value->integer == 1);
        struct slots slots = {.texts = {[SLOT_MEASURE] = cell_heading(telling, i),
                                        [SLOT_VALUE] = value_text(telling, shape, i)}};
        enum phrase first = count == 0 && !name ? PHRASE_FIGURE : PHRASE_PAIR;
        bool none = value->kind == VALUE_NULL && first == PHRASE_PAIR;
        pairs[count++] = counts
                             ? number_cell(telling, 0, i, NUMBER_EXACT)
                             : say_text(telling, none ? PHRASE_PAIR_NONE : first, &slots);
    }
    struct slots slots = {
        .texts = {[SLOT_NAME] = name,
                  [SLOT_MORE] = number_count(telling, left),
                  [SLOT_LIST] = left ? NULL : say_list(telling, pairs, count)}};
    for (size_t i = 0; left && i < count; i++) {
        const char *so_far = slots.texts[SLOT_LIST];
        slots.texts[SLOT_LIST] =
            so_far ? arena_format(telling->arena, "%s, %s", so_far, pairs[i]) : pairs[i];
    }
    if (name && count) {
        say(telling, PHRASE_NAMED, &slots);
    } else {
        (void)buf_text(telling->out, count ? slots.texts[SLOT_LIST] : name);
    }
    if (left) {
        say(telling, left == 1 ? PHRASE_MORE_VALUE_1 : PHRASE_MORE_VALUES, &slots);
    }
}

void say_row(const struct telling *telling, const struct shape *shape)
{
    if (telling->rows->column_count == 1) {
        say_figure(telling, shape);
        return;
    }
    struct shape words = *shape;
    words.time = shape->label_count ? NO_COLUMN : shape->time;
    shape_keep_name(telling, &words);
    bool named = words.label_count || words.identifier != NO_COLUMN ||
                 (words.time != NO_COLUMN && words.figure != NO_COLUMN);
    const char *name = named ? shape_name(telling, &words, 0) : NULL;
    if (!say_first(telling, shape, name) && (name || !say_numbered(telling))) {
        say_pairs(telling, &words, name);
    }
}
