/* Queries before and after the rules, over the schema of ir_shop.h. */
#ifndef TESTS_UNIT_PARSER_MEND_READ_H
#define TESTS_UNIT_PARSER_MEND_READ_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "model/schema.h"
#include "parser/ir/ir_schema.h"
#include "parser/search/mend/mend.h"
#include "parser/words/tokens.h"
#include "unit/parser/ir_shop.h"

struct read_as {
    const char *question;
    const char *before;
    const char *after; /* NULL: the same */
};

static void check(struct ir_shop *shop, const struct read_as *cases, size_t count,
                  bool known)
{
    int wrong = 0;
    for (size_t i = 0; i < count; i++) {
        struct ir_values values = {0};
        struct ir_tokens before = {0};
        struct ir_tokens after = {0};
        struct tokens words;
        tokens_split(shop->arena, cases[i].question, &words);
        ir_shop_read(shop, cases[i].before, &before, &values);
        const struct mend_request request = {.schema = shop->ir,
                                             .question = cases[i].question,
                                             .words = &words,
                                             .today = "2026-11-19",
                                             .values = &values,
                                             .adds = !known};
        after = before;
        if (known) {
            mend_known(shop->arena, &request, &after);
        } else {
            mend_query(shop->arena, &request, &before, &after);
        }
        const char *got = ir_shop_print(shop, &after, &values);
        const char *wanted = cases[i].after ? cases[i].after : cases[i].before;
        if (!str_equal(got, wanted)) {
            wrong++;
            print_error("%s: %s\n", cases[i].question, got);
        }
    }
    assert_int_equal(wrong, 0);
}

#define CHECK(state, cases)                                                              \
    check(*(state), (cases), sizeof(cases) / sizeof *(cases), false)

static void add_statistics(struct schema *schema)
{
    static const struct {
        const char *table, *column;
        int64_t distinct;
    } columns[] = {{"orders", "status", 4},
                   {"orders", "customer_id", 20},
                   {"orders", "id", 100},
                   {"order_items", "product_id", 10},
                   {"reviews", "product_id", 10}};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        for (size_t t = 0; t < schema->tables.count; t++) {
            struct table *table = &schema->tables.items[t];
            table->row_count = 100;
            for (size_t c = 0; c < table->columns.count; c++) {
                struct column *column = &table->columns.items[c];
                bool same = str_equal(table->name, columns[i].table) &&
                            str_equal(column->name, columns[i].column);
                column->distinct = same ? columns[i].distinct : column->distinct;
                column->least = str_equal(column->name, "price") ? "0" : column->least;
            }
        }
    }
}

static int set_up(void **state)
{
    static struct ir_shop shop;
    ir_shop_init(&shop, DIALECT_SQLITE);
    for (size_t t = 0; t < shop.schema->tables.count; t++) {
        struct table *table = &shop.schema->tables.items[t];
        if (str_equal(table->name, "reviews")) {
            struct column *column =
                table_add_column(shop.schema, table, "review_month", "TEXT");
            column->is_text = true;
            VEC_PUSH(shop.schema->arena, &column->samples, "May");
            VEC_PUSH(shop.schema->arena, &column->samples, "January");
        }
    }
    add_statistics(shop.schema);
    shop.ir = ir_schema_new(shop.arena, shop.schema);
    *state = &shop;
    return 0;
}

static int tear_down(void **state)
{
    ir_shop_release(*state);
    return 0;
}

#endif
