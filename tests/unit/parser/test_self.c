/* A table that refers to itself: which way through its key a question goes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "parser/ir/ir_key_words.h"
#include "parser/ir/ir_schema.h"
#include "parser/search/sense/sense.h"
#include "unit/parser/ir_shop.h"

#define UPPER                                                                            \
    "select customers.last_name from customers via t2 customers.referrer_id t2 "         \
    "customers where t2 customers.city = \"Rome\""
#define LOWER                                                                            \
    "select customers.last_name from customers via customers.referrer_id t2 "            \
    "customers where t2 customers.city = \"Rome\""

static void turns_the_key(void **state)
{
    static const struct {
        const char *question;
        const char *written;
        const char *meant;
    } rows[] = {
        {"whose referrer is from Rome?", UPPER, LOWER},
        {"whose referrer is from Rome?", LOWER, LOWER},
        {"who is Rome's referrer?", LOWER, UPPER},
        {"the referrer of Rome", LOWER, UPPER},
        {"the referrer of Rome", UPPER, UPPER},
        /* nothing to go by, or both: as it was */
        {"referrers in Rome", UPPER, UPPER},
        {"whose referrer is the referrer of Rome", UPPER, UPPER},
        {"managers of Rome", LOWER, LOWER}, /* no such key */
    };
    struct ir_shop shop;
    (void)state;
    ir_shop_init(&shop, DIALECT_SQLITE);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ir_tokens tokens = {0};
        struct ir_values values = {0};
        ir_shop_read(&shop, rows[i].written, &tokens, &values);
        sense_self(shop.arena, shop.ir, rows[i].question, &tokens);
        assert_string_equal(ir_shop_print(&shop, &tokens, &values), rows[i].meant);
    }
    ir_shop_release(&shop);
}

static void other_queries_stay(void **state)
{
    static const char *const rows[] = {
        "select count .* from customers",
        "select customers.last_name from customers t2 customers where t2 customers.city "
        "= \"Rome\"",
        "select customers.last_name t2 customers.last_name from customers via "
        "customers.referrer_id t2 customers where t2 customers.city = \"Rome\"",
    };
    struct ir_shop shop;
    (void)state;
    ir_shop_init(&shop, DIALECT_SQLITE);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ir_tokens tokens = {0};
        struct ir_values values = {0};
        ir_shop_read(&shop, rows[i], &tokens, &values);
        sense_self(shop.arena, shop.ir, "the referrer of Rome", &tokens);
        assert_string_equal(ir_shop_print(&shop, &tokens, &values), rows[i]);
    }
    ir_shop_release(&shop);
}

/* Two keys to addresses: the word beside it says which. */
static void deeds_name_keys(void **state)
{
    struct ir_shop shop;
    (void)state;
    ir_shop_init(&shop, DIALECT_SQLITE);
    int orders = -1;
    for (int i = 0; i < shop.ir->table_count; i++) {
        orders = ir_schema_column(shop.ir, i, "bill_address_id") >= 0 ? i : orders;
    }
    int bill = ir_schema_column(shop.ir, orders, "bill_address_id");
    assert_true(bill > 0);
    assert_true(ir_key_is_named(shop.ir, "the bill goes to Rome", bill));
    assert_false(ir_key_is_named(shop.ir, "orders with an address in Rome", bill));
    ir_shop_release(&shop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_the_key),
        cmocka_unit_test(other_queries_stay),
        cmocka_unit_test(deeds_name_keys),
    };
    return cmocka_run_group_tests_name("parser/self", tests, NULL, NULL);
}
