/* What was said before, as part of the network's input. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "parser/ir/ir_schema.h"
#include "unit/parser/features_shop.h"

static struct features build(struct features_shop *shop, const char *sql,
                             const char *older, const char *question)
{
    struct features features;
    const struct feature_history history = {.question = "customers in Berlin",
                                            .sql = sql,
                                            .older = older,
                                            .dialect = DIALECT_SQLITE};
    struct tokens words;
    tokens_split(shop->shop.arena, question, &words);
    features_build_after(shop->shop.arena, shop->schema, shop->index, &history, question,
                         &words, &features);
    return features;
}

static size_t count_of(const struct features *features, int type)
{
    size_t count = 0;
    for (size_t i = 0; i < features->count; i++) {
        count += features->items[i].type == type;
    }
    return count;
}

static const char SQL[] = "SELECT first_name FROM customers WHERE city = 'Leeds'";

static void nothing_before_changes_nothing(void **state)
{
    struct features_shop *shop = *state;
    struct features plain, after;
    const char *question = "how many orders are open";
    features_build(shop->shop.arena, shop->schema, shop->index, question, &plain);
    struct tokens words;
    tokens_split(shop->shop.arena, question, &words);
    features_build_after(shop->shop.arena, shop->schema, shop->index, NULL, question,
                         &words, &after);
    assert_int_equal(plain.count, after.count);
    assert_int_equal(plain.relations.count, after.relations.count);
    assert_int_equal(after.history, 0);
}

/* A literal of the query before can be used again though nobody says it. */
static void literals_become_values(void **state)
{
    struct features_shop *shop = *state;
    struct features features = build(shop, SQL, NULL, "what are their last names");
    int city = features_shop_column(shop, "customers.city");
    bool found = false;
    for (size_t i = 0; i < features.values.count; i++) {
        const struct candidate *value = &features.values.items[i];
        if (value->kind == CANDIDATE_BEFORE) {
            assert_string_equal(value->value.text, "Leeds");
            assert_int_equal(value->column_count, 1);
            assert_int_equal(value->columns[0], city);
            found = true;
        }
    }
    assert_true(found);
}

/* Its tokens come last, and those that name something are tied to it. */
static void tokens_point_at_the_schema(void **state)
{
    struct features_shop *shop = *state;
    struct features features = build(shop, SQL, "hello there", "and their last names");
    size_t first = features.count - features.history;
    assert_int_equal(count_of(&features, FEATURE_SAID), features.before.count);
    assert_int_equal(count_of(&features, FEATURE_EARLIER), 1 + 3);
    assert_int_equal(count_of(&features, FEATURE_OLDER), 1 + 2);
    assert_string_equal(features.items[first].words[0]->text, "@select");
    uint8_t *matrix = arena_array(shop->shop.arena, features.count, features.count);
    features_matrix(&features, shop->schema, matrix);
    int at =
        features_column_at(&features, features_shop_column(shop, "customers.first_name"));
    size_t column = features.tokens.count + features.values.count +
                    features.selection.table_count + (size_t)at;
    assert_int_equal(matrix[(first + 1) * features.count + column], RELATION_SAID_IS);
    assert_int_equal(matrix[column * features.count + first + 1], RELATION_IS_SAID);
    assert_int_equal(matrix[first * features.count + first + 1], RELATION_WORD_AFTER_1);
    assert_int_equal(matrix[0 * features.count + first], RELATION_QH);
}

/* A limit that only keeps answers short, and SQL that cannot be read. */
static void leaves_out_what_nobody_said(void **state)
{
    struct features_shop *shop = *state;
    struct features plain = build(shop, SQL, NULL, "only open ones");
    struct features cut =
        build(shop, "SELECT first_name FROM customers WHERE city = 'Leeds' LIMIT 1000",
              NULL, "only open ones");
    struct features broken = build(shop, "SELEKT 'Leeds'", NULL, "only open ones");
    assert_int_equal(plain.before.count, cut.before.count);
    assert_int_equal(broken.before.count, 0);
    assert_int_equal(count_of(&broken, FEATURE_EARLIER), 1 + 3);
    for (size_t i = 0; i < broken.values.count; i++) {
        assert_int_not_equal(broken.values.items[i].kind, CANDIDATE_BEFORE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_before_changes_nothing),
        cmocka_unit_test(literals_become_values),
        cmocka_unit_test(tokens_point_at_the_schema),
        cmocka_unit_test(leaves_out_what_nobody_said),
    };
    return cmocka_run_group_tests(tests, features_shop_setup, features_shop_teardown);
}
