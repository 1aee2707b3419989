/* A value index as bytes, in the store, and how long it counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include <sqlite3.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/str.h"
#include "store/store.h"
#include "value_house.h"

static void assert_same(const struct value_index *a, const struct value_index *b)
{
    static const char *const texts[] = {"berlin", "t shirt", "london", "gatwik",
                                        "acme",   "münchen", "nothing"};
    struct arena *arena = arena_new();
    assert_int_equal(value_index_count(a), value_index_count(b));
    assert_int_equal(value_index_bytes(a), value_index_bytes(b));
    assert_int_equal(value_index_partial(a), value_index_partial(b));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct value_matches left;
        struct value_matches right;
        size_t size = strlen(texts[i]);
        value_index_find(a, arena, texts[i], size, &left);
        value_index_find(b, arena, texts[i], size, &right);
        assert_string_equal(value_texts(arena, &left), value_texts(arena, &right));
        value_index_part(a, arena, texts[i], size, 9, &left);
        value_index_part(b, arena, texts[i], size, 9, &right);
        assert_string_equal(value_texts(arena, &left), value_texts(arena, &right));
        value_index_near(a, arena, texts[i], size, 9, &left);
        value_index_near(b, arena, texts[i], size, 9, &right);
        assert_string_equal(value_texts(arena, &left), value_texts(arena, &right));
    }
    arena_free(arena);
}

/* A schema in which every place of the index can be. */
static struct schema *roomy_schema(void)
{
    struct schema *schema = schema_new();
    for (size_t i = 0; i < 64; i++) {
        struct table *table = VEC_ADD(schema->arena, &schema->tables);
        table->name = arena_format(schema->arena, "t%zu", i);
        for (size_t j = 0; j < 64; j++) {
            struct column *column = VEC_ADD(schema->arena, &table->columns);
            column->name = arena_format(schema->arena, "c%zu", j);
        }
    }
    return schema;
}

static void packs_and_unpacks(void **state)
{
    (void)state;
    struct schema *schema = roomy_schema();
    struct value_index *index = value_cells();
    size_t size = 0;
    char *data = value_index_pack(index, &size);
    assert_non_null(data);
    struct value_index *back = value_index_unpack(data, size, schema, NULL);
    assert_non_null(back);
    assert_same(index, back);
    value_index_unref(back);
    const struct value_index_settings other = {.values_per_column = 7};
    assert_null(value_index_unpack(data, size, schema, &other));
    struct schema *small = schema_new();
    assert_null(value_index_unpack(data, size, small, NULL)); /* places nowhere */
    schema_unref(small);
    memory_free(data);
    value_index_unref(index);

    index = value_index_new(NULL);               /* none at all is an index too */
    assert_null(value_index_pack(index, &size)); /* not yet frozen */
    value_index_freeze(index);
    data = value_index_pack(index, &size);
    back = value_index_unpack(data, size, schema, NULL);
    assert_int_equal(value_index_count(back), 0);
    value_index_unref(back);
    value_index_unref(index);
    memory_free(data);
    schema_unref(schema);
}

static void refuses_damaged_bytes(void **state)
{
    (void)state;
    enum { HEAD = 16 };
    struct schema *schema = roomy_schema();
    struct value_index *index = value_cells();
    size_t size = 0;
    char *data = value_index_pack(index, &size);
    assert_null(value_index_unpack("", 0, schema, NULL));
    for (size_t i = 0; i < size; i++) {
        char *less = memory_copy(data, i); /* its own memory: a read too far shows */
        assert_null(value_index_unpack(less, i, schema, NULL));
        memory_free(less);
        data[i] = (char)(data[i] ^ 1);
        assert_null(value_index_unpack(data, size, schema, NULL));
        data[i] = (char)(data[i] ^ 1);
    }
    /* A right checksum over wrong bytes: refused or a smaller index, never a bad read. */
    for (size_t i = HEAD; i < size; i++) {
        for (int flip = 0; flip < 3; flip++) {
            static const unsigned char masks[] = {1, 0x80, 0xff};
            char *wrong = memory_copy(data, size);
            wrong[i] = (char)((unsigned char)wrong[i] ^ masks[flip]);
            uint64_t sum = hash_of(wrong + HEAD, size - HEAD);
            for (size_t b = 0; b < 8; b++) {
                wrong[8 + b] = (char)(unsigned char)(sum >> (8 * b));
            }
            struct value_index *got = value_index_unpack(wrong, size, schema, NULL);
            struct arena *arena = arena_new();
            struct value_matches matches;
            value_index_find(got, arena, "berlin", 6, &matches);
            value_index_part(got, arena, "london", 6, 9, &matches);
            value_index_near(got, arena, "berlim", 6, 9, &matches);
            arena_free(arena);
            value_index_unref(got);
            memory_free(wrong);
        }
    }
    memory_free(data);
    value_index_unref(index);
    schema_unref(schema);
}

static void run_sql(const struct value_house *house, const char *sql)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(house->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    (void)sqlite3_close(db);
}

/* What a new process finds: "Rome", and "Lima" only when the database was read. */
static const char *cities(struct value_house *house, struct arena *arena,
                          struct store *store, bool stored, int64_t ttl_s)
{
    struct err err;
    struct value_matches matches;
    const struct value_index_keeping keeping = {store, stored, ttl_s};
    struct value_index_cache *cache = value_index_cache_new(&keeping);
    err_clear(&err);
    struct value_index *index =
        value_index_cache_get(cache, house->source, house->schema, NULL, NULL, &err);
    assert_non_null(index);
    struct texts found = {0};
    static const char *const names[] = {"rome", "lima"};
    for (size_t i = 0; i < 2; i++) {
        value_index_find(index, arena, names[i], 4, &matches);
        VEC_PUSH(arena, &found, value_texts(arena, &matches));
    }
    value_index_unref(index);
    value_index_cache_free(cache);
    return str_join(arena, &found, ",");
}

static void keeps_values_for_the_next(void **state)
{
    (void)state;
    struct value_house house;
    struct err err;
    struct store_values kept;
    struct arena *arena = arena_new();
    err_clear(&err);
    value_house_open(&house, value_shop_sql);
    const struct options options = {.store_url = "memory:"};
    struct store *store = store_open(&options, &err);
    assert_non_null(store);
    assert_string_equal(cities(&house, arena, store, true, 100), "Rome,");
    run_sql(&house, "INSERT INTO \"order\" VALUES (9, 'Lima', NULL, 1)");
    assert_string_equal(cities(&house, arena, store, true, 100), "Rome,"); /* as kept */
    assert_string_equal(cities(&house, arena, NULL, true, 100), "Rome,Lima");
    assert_string_equal(cities(&house, arena, store, true, 100), "Rome,");
    assert_string_equal(cities(&house, arena, store, true, 0), "Rome,Lima"); /* too old */
    assert_string_equal(cities(&house, arena, store, true, 100), "Rome,Lima");

    /* Damaged: read anew, and mended. */
    assert_true(store_values_put(store, "values", "one", "dgvi....", 8, &err));
    assert_string_equal(cities(&house, arena, store, true, 100), "Rome,Lima");
    assert_true(store_values_get(store, arena, "values", "one", &kept, &err));
    assert_true(kept.size > 8);
    /* A store that fails costs nothing but time. */
    for (int nth = 1; nth <= 2; nth++) {
        store_fail_at(store, nth, ERR_STORE);
        assert_string_equal(cities(&house, arena, store, true, 100), "Rome,Lima");
    }
    store_fail_at(store, 0, ERR_OK);
    /* Of another schema: not used. */
    run_sql(&house, "DELETE FROM \"order\" WHERE id = 9");
    house.schema->signature = arena_text(house.schema->arena, "two");
    assert_string_equal(cities(&house, arena, store, true, 100), "Rome,");
    /* Switched off: nothing stays in the store. */
    assert_string_equal(cities(&house, arena, store, false, 100), "Rome,");
    assert_false(store_values_get(store, arena, "values", "one", &kept, &err));
    assert_false(store_values_get(store, arena, "values", "two", &kept, &err));
    /* What could not be read in full is not kept. */
    datasource_fail_at(house.source, 1, ERR_DATABASE_LOCKED);
    (void)cities(&house, arena, store, true, 100);
    assert_false(store_values_get(store, arena, "values", "two", &kept, &err));
    store_close(store);
    arena_free(arena);
    value_house_close(&house);
}

static void ages_in_memory(void **state)
{
    (void)state;
    struct value_house house;
    value_house_open(&house, value_shop_sql);
    const struct value_index_keeping keeping = {.ttl_s = 0};
    struct value_index_cache *cache = value_index_cache_new(&keeping);
    struct err err;
    err_clear(&err);
    struct value_index *first =
        value_index_cache_get(cache, house.source, house.schema, NULL, NULL, &err);
    struct value_index *second =
        value_index_cache_get(cache, house.source, house.schema, NULL, NULL, &err);
    assert_ptr_not_equal(first, second);
    value_index_unref(first);
    value_index_unref(second);
    value_index_cache_free(cache);
    value_house_close(&house);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packs_and_unpacks),
        cmocka_unit_test(refuses_damaged_bytes),
        cmocka_unit_test(keeps_values_for_the_next),
        cmocka_unit_test(ages_in_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
