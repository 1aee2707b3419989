/* A small database and some cells, for the tests of the value index. */
#include "value_house.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/str.h"

static struct value_index *index_of(const char *const *values, size_t count)
{
    struct value_index *index = value_index_new(NULL);
    for (size_t i = 0; i < count; i++) {
        struct value_place place = {0, (uint32_t)i % 2};
        (void)value_index_add(index, place, values[i], strlen(values[i]));
    }
    value_index_freeze(index);
    return index;
}

static const char *const cells[] = {
    "Berlin",     "São Paulo", "T-Shirt",     "Acme Ltd.",     "London Gatwick",
    "new york",   "New York",  "O'Brien",     "San Francisco", "Massachusetts",
    "  padded  ", "+",         "Ph.D.",       "Mario's Pizza", "London Heathrow",
    "Zürich",     "X1",        "C++ for all", "Order",
};

struct value_index *value_cells(void)
{
    return index_of(cells, sizeof cells / sizeof *cells);
}

const char *value_texts(struct arena *arena, const struct value_matches *matches)
{
    struct texts texts = {0};
    for (size_t i = 0; i < matches->count; i++) {
        VEC_PUSH(arena, &texts, matches->items[i].text);
    }
    return str_join(arena, &texts, "|");
}

void value_house_open(struct value_house *house, const char *sql)
{
    struct err err;
    sqlite3 *db = NULL;
    err_clear(&err);
    (void)snprintf(house->path, sizeof house->path, "/tmp/dragoman-values-XXXXXX");
    int fd = mkstemp(house->path);
    assert_true(fd >= 0);
    (void)close(fd);
    assert_int_equal(sqlite3_open(house->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    (void)sqlite3_close(db);
    char url[128];
    (void)snprintf(url, sizeof url, "sqlite://%s", house->path);
    house->options = options_new();
    const struct datasource_setting setting = {.id = "values", .url = url};
    house->source = datasource_open(&setting, house->options, &err);
    assert_non_null(house->source);
    house->schema = datasource_describe(house->source, NULL, &err);
    assert_non_null(house->schema);
    schema_normalize(house->schema);
    house->schema->signature = arena_text(house->schema->arena, "one");
}

void value_house_close(struct value_house *house)
{
    schema_unref(house->schema);
    datasource_close(house->source);
    options_free(house->options);
    (void)unlink(house->path);
}

const char value_shop_sql[] =
    "CREATE TABLE \"order\" (id INTEGER PRIMARY KEY, \"ship to\" TEXT, day DATE, n INT);"
    "INSERT INTO \"order\" VALUES (1, 'Rome', '2024-03-01', 5), (2, 'Oslo', 'soon', 6),"
    " (3, NULL, NULL, NULL), (4, x'00ff', 17, 'odd');"
    "CREATE TABLE empty (a TEXT);";
