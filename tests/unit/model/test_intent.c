/* The names of intents, and of what writes the SQL. */
#include "model/intent.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/brain.h"

static void names_of_intents(void **unused)
{
    (void)unused;
    assert_null(intent_name(INTENT_UNSET));
    for (int i = INTENT_UNSET + 1; i < INTENT_COUNT; i++) {
        assert_non_null(intent_name((enum intent)i));
        assert_int_equal(intent_find(intent_name((enum intent)i)), i);
    }
    assert_int_equal(intent_find("text_to_sql"), INTENT_TEXT_TO_SQL);
    assert_int_equal(intent_find("ORDER_PIZZA"), INTENT_UNSET);
    assert_int_equal(intent_find(NULL), INTENT_UNSET);
}

static void names_of_brains(void **unused)
{
    (void)unused;
    static const enum brain_kind wanted[] = {BRAIN_AUTO, BRAIN_PARSER, BRAIN_LLM};
    assert_null(brain_kind_name(BRAIN_UNSET));
    for (int i = BRAIN_UNSET + 1; i < BRAIN_COUNT; i++) {
        assert_non_null(brain_kind_name((enum brain_kind)i));
        assert_int_equal(brain_kind_find(brain_kind_name((enum brain_kind)i)), i);
    }
    size_t count = 0;
    for (int i = 0; i < BRAIN_COUNT; i++) {
        count += brain_kind_wanted((enum brain_kind)i);
    }
    assert_int_equal(count, sizeof wanted / sizeof *wanted);
    for (size_t i = 0; i < count; i++) {
        assert_true(brain_kind_wanted(wanted[i]));
    }
    assert_int_equal(brain_kind_find("cabbage"), BRAIN_UNSET);
    assert_int_equal(brain_kind_find(""), BRAIN_UNSET);
    assert_int_equal(brain_kind_find(NULL), BRAIN_UNSET);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_intents),
        cmocka_unit_test(names_of_brains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
