/* SQL as people write it into IR: one form for one meaning, and refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/from_sql/sql_to_ir.h"
#include "unit/parser/ir_shop.h"

static const struct {
    const char *sql;
    const char *ir;
} cases[] = {
#include "unit/parser/ir_sql_cases.def"
};

enum { CASE_COUNT = sizeof cases / sizeof *cases };

struct values {
    struct arena *arena;
    struct ir_values list;
    const char *known; /* when set: only values in this text are found */
};

static struct ir_token find_value(void *context, const char *literal, bool is_text)
{
    struct values *values = context;
    struct ir_value value = {.text = arena_text(values->arena, literal),
                             .is_text = is_text};
    if (values->known && !strstr(values->known, literal)) {
        return (struct ir_token){IR_FIXED, IR_FIXED_UNKNOWN};
    }
    for (size_t i = 0; i < values->list.count; i++) {
        if (str_equal(values->list.items[i].text, literal) &&
            values->list.items[i].is_text == is_text) {
            return (struct ir_token){IR_VALUE, (int)i};
        }
    }
    VEC_PUSH(values->arena, &values->list, value);
    return (struct ir_token){IR_VALUE, (int)values->list.count - 1};
}

static bool read_dialect(struct ir_shop *shop, enum dialect dialect, const char *sql,
                         struct values *values, struct sql_to_ir_result *result,
                         struct err *err)
{
    struct sql_to_ir_request request = {.schema = shop->ir,
                                        .dialect = dialect,
                                        .today = "2024-05-15",
                                        .find_value = find_value,
                                        .context = values};
    return sql_to_ir(shop->arena, &request, sql, result, err);
}

static bool read_sql(struct ir_shop *shop, const char *sql, struct values *values,
                     struct sql_to_ir_result *result, struct err *err)
{
    return read_dialect(shop, DIALECT_SQLITE, sql, values, result, err);
}

/* What SQLite has no grammar for. */
static void reads_dialects(void **state)
{
    static const struct {
        enum dialect dialect;
        const char *sql;
        const char *ir;
    } rows[] = {
        {DIALECT_POSTGRES,
         "SELECT COUNT(*) FROM orders WHERE EXTRACT(YEAR FROM ordered_at) = 2024",
         "select count .* from orders where orders.ordered_at during 2024"},
        {DIALECT_POSTGRES,
         "SELECT name FROM products WHERE name ILIKE '%a%' FETCH FIRST 3 ROWS ONLY",
         "select products.name from products where products.name like_c \"a\" limit 3"},
        {DIALECT_POSTGRES,
         "SELECT CAST(EXTRACT(YEAR FROM age(ordered_at, DATE '2020-01-01')) AS INTEGER) "
         "FROM orders",
         "select years orders.ordered_at \"2020-01-01\" from orders"},
        {DIALECT_DUCKDB,
         "SELECT RANK() OVER w FROM orders WINDOW w AS (ORDER BY total DESC)",
         "select rank orders.total from orders"},
        {DIALECT_SQLITE, "SELECT p.'name' FROM products p",
         "select products.name from products"},
    };
    struct ir_shop shop;
    (void)state;
    ir_shop_init(&shop, DIALECT_SQLITE);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct values values = {.arena = shop.arena};
        struct sql_to_ir_result result;
        struct err err;
        if (!read_dialect(&shop, rows[i].dialect, rows[i].sql, &values, &result, &err)) {
            fail_msg("%s: %s", rows[i].sql, err.message);
        }
        assert_string_equal(ir_shop_print(&shop, &result.tokens, &values.list),
                            rows[i].ir);
    }
    ir_shop_release(&shop);
}

static void reads(void **state)
{
    struct ir_shop shop;
    (void)state;
    ir_shop_init(&shop, DIALECT_SQLITE);
    for (size_t i = 0; i < CASE_COUNT; i++) {
        struct values values = {.arena = shop.arena};
        struct sql_to_ir_result result;
        struct err err;
        if (!read_sql(&shop, cases[i].sql, &values, &result, &err)) {
            fail_msg("%s: %s", cases[i].sql, err.message);
        }
        assert_false(result.value_missing);
        assert_string_equal(ir_shop_print(&shop, &result.tokens, &values.list),
                            cases[i].ir);
    }
    ir_shop_release(&shop);
}

static const char *const refused[] = {
    "",
    "SELECT",
    "SELECT 1",
    "SELECT nothing FROM orders",
    "SELECT id FROM nowhere",
    "SELECT id FROM orders WHERE",
    "SELECT id FROM orders WHERE total >",
    "SELECT id FROM orders LIMIT many",
    "SELECT id FROM orders GROUP total",
    "DELETE FROM orders",
    "SELECT id FROM orders; SELECT id FROM orders",
    "SELECT GROUP_CONCAT(total) FROM orders",
    "SELECT a.id FROM orders a, orders b, orders c",
    "SELECT id FROM orders WHERE total > ALL (SELECT price FROM products)",
    "SELECT o.id FROM orders o RIGHT JOIN customers c ON o.customer_id = c.id",
    "SELECT SUM(total) OVER () FROM orders",
    "SELECT ROW_NUMBER() OVER (PARTITION BY status ORDER BY total) FROM orders",
    "SELECT SUM(total) OVER (ORDER BY total DESC) FROM orders",
    "SELECT ir_shift(ordered_at, 3) FROM orders",
    "SELECT ir_shift(ordered_at, 3, 'moon') FROM orders",
    "SELECT INSTR(status, 'a') FROM orders",
    "SELECT ir_select(total) FROM orders",
    "SELECT ir_during(ordered_at) FROM orders",
    "SELECT date(ordered_at, '+3 moons') FROM orders",
    "SELECT CASE END FROM orders",
    "SELECT 'a' || 'b' FROM orders",
    "WITH x AS (SELECT id FROM orders SELECT id FROM x",
    "SELECT total > 5 FROM orders",
};

static void refuses(void **state)
{
    struct ir_shop shop;
    (void)state;
    ir_shop_init(&shop, DIALECT_SQLITE);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct values values = {.arena = shop.arena};
        struct sql_to_ir_result result;
        struct err err;
        if (read_sql(&shop, refused[i], &values, &result, &err)) {
            fail_msg("%s became %s", refused[i],
                     ir_shop_print(&shop, &result.tokens, &values.list));
        }
        assert_true(err.message[0] != '\0');
    }
    ir_shop_release(&shop);
}

/* A date that is no value of the question begins or ends a period that is one. */
static void shortens_dates(void **state)
{
    static const struct {
        const char *known;
        const char *where;
        const char *ir;
    } rows[] = {
        {"2024", "ordered_at >= '2024-01-01'", "orders.ordered_at since 2024"},
        {"2023", "ordered_at > '2023-12-31'", "orders.ordered_at after 2023"},
        {"2024-03", "ordered_at < '2024-03-01'", "orders.ordered_at before \"2024-03\""},
        {"2024-Q1", "ordered_at <= '2024-03-31'", "orders.ordered_at until \"2024-Q1\""},
        {"2024-03 2024-05", "ordered_at BETWEEN '2024-03-01' AND '2024-05-31'",
         "orders.ordered_at since \"2024-03\" and orders.ordered_at until \"2024-05\""},
        {"2024-01-01", "ordered_at >= '2024-01-01'",
         "orders.ordered_at >= \"2024-01-01\""},
    };
    struct ir_shop shop;
    (void)state;
    ir_shop_init(&shop, DIALECT_SQLITE);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct values values = {.arena = shop.arena, .known = rows[i].known};
        struct sql_to_ir_result result;
        struct err err;
        const char *sql =
            arena_format(shop.arena, "SELECT id FROM orders WHERE %s", rows[i].where);
        const char *ir =
            arena_format(shop.arena, "select orders.id from orders where %s", rows[i].ir);
        assert_true(read_sql(&shop, sql, &values, &result, &err));
        assert_string_equal(ir_shop_print(&shop, &result.tokens, &values.list), ir);
    }
    ir_shop_release(&shop);
}

static void tells_missing_values(void **state)
{
    struct ir_shop shop;
    struct sql_to_ir_result result;
    struct err err;
    (void)state;
    ir_shop_init(&shop, DIALECT_SQLITE);
    struct values values = {.arena = shop.arena, .known = "open"};
    assert_true(read_sql(&shop, "SELECT id FROM orders WHERE status = 'lost'", &values,
                         &result, &err));
    assert_true(result.value_missing);
    /* labels that nobody said become ranges */
    assert_true(read_sql(&shop,
                         "SELECT CASE WHEN price < 10 THEN 'cheap' WHEN price < 50 THEN "
                         "'fair' ELSE 'dear' END FROM products",
                         &values, &result, &err));
    assert_string_equal(ir_shop_print(&shop, &result.tokens, &values.list),
                        "select bucket products.price \"<unknown>\" \"<unknown>\" from "
                        "products");
    ir_shop_release(&shop);
}

static uint32_t random_next(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

/* Queries cut, spliced and with bytes changed: an answer or a reason, never a crash. */
static void survives_damage(void **state)
{
    struct ir_shop shop;
    uint32_t seed = 4711;
    size_t good = 0;
    (void)state;
    ir_shop_init(&shop, DIALECT_SQLITE);
    for (int i = 0; i < 4000; i++) {
        struct arena *arena = arena_new();
        struct ir_shop scratch = {arena, shop.schema, shop.ir};
        struct values values = {.arena = arena};
        struct sql_to_ir_result result;
        struct err err;
        const char *a = cases[random_next(&seed) % CASE_COUNT].sql;
        const char *b = cases[random_next(&seed) % CASE_COUNT].sql;
        size_t cut = random_next(&seed) % (strlen(a) + 1);
        size_t from = random_next(&seed) % (strlen(b) + 1);
        char *sql =
            arena_format(arena, "%.*s%s", (int)cut, a, i % 3 == 0 ? b + from : a + cut);
        if (i % 3 == 1 && sql[0]) {
            sql[random_next(&seed) % strlen(sql)] = (char)(1 + random_next(&seed) % 255);
        } else if (i % 3 == 2) {
            sql[cut] = '\0';
        }
        good += read_sql(&scratch, sql, &values, &result, &err);
        arena_free(arena);
    }
    assert_true(good > 100);
    ir_shop_release(&shop);
}

static void survives_depth(void **state)
{
    enum { DEPTH = 1000 }; /* far too deep, but not too long to be read at all */
    static const char *const parts[][2] = {
        {"(", ")"},    {"NOT ", ""},
        {"- ", ""},    {"CASE WHEN 1 = 1 THEN ", " END"},
        {"ABS(", ")"}, {"(SELECT id FROM orders WHERE id = ", ")"}};
    struct ir_shop shop;
    (void)state;
    ir_shop_init(&shop, DIALECT_SQLITE);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct values values = {.arena = shop.arena};
        struct sql_to_ir_result result;
        struct err err;
        struct texts all = {0};
        VEC_PUSH(shop.arena, &all, "SELECT id FROM orders WHERE id = ");
        for (int j = 0; j < DEPTH; j++) {
            VEC_PUSH(shop.arena, &all, parts[i][0]);
        }
        VEC_PUSH(shop.arena, &all, "id");
        for (int j = 0; j < DEPTH; j++) {
            VEC_PUSH(shop.arena, &all, parts[i][1]);
        }
        bool is_read =
            read_sql(&shop, str_join(shop.arena, &all, ""), &values, &result, &err);
        assert_false(is_read);
        assert_string_equal(err.message, "The query is nested too deeply.");
    }
    ir_shop_release(&shop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads),
        cmocka_unit_test(reads_dialects),
        cmocka_unit_test(refuses),
        cmocka_unit_test(shortens_dates),
        cmocka_unit_test(tells_missing_values),
        cmocka_unit_test(survives_damage),
        cmocka_unit_test(survives_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
