/* The shop: two keys to addresses, a bridge, a self key, dates of three kinds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/vec.h"
#include "model/schema.h"
#include "parser/ir/ir_schema.h"
#include "sql/statement.h"
#include "unit/parser/ir_shop.h"

/* table.column, type, what it refers to, what it holds; a primary key has a star */
static const struct {
    const char *table;
    const char *column;
    const char *type;
    const char *to;
    bool primary;
} rows[] = {
    {"categories", "id", "INTEGER", NULL, true},
    {"categories", "name", "TEXT", NULL, false},
    {"products", "id", "INTEGER", NULL, true},
    {"products", "name", "TEXT", NULL, false},
    {"products", "price", "REAL", NULL, false},
    {"products", "stock", "INTEGER", NULL, false},
    {"products", "category_id", "INTEGER", "categories.id", false},
    {"addresses", "id", "INTEGER", NULL, true},
    {"addresses", "city", "TEXT", NULL, false},
    {"addresses", "postal code", "TEXT", NULL, false},
    {"customers", "id", "INTEGER", NULL, true},
    {"customers", "first_name", "TEXT", NULL, false},
    {"customers", "last_name", "TEXT", NULL, false},
    {"customers", "city", "TEXT", NULL, false},
    {"customers", "created_on", "DATE", NULL, false},
    {"customers", "active", "BOOLEAN", NULL, false},
    {"customers", "referrer_id", "INTEGER", "customers.id", false},
    {"orders", "id", "INTEGER", NULL, true},
    {"orders", "customer_id", "INTEGER", "customers.id", false},
    {"orders", "ordered_at", "TIMESTAMP", NULL, false},
    {"orders", "shipped_at", "TIMESTAMP", NULL, false},
    {"orders", "status", "TEXT", NULL, false},
    {"orders", "total", "REAL", NULL, false},
    {"orders", "bill_address_id", "INTEGER", "addresses.id", false},
    {"orders", "ship_address_id", "INTEGER", "addresses.id", false},
    {"order_items", "order_id", "INTEGER", "orders.id", true},
    {"order_items", "product_id", "INTEGER", "products.id", true},
    {"order_items", "quantity", "INTEGER", NULL, false},
    {"order_items", "price", "REAL", NULL, false},
    {"reviews", "id", "INTEGER", NULL, true},
    {"reviews", "product_id", "INTEGER", "products.id", false},
    {"reviews", "stars", "INTEGER", NULL, false},
    {"reviews", "review_year", "INTEGER", NULL, false},
    {"reviews", "posted_time", "INTEGER", NULL, false},
};

static void key_add(struct schema *schema, struct table *table, const char *column,
                    const char *to)
{
    struct foreign_key *key = VEC_ADD(schema->arena, &table->foreign_keys);
    struct texts parts = {0};
    str_split(schema->arena, to, '.', &parts);
    key->table = parts.items[0];
    key->confidence = 1;
    VEC_PUSH(schema->arena, &key->columns, column);
    VEC_PUSH(schema->arena, &key->references, parts.items[1]);
}

void ir_shop_init(struct ir_shop *shop, enum dialect dialect)
{
    struct table *table = NULL;
    shop->arena = arena_new();
    shop->schema = schema_new();
    shop->schema->dialect = dialect_name(dialect);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!table || !str_equal(table->name, rows[i].table)) {
            table = schema_add_table(shop->schema, rows[i].table);
        }
        struct column *column =
            table_add_column(shop->schema, table, rows[i].column, rows[i].type);
        column->primary = rows[i].primary;
        column->nullable = !rows[i].primary;
        if (str_equal(rows[i].column, "posted_time")) {
            column->least = "1500000000";
            column->greatest = "1700000000";
        }
        if (rows[i].to) {
            key_add(shop->schema, table, rows[i].column, rows[i].to);
        }
    }
    schema_normalize(shop->schema);
    shop->ir = ir_schema_new(shop->arena, shop->schema);
}

const struct sql_statement *ir_shop_statement(struct ir_shop *shop, const char *sql)
{
    struct sql_statement *statement = ARENA_NEW(shop->arena, struct sql_statement);
    (void)sql_statement_read(shop->arena, DIALECT_SQLITE, sql, strlen(sql), statement);
    return statement;
}

void ir_shop_release(struct ir_shop *shop)
{
    schema_unref(shop->schema);
    arena_free(shop->arena);
}

static struct ir_token value_add(struct ir_shop *shop, struct ir_values *values,
                                 const char *text, size_t size, bool is_text)
{
    struct ir_value value = {.text = arena_copy(shop->arena, text, size),
                             .is_text = is_text};
    for (size_t i = 0; i < values->count; i++) {
        if (str_equal(values->items[i].text, value.text) &&
            values->items[i].is_text == is_text) {
            return (struct ir_token){IR_VALUE, (int)i};
        }
    }
    VEC_PUSH(shop->arena, values, value);
    return (struct ir_token){IR_VALUE, (int)values->count - 1};
}

static struct ir_token word_read(struct ir_shop *shop, const char *word,
                                 struct ir_values *values)
{
    int keyword;
    const char *dot = strchr(word, '.');
    if (strcmp(word, ".*") == 0) {
        return (struct ir_token){IR_COLUMN, 0};
    }
    if (ir_keyword_find(word, &keyword)) {
        return ir_word((enum ir_keyword)keyword);
    }
    for (int i = 0; word[0] == '!' && i < IR_FIXED_COUNT; i++) {
        if (strcmp(ir_fixed_get(i)->text, word + 1) == 0) {
            return (struct ir_token){IR_FIXED, i};
        }
    }
    if (isdigit((unsigned char)word[0]) || word[0] == '-') {
        return value_add(shop, values, word, strlen(word), false);
    }
    if (dot) {
        const char *table = arena_copy(shop->arena, word, (size_t)(dot - word));
        char *name = arena_text(shop->arena, dot + 1);
        for (char *c = name; *c; c++) {
            *c = *c == '~' ? ' ' : *c; /* a space inside a name */
        }
        int index = ir_schema_column(shop->ir, ir_schema_table(shop->ir, table), name);
        if (index > 0) {
            return (struct ir_token){IR_COLUMN, index};
        }
    }
    int table = ir_schema_table(shop->ir, word);
    if (table < 0) {
        fail_msg("unknown word '%s'", word);
    }
    return (struct ir_token){IR_TABLE, table};
}

void ir_shop_read(struct ir_shop *shop, const char *text, struct ir_tokens *tokens,
                  struct ir_values *values)
{
    *tokens = (struct ir_tokens){0};
    *values = (struct ir_values){0};
    while (*text) {
        struct ir_token token;
        if (*text == ' ') {
            text++;
            continue;
        }
        size_t size = *text == '"' ? strcspn(text + 1, "\"") + 2 : strcspn(text, " ");
        if (*text == '"') {
            token = value_add(shop, values, text + 1, size - 2, true);
        } else {
            token = word_read(shop, arena_copy(shop->arena, text, size), values);
        }
        VEC_PUSH(shop->arena, tokens, token);
        text += size;
    }
}

const char *ir_shop_print(struct ir_shop *shop, const struct ir_tokens *tokens,
                          const struct ir_values *values)
{
    struct buf out;
    buf_init(&out, 1 << 16);
    ir_print(&out, tokens, shop->ir, values);
    const char *text = buf_clone(&out, shop->arena);
    buf_release(&out);
    return text;
}
