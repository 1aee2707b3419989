/* Metrics: columns of their own in the schema, written out in queries. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/map.h"
#include "model/schema.h"
#include "parser/ir/ir_schema.h"
#include "parser/words/lexicon.h"
#include "parser/link/linker.h"
#include "parser/search/metrics.h"
#include "parser/from_sql/sql_to_ir.h"
#include "parser/words/tokens.h"
#include "parser/values/values.h"

struct scene {
    struct arena *arena;
    struct schema *schema;
    const struct schema *seen;
    const struct ir_schema *ir;
    struct parser_metrics metrics;
};

static void add_metric(struct schema *schema, struct table *table, const char *name,
                       const char *expression)
{
    struct metric *metric = VEC_ADD(schema->arena, &table->metrics);
    metric->name = name;
    metric->expression = expression;
}

/* lines of products: what is sold for how much is in two tables */
static void add_joined(struct schema *schema)
{
    struct table *table = schema_add_table(schema, "products");
    table_add_column(schema, table, "id", "INTEGER")->primary = true;
    (void)table_add_column(schema, table, "cost", "REAL");
    (void)table_add_column(schema, table, "brand", "TEXT");
    table = schema_add_table(schema, "lines");
    (void)table_add_column(schema, table, "units", "INTEGER");
    (void)table_add_column(schema, table, "day", "TEXT");
    (void)table_add_column(schema, table, "product", "INTEGER");
    struct foreign_key *key = VEC_ADD(schema->arena, &table->foreign_keys);
    *key = (struct foreign_key){.table = "products", .confidence = 1};
    VEC_PUSH(schema->arena, &key->columns, "product");
    VEC_PUSH(schema->arena, &key->references, "id");
    add_metric(schema, table, "turnover", "sum(lines.units * products.cost)");
    struct metric *metric = &table->metrics.items[0];
    VEC_PUSH(schema->arena, &metric->tables, "products");
    VEC_PUSH(schema->arena, &metric->joins, "lines.product = products.id");
    table = schema_add_table(schema, "reviews");
    (void)table_add_column(schema, table, "stars", "INTEGER");
    (void)table_add_column(schema, table, "product", "INTEGER");
    key = VEC_ADD(schema->arena, &table->foreign_keys);
    *key = (struct foreign_key){.table = "products", .confidence = 1};
    VEC_PUSH(schema->arena, &key->columns, "product");
    VEC_PUSH(schema->arena, &key->references, "id");
    table = schema_table(schema, "products");
    add_metric(schema, table, "highest", "max(cost)");
    add_metric(schema, table, "value", "sum(cost)");
}

static int set_up(void **state)
{
    struct arena *arena = arena_new();
    struct scene *scene = ARENA_NEW(arena, struct scene);
    struct schema *schema = schema_new();
    scene->arena = arena;
    scene->schema = schema;
    schema->dialect = "sqlite";
    struct table *table = schema_add_table(schema, "items");
    (void)table_add_column(schema, table, "kind", "TEXT");
    (void)table_add_column(schema, table, "quantity", "INTEGER");
    (void)table_add_column(schema, table, "price", "REAL");
    add_metric(schema, table, "revenue", "sum(quantity * price)");
    add_metric(schema, table, "each", "sum(price) / count(quantity)");
    add_metric(schema, table, "amount", "quantity * price");
    add_metric(schema, table, "price", "sum(quantity)");
    add_metric(schema, table, "odd", "group_concat(kind, ', ' ORDER BY price)");
    add_metric(schema, table, "sold",
               "sum(CASE WHEN kind = 'retail' THEN price * 31.4159 ELSE 0 END)");
    table = schema_add_table(schema, "boxes");
    table_add_column(schema, table, "state", "INTEGER")->is_text = false;
    add_joined(schema);
    schema_normalize(schema);
    scene->seen = metrics_schema(arena, schema);
    scene->ir = ir_schema_new(arena, scene->seen);
    metrics_read(arena, scene->ir, &scene->metrics);
    *state = scene;
    return 0;
}

static int tear_down(void **state)
{
    struct scene *scene = *state;
    schema_unref(scene->schema);
    arena_free(scene->arena);
    return 0;
}

static struct ir_token no_values(void *context, const char *literal, bool is_text)
{
    static const struct candidates none = {0};
    (void)context;
    return values_token(&none, literal, is_text);
}

static bool put(struct scene *scene, const char *sql, struct ir_tokens *out)
{
    struct err err;
    struct sql_to_ir_result read = {0};
    struct sql_to_ir_request request = {
        .schema = scene->ir, .dialect = DIALECT_SQLITE, .find_value = no_values};
    if (!sql_to_ir(scene->arena, &request, sql, &read, &err)) {
        fail_msg("%s: %s", sql, err.message);
    }
    return metrics_put(scene->arena, &scene->metrics, 0, &read.tokens, out);
}

/* written: NULL when it must be refused */
static void expect(struct scene *scene, const char *sql, const char *written)
{
    struct ir_tokens tokens;
    struct buf out;
    assert_true(put(scene, sql, &tokens) == (written != NULL));
    if (!written) {
        return;
    }
    buf_init(&out, 4096);
    ir_print(&out, &tokens, scene->ir, &scene->metrics.values);
    assert_string_equal(buf_get(&out), written);
    buf_release(&out);
    assert_false(metrics_in(&scene->metrics, &tokens));
}

static void the_network_sees_columns(void **state)
{
    struct scene *scene = *state;
    assert_ptr_not_equal(scene->seen, scene->schema);
    const struct table *table = schema_table(scene->seen, "ITEMS");
    assert_int_equal(table->columns.count, 8); /* price is a column already */
    assert_int_equal(schema_table(scene->schema, "items")->columns.count, 3);
    assert_int_equal(table_column(table, "kind") - table->columns.items, 0);
    assert_int_equal(scene->metrics.count, 8);
    assert_true(scene->metrics.items[0].simple);
    assert_false(scene->metrics.items[1].simple);
    assert_true(scene->metrics.items[1].total);
    assert_false(scene->metrics.items[2].total);
}

static void a_schema_without_stays_itself(void **state)
{
    struct scene *scene = *state;
    struct schema *plain = schema_new();
    (void)table_add_column(plain, schema_add_table(plain, "t"), "a", "INTEGER");
    assert_ptr_equal(metrics_schema(scene->arena, plain), plain);
    schema_unref(plain);
}

static void totals_are_written_out(void **state)
{
    struct scene *scene = *state;
    static const char sum[] = "select sum * items.quantity items.price from items";
    expect(scene, "SELECT revenue FROM items", sum);
    expect(scene, "SELECT SUM(revenue) FROM items", sum);
    expect(scene, "SELECT AVG(revenue) FROM items",
           "select avg * items.quantity items.price from items");
    expect(
        scene, "SELECT kind, revenue FROM items GROUP BY kind ORDER BY revenue DESC",
        "select items.kind sum * items.quantity items.price from items group items.kind "
        "order sum * items.quantity items.price desc");
    expect(scene, "SELECT SUM(each) FROM items",
           "select ratio sum items.price count items.quantity from items");
    expect(scene, "SELECT SUM(amount) FROM items", sum);
}

static void other_tables_are_joined(void **state)
{
    struct scene *scene = *state;
    expect(scene, "SELECT turnover FROM lines",
           "select sum * lines.units products.cost from lines products");
    expect(scene, "SELECT day, SUM(turnover) FROM lines GROUP BY day ORDER BY turnover",
           "select lines.day sum * lines.units products.cost from lines products group "
           "lines.day order sum * lines.units products.cost asc");
    expect(scene,
           "SELECT products.brand, turnover FROM lines JOIN products ON lines.product = "
           "products.id GROUP BY products.brand",
           "select products.brand sum * lines.units products.cost from lines products "
           "group products.brand");
    /* only the query that names it */
    expect(scene, "SELECT brand FROM products WHERE cost > (SELECT turnover FROM lines)",
           "select products.brand from products where products.cost > ( select sum * "
           "lines.units products.cost from lines products )");
}

/* What is added up must not come again for every row of another table. */
static void rows_count_once(void **state)
{
    struct scene *scene = *state;
    expect(scene,
           "SELECT reviews.stars, turnover FROM lines JOIN products ON lines.product = "
           "products.id JOIN reviews ON reviews.product = products.id GROUP BY "
           "reviews.stars",
           NULL);
    expect(scene,
           "SELECT products.brand, highest FROM products JOIN lines ON lines.product = "
           "products.id GROUP BY products.brand",
           "select products.brand max products.cost from lines products group "
           "products.brand");
    expect(scene,
           "SELECT lines.day, value FROM products JOIN lines ON lines.product = "
           "products.id GROUP BY lines.day",
           NULL);
}

static void of_rows_there_is_no_total(void **state)
{
    struct scene *scene = *state;
    expect(scene, "SELECT kind, revenue FROM items",
           "select items.kind * items.quantity items.price from items");
    expect(scene, "SELECT kind FROM items WHERE revenue > 100",
           "select items.kind from items where * items.quantity items.price > 100");
    expect(scene, "SELECT kind FROM items ORDER BY revenue DESC LIMIT 1",
           "select items.kind from items order * items.quantity items.price desc limit1");
    expect(scene, "SELECT kind FROM items WHERE quantity > (SELECT revenue FROM items)",
           "select items.kind from items where items.quantity > ( select sum * "
           "items.quantity items.price from items )");
}

static void headings_name_them(void **state)
{
    struct scene *scene = *state;
    struct rebuild_names names = {0};
    struct rebuild_result result;
    struct ir_tokens tokens;
    struct err err;
    metrics_names(scene->arena, scene->ir, &scene->metrics, 0, &names);
    assert_int_equal(names.count, 7);
    struct rebuild_request request = {.schema = scene->ir,
                                      .values = &scene->metrics.values,
                                      .dialect = DIALECT_SQLITE,
                                      .headings = true,
                                      .names = &names};
    assert_true(put(scene,
                    "SELECT kind, SUM(revenue) FROM items GROUP BY kind ORDER BY "
                    "SUM(revenue) DESC",
                    &tokens));
    assert_true(rebuild_sql(scene->arena, &request, &tokens, &result, &err));
    assert_string_equal(result.sql, "SELECT kind, SUM(quantity * price) AS revenue FROM "
                                    "items GROUP BY kind ORDER BY revenue DESC");
    request.headings = false;
    assert_true(rebuild_sql(scene->arena, &request, &tokens, &result, &err));
    assert_null(strstr(result.sql, "AS revenue"));
    /* values of their own, behind the two of a question */
    struct ir_values both = {0};
    VEC_PUSH(scene->arena, &both, ((struct ir_value){"x", true, NULL}));
    VEC_PUSH(scene->arena, &both, ((struct ir_value){"y", true, NULL}));
    for (size_t i = 0; i < scene->metrics.values.count; i++) {
        VEC_PUSH(scene->arena, &both, scene->metrics.values.items[i]);
    }
    struct ir_token sold = {IR_COLUMN, scene->metrics.items[4].column};
    struct ir_tokens asked = {0};
    VEC_PUSH(scene->arena, &asked, ir_word(IR_SELECT));
    VEC_PUSH(scene->arena, &asked, sold);
    VEC_PUSH(scene->arena, &asked, ir_word(IR_FROM));
    VEC_PUSH(scene->arena, &asked,
             ((struct ir_token){IR_TABLE, scene->ir->columns[sold.index].table}));
    assert_true(metrics_put(scene->arena, &scene->metrics, 2, &asked, &tokens));
    names = (struct rebuild_names){0};
    metrics_names(scene->arena, scene->ir, &scene->metrics, 2, &names);
    request.headings = true;
    request.values = &both;
    assert_true(rebuild_sql(scene->arena, &request, &tokens, &result, &err));
    assert_string_equal(
        result.sql, "SELECT SUM(CASE WHEN kind = 'retail' THEN price * 31.4159 ELSE 0 "
                    "END) AS sold FROM items");
}

static void what_cannot_be_written_is_refused(void **state)
{
    struct scene *scene = *state;
    struct ir_tokens tokens;
    assert_false(put(scene, "SELECT odd FROM items", &tokens));
    /* by a total nobody groups */
    assert_false(put(scene, "SELECT SUM(revenue) FROM items GROUP BY revenue", &tokens));
    assert_true(metrics_in(
        &scene->metrics,
        &(struct ir_tokens){&(struct ir_token){IR_COLUMN, scene->metrics.items[3].column},
                            1, 1}));
}

static void values_are_found_by_their_meaning(void **state)
{
    struct scene *scene = *state;
    struct schema *schema = schema_new();
    struct table *table = schema_add_table(schema, "boxes");
    (void)table_add_column(schema, table, "id", "INTEGER");
    struct column *column = table_add_column(schema, table, "state", "INTEGER");
    VEC_PUSH(schema->arena, &column->meanings, ((struct meaning){"1", "on its way"}));
    VEC_PUSH(schema->arena, &column->meanings, ((struct meaning){"2", "arrived"}));
    column = table_add_column(schema, table, "code", "TEXT");
    VEC_PUSH(schema->arena, &column->meanings, ((struct meaning){"7", "broken"}));
    schema_normalize(schema);
    const struct ir_schema *ir = ir_schema_new(scene->arena, schema);
    struct tokens tokens;
    struct candidates found;
    struct lexicon lexicon;
    struct map words;
    lexicon_init(&lexicon);
    map_init(&words, false);
    tokens_split(scene->arena, "which broken boxes are On Its Way?", &tokens);
    struct values_request request = {
        .tokens = &tokens, .schema = ir, .lexicon = &lexicon, .words = &words};
    values_find(scene->arena, &request, &found);
    bool way = false, broken = false;
    for (size_t i = 0; i < found.count; i++) {
        const struct candidate *one = &found.items[i];
        assert_string_not_equal(one->value.text, "2");
        if (strcmp(one->value.text, "1") == 0) {
            way = !one->value.is_text && one->first == 4 && one->end == 7 &&
                  one->column_count == 1 && one->columns[0] == 2;
        }
        if (strcmp(one->value.text, "7") == 0) {
            broken = one->value.is_text && one->columns[0] == 3;
        }
    }
    assert_true(way);
    assert_true(broken);
    map_release(&words);
    schema_unref(schema);
}

static void synonyms_are_names(void **state)
{
    struct scene *scene = *state;
    struct schema *schema = schema_new();
    struct table *table = schema_add_table(schema, "prd_cst");
    VEC_PUSH(schema->arena, &table->synonyms, "loyal patrons");
    struct column *column = table_add_column(schema, table, "xq", "TEXT");
    (void)table_add_column(schema, table, "zz", "TEXT");
    for (int i = 0; i < 40; i++) { /* more than are looked at */
        VEC_PUSH(schema->arena, &column->synonyms,
                 i ? arena_format(scene->arena, "w%d a b c d e f g h i j k l m n", i)
                   : "shoe size");
    }
    schema_normalize(schema);
    const struct ir_schema *ir = ir_schema_new(scene->arena, schema);
    const struct linker *linker = linker_new(scene->arena, ir);
    struct tokens tokens;
    tokens_split(scene->arena, "shoe sizes of loyal patrons", &tokens);
    int tables[] = {0};
    int columns[] = {0, 1, 2};
    struct selection selection = {
        .tables = tables, .table_count = 1, .columns = columns, .column_count = 3};
    const uint8_t *codes = linker_link(linker, scene->arena, &tokens, &selection);
    assert_int_equal(codes[0 * 4 + 2], LINK_EXACT); /* shoe: xq */
    assert_int_equal(codes[1 * 4 + 2], LINK_EXACT);
    assert_int_equal(codes[1 * 4 + 3], LINK_NONE);  /* sizes: zz */
    assert_int_equal(codes[3 * 4 + 0], LINK_EXACT); /* loyal: the table */
    assert_int_equal(codes[4 * 4 + 0], LINK_EXACT);
    schema_unref(schema);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_network_sees_columns),
        TEST(a_schema_without_stays_itself),
        TEST(totals_are_written_out),
        TEST(other_tables_are_joined),
        TEST(rows_count_once),
        TEST(of_rows_there_is_no_total),
        TEST(what_cannot_be_written_is_refused),
        TEST(values_are_found_by_their_meaning),
        TEST(synonyms_are_names),
        TEST(headings_name_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
