/* The words of the IR, the automaton, and what hostile tokens can do (nothing). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "model/schema.h"
#include "parser/ir/ir_grammar.h"
#include "parser/ir/ir_schema.h"
#include "parser/ir/ir_tree.h"
#include "parser/to_sql/rebuild.h"
#include "unit/parser/ir_shop.h"

static void words_are_unique(void **state)
{
    (void)state;
    assert_int_equal(IR_PAD, 0);
    assert_int_equal(IR_BEGIN, 1);
    assert_int_equal(IR_END, 2);
    for (int i = 0; i < IR_KEYWORD_COUNT; i++) {
        int found;
        assert_true(ir_keyword_find(ir_keyword_text(i), &found));
        assert_int_equal(found, i);
    }
    assert_string_equal(ir_keyword_text(IR_KEYWORD_COUNT), "");
    assert_string_equal(ir_keyword_text(-1), "");
    assert_string_equal(ir_fixed_get(IR_FIXED_UNKNOWN)->text, "<unknown>");
    assert_null(ir_fixed_get(IR_FIXED_COUNT));
}

static bool shape_is_good(struct ir_shop *shop, const char *text)
{
    struct ir_tokens tokens;
    struct ir_values values;
    struct ir_state automaton;
    ir_shop_read(shop, text, &tokens, &values);
    ir_state_init(&automaton);
    for (size_t i = 0; i < tokens.count; i++) {
        if (!ir_state_take(&automaton, tokens.items[i])) {
            assert_false(ir_state_take(&automaton, ir_word(IR_END))); /* for ever */
            return false;
        }
    }
    return ir_state_take(&automaton, ir_word(IR_END)) && ir_state_done(&automaton);
}

static void knows_the_shape(void **state)
{
    static const char *const bad[] = {
        "",
        "select",
        "select from orders",
        "select orders.id",
        "select orders.id from",
        "select orders.id from orders where",
        "select orders.id from orders where orders.id",
        "select orders.id from orders where orders.id =",
        "select sum .* from orders",
        "select .* .* from orders where .* = 1",
        "select orders.id from orders where count .* > 1",
        "select orders.id from orders group sum orders.id",
        "select sum sum orders.id from orders",
        "select orders.id from orders having rank orders.id > 1",
        "select orders.id from orders limit orders.id",
        "select orders.id from orders limit1 per orders.id",
        "select orders.id from orders order orders.id limit1",
        "select orders.id from orders order orders.id asc per orders.id",
        "select orders.id from ( select orders.id from orders",
        "select orders.id from orders )",
        "select orders.id from orders where [ orders.id = 1",
        "select outer orders.id from orders",
        "select orders.id from orders where orders.ordered_at during last",
        "select orders.id from orders where orders.ordered_at during orders.id",
        "select orders.id from orders where not orders.id = 1",
        "from orders select orders.id",
        "orders",
    };
    struct ir_shop shop;
    (void)state;
    ir_shop_init(&shop, DIALECT_SQLITE);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (shape_is_good(&shop, bad[i])) {
            fail_msg("accepted: %s", bad[i]);
        }
    }
    assert_true(shape_is_good(&shop, "select .* orders from orders"));
    ir_shop_release(&shop);
}

static void says_what_may_come(void **state)
{
    struct ir_state automaton;
    struct ir_set set;
    (void)state;
    ir_state_init(&automaton);
    ir_state_allowed(&automaton, &set);
    for (int i = 0; i < IR_CLASS_COUNT; i++) {
        assert_int_equal(ir_set_has(&set, i), i == IR_SELECT);
    }
    assert_true(ir_state_take(&automaton, ir_word(IR_SELECT)));
    assert_true(ir_state_take(&automaton, ir_word(IR_COUNT)));
    ir_state_allowed(&automaton, &set);
    assert_true(ir_set_has(&set, IR_CLASS_STAR));
    assert_true(ir_set_has(&set, IR_CLASS_COLUMN));
    assert_true(ir_set_has(&set, IR_IF));
    assert_false(ir_set_has(&set, IR_COUNT));
    assert_false(ir_set_has(&set, IR_CLASS_TABLE));
    assert_false(ir_set_has(&set, IR_END));
    assert_false(ir_set_has(&set, -1));
    assert_false(ir_set_has(&set, 1000));
}

/* A small generator of our own: the same numbers on every machine. */
static uint32_t random_next(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

static struct ir_token random_of(uint32_t *seed, int place,
                                 const struct ir_schema *schema, int values)
{
    switch (place) {
    case IR_CLASS_FIXED:
        return (struct ir_token){IR_FIXED, (int)(random_next(seed) % IR_FIXED_COUNT)};
    case IR_CLASS_VALUE:
        return (struct ir_token){IR_VALUE, (int)(random_next(seed) % (uint32_t)values)};
    case IR_CLASS_TABLE:
        return (struct ir_token){
            IR_TABLE, (int)(random_next(seed) % (uint32_t)schema->table_count)};
    case IR_CLASS_COLUMN:
        return (struct ir_token){
            IR_COLUMN,
            1 + (int)(random_next(seed) % (uint32_t)(schema->column_count - 1))};
    case IR_CLASS_STAR:
        return (struct ir_token){IR_COLUMN, 0};
    default:
        return (struct ir_token){IR_KEYWORD, place};
    }
}

/* A random way through the automaton; short ones are likelier to end. */
static bool random_walk(struct arena *arena, uint32_t *seed,
                        const struct ir_schema *schema, struct ir_tokens *tokens)
{
    struct ir_state automaton;
    ir_state_init(&automaton);
    while (!ir_state_done(&automaton)) {
        struct ir_set set;
        int allowed[IR_CLASS_COUNT];
        int count = 0;
        ir_state_allowed(&automaton, &set);
        for (int i = 0; i < IR_CLASS_COUNT; i++) {
            if (ir_set_has(&set, i)) {
                /* tokens that end something are likelier, or it would never end */
                int weight = i == IR_END || i == IR_CLOSE || i == IR_FROM ? 12
                             : i >= IR_CLASS_FIXED                        ? 6
                                                                          : 1;
                while (weight-- > 0 && count < IR_CLASS_COUNT) {
                    allowed[count++] = i;
                }
            }
        }
        if (count == 0) {
            return false; /* too long or too deep */
        }
        struct ir_token token =
            random_of(seed, allowed[random_next(seed) % (uint32_t)count], schema, 4);
        if (!ir_state_take(&automaton, token)) {
            assert_true(automaton.failed); /* only when the stack is full */
            return false;
        }
        if (!ir_is(token, IR_END)) {
            VEC_PUSH(arena, tokens, token);
        }
    }
    return true;
}

static struct ir_value value_items[] = {
    {.text = "5", .is_text = false},
    {.text = "2024-03", .is_text = true},
    {.text = "it's \\ \"odd\" \xF0\x9F\x98\x80", .is_text = true},
    {.text = "", .is_text = true}};
static const struct ir_values walk_values = {value_items, 4, 4};

static void rebuild_everywhere(struct ir_shop *shop, struct arena *arena,
                               const struct ir_tokens *tokens, size_t *rebuilt)
{
    struct rebuild_result result;
    struct err err;
    const char *words;
    for (int dialect = 0; dialect < DIALECT_COUNT; dialect++) {
        struct rebuild_request request = {.schema = shop->ir,
                                          .values = &walk_values,
                                          .dialect = (enum dialect)dialect,
                                          .question = "ship by last name",
                                          .today = "2024-02-29"};
        if (rebuild_sql(arena, &request, tokens, &result, &err)) {
            assert_non_null(result.sql);
            *rebuilt += dialect == DIALECT_SQLITE;
        } else {
            assert_true(err.message[0] != '\0');
        }
        (void)rebuild_words(arena, &request, tokens, &words, &err);
    }
}

/* Whatever the automaton lets through can be read, written back the same, and rebuilt or
 * refused with a reason. */
static void survives_random_queries(void **state)
{
    struct ir_shop shop;
    uint32_t seed = 20240515;
    size_t walks = 0, read = 0, rebuilt = 0;
    (void)state;
    ir_shop_init(&shop, DIALECT_SQLITE);
    for (int i = 0; i < 1500; i++) {
        struct arena *arena = arena_new();
        struct ir_tokens tokens = {0};
        struct ir_query *query;
        struct err err;
        if (random_walk(arena, &seed, shop.ir, &tokens)) {
            walks++;
            if (ir_tree_read(arena, &tokens, shop.ir, walk_values.count, &query, &err)) {
                struct ir_tokens again = {0};
                struct ir_query *same;
                read++;
                assert_true(ir_tree_write(arena, query, &again, &err));
                assert_true(
                    ir_tree_read(arena, &again, shop.ir, walk_values.count, &same, &err));
                assert_true(ir_query_same(query, same));
                rebuild_everywhere(&shop, arena, &tokens, &rebuilt);
            }
        }
        arena_free(arena);
    }
    assert_true(walks > 700);
    assert_true(read > 70);
    assert_true(rebuilt > 25);
    ir_shop_release(&shop);
}

static void survives_random_tokens(void **state)
{
    struct ir_shop shop;
    uint32_t seed = 7;
    (void)state;
    ir_shop_init(&shop, DIALECT_SQLITE);
    for (int i = 0; i < 4000; i++) {
        struct arena *arena = arena_new();
        struct ir_tokens tokens = {0};
        struct err err;
        size_t count = random_next(&seed) % 200;
        for (size_t j = 0; j < count; j++) {
            struct ir_token token = {(enum ir_kind)(random_next(&seed) % 5),
                                     (int)(random_next(&seed) % 130) - 5};
            VEC_PUSH(arena, &tokens, token);
        }
        assert_false(ir_check(&tokens, shop.ir, 4, &err));
        arena_free(arena);
    }
    ir_shop_release(&shop);
}

/* Good queries with one token changed, removed or doubled. */
static void survives_damage(void **state)
{
    static const char *const good[] = {
        "select customers.last_name sum orders.total from customers left orders where "
        "orders.ordered_at during last 3 u_month group customers.id having sum "
        "orders.total > 5 order sum orders.total desc limit 5 per customers.city",
        "select avg item1 from ( select count .* from orders group orders.customer_id ) "
        "where item1 in ( select reviews.stars from reviews )",
        "select addresses.city t2 addresses.city from addresses via "
        "orders.bill_address_id orders t2 addresses via orders.ship_address_id union "
        "select customers.city customers.city from customers",
    };
    struct ir_shop shop;
    uint32_t seed = 99;
    size_t rebuilt = 0;
    (void)state;
    ir_shop_init(&shop, DIALECT_SQLITE);
    for (int i = 0; i < 1500; i++) {
        struct arena *arena = arena_new();
        struct ir_tokens tokens, copy = {0};
        struct ir_values values;
        struct ir_shop scratch = {arena, shop.schema, shop.ir};
        ir_shop_read(&scratch, good[i % 3], &tokens, &values);
        size_t at = random_next(&seed) % tokens.count;
        int place = (int)(random_next(&seed) % IR_CLASS_COUNT);
        int how = (int)(random_next(&seed) % 3);
        for (size_t j = 0; j < tokens.count; j++) {
            if (j != at || how == 2) {
                VEC_PUSH(arena, &copy, tokens.items[j]);
            }
            if (j == at && how > 0) {
                VEC_PUSH(arena, &copy, random_of(&seed, place, shop.ir, 4));
            }
        }
        rebuild_everywhere(&shop, arena, &copy, &rebuilt);
        arena_free(arena);
    }
    assert_true(rebuilt > 50);
    ir_shop_release(&shop);
}

static void ends_at_its_limits(void **state)
{
    struct ir_state automaton;
    struct ir_set set;
    int taken = 0;
    (void)state;
    ir_state_init(&automaton);
    assert_true(ir_state_take(&automaton, ir_word(IR_SELECT)));
    while (ir_state_take(&automaton, ir_word(IR_PLUS))) {
        taken++;
    }
    assert_true(taken > 50 && taken < IR_TOKENS_MAX);
    ir_state_init(&automaton); /* queries within queries */
    taken = 0;
    for (;;) {
        assert_true(ir_state_take(&automaton, ir_word(IR_SELECT)));
        ir_state_allowed(&automaton, &set);
        if (!ir_set_has(&set, IR_OPEN)) {
            break;
        }
        assert_true(ir_state_take(&automaton, ir_word(IR_OPEN)));
        taken++;
    }
    assert_int_equal(taken, IR_QUERIES_MAX - 1);
}

static void flags_and_gaps_are_seen(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        const char *type;
        const char *least;
        const char *greatest;
        double null_share;
        bool flag;
        bool gaps;
    } cases[] = {
        {"frozen", "INTEGER", "0", "1", 0, true, false},
        {"stock", "INTEGER", "0", "17", 0, false, false},
        {"share", "REAL", "0", "1", 0, false, false},
        {"active", "CHAR(1)", "N", "Y", 0, true, false},
        {"grade", "TEXT", "A", "F", 0.5, false, true},
        {"open", "BOOLEAN", NULL, NULL, -1, true, false},
        {"is_open", "INTEGER", NULL, NULL, -1, true, false},
        {"hasPool", "TEXT", NULL, NULL, -1, true, false},
        {"paid_flag", "INTEGER", NULL, NULL, -1, true, false},
        {"issue", "INTEGER", NULL, NULL, -1, false, false},
        {"has", "INTEGER", NULL, NULL, -1, false, false},
    };
    struct schema *schema = schema_new();
    struct table *table = schema_add_table(schema, "things");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct column *column =
            table_add_column(schema, table, cases[i].name, cases[i].type);
        column->least = cases[i].least;
        column->greatest = cases[i].greatest;
        column->null_share = cases[i].null_share;
    }
    schema_normalize(schema);
    struct arena *arena = arena_new();
    const struct ir_schema *flat = ir_schema_new(arena, schema);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(flat->columns[i + 1].flag, cases[i].flag);
        assert_int_equal(flat->columns[i + 1].gaps, cases[i].gaps);
    }
    arena_free(arena);
    schema_unref(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flags_and_gaps_are_seen),
        cmocka_unit_test(words_are_unique),
        cmocka_unit_test(knows_the_shape),
        cmocka_unit_test(says_what_may_come),
        cmocka_unit_test(ends_at_its_limits),
        cmocka_unit_test(survives_random_queries),
        cmocka_unit_test(survives_random_tokens),
        cmocka_unit_test(survives_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
