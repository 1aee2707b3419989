/* What we write we can read: dates in every dialect, there and back, so that an answer
 * can be followed up wherever it was given. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/to_sql/rebuild.h"
#include "parser/from_sql/sql_to_ir.h"
#include "unit/parser/ir_shop.h"

static const char *const queries[] = {
    "select year orders.ordered_at count .* from orders group year orders.ordered_at",
    "select quarter orders.ordered_at count .* from orders group quarter "
    "orders.ordered_at",
    "select month orders.ordered_at sum orders.total from orders group month "
    "orders.ordered_at order month orders.ordered_at asc",
    "select week orders.ordered_at count .* from orders group week orders.ordered_at",
    "select day orders.ordered_at count .* from orders group day orders.ordered_at",
    "select quarter_of orders.ordered_at month_of orders.ordered_at day_of "
    "orders.ordered_at weekday_of orders.ordered_at hour_of orders.ordered_at from "
    "orders",
    "select avg days orders.shipped_at orders.ordered_at from orders",
    "select month orders.ordered_at moving sum orders.total 3 from orders group month "
    "orders.ordered_at",
    "select right_of orders.status 2 from orders",
    "select orders.status from orders where orders.status like_c \"50%_\\!\" and "
    "orders.status like_s \"a\\b\" and orders.status like_e \"%\" and orders.status "
    "notlike_c \"\\\"",
    "select month orders.ordered_at count .* from orders where orders.ordered_at during "
    "2024 group month orders.ordered_at order count .* desc limit1",
};

struct literals {
    struct arena *arena;
    struct ir_values values;
};

static struct ir_token keep(void *context, const char *literal, bool is_text)
{
    struct literals *literals = context;
    struct ir_value value = {.text = arena_text(literals->arena, literal),
                             .is_text = is_text};
    VEC_PUSH(literals->arena, &literals->values, value);
    return (struct ir_token){IR_VALUE, (int)literals->values.count - 1};
}

static const char *write_sql(struct ir_shop *shop, enum dialect dialect,
                             const struct ir_tokens *tokens,
                             const struct ir_values *values)
{
    struct rebuild_result result = {0};
    struct err err;
    struct rebuild_request request = {
        .schema = shop->ir, .values = values, .dialect = dialect, .today = "2024-05-15"};
    if (!rebuild_sql(shop->arena, &request, tokens, &result, &err)) {
        fail_msg("%s: %s", dialect_name(dialect), err.message);
    }
    return result.sql;
}

static void reads_what_it_writes(void **state)
{
    (void)state;
    for (int i = 0; i < DIALECT_ODBC; i++) {
        enum dialect dialect = (enum dialect)i;
        struct ir_shop shop;
        ir_shop_init(&shop, dialect);
        for (size_t k = 0; k < sizeof queries / sizeof *queries; k++) {
            struct ir_tokens tokens;
            struct ir_values values;
            struct err err;
            ir_shop_read(&shop, queries[k], &tokens, &values);
            const char *sql = write_sql(&shop, dialect, &tokens, &values);
            struct literals literals = {.arena = shop.arena};
            struct sql_to_ir_request request = {.schema = shop.ir,
                                                .dialect = dialect,
                                                .today = "2024-05-15",
                                                .find_value = keep,
                                                .context = &literals};
            struct sql_to_ir_result read;
            if (!sql_to_ir(shop.arena, &request, sql, &read, &err)) {
                fail_msg("%s: %s\n%s", dialect_name(dialect), sql, err.message);
            }
            assert_string_equal(write_sql(&shop, dialect, &read.tokens, &literals.values),
                                sql);
        }
        ir_shop_release(&shop);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_it_writes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
