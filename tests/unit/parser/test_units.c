/* Conversions between units of time, put right by the names of columns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/vec.h"
#include "parser/ir/ir_schema.h"
#include "parser/words/units.h"

static struct ir_column columns[] = {
    {.name = "*"},        {.name = "duration_sec"}, {.name = "durationsec"},
    {.name = "DelayMin"}, {.name = "contr_hours"},  {.name = "OUT_MINUTES_LOST"},
    {.name = "price"},    {.name = "price_cents"},  {.name = "weight_g"},
    {.name = "sent_at"},  {.name = "seen_at"},      {.name = "latency_ms"},
    {.name = "systems"},
};

static const struct ir_schema schema = {.columns = columns};

struct conversion {
    const char *question;
    int column;
    enum ir_keyword keyword;
    enum ir_fixed by;
    enum ir_keyword wanted; /* PAD: none */
    enum ir_fixed wanted_by;
};

static const struct conversion cases[] = {
    {"average length in minutes", 1, IR_TIMES, IR_FIXED_SIXTY, IR_RATIO, IR_FIXED_SIXTY},
    {"avg length in min", 2, IR_RATIO, IR_FIXED_SECONDS_OF_HOUR, IR_RATIO,
     IR_FIXED_SIXTY},
    {"longest, in hours", 2, IR_TIMES, IR_FIXED_SIXTY, IR_RATIO,
     IR_FIXED_SECONDS_OF_HOUR},
    {"over 8 hrs", 3, IR_DIVIDE, IR_FIXED_SIXTY, IR_RATIO, IR_FIXED_SIXTY},
    {"delay over 20min", 3, IR_TIMES, IR_FIXED_SIXTY, IR_PAD, IR_FIXED_ONE},
    {"outage minutes", 5, IR_RATIO, IR_FIXED_SIXTY, IR_PAD, IR_FIXED_ONE},
    {"under 20 minutes", 4, IR_RATIO, IR_FIXED_SIXTY, IR_TIMES, IR_FIXED_SIXTY},
    {"contracted days", 4, IR_TIMES, IR_FIXED_SIXTY, IR_RATIO, IR_FIXED_TWENTY_FOUR},
    /* nothing to go by: as it was */
    {"average length", 1, IR_TIMES, IR_FIXED_SIXTY, IR_TIMES, IR_FIXED_SIXTY},
    {"minutes and hours", 1, IR_TIMES, IR_FIXED_SIXTY, IR_TIMES, IR_FIXED_SIXTY},
    {"the min delay", 1, IR_TIMES, IR_FIXED_SIXTY, IR_TIMES, IR_FIXED_SIXTY},
    {"second longest", 3, IR_TIMES, IR_FIXED_SIXTY, IR_TIMES, IR_FIXED_SIXTY},
    {"in minutes", 6, IR_TIMES, IR_FIXED_SIXTY, IR_TIMES, IR_FIXED_SIXTY},
    {"in minutes", 1, IR_PLUS, IR_FIXED_SIXTY, IR_PLUS, IR_FIXED_SIXTY},
    {"in minutes", 1, IR_TIMES, IR_FIXED_HUNDRED, IR_TIMES, IR_FIXED_HUNDRED},
    {"", 1, IR_TIMES, IR_FIXED_SIXTY, IR_TIMES, IR_FIXED_SIXTY},
};

static void converts(void **state)
{
    struct arena *arena = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct conversion *at = &cases[i];
        struct ir_token items[] = {{IR_KEYWORD, IR_SELECT},
                                   {IR_KEYWORD, (int)at->keyword},
                                   {IR_COLUMN, at->column},
                                   {IR_FIXED, (int)at->by},
                                   {IR_KEYWORD, IR_FROM}};
        struct ir_tokens tokens = {.items = items, .count = 5};
        units_settle(arena, &schema, at->question, &tokens);
        bool kept = at->wanted != IR_PAD;
        assert_int_equal(tokens.count, kept ? 5 : 3);
        assert_int_equal(items[kept ? 2 : 1].kind, IR_COLUMN);
        assert_int_equal(items[kept ? 2 : 1].index, at->column);
        assert_int_equal(items[tokens.count - 1].index, IR_FROM);
        if (kept &&
            (items[1].index != (int)at->wanted || items[3].index != (int)at->wanted_by)) {
            fail_msg("%s, %s", at->question, columns[at->column].name);
        }
    }
}

/* One unit in another by several numbers: 60000 is 1000 and 60. */
static void converts_in_steps(void **state)
{
    static const struct {
        const char *question;
        int column;
        size_t steps; /* 0: the column stands as it is */
        int by[3];
    } rows[] = {
        {"average latency in seconds", 11, 1, {IR_FIXED_THOUSAND}},
        {"average latency in minutes", 11, 2, {IR_FIXED_THOUSAND, IR_FIXED_SIXTY}},
        {"latency in hours", 11, 2, {IR_FIXED_SECONDS_OF_HOUR, IR_FIXED_THOUSAND}},
        {"length in days", 1, 2, {IR_FIXED_SECONDS_OF_HOUR, IR_FIXED_TWENTY_FOUR}},
        {"latency in ms", 11, 0, {0}},
        {"systems in seconds", 12, 0, {0}},
    };
    struct arena *arena = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ir_token items[] = {{IR_KEYWORD, IR_SELECT},
                                   {IR_KEYWORD, IR_AVG},
                                   {IR_COLUMN, rows[i].column},
                                   {IR_KEYWORD, IR_FROM}};
        struct ir_tokens tokens = {.items = items, .count = 4};
        size_t steps = rows[i].steps;
        units_settle(arena, &schema, rows[i].question, &tokens);
        assert_int_equal(tokens.count, 4 + 2 * steps);
        assert_int_equal(tokens.items[2 + steps].index, rows[i].column);
        for (size_t k = 0; k < steps; k++) {
            assert_int_equal(tokens.items[2 + k].index, IR_RATIO);
            assert_int_equal(tokens.items[3 + steps + k].index, rows[i].by[k]);
        }
    }
}

/* Cut short: an operator without what it works on. */
static void reads_no_further(void **state)
{
    struct ir_token items[] = {{IR_KEYWORD, IR_TIMES}, {IR_COLUMN, 1}};
    struct ir_tokens tokens = {.items = items, .count = 2};
    struct arena *arena = *state;
    units_settle(arena, &schema, "in minutes", &tokens);
    assert_int_equal(tokens.count, 2);
    tokens.count = 0;
    units_settle(arena, &schema, "in minutes", &tokens);
    assert_int_equal(tokens.count, 0);
}

/* A column beside a number, or shown, that no conversion stands at. */
static void puts_conversions_in(void **state)
{
    static const struct {
        const char *question;
        int column;
        bool shown;
        enum ir_keyword wanted; /* PAD: none */
        enum ir_fixed by;
    } rows[] = {
        {"items over 20 euros", 7, false, IR_RATIO, IR_FIXED_HUNDRED},
        {"items over 20", 7, false, IR_RATIO, IR_FIXED_HUNDRED},
        {"items over 2000 cents", 7, false, IR_PAD, IR_FIXED_ONE},
        {"total price", 7, true, IR_PAD, IR_FIXED_ONE},
        {"total price in euros", 7, true, IR_RATIO, IR_FIXED_HUNDRED},
        {"heavier than 2 kg", 8, false, IR_RATIO, IR_FIXED_THOUSAND},
        {"heavier than 200", 8, false, IR_PAD, IR_FIXED_ONE},
        {"longer than 10 minutes", 1, false, IR_RATIO, IR_FIXED_SIXTY},
        {"time in hours", 1, true, IR_RATIO, IR_FIXED_SECONDS_OF_HOUR},
        {"prices over 20 minutes", 6, false, IR_PAD, IR_FIXED_ONE},
    };
    struct arena *arena = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ir_token shown[] = {{IR_KEYWORD, IR_SELECT},
                                   {IR_KEYWORD, IR_SUM},
                                   {IR_COLUMN, rows[i].column},
                                   {IR_KEYWORD, IR_FROM}};
        struct ir_token compared[] = {{IR_KEYWORD, IR_WHERE},
                                      {IR_KEYWORD, IR_AND},
                                      {IR_COLUMN, rows[i].column},
                                      {IR_KEYWORD, IR_GREATER},
                                      {IR_VALUE, 0}};
        struct ir_tokens tokens = {.items = rows[i].shown ? shown : compared,
                                   .count = rows[i].shown ? 4 : 5};
        size_t before = tokens.count;
        units_settle(arena, &schema, rows[i].question, &tokens);
        bool put = rows[i].wanted != IR_PAD;
        if (tokens.count != before + (put ? 2 : 0) ||
            (put && (tokens.items[2].index != (int)rows[i].wanted ||
                     tokens.items[4].index != (int)rows[i].by))) {
            fail_msg("%s", rows[i].question);
        }
    }
}

/* The time between two dates. */
static void takes_the_unit_of_times(void **state)
{
    static const struct {
        const char *question;
        enum ir_keyword before;
        enum ir_keyword after; /* the operator that is first */
    } rows[] = {
        {"avg response time in minutes", IR_HOURS, IR_TIMES},
        {"response time in hours", IR_DAYS, IR_HOURS},
        {"took longer than 2 days", IR_HOURS, IR_DAYS},
        {"how many days did it take", IR_HOURS, IR_DAYS},
        {"response time per day", IR_HOURS, IR_HOURS},
        {"response time", IR_DAYS, IR_DAYS},
    };
    struct arena *arena = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ir_token items[] = {{IR_KEYWORD, IR_AVG},
                                   {IR_KEYWORD, (int)rows[i].before},
                                   {IR_COLUMN, 9},
                                   {IR_COLUMN, 10},
                                   {IR_KEYWORD, IR_FROM}};
        struct ir_tokens tokens = {.items = items, .count = 5};
        units_settle(arena, &schema, rows[i].question, &tokens);
        if (tokens.items[1].index != (int)rows[i].after) {
            fail_msg("%s", rows[i].question);
        }
        assert_int_equal(tokens.count, rows[i].after == IR_TIMES ? 7 : 5);
    }
}

static int setup(void **state)
{
    *state = arena_new();
    return 0;
}

static int teardown(void **state)
{
    arena_free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(converts),
        cmocka_unit_test(converts_in_steps),
        cmocka_unit_test(puts_conversions_in),
        cmocka_unit_test(takes_the_unit_of_times),
        cmocka_unit_test(reads_no_further),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
