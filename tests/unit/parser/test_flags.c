/* Yes and no, put right by the cells of the column. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/schema.h"
#include "parser/values/flags.h"
#include "parser/ir/ir_schema.h"

static const struct column sources[] = {
    {.least = "0", .greatest = "1"}, {.least = "N", .greatest = "Y"}, {.least = NULL},
    {.least = "f", .greatest = "t"}, {.least = "1", .greatest = "9"},
};

static struct ir_column columns[] = {
    {.name = "is_frozen", .flag = true, .integer = true, .source = &sources[0]},
    {.name = "open_yn", .flag = true, .source = &sources[1]},
    {.name = "is_new", .flag = true, .integer = true, .source = &sources[2]},
    {.name = "is_old", .flag = true, .source = &sources[3]},
    {.name = "stars", .integer = true, .source = &sources[4]},
    {.name = "done", .flag = true, .type = IR_TYPE_BOOLEAN, .source = &sources[2]},
};

static const struct ir_schema schema = {.columns = columns};

static const struct {
    int column;
    enum ir_keyword sign;
    enum ir_fixed said, wanted;
} cases[] = {
    {0, IR_EQUAL, IR_FIXED_YES_LETTER, IR_FIXED_ONE},
    {0, IR_UNEQUAL, IR_FIXED_TRUE_LETTER, IR_FIXED_ONE},
    {0, IR_EQUAL, IR_FIXED_NO_CAPITAL, IR_FIXED_ZERO},
    {0, IR_EQUAL, IR_FIXED_ZERO, IR_FIXED_ZERO},
    {1, IR_EQUAL, IR_FIXED_ONE, IR_FIXED_YES_LETTER},
    {1, IR_EQUAL, IR_FIXED_FALSE_LETTER, IR_FIXED_NO_LETTER},
    {2, IR_EQUAL, IR_FIXED_YES, IR_FIXED_ONE},
    /* not yes or no, cells that no word is of, no flag, compared otherwise: as it was */
    {0, IR_EQUAL, IR_FIXED_MALE_LETTER, IR_FIXED_MALE_LETTER},
    {3, IR_EQUAL, IR_FIXED_YES_LETTER, IR_FIXED_YES_LETTER},
    {4, IR_EQUAL, IR_FIXED_ONE, IR_FIXED_ONE},
    {5, IR_EQUAL, IR_FIXED_TRUE_LETTER, IR_FIXED_TRUE_LETTER},
    {1, IR_GREATER, IR_FIXED_ONE, IR_FIXED_ONE},
};

static void says_it_as_the_cells_do(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ir_token items[] = {{IR_KEYWORD, IR_WHERE},
                                   {IR_COLUMN, cases[i].column},
                                   {IR_KEYWORD, (int)cases[i].sign},
                                   {IR_FIXED, (int)cases[i].said}};
        struct ir_tokens tokens = {.items = items, .count = 4};
        flags_settle(&schema, &tokens);
        if (items[3].index != (int)cases[i].wanted) {
            fail_msg("case %zu: %s", i, ir_fixed_get(items[3].index)->text);
        }
        tokens.count = 3; /* cut off in the middle: nothing is read behind the end */
        flags_settle(&schema, &tokens);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(says_it_as_the_cells_do)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
