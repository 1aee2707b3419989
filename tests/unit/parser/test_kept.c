/* A later turn writes the tests of the query before as they were, whatever the network makes
 * of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/from_sql/sql_to_ir.h"
#include "parser/search/kept.h"
#include "parser/to_sql/rebuild.h"
#include "parser/values/values.h"
#include "unit/parser/ir_shop.h"

/* Every form of an end: days, times of day, months, quarters, years, and one side alone. */
static const char *const ends[] = {
    "ordered_at >= '2024-05-15' AND ordered_at < '2024-05-30'",
    "ordered_at >= '2024-04-15' AND ordered_at < '2024-05-16'",
    "ordered_at >= '2024-03-01' AND ordered_at < '2024-06-01'",
    "ordered_at >= '2024-03-01' AND ordered_at < '2024-04-01'",
    "ordered_at >= '2024-04-01' AND ordered_at < '2024-07-01'",
    "ordered_at >= '2023-01-01' AND ordered_at < '2024-01-01'",
    "ordered_at >= '2022-01-01' AND ordered_at < '2024-01-01'",
    "ordered_at BETWEEN '2024-03-10' AND '2024-04-05'",
    "ordered_at >= '2024-03-10' AND ordered_at <= '2024-04-05'",
    "ordered_at >= '2024-03-10 08:30:00' AND ordered_at < '2024-04-05 17:00:00'",
    "ordered_at >= '2024-03-01 00:00:00' AND ordered_at < '2024-04-01 12:00:00'",
    "ordered_at >= '2024-03-01 09:00:00' AND ordered_at < '2024-04-01 00:00:00'",
    "ordered_at >= '2024-03-01' AND ordered_at <= '2024-03-31 12:00:00'",
    "ordered_at > '2024-03-10' AND ordered_at <= '2024-04-05 23:59:59'",
    "ordered_at < '2024-04-06'",
    "ordered_at <= '2024-04-05'",
    "ordered_at < '2024-04-01'",
    "ordered_at >= '2024-03-10'",
    "ordered_at > '2024-03-10'",
    "ordered_at > '2024-02-29'",
};

enum { ENDS = sizeof ends / sizeof *ends };

static const char *write_sql(struct ir_shop *shop, const struct ir_tokens *tokens,
                             const struct candidates *values)
{
    struct rebuild_result result = {0};
    struct ir_values texts = {0};
    struct err err;
    for (size_t i = 0; i < values->count; i++) {
        VEC_PUSH(shop->arena, &texts, values->items[i].value);
    }
    const struct rebuild_request request = {.schema = shop->ir,
                                            .values = &texts,
                                            .dialect = DIALECT_SQLITE,
                                            .today = "2024-05-15"};
    if (!rebuild_sql(shop->arena, &request, tokens, &result, &err)) {
        fail_msg("%s", err.message);
    }
    return result.sql;
}

/* As the network gets the query before. */
static void read_before(struct ir_shop *shop, const char *sql, struct ir_tokens *tokens,
                        struct candidates *values)
{
    struct values_before before = {shop->arena, values, 0};
    const struct sql_to_ir_request request = {.schema = shop->ir,
                                              .dialect = DIALECT_SQLITE,
                                              .today = "2024-05-15",
                                              .find_value = values_token_before,
                                              .context = &before};
    struct sql_to_ir_result result;
    struct err err;
    if (!sql_to_ir(shop->arena, &request, sql, &result, &err)) {
        fail_msg("%s: %s", sql, err.message);
    }
    *tokens = result.tokens;
}

/* Each test as the network may write it: with another word for the same side. */
static void say_otherwise(struct arena *arena, const struct ir_tokens *from, size_t turn,
                          struct ir_tokens *out)
{
    static const enum ir_keyword begins[] = {IR_AT_LEAST, IR_SINCE, IR_AFTER, IR_GREATER};
    static const enum ir_keyword stops[] = {IR_LESS, IR_BEFORE, IR_UNTIL, IR_AT_MOST};
    *out = (struct ir_tokens){0};
    for (size_t i = 0; i < from->count; i++) {
        struct ir_token token = from->items[i];
        for (size_t k = 0; k < sizeof begins / sizeof *begins; k++) {
            if (ir_is(from->items[i], begins[k])) {
                token = ir_word(begins[turn]);
            } else if (ir_is(from->items[i], stops[k])) {
                token = ir_word(stops[turn]);
            }
        }
        VEC_PUSH(arena, out, token);
    }
}

static void later_turns_keep_every_end(void **state)
{
    enum { TURNS = 4 };
    struct ir_shop shop;
    int wrong = 0;
    (void)state;
    ir_shop_init(&shop, DIALECT_SQLITE);
    for (size_t i = 0; i < ENDS; i++) {
        int wrong_before = wrong;
        const char *first = arena_format(
            shop.arena, "SELECT COUNT(*) AS count FROM orders WHERE %s", ends[i]);
        const char *sql = first;
        for (size_t turn = 0; turn < TURNS; turn++) {
            struct candidates values = {0};
            struct ir_tokens before;
            struct ir_tokens tokens;
            read_before(&shop, sql, &before, &values);
            say_otherwise(shop.arena, &before, turn, &tokens);
            kept_tests(shop.arena, &before, &values, &tokens);
            sql = write_sql(&shop, &tokens, &values);
            wrong += turn > 0 && !str_equal(sql, first);
            first = turn ? first : sql; /* a range may get another form once */
        }
        bool same = strstr(first, "BETWEEN") || strstr(first, ends[i]);
        wrong += !same;
        if (wrong > wrong_before) {
            print_error("%s\n%s\n%s\n", ends[i], first, sql);
        }
    }
    ir_shop_release(&shop);
    assert_int_equal(wrong, 0);
}

static void check_kept(struct ir_shop *shop, const char *sql, enum ir_keyword from,
                       const char *wanted)
{
    struct candidates values = {0};
    struct ir_tokens before;
    struct ir_tokens tokens = {0};
    read_before(shop, sql, &before, &values);
    for (size_t i = 0; i < before.count; i++) {
        bool test = i + 1 < before.count && before.items[i + 1].kind == IR_VALUE;
        VEC_PUSH(shop->arena, &tokens, test ? ir_word(from) : before.items[i]);
    }
    kept_tests(shop->arena, &before, &values, &tokens);
    assert_non_null(strstr(write_sql(shop, &tokens, &values), wanted));
}

/* "And after that?": the other side is what the later question asks for. */
static void another_side_is_asked_for(void **state)
{
    struct ir_shop shop;
    (void)state;
    ir_shop_init(&shop, DIALECT_SQLITE);
    check_kept(&shop, "SELECT id FROM orders WHERE ordered_at < '2024-04-06'", IR_SINCE,
               "ordered_at >= '2024-04-06'");
    check_kept(&shop, "SELECT id FROM orders WHERE ordered_at < '2024-04-06'", IR_UNTIL,
               "ordered_at < '2024-04-06'");
    ir_shop_release(&shop);
}

/* `between` writes both days, and the second one was excluded. */
static void no_end_is_included_by_between(void **state)
{
    struct ir_shop shop;
    struct candidates values = {0};
    struct ir_tokens before;
    struct ir_tokens tokens = {0};
    (void)state;
    ir_shop_init(&shop, DIALECT_SQLITE);
    read_before(&shop,
                "SELECT id FROM orders WHERE ordered_at >= '2024-05-15' AND ordered_at < "
                "'2024-05-30'",
                &before, &values);
    struct ir_values said;
    ir_shop_read(&shop,
                 "select count .* from orders where orders.ordered_at between "
                 "\"2024-05-15\" \"2024-05-30\"",
                 &tokens, &said);
    kept_tests(shop.arena, &before, &values, &tokens);
    assert_non_null(strstr(write_sql(&shop, &tokens, &values),
                           "ordered_at >= '2024-05-15' AND ordered_at < '2024-05-30'"));
    ir_shop_release(&shop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(later_turns_keep_every_end),
        cmocka_unit_test(another_side_is_asked_for),
        cmocka_unit_test(no_end_is_included_by_between),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
