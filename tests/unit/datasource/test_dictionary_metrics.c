/* Metrics of a dictionary over several tables: joined by keys, each row counted once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "unit/datasource/dictionary_scene.h"

static void key_add(struct schema *schema, struct table *table, const char *column,
                    const char *to, const char *key)
{
    struct foreign_key *added = VEC_ADD(schema->arena, &table->foreign_keys);
    *added = (struct foreign_key){.table = to, .confidence = 1};
    VEC_PUSH(schema->arena, &added->columns, column);
    VEC_PUSH(schema->arena, &added->references, key);
}

/* lines -> products -> brands; lines -> bills; reviews -> products; two ways from trips
 * to places, and from carts to coupons; cards, which are not one each, have no primary
 * key */
static void shop_add(struct schema *schema)
{
    static const struct {
        const char *table;
        const char *columns[4];
        const char *keys[2][3];
    } made[] = {
        {"brands", {"id", "discount"}, {{NULL}}},
        {"products", {"id", "list_price", "brand"}, {{"brand", "brands", "id"}}},
        {"bills", {"id", "rate"}, {{NULL}}},
        {"lines",
         {"id", "units", "product id", "bill"},
         {{"product id", "products", "id"}, {"bill", "bills", "id"}}},
        {"reviews", {"id", "stars", "product"}, {{"product", "products", "id"}}},
        {"places", {"id", "toll"}, {{NULL}}},
        {"trips",
         {"id", "km", "start", "goal"},
         {{"start", "places", "id"}, {"goal", "places", "id"}}},
        {"coupons", {"id", "worth"}, {{NULL}}},
        {"owners", {"id", "coupon"}, {{"coupon", "coupons", "id"}}},
        {"carts",
         {"id", "weight", "owner", "coupon"},
         {{"owner", "owners", "id"}, {"coupon", "coupons", "id"}}},
        {"cards", {"card", "limits"}, {{NULL}}},
        {"payments", {"id", "amounts", "card"}, {{"card", "cards", "card"}}},
    };
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        struct table *table = schema_add_table(schema, made[i].table);
        for (size_t c = 0; c < 4 && made[i].columns[c]; c++) {
            struct column *column =
                table_add_column(schema, table, made[i].columns[c], "INTEGER");
            column->primary = str_equal(column->name, "id");
        }
        for (size_t k = 0; k < 2 && made[i].keys[k][0]; k++) {
            key_add(schema, table, made[i].keys[k][0], made[i].keys[k][1],
                    made[i].keys[k][2]);
        }
    }
}

static void metrics_over_several_tables(void **state)
{
    static const struct {
        const char *expression;
        const char *joins; /* NULL: refused */
    } cases[] = {
        {"sum(lines.units * products.list_price)",
         "\"lines\".\"product id\" = products.id"},
        {"sum(units * list_price)", "\"lines\".\"product id\" = products.id"},
        {"sum(units * list_price * (1 - brands.discount)) / max(bills.rate)",
         "\"lines\".\"product id\" = products.id|\"lines\".bill = "
         "bills.id|products.brand = "
         "brands.id"},
        {"sum(lines.units * brands.discount)",
         "\"lines\".\"product id\" = products.id|products.brand = brands.id"},
        /* each line would count once for every review */
        {"sum(lines.units * reviews.stars)", NULL},
        {"sum(bills.rate * brands.discount)", NULL},
        {"sum(lines.nothing * products.list_price)", NULL},
        {"sum(nowhere.units * products.list_price)", NULL},
        {"sum(id * units * list_price)", NULL}, /* whose id? */
        {"sum(lines.units * load_extension(products.list_price))", NULL},
        /* two keys, or two ways: nobody says which is meant */
        {"sum(trips.km * places.toll)", NULL},
        {"sum(carts.weight * coupons.worth)", NULL},
        /* a payment could find several cards */
        {"sum(payments.amounts * cards.limits)", NULL},
    };
    struct scene *scene = *state;
    shop_add(scene->schema);
    struct table *lines = schema_table(scene->schema, "lines");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[300];
        lines->metrics.count = 0;
        size_t before = scene->schema->warnings.count;
        (void)snprintf(text, sizeof text, "metrics:\n  m: '%s'\n", cases[i].expression);
        merge(scene, DICTIONARY_YAML, text);
        if ((scene->schema->warnings.count == before) != (cases[i].joins != NULL) ||
            lines->metrics.count != (cases[i].joins != NULL)) {
            fail_msg("%s", cases[i].expression);
        }
        if (cases[i].joins) {
            const struct metric *metric = &lines->metrics.items[0];
            assert_string_equal(str_join(scene->arena, &metric->joins, "|"),
                                cases[i].joins);
            assert_int_equal(metric->tables.count, metric->joins.count);
        }
    }
    /* with an index that says that there is one, it cannot */
    struct index *index =
        VEC_ADD(scene->schema->arena, &schema_table(scene->schema, "cards")->indexes);
    *index = (struct index){.name = "one", .unique = true};
    VEC_PUSH(scene->schema->arena, &index->columns, "Card");
    size_t warnings = scene->schema->warnings.count;
    merge(scene, DICTIONARY_YAML,
          "metrics:\n  m: sum(payments.amounts * cards.limits)\n");
    assert_int_equal(scene->schema->warnings.count, warnings);
    assert_int_equal(schema_table(scene->schema, "payments")->metrics.count, 1);
    /* a key that is only guessed is none */
    schema_table(scene->schema, "payments")->foreign_keys.items[0].confidence = 0.9;
    merge(scene, DICTIONARY_YAML,
          "metrics:\n  m2: sum(payments.amounts * cards.limits)\n");
    assert_int_equal(scene->schema->warnings.count, warnings + 1);
    /* a table that is said is the one whose rows count */
    lines->metrics.count = 0;
    merge(scene, DICTIONARY_CSV,
          "metric,expression,table\nm,sum(units * products.list_price),lines\n");
    assert_int_equal(lines->metrics.count, 1);
    size_t before = scene->schema->warnings.count;
    merge(scene, DICTIONARY_CSV,
          "metric,expression,table\nm,sum(lines.units),products\n");
    assert_int_equal(scene->schema->warnings.count, before + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(metrics_over_several_tables, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
