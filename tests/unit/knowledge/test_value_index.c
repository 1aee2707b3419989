/* The value index: what people type finds the cell, bounds hold, one build serves all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/str.h"
#include "datasource/datasource.h"
#include "knowledge/words/fold.h"
#include "knowledge/value_index/value_index.h"
#include "value_house.h"

struct look_case {
    const char *text;
    const char *found;
};

static void finds_equal(void **state)
{
    (void)state;
    static const struct look_case cases[] = {
        {"berlin", "Berlin"},
        {" BERLIN ", "Berlin"},
        {"sao paulo", "São Paulo"},
        {"São  Paulo", "São Paulo"},
        {"zurich", "Zürich"},
        {"t shirt", "T-Shirt"},
        {"tshirt", "T-Shirt"},
        {"acme ltd", "Acme Ltd."},
        {"o’brien", "O'Brien"},
        {"new york", "New York|new york"},
        {"padded", "  padded  "},
        {"+", "+"},
        {"phd", "Ph.D."},
        {"berli", ""},
        {"", ""},
        {"   ", ""},
    };
    struct arena *arena = arena_new();
    struct value_index *index = value_cells();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct value_matches matches;
        value_index_find(index, arena, cases[i].text, strlen(cases[i].text), &matches);
        assert_string_equal(value_texts(arena, &matches), cases[i].found);
    }
    struct value_matches matches;
    value_index_find(index, arena, "T-SHIRT", 7, &matches);
    assert_true(matches.items[0].exact);
    value_index_find(index, arena, "tshirt", 6, &matches);
    assert_false(matches.items[0].exact);
    value_index_find(NULL, arena, "berlin", 6, &matches);
    assert_int_equal(matches.count, 0);
    value_index_unref(index);
    arena_free(arena);
}

static void finds_parts(void **state)
{
    (void)state;
    static const struct look_case cases[] = {
        {"acme", "Acme Ltd."},
        {"gatwick", "London Gatwick"},
        {"pizza", "Mario's Pizza"},
        {"acm", ""},
        {"london", "London Gatwick|London Heathrow"},
        {"berlin", ""},
        {"gatwick london", ""},
        {"for all", "C++ for all"},
    };
    struct arena *arena = arena_new();
    struct value_index *index = value_cells();
    struct value_place places[4];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct value_matches matches;
        value_index_part(index, arena, cases[i].text, strlen(cases[i].text), 2, &matches);
        assert_string_equal(value_texts(arena, &matches), cases[i].found);
    }
    struct value_matches matches;
    value_index_part(index, arena, "london", 6, 1, &matches);
    assert_int_equal(matches.count, 0); /* too many to be meant */
    assert_int_equal(value_index_inside(index, "london", 6, places, 4), 1);
    assert_int_equal(places[0].column, 0);
    assert_int_equal(value_index_inside(index, "nowhere", 7, places, 4), 0);
    assert_int_equal(value_index_inside(index, "", 0, places, 4), 0);
    value_index_unref(index);
    arena_free(arena);
}

static void finds_beginnings(void **state)
{
    (void)state;
    static const struct look_case cases[] = {
        {"san f", "San Francisco"},
        {"LONDON", "London Gatwick|London Heathrow"},
        {"new york", "New York|new york"},
        {"mass", "Massachusetts"},
        {"+", "+"},
        {"ork", ""},
        {"", ""},
    };
    struct arena *arena = arena_new();
    struct value_index *index = value_cells();
    struct value_matches matches;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        value_index_prefix(index, arena, cases[i].text, strlen(cases[i].text), 5,
                           &matches);
        assert_string_equal(value_texts(arena, &matches), cases[i].found);
    }
    value_index_prefix(index, arena, "london", 6, 1, &matches);
    assert_string_equal(value_texts(arena, &matches), "London Gatwick");
    assert_false(matches.items[0].exact);
    value_index_prefix(index, arena, "zurich", 6, 9, &matches);
    assert_true(matches.count == 1 && matches.items[0].exact);
    value_index_prefix(NULL, arena, "london", 6, 1, &matches);
    assert_int_equal(matches.count, 0);
    value_index_unref(index);
    arena_free(arena);
}

static void finds_near(void **state)
{
    (void)state;
    static const struct look_case cases[] = {
        {"berlim", "Berlin"},
        {"Belrin", "Berlin"},
        {"san fransisco", "San Francisco"},
        {"massachusets", "Massachusetts"},
        {"masachusets", "Massachusetts"},
        {"berlin", ""}, /* equal is not near */
        {"ordr", ""},   /* too short */
        {"merlin", ""}, /* another first letter in a short word */
        {"münchen", ""},
        {"berlin7", ""},
    };
    struct arena *arena = arena_new();
    struct value_index *index = value_cells();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct value_matches matches;
        value_index_near(index, arena, cases[i].text, strlen(cases[i].text), 3, &matches);
        assert_string_equal(value_texts(arena, &matches), cases[i].found);
    }
    value_index_unref(index);
    arena_free(arena);
}

static void gathers_places(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct value_index *index = value_index_new(NULL);
    const struct value_place places[] = {{2, 1}, {0, 3}, {2, 1}, {1, 0}, {0, 3}};
    for (size_t i = 0; i < 5; i++) {
        assert_true(value_index_add(index, places[i], "open", 4));
    }
    value_index_freeze(index);
    assert_false(value_index_add(index, places[0], "late", 4));
    struct value_matches matches;
    value_index_find(index, arena, "open", 4, &matches);
    assert_int_equal(matches.count, 1);
    assert_true(matches.items[0].place_count >= 3);
    assert_int_equal(matches.items[0].places[0].table, 0);
    assert_int_equal(matches.items[0].places[matches.items[0].place_count - 1].table, 2);
    value_index_unref(index);
    arena_free(arena);
}

static void keeps_its_bounds(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    const struct value_index_settings settings = {.total_bytes = 20000};
    struct value_index *index = value_index_new(&settings);
    const struct value_place place = {0, 0};
    char value[64];
    size_t added = 0;
    for (int i = 0; i < 5000; i++) {
        int size = snprintf(value, sizeof value, "value number %d", i);
        added += value_index_add(index, place, value, (size_t)size);
    }
    memset(value, 'x', sizeof value);
    assert_false(value_index_add(index, place, value, 61)); /* too long */
    assert_false(value_index_add(index, place, "bad \xff", 5));
    assert_false(value_index_add(index, place, "nul\0", 4));
    assert_false(value_index_add(index, place, "", 0));
    value_index_freeze(index);
    value_index_freeze(index); /* again is fine */
    assert_true(added > 50 && added < 500);
    assert_int_equal(value_index_count(index), added);
    assert_true(value_index_partial(index));
    struct value_matches matches;
    value_index_find(index, arena, "value number 7", 14, &matches);
    assert_int_equal(matches.count, 1);
    value_index_unref(value_index_ref(index));
    value_index_unref(index);
    value_index_unref(NULL);
    arena_free(arena);
}

static void folds_text(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        {"  Ünïcode  Ähnlich ", "unicode ahnlich", "unicodeahnlich"},
        {"“Quoted” it’s", "\"quoted\" it's", "quotedits"},
        {"ΑΒΓ Жук", "αβγ жук", "αβγжук"},
        {"a\x01\x02"
         "b\tc",
         "ab c", "abc"},
        {"東京 Tower", "東京 tower", "東京tower"},
        {"🍕🍕", "🍕🍕", ""},
        {"", "", ""},
    };
    char out[64];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t size = fold_text(out, sizeof out, cases[i][0], strlen(cases[i][0]));
        assert_string_equal(out, cases[i][1]);
        assert_int_equal(size, strlen(out));
        (void)fold_squash(out, sizeof out, cases[i][0], strlen(cases[i][0]));
        assert_string_equal(out, cases[i][2]);
    }
    assert_int_equal(fold_text(out, 8, "abcdefghij", 10), 3); /* room for any character */
    assert_int_equal(fold_text(out, 0, "abc", 3), 0);
}

/* ------------------------------------------------------------ from a datasource */

static void reads_a_datasource(void **state)
{
    (void)state;
    static const struct look_case cases[] = {
        {"rome", "Rome"}, {"oslo", "Oslo"}, {"soon", "soon"}, {"odd", "odd"}, {"17", ""},
    };
    struct value_house house;
    struct err err;
    err_clear(&err);
    value_house_open(&house, value_shop_sql);
    struct arena *arena = arena_new();
    struct value_index *index =
        value_index_build(house.source, house.schema, NULL, NULL, &err);
    assert_non_null(index);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct value_matches matches;
        value_index_find(index, arena, cases[i].text, strlen(cases[i].text), &matches);
        assert_string_equal(value_texts(arena, &matches), cases[i].found);
    }
    struct value_matches matches;
    value_index_find(index, arena, "rome", 4, &matches);
    const struct value_place *place = matches.items[0].places;
    const struct table *table = &house.schema->tables.items[place->table];
    assert_string_equal(table->name, "order");
    assert_string_equal(table->columns.items[place->column].name, "ship to");
    value_index_unref(index);
    arena_free(arena);
    value_house_close(&house);
}

static void stops_when_told(void **state)
{
    (void)state;
    struct value_house house;
    struct err err;
    struct cancel cancel;
    err_clear(&err);
    value_house_open(&house, value_shop_sql);
    cancel_init(&cancel);
    cancel_fire(&cancel);
    struct datasource_limits limits = {.cancel = &cancel};
    assert_null(value_index_build(house.source, house.schema, NULL, &limits, &err));
    assert_int_equal(err.code, ERR_STOPPED);
    struct datasource_limits late = {.deadline_ms = clock_ms() - 1};
    assert_null(value_index_build(house.source, house.schema, NULL, &late, &err));
    assert_int_equal(err.code, ERR_TIMEOUT);
    datasource_fail_at(house.source, 1, ERR_DATABASE_LOCKED);
    struct value_index *index =
        value_index_build(house.source, house.schema, NULL, NULL, &err);
    assert_non_null(index); /* one column less */
    assert_true(value_index_partial(index));
    value_index_unref(index);
    cancel_release(&cancel);
    value_house_close(&house);
}

struct asking {
    struct value_index_cache *cache;
    struct value_house *house;
    struct value_index *index;
};

static void *ask(void *context)
{
    struct asking *asking = context;
    struct err err;
    err_clear(&err);
    asking->index = value_index_cache_get(asking->cache, asking->house->source,
                                          asking->house->schema, NULL, NULL, &err);
    return NULL;
}

static void builds_once_for_all(void **state)
{
    (void)state;
    enum { ASKERS = 6 };
    struct value_house house;
    value_house_open(&house, value_shop_sql);
    struct value_index_cache *cache = value_index_cache_new(NULL);
    struct asking askings[ASKERS];
    pthread_t threads[ASKERS];
    for (size_t i = 0; i < ASKERS; i++) {
        askings[i] = (struct asking){cache, &house, NULL};
        assert_int_equal(pthread_create(&threads[i], NULL, ask, &askings[i]), 0);
    }
    for (size_t i = 0; i < ASKERS; i++) {
        (void)pthread_join(threads[i], NULL);
        assert_non_null(askings[i].index);
        assert_ptr_equal(askings[i].index, askings[0].index);
    }
    house.schema->signature = arena_text(house.schema->arena, "two");
    struct asking newer = {cache, &house, NULL};
    (void)ask(&newer);
    assert_ptr_not_equal(newer.index, askings[0].index); /* both are alive */
    value_index_cache_drop(cache, "values");
    value_index_cache_drop(cache, "nobody");
    for (size_t i = 0; i < ASKERS; i++) {
        value_index_unref(askings[i].index);
    }
    assert_true(value_index_count(newer.index) > 0);
    value_index_unref(newer.index);
    value_index_cache_free(cache);
    value_house_close(&house);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_equal),     cmocka_unit_test(finds_parts),
        cmocka_unit_test(finds_near),      cmocka_unit_test(finds_beginnings),
        cmocka_unit_test(gathers_places),  cmocka_unit_test(keeps_its_bounds),
        cmocka_unit_test(folds_text),      cmocka_unit_test(reads_a_datasource),
        cmocka_unit_test(stops_when_told), cmocka_unit_test(builds_once_for_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
