/* Which of several keys is meant, which columns may meet, names that are keywords. */
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
#include "parser/ir/ir_edges.h"
#include "parser/ir/ir_schema.h"
#include "parser/to_sql/rebuild.h"

struct office {
    struct arena *arena;
    struct schema *schema;
    const struct ir_schema *flat;
};

static void add(struct office *office, const char *table, const char *column,
                const char *type, bool nullable)
{
    struct table *here = schema_table(office->schema, table);
    if (!here) {
        here = schema_add_table(office->schema, table);
    }
    struct column *made = table_add_column(office->schema, here, column, type);
    made->nullable = nullable;
    made->primary = here->columns.count == 1;
}

static void refer(struct office *office, const char *table, const char *column,
                  const char *other, const char *key)
{
    struct table *here = schema_table(office->schema, table);
    struct foreign_key *made = VEC_ADD(office->schema->arena, &here->foreign_keys);
    made->table = other;
    made->confidence = 1;
    VEC_PUSH(office->schema->arena, &made->columns, column);
    VEC_PUSH(office->schema->arena, &made->references, key);
}

static int setup(void **state)
{
    static struct office made;
    struct office *office = &made;
    office->schema = schema_new();
    office->arena = arena_new();
    add(office, "unit", "unit_id", "INTEGER", false);
    add(office, "unit", "head_id", "INTEGER", true);
    add(office, "worker", "worker_no", "INTEGER", false);
    add(office, "worker", "name", "TEXT", false);
    add(office, "worker", "unit_id", "INTEGER", false);
    add(office, "worker", "pay", "INTEGER", false);
    add(office, "trip", "trip_id", "INTEGER", false);
    add(office, "trip", "approved_by", "INTEGER", false);
    add(office, "trip", "worker_no", "INTEGER", false);
    add(office, "trip", "from_unit", "INTEGER", true);
    add(office, "trip", "to_unit", "INTEGER", false);
    add(office, "trip", "Order", "TEXT", true);
    add(office, "Group", "rank", "INTEGER", false);
    add(office, "Group", "Order", "TEXT", true);
    add(office, "Group", "select", "TEXT", true);
    add(office, "transaction", "raise", "INTEGER", false);
    refer(office, "unit", "head_id", "worker", "worker_no");
    refer(office, "worker", "unit_id", "unit", "unit_id");
    refer(office, "trip", "approved_by", "worker", "worker_no");
    refer(office, "trip", "worker_no", "worker", "worker_no");
    refer(office, "trip", "from_unit", "unit", "unit_id");
    refer(office, "trip", "to_unit", "unit", "unit_id");
    add(office, "field_visits", "visit_id", "INTEGER", false);
    add(office, "field_visits", "mainTripId", "INTEGER", false);
    add(office, "field_visits", "tripid", "INTEGER", true);
    refer(office, "field_visits", "mainTripId", "trip", "trip_id");
    refer(office, "field_visits", "tripid", "trip", "trip_id");
    add(office, "deal", "deal_id", "INTEGER", false);
    add(office, "deal", "createdById", "INTEGER", false);
    add(office, "deal", "ownerId", "INTEGER", true);
    refer(office, "deal", "createdById", "worker", "worker_no");
    refer(office, "deal", "ownerId", "worker", "worker_no");
    schema_normalize(office->schema);
    struct table *worker = schema_table(office->schema, "worker");
    table_column(worker, "pay")->least = "20000";
    table_column(worker, "pay")->greatest = "90000";
    struct table *trip = schema_table(office->schema, "trip");
    table_column(trip, "trip_id")->least = "1";
    table_column(trip, "trip_id")->greatest = "600";
    office->flat = ir_schema_new(office->arena, office->schema);
    *state = office;
    return 0;
}

static int column_of(const struct office *office, const char *table, const char *column)
{
    int at = ir_schema_table(office->flat, table);
    return ir_schema_column(office->flat, at, column);
}

static void usual_keys_are_known(void **state)
{
    static const struct {
        const char *table;
        const char *column;
        bool usual;
    } cases[] = {
        {"worker", "unit_id", true},      {"unit", "head_id", false},
        {"trip", "approved_by", false},   {"trip", "worker_no", true},
        {"field_visits", "tripid", true}, {"field_visits", "mainTripId", false},
        {"trip", "from_unit", false},     {"trip", "to_unit", true},
        {"deal", "createdById", false},   {"deal", "ownerId", true},
    };
    const struct office *office = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int column = column_of(office, cases[i].table, cases[i].column);
        bool seen = false;
        for (int e = 0; e < office->flat->edge_count; e++) {
            const struct ir_edge *edge = &office->flat->edges[e];
            if (edge->from == column) {
                assert_true(edge->is_parallel);
                assert_int_equal(edge->is_default, cases[i].usual);
                seen = true;
            }
        }
        assert_true(seen);
    }
}

static void only_keys_meet(void **state)
{
    const struct office *office = *state;
    const struct ir_schema *flat = office->flat;
    int number = column_of(office, "worker", "worker_no");
    int pay = column_of(office, "worker", "pay");
    int name = column_of(office, "worker", "name");
    int trip = column_of(office, "trip", "trip_id");
    int approved = column_of(office, "trip", "approved_by");
    assert_true(ir_columns_meet(flat, number, approved));
    assert_true(ir_columns_meet(flat, name, name));
    assert_false(ir_columns_meet(flat, trip, pay)); /* no number is in both */
    assert_false(ir_columns_meet(flat, number, name));
    assert_false(ir_columns_meet(flat, 0, number));
    assert_true(ir_columns_meet(flat, column_of(office, "trip", "Order"),
                                column_of(office, "Group", "Order")));
}

/* A table called Group with columns Order and select. */
static void keywords_are_quoted(void **state)
{
    static const struct {
        enum dialect dialect;
        const char *sql;
    } cases[] = {
        {DIALECT_SQLITE, "SELECT \"Order\", \"select\" FROM \"Group\""},
        {DIALECT_DUCKDB, "SELECT \"Order\", \"select\" FROM \"Group\""},
        {DIALECT_POSTGRES, "SELECT \"Order\", \"select\" FROM \"Group\""},
        {DIALECT_MYSQL, "SELECT `Order`, `select` FROM `Group`"},
        {DIALECT_CLICKHOUSE, "SELECT `Order`, `select` FROM `Group`"},
        {DIALECT_BIGQUERY, "SELECT `Order`, `select` FROM `Group`"},
    };
    struct office *office = *state;
    struct ir_tokens tokens = {0};
    struct ir_token items[] = {
        ir_word(IR_SELECT),
        {IR_COLUMN, column_of(office, "Group", "Order")},
        {IR_COLUMN, column_of(office, "Group", "select")},
        ir_word(IR_FROM),
        {IR_TABLE, ir_schema_table(office->flat, "Group")},
    };
    tokens.items = items;
    tokens.count = sizeof items / sizeof *items;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rebuild_request request = {
            .schema = office->flat, .dialect = cases[i].dialect, .today = "2024-05-15"};
        struct rebuild_result result;
        struct err err;
        assert_true(rebuild_sql(office->arena, &request, &tokens, &result, &err));
        assert_string_equal(result.sql, cases[i].sql);
    }
}

/* Words that only some databases reserve are quoted for all. */
static void words_of_one_database_are_quoted(void **state)
{
    struct office *office = *state;
    struct ir_token items[] = {
        ir_word(IR_SELECT),
        {IR_COLUMN, column_of(office, "transaction", "raise")},
        ir_word(IR_FROM),
        {IR_TABLE, ir_schema_table(office->flat, "transaction")},
    };
    struct ir_tokens tokens = {items, sizeof items / sizeof *items, 0};
    struct rebuild_request request = {
        .schema = office->flat, .dialect = DIALECT_SQLITE, .today = "2024-05-15"};
    struct rebuild_result result;
    struct err err;
    assert_true(rebuild_sql(office->arena, &request, &tokens, &result, &err));
    assert_string_equal(result.sql, "SELECT \"raise\" FROM \"transaction\"");
}

static int teardown(void **state)
{
    struct office *office = *state;
    schema_unref(office->schema);
    arena_free(office->arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usual_keys_are_known),
        cmocka_unit_test(only_keys_meet),
        cmocka_unit_test(keywords_are_quoted),
        cmocka_unit_test(words_of_one_database_are_quoted),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
