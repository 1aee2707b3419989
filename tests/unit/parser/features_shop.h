/* The shop of the IR's tests with cells in it: what the tests of the features share. */
#ifndef DGM_TESTS_PARSER_FEATURES_SHOP_H
#define DGM_TESTS_PARSER_FEATURES_SHOP_H

#include "parser/link/features/features.h"
#include "unit/parser/ir_shop.h"

struct value_index;

struct features_shop {
    struct ir_shop shop;
    struct feature_schema *schema;
    struct value_index *index;
};

void features_shop_init(struct features_shop *shop);
void features_shop_release(struct features_shop *shop);
/* For a group of tests whose state it is. */
int features_shop_setup(void **state);
int features_shop_teardown(void **state);
/* table.column as its number in the IR's schema; fails the test when there is none. */
int features_shop_column(const struct features_shop *shop, const char *name);

#endif
