/*
 * Looks for follow-ups, and SQL before them, that make the rules fall, differ from
 * themselves or write SQL that is no plain reading. layers: parser
 *
 * The first byte chooses the dialect; the first line is the SQL before, the rest what is
 * said then. The schema is always the same small shop.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "knowledge/value_index/value_index.h"
#include "model/schema.h"
#include "parser/link/features/features.h"
#include "parser/followup/followup.h"
#include "parser/ir/ir_schema.h"
#include "sql/guard.h"

static void expect(bool condition)
{
    if (!condition) {
        abort();
    }
}

static const struct {
    const char *table;
    const char *column;
    const char *type;
    const char *cell;
} columns[] = {
    {"customers", "id", "INTEGER", NULL},
    {"customers", "name", "TEXT", "Ann"},
    {"customers", "city", "TEXT", "Rome"},
    {"customers", "since", "DATE", NULL},
    {"orders", "id", "INTEGER", NULL},
    {"orders", "customer_id", "INTEGER", NULL},
    {"orders", "status", "TEXT", "open"},
    {"orders", "total", "REAL", NULL},
    {"orders", "ordered_at", "TIMESTAMP", NULL},
};

static void key_add(struct schema *schema, struct table *table)
{
    struct foreign_key *key = VEC_ADD(schema->arena, &table->foreign_keys);
    key->table = "customers";
    key->confidence = 1;
    VEC_PUSH(schema->arena, &key->columns, "customer_id");
    VEC_PUSH(schema->arena, &key->references, "id");
}

static struct schema *shop_new(struct value_index *index)
{
    struct schema *schema = schema_new();
    struct table *table = NULL;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        if (!table || !str_equal(table->name, columns[i].table)) {
            table = schema_add_table(schema, columns[i].table);
        }
        struct column *column =
            table_add_column(schema, table, columns[i].column, columns[i].type);
        column->primary = str_equal(columns[i].column, "id");
        if (columns[i].cell) {
            struct value_place place = {(uint32_t)(schema->tables.count - 1),
                                        (uint32_t)(table->columns.count - 1)};
            (void)value_index_add(index, place, columns[i].cell, strlen(columns[i].cell));
        }
    }
    key_add(schema, table);
    schema_normalize(schema);
    value_index_freeze(index);
    return schema;
}

static void check(const struct followup_request *request,
                  const struct followup_reading *reading)
{
    struct arena *arena = arena_new();
    struct followup_reading again;
    struct guard_result result;
    expect(reading->confidence > 0 && reading->confidence <= 1);
    guard_check(arena, request->dialect, reading->sql, strlen(reading->sql), NULL,
                &result);
    expect(result.verdict != GUARD_WRITE);
    expect(followup_read(arena, request, &again) && str_equal(again.sql, reading->sql));
    arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct arena *arena;
    static struct value_index *index;
    static struct feature_schema *schema;
    if (!arena) {
        arena = arena_new();
        index = value_index_new(NULL);
        schema = feature_schema_new(arena, ir_schema_new(arena, shop_new(index)));
    }
    if (size < 2) {
        return 0;
    }
    struct arena *room = arena_new();
    const char *sql = arena_copy(room, data + 1, size - 1);
    const char *line = strchr(sql, '\n');
    struct followup_request request = {
        .schema = schema,
        .index = index,
        .dialect = (enum dialect)(data[0] % DIALECT_ODBC),
        .today = "2024-06-15",
        .previous_question = "customers",
        .previous_sql = line ? arena_copy(room, sql, (size_t)(line - sql)) : sql,
        .question = line ? line + 1 : "only those in Rome",
    };
    struct followup_reading reading;
    if (followup_read(room, &request, &reading)) {
        check(&request, &reading);
    }
    arena_free(room);
    return 0;
}
