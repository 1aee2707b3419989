/* Links: how surely a word of a question names a column or a table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "model/schema.h"
#include "parser/ir/ir_schema.h"
#include "parser/link/linker.h"
#include "parser/words/tokens.h"
#include "unit/parser/features_shop.h"

/* Codes of each token for one item: "-EE-" for two words that are its name. */
static const char *codes(struct features_shop *shop, const char *question,
                         const char *item)
{
    static const char letters[LINK_CODES + 1] = "-EOPSRH";
    struct arena *arena = shop->shop.arena;
    struct features features;
    features_build(arena, shop->schema, NULL, question, &features);
    struct linker *linker = linker_new(arena, shop->shop.ir);
    uint8_t *all = linker_link(linker, arena, &features.tokens, &features.selection);
    size_t stride = features.selection.table_count + features.selection.column_count;
    size_t at = strchr(item, '.') ? features.selection.table_count +
                                        (size_t)features_shop_column(shop, item)
                                  : (size_t)ir_schema_table(shop->shop.ir, item);
    size_t count = features.tokens.count;
    count -= strlen(features.tokens.text) > strlen(question); /* a mark at the end */
    char *out = arena_alloc(arena, count + 1);
    for (size_t i = 0; i < count; i++) {
        out[i] = letters[all[i * stride + at]];
    }
    return out;
}

static void links(void **state)
{
    static const struct {
        const char *question, *item, *codes;
    } cases[] = {
        {"first names of customers", "customers.first_name", "EE--"},
        {"first names of customers", "customers.last_name", "-P--"},
        {"first names of customers", "customers", "---E"},
        {"customer", "customers", "E"},
        {"firstname", "customers.first_name", "E"},
        {"the postal-code", "addresses.postal code", "-E-E"},
        {"postal_code", "addresses.postal code", "E-E"},
        {"items of an order", "order_items", "O--O"},
        {"order items", "order_items", "EE"},
        {"clients", "customers", "S"},
        {"who bought it", "customers.first_name", "R--"},
        {"most expensive", "products.price", "-R"},
        {"cheapest", "products.price", "R"},
        {"avg qty", "order_items.quantity", "-P"},
        {"prodcuts", "products", "E"},
        {"catgeorise", "categories", "P"},
        {"when", "customers.created_on", "R"},
        {"orders per year", "orders.ordered_at", "P-R"},
        {"the of and", "products.name", "---"},
        {"count", "categories.name", "-"},
        {"?", "orders", "-"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *got = codes(*state, cases[i].question, cases[i].item);
        if (strcmp(got, cases[i].codes) != 0) {
            print_error("%s / %s\n", cases[i].question, cases[i].item);
        }
        assert_string_equal(got, cases[i].codes);
    }
}

/* What people wrote about a column names it too. */
static void reads_comments(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct schema *schema = schema_new();
    struct table *table = schema_add_table(schema, "t1");
    table_add_column(schema, table, "A2", "TEXT")->comment = "district name";
    table_add_column(schema, table, "A3", "TEXT")->comment =
        "ratio of urban inhabitants, as counted each year";
    schema_normalize(schema);
    const struct ir_schema *flat = ir_schema_new(arena, schema);
    struct feature_schema *prepared = feature_schema_new(arena, flat);
    struct features features;
    features_build(arena, prepared, NULL, "district names and inhabitants", &features);
    struct linker *linker = linker_new(arena, flat);
    const uint8_t *all =
        linker_link(linker, arena, &features.tokens, &features.selection);
    assert_int_equal(all[0 * 4 + 2], LINK_EXACT);
    assert_int_equal(all[1 * 4 + 2], LINK_EXACT);
    assert_int_equal(all[3 * 4 + 3], LINK_PARTIAL);
    assert_int_equal(all[3 * 4 + 2], LINK_NONE);
    assert_string_equal(str_join(arena, linker_item_words(linker, 2), " "),
                        "a2 district name");
    schema_unref(schema);
    arena_free(arena);
}

/* Names cut short: the table's initial, the beginning of a word, its consonants. */
static void reads_short_names(void **state)
{
    (void)state;
    static const struct {
        const char *column, *words;
        const char *question;
        enum link_code code;
    } cases[] = {
        {"eid", "employee id", "employee", LINK_PARTIAL},
        {"ename", "employee name", "employee", LINK_PARTIAL},
        {"eno", "employee number", "number", LINK_OWN},
        {"xid", "xid", "employee", LINK_NONE},
        {"enr", "enr", "enrollment", LINK_PARTIAL},
        {"plyr", "plyr", "players", LINK_PARTIAL},
        {"enr", "enr", "earner", LINK_NONE},
        {"year", "year", "2008", LINK_RELATED},
        {"hire_date", "hire date", "2008", LINK_RELATED},
        {"hire_date", "hire date", "2508", LINK_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena *arena = arena_new();
        struct schema *schema = schema_new();
        struct table *table = schema_add_table(schema, "employees");
        table_add_column(schema, table, cases[i].column, "TEXT");
        schema_normalize(schema);
        struct linker *linker = linker_new(arena, ir_schema_new(arena, schema));
        const int tables[] = {0};
        const int columns[] = {0, 1};
        const struct selection selection = {tables, 1, columns, 2};
        struct tokens tokens;
        tokens_split(arena, cases[i].question, &tokens);
        assert_string_equal(str_join(arena, linker_item_words(linker, 2), " "),
                            cases[i].words);
        assert_int_equal(linker_link(linker, arena, &tokens, &selection)[2],
                         cases[i].code);
        schema_unref(schema);
        arena_free(arena);
    }
}

/* Columns repeat the name of their table; people do not. */
static void reads_own_names(void **state)
{
    (void)state;
    static const struct {
        const char *table, *columns, *question, *codes;
    } cases[] = {
        {"EMPLOYEE", "EMP_FNAME", "first names of them", "OO--"},
        {"EMPLOYEE", "EMP_FNAME", "names of them", "P--"},
        {"enroll", "enroll_grade", "grade", "O"},
        {"course", "crs_code", "the code", "-O"},
        {"Apartments", "apt_number", "apartment number", "OO"},
        {"staff", "birth_date", "date of birth", "O-O"},
        {"staff", "birth_date", "date of the birth", "O--O"},
        {"staff", "birth_date", "birth date", "EE"},
        {"x", "cust_nm cust_city cust_age", "name", "O"},
        {"x", "cust_nm city age", "name", "P"},
        {"orders", "order", "of", "-"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena *arena = arena_new();
        struct schema *schema = schema_new();
        struct table *table = schema_add_table(schema, cases[i].table);
        struct texts names = {0};
        str_split(arena, cases[i].columns, ' ', &names);
        for (size_t j = 0; j < names.count; j++) {
            table_add_column(schema, table, names.items[j], "TEXT");
        }
        schema_normalize(schema);
        struct linker *linker = linker_new(arena, ir_schema_new(arena, schema));
        const int tables[] = {0};
        const int columns[] = {0, 1};
        const struct selection selection = {tables, 1, columns, 2};
        struct tokens tokens;
        tokens_split(arena, cases[i].question, &tokens);
        const uint8_t *all = linker_link(linker, arena, &tokens, &selection);
        char got[16] = {0};
        for (size_t j = 0; j < tokens.count; j++) {
            got[j] = "-EOPSRH"[all[j * 3 + 2]];
        }
        if (strcmp(got, cases[i].codes) != 0) {
            print_error("%s / %s\n", cases[i].question, cases[i].columns);
        }
        assert_string_equal(got, cases[i].codes);
        schema_unref(schema);
        arena_free(arena);
    }
}

static void counts_overlap(void **state)
{
    struct features_shop *shop = *state;
    struct arena *arena = shop->shop.arena;
    struct tokens tokens;
    struct linker *linker = linker_new(arena, shop->shop.ir);
    tokens_split(arena, "the order items of an order", &tokens);
    int items = ir_schema_table(shop->shop.ir, "order_items");
    assert_int_equal(linker_overlap(linker, &tokens, (size_t)items), 3);
    int reviews = ir_schema_table(shop->shop.ir, "reviews");
    assert_int_equal(linker_overlap(linker, &tokens, (size_t)reviews), 0);
    assert_true(map_has(linker_words(linker), "categories"));
    assert_true(map_has(linker_words(linker), "category"));
}

/* What is kept grows with the columns, not with their square. */
static void wide_tables_stay_small(void **state)
{
    (void)state;
    size_t sizes[2] = {0};
    for (size_t round = 0; round < 2; round++) {
        struct schema *schema = schema_new();
        struct table *table = schema_add_table(schema, "fact");
        for (size_t i = 0; i < (round + 1) * 1000; i++) {
            char name[64];
            (void)snprintf(name, sizeof name, "fct_%s_value%zu", i % 2 ? "in" : "out", i);
            (void)table_add_column(schema, table, name, "REAL");
        }
        schema_normalize(schema);
        struct arena *arena = arena_new();
        struct arena *own = arena_new();
        const struct ir_schema *ir = ir_schema_new(arena, schema);
        assert_non_null(linker_new(own, ir));
        sizes[round] = arena_size(own);
        arena_free(own);
        arena_free(arena);
        schema_unref(schema);
    }
    assert_true(sizes[1] < 3 * sizes[0]);
    assert_true(sizes[1] < (4U << 20));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links),
        cmocka_unit_test(reads_comments),
        cmocka_unit_test(reads_short_names),
        cmocka_unit_test(reads_own_names),
        cmocka_unit_test(counts_overlap),
        cmocka_unit_test(wide_tables_stay_small),
    };
    return cmocka_run_group_tests(tests, features_shop_setup, features_shop_teardown);
}
