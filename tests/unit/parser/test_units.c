/* Conversions between units of time, put right by the names of columns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "parser/ir_schema.h"
#include "parser/units.h"

static struct ir_column columns[] = {
    {.name = "*"},        {.name = "duration_sec"}, {.name = "durationsec"},
    {.name = "DelayMin"}, {.name = "contr_hours"},  {.name = "OUT_MINUTES_LOST"},
    {.name = "price"},
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
    {"in days", 1, IR_TIMES, IR_FIXED_SIXTY, IR_TIMES, IR_FIXED_SIXTY}, /* 86400: none */
    {"", 1, IR_TIMES, IR_FIXED_SIXTY, IR_TIMES, IR_FIXED_SIXTY},
};

static void converts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct conversion *at = &cases[i];
        struct ir_token items[] = {{IR_KEYWORD, IR_SELECT},
                                   {IR_KEYWORD, (int)at->keyword},
                                   {IR_COLUMN, at->column},
                                   {IR_FIXED, (int)at->by},
                                   {IR_KEYWORD, IR_FROM}};
        struct ir_tokens tokens = {.items = items, .count = 5};
        units_settle(&schema, at->question, &tokens);
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

/* Cut short: an operator without what it works on. */
static void reads_no_further(void **state)
{
    struct ir_token items[] = {{IR_KEYWORD, IR_TIMES}, {IR_COLUMN, 1}};
    struct ir_tokens tokens = {.items = items, .count = 2};
    (void)state;
    units_settle(&schema, "in minutes", &tokens);
    assert_int_equal(tokens.count, 2);
    tokens.count = 0;
    units_settle(&schema, "in minutes", &tokens);
    assert_int_equal(tokens.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(converts),
        cmocka_unit_test(reads_no_further),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
