/* The numbers a candidate is judged by: each one seen to be there and to be absent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "model/rows.h"
#include "parser/judge/judge.h"
#include "parser/parser.h"
#include "parser/to_sql/rebuild.h"
#include "unit/parser/features_shop.h"

enum { EXPECTED_MOST = 4 };

/* IR whose values are the question's. */
static void read_ir(struct features_shop *shop, const struct features *features,
                    const char *ir, struct ir_tokens *tokens)
{
    struct ir_values values;
    ir_shop_read(&shop->shop, ir, tokens, &values);
    for (size_t i = 0; i < tokens->count; i++) {
        if (tokens->items[i].kind == IR_VALUE) {
            const struct ir_value *value = &values.items[tokens->items[i].index];
            tokens->items[i] =
                values_token(&features->values, value->text, value->is_text);
        }
    }
}

static void judge_outcome_of(struct features_shop *shop, const char *question,
                             const char *ir, const struct parser_outcome *outcome,
                             struct judgement *out)
{
    struct arena *arena = arena_new();
    struct features features;
    struct ir_tokens tokens;
    struct rebuild_result result = {.inferred_join = true, .join_cost = 1.5};
    features_build(arena, shop->schema, shop->index, question, &features);
    read_ir(shop, &features, ir, &tokens);
    struct judge_request request = {.schema = shop->shop.ir,
                                    .features = &features,
                                    .tokens = &tokens,
                                    .result = &result,
                                    .outcome = outcome,
                                    .rank = 2,
                                    .log_probability = -3,
                                    .best_log_probability = -1};
    judge_candidate(arena, &request, out);
    arena_free(arena);
}

static void judge_ir(struct features_shop *shop, const char *question, const char *ir,
                     struct judgement *out)
{
    struct parser_outcome outcome = {.ok = true, .rows = 3, .columns = 2};
    judge_outcome_of(shop, question, ir, &outcome, out);
}

static const struct {
    const char *question;
    const char *ir;
    struct {
        enum judge_number number;
        double value;
    } expected[EXPECTED_MOST];
} cases[] = {
    {"customers in Berlin",
     "select customers.last_name from customers where customers.city = \"Berlin\"",
     {{JUDGE_UNUSED_VALUES, 0}, {JUDGE_FOREIGN_VALUES, 0}, {JUDGE_CONDITIONS, 1}}},
    {"customers in Berlin",
     "select customers.last_name from customers",
     {{JUDGE_UNUSED_VALUES, 1}, {JUDGE_UNUSED_CELLS, 1}, {JUDGE_UNLINKED_COLUMNS, 1}}},
    {"customers in Berlin",
     "select .* from customers where customers.last_name = \"Berlin\"",
     {{JUDGE_FOREIGN_VALUES, 1}, {JUDGE_UNUSED_VALUES, 0}}},
    {"orders over 50",
     "select orders.id from orders",
     {{JUDGE_UNUSED_VALUES, 1},
      {JUDGE_UNUSED_CELLS, 0},
      {JUDGE_MORE_LACKS, 1},
      {JUDGE_LESS_LACKS, 0}}},
    {"stars of reviews",
     "select products.name from products",
     {{JUDGE_MISSED_EXACT, 2}, {JUDGE_UNLINKED_TABLES, 1}}},
    {"stars of reviews",
     "select reviews.stars from reviews",
     {{JUDGE_MISSED_EXACT, 0}, {JUDGE_UNLINKED_COLUMNS, 0}, {JUDGE_UNLINKED_TABLES, 0}}},
    {"names of products with reviews",
     "select products.name from products reviews",
     {{JUDGE_BARE_TABLES, 1}, {JUDGE_TABLES, 2}, {JUDGE_SELECTS, 1}}},
    {"how many orders",
     "select count .* from orders",
     {{JUDGE_COUNT_LACKS, 0}, {JUDGE_COUNT_NEEDLESS, 0}}},
    {"how many orders",
     "select orders.id from orders",
     {{JUDGE_COUNT_LACKS, 1}, {JUDGE_COUNT_NEEDLESS, 0}}},
    {"orders",
     "select count .* from orders",
     {{JUDGE_COUNT_LACKS, 0}, {JUDGE_COUNT_NEEDLESS, 1}}},
    {"customers without orders",
     "select customers.id from customers",
     {{JUDGE_NOT_LACKS, 1}, {JUDGE_OR_LACKS, 0}}},
    {"frobnicated customers",
     "select customers.id from customers",
     {{JUDGE_SILENT_WORDS, 1}, {JUDGE_QUESTION_WORDS, 2}}},
    {"orders above the average total",
     "select orders.id from orders where orders.total > ( select avg orders.total from "
     "orders )",
     {{JUDGE_SELECTS, 2}, {JUDGE_AVERAGE_LACKS, 0}, {JUDGE_MORE_LACKS, 0}}},
    {"",
     "select orders.id from orders",
     {{JUDGE_QUESTION_WORDS, 0}, {JUDGE_UNUSED_VALUES, 0}}},
};

static void counts(void **state)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct judgement judgement;
        judge_ir(*state, cases[i].question, cases[i].ir, &judgement);
        for (size_t k = 0; k < EXPECTED_MOST; k++) {
            int number = (int)cases[i].expected[k].number;
            double value = cases[i].expected[k].value;
            if (number != 0 && fabs(judgement.numbers[number] - value) > 1e-9) {
                fail_msg("%s | %s: %s is %g, not %g", cases[i].question, cases[i].ir,
                         judge_text(number), judgement.numbers[number], value);
            }
        }
    }
}

static void takes_over_what_is_known(void **state)
{
    struct judgement judgement;
    judge_ir(*state, "orders", "select orders.id from orders", &judgement);
    const double *numbers = judgement.numbers;
    assert_float_equal(numbers[JUDGE_RANK], 2, 0);
    assert_float_equal(numbers[JUDGE_BEHIND], 2, 1e-9);
    assert_float_equal(numbers[JUDGE_LENGTH], 4, 0);
    assert_float_equal(numbers[JUDGE_MEAN_LOG_PROBABILITY], -0.6, 1e-9);
    assert_float_equal(numbers[JUDGE_LOG_ROWS], log(4), 1e-9);
    assert_float_equal(numbers[JUDGE_RESULT_COLUMNS], 2, 0);
    assert_float_equal(numbers[JUDGE_INFERRED_JOIN], 1, 0);
    assert_float_equal(numbers[JUDGE_JOIN_COST], 1.5, 1e-9);
}

static void adds_groups_up(void **state)
{
    (void)state;
    struct judgement a = {{0}};
    struct judgement b = {{0}};
    struct judgement c = {{0}};
    struct judgement *const all[] = {&a, NULL, &b, &c};
    const size_t groups[] = {0, 0, 2, 0};
    a.numbers[JUDGE_LOG_PROBABILITY] = log(0.5);
    b.numbers[JUDGE_LOG_PROBABILITY] = log(0.25);
    c.numbers[JUDGE_LOG_PROBABILITY] = log(0.125);
    judge_groups(all, groups, 4);
    assert_float_equal(a.numbers[JUDGE_GROUP_SIZE], 2, 0);
    assert_float_equal(a.numbers[JUDGE_GROUP_LOG_PROBABILITY], log(0.625), 1e-9);
    assert_float_equal(a.numbers[JUDGE_GROUP_FIRST], 1, 0);
    assert_float_equal(c.numbers[JUDGE_GROUP_FIRST], 0, 0);
    assert_float_equal(b.numbers[JUDGE_GROUP_SIZE], 1, 0);
    assert_float_equal(b.numbers[JUDGE_GROUP_FIRST], 1, 0);
}

/* What came back beside what was asked for. */
static const struct {
    const char *question;
    struct parser_outcome outcome;
    struct {
        enum judge_number number;
        double value;
    } expected[EXPECTED_MOST];
} results[] = {
    {"how many orders",
     {.ok = true, .rows = 5, .columns = 1, .looks = {.text_columns = 1}},
     {{JUDGE_NUMBER_ASKED, 1}, {JUDGE_ONE_ASKED, 1}, {JUDGE_TEXT_COLUMNS, 1}}},
    {"how many orders",
     {.ok = true, .rows = 1, .columns = 1, .looks = {.number_columns = 1, .zero = true}},
     {{JUDGE_NUMBER_ASKED, 0},
      {JUDGE_ONE_ASKED, 0},
      {JUDGE_ONE_ZERO, 1},
      {JUDGE_ONE_ROW, 1}}},
    {"who ordered most",
     {.ok = true, .rows = 3, .columns = 1, .looks = {.number_columns = 1}},
     {{JUDGE_NAME_ASKED, 1}, {JUDGE_DATE_ASKED, 0}}},
    {"when was the last order",
     {.ok = true, .rows = 1, .columns = 1, .looks = {.date_columns = 1}},
     {{JUDGE_DATE_ASKED, 0}, {JUDGE_DATE_COLUMNS, 1}}},
    {"when was the last order",
     {.ok = true, .rows = 1, .columns = 1, .looks = {.number_columns = 1}},
     {{JUDGE_DATE_ASKED, 1}}},
    {"top 5 customers",
     {.ok = true, .rows = 1, .columns = 1, .looks = {.text_columns = 1}},
     {{JUDGE_ROWS_ASKED, 1}}},
    {"list all customers",
     {.ok = true, .rows = 1, .columns = 1, .looks = {.text_columns = 1}},
     {{JUDGE_MANY_ASKED, 1}}},
    {"how many orders", /* nothing of nothing has no kind */
     {.ok = true, .rows = 0, .columns = 1},
     {{JUDGE_NUMBER_ASKED, 0}, {JUDGE_NO_ROW, 1}, {JUDGE_NOT_RUN, 0}}},
    {"how many orders",
     {.late = true},
     {{JUDGE_NUMBER_ASKED, 0}, {JUDGE_NO_ROW, 0}, {JUDGE_NOT_RUN, 1}}},
};

static void sees_what_came_back(void **state)
{
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        struct judgement judgement;
        judge_outcome_of(*state, results[i].question, "select orders.id from orders",
                         &results[i].outcome, &judgement);
        for (size_t k = 0; k < EXPECTED_MOST; k++) {
            int number = (int)results[i].expected[k].number;
            double value = results[i].expected[k].value;
            if (number != 0 && fabs(judgement.numbers[number] - value) > 1e-9) {
                fail_msg("%s (%zu): %s is %g, not %g", results[i].question, i,
                         judge_text(number), judgement.numbers[number], value);
            }
        }
    }
}

static void shares_out_the_weight(void **state)
{
    (void)state;
    struct judgement a = {{0}};
    struct judgement b = {{0}};
    struct judgement c = {{0}};
    struct parser_outcome one = {
        .ok = true, .rows = 1, .columns = 1, .looks = {.things = 7}};
    struct parser_outcome two = {
        .ok = true, .rows = 2, .columns = 1, .looks = {.things = 7}};
    struct parser_outcome none = {.ok = true, .columns = 2, .empty = true};
    struct judgement *const all[] = {&a, &b, NULL, &c};
    const struct parser_outcome *const outcomes[] = {&one, &two, &one, &none};
    a.numbers[JUDGE_LOG_PROBABILITY] = log(0.5);
    b.numbers[JUDGE_LOG_PROBABILITY] = log(0.25);
    c.numbers[JUDGE_LOG_PROBABILITY] = log(0.25);
    judge_shares(all, outcomes, 4);
    assert_float_equal(a.numbers[JUDGE_SHAPE_SHARE], 0.75, 1e-9);
    assert_float_equal(a.numbers[JUDGE_ROWS_SHARE], 0.5, 1e-9);
    assert_float_equal(b.numbers[JUDGE_THINGS_SHARE], 0.75, 1e-9);
    assert_float_equal(a.numbers[JUDGE_OTHERS_EMPTY], 0.25, 1e-9);
    assert_float_equal(c.numbers[JUDGE_OTHERS_EMPTY], 0, 1e-9);
}

static void cell(struct rows *rows, struct value *cells, const char *text, int64_t number)
{
    cells[0] = text ? (struct value){.kind = VALUE_TEXT, .text = {text, strlen(text)}}
                    : (struct value){.kind = VALUE_NULL};
    cells[1] = (struct value){.kind = VALUE_INT, .integer = number};
    rows_add(rows, cells);
}

static void looks_at_rows(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct rows rows;
    struct value cells[2];
    struct parser_outcome outcome = {0};
    rows_init(&rows, arena);
    rows_set_columns(&rows, (struct rows_column[]){{"day", ""}, {"n", ""}}, 2);
    cell(&rows, cells, "2024-03-01", 2020);
    cell(&rows, cells, "2024-03-01", 2020);
    cell(&rows, cells, NULL, 2020);
    cell(&rows, cells, "2024-04-01 10:00", 2020);
    parser_outcome_of(&rows, false, &outcome);
    const struct parser_looks *looks = &outcome.looks;
    assert_float_equal(looks->nulls, 0.125, 1e-9);
    assert_float_equal(looks->repeated, 0.25, 1e-9);
    assert_int_equal(looks->date_columns, 1);
    assert_int_equal(looks->number_columns, 1);
    assert_int_equal(looks->year_columns, 1);
    assert_int_equal(looks->constant_columns, 1);
    assert_int_equal(looks->text_columns + looks->null_columns, 0);
    assert_false(looks->zero || looks->many || looks->negative);
    /* the order of the same things makes no difference */
    uint64_t things = looks->things;
    rows_init(&rows, arena);
    rows_set_columns(&rows, (struct rows_column[]){{"day", ""}, {"n", ""}}, 2);
    cell(&rows, cells, "2024-04-01 10:00", -1);
    cell(&rows, cells, NULL, 5);
    cell(&rows, cells, "2024-03-01", 2020);
    cell(&rows, cells, "2024-03-01", 2020);
    parser_outcome_of(&rows, true, &outcome);
    assert_true(outcome.looks.things == things && outcome.looks.negative);
    arena_free(arena);
}

static void names_all(void **state)
{
    (void)state;
    for (int i = 0; i < JUDGE_COUNT; i++) {
        assert_true(*judge_text(i) != '\0');
        for (int k = 0; k < i; k++) {
            assert_false(str_equal(judge_text(i), judge_text(k)));
        }
    }
    assert_string_equal(judge_text(-1), "");
    assert_string_equal(judge_text(JUDGE_COUNT), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts),
        cmocka_unit_test(takes_over_what_is_known),
        cmocka_unit_test(adds_groups_up),
        cmocka_unit_test(sees_what_came_back),
        cmocka_unit_test(shares_out_the_weight),
        cmocka_unit_test(looks_at_rows),
        cmocka_unit_test(names_all),
    };
    return cmocka_run_group_tests(tests, features_shop_setup, features_shop_teardown);
}
