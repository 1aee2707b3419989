/* The shop with cells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/arena.h"
#include "knowledge/value_index/value_index.h"
#include "parser/ir/ir_schema.h"
#include "unit/parser/features_shop.h"

static const struct {
    const char *column;
    const char *value;
} cells[] = {
    {"categories.name", "Lamps"},        {"categories.name", "Garden Tools"},
    {"products.name", "Steel Lamp"},     {"products.name", "T-Shirt"},
    {"products.name", "AB-12"},          {"addresses.city", "Berlin"},
    {"customers.city", "Berlin"},        {"customers.city", "New York"},
    {"customers.city", "San Francisco"}, {"customers.city", "Germany"},
    {"customers.last_name", "O'Brien"},  {"customers.first_name", "Ann"},
    {"orders.status", "open"},           {"orders.status", "Cancelled"},
    {"orders.status", "Shipped"},        {"addresses.postal code", "10115"},
};

int features_shop_column(const struct features_shop *shop, const char *name)
{
    const struct ir_schema *schema = shop->shop.ir;
    const char *dot = strchr(name, '.');
    char *table = arena_copy(shop->shop.arena, name, (size_t)(dot - name));
    int column = ir_schema_column(schema, ir_schema_table(schema, table), dot + 1);
    assert_true(column > 0);
    return column;
}

void features_shop_init(struct features_shop *shop)
{
    ir_shop_init(&shop->shop, DIALECT_SQLITE);
    shop->schema = feature_schema_new(shop->shop.arena, shop->shop.ir);
    shop->index = value_index_new(NULL);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        int column = features_shop_column(shop, cells[i].column);
        const struct ir_column *at = &shop->shop.ir->columns[column];
        int first = shop->shop.ir->tables[at->table].first_column;
        struct value_place place = {(uint32_t)at->table, (uint32_t)(column - first)};
        assert_true(
            value_index_add(shop->index, place, cells[i].value, strlen(cells[i].value)));
    }
    value_index_freeze(shop->index);
}

void features_shop_release(struct features_shop *shop)
{
    value_index_unref(shop->index);
    ir_shop_release(&shop->shop);
}

int features_shop_setup(void **state)
{
    static struct features_shop shop;
    features_shop_init(&shop);
    *state = &shop;
    return 0;
}

int features_shop_teardown(void **state)
{
    features_shop_release(*state);
    return 0;
}
