/* The dump: whole, in order, the same whatever the threads; bad input is an error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/json.h"
#include "parser/dump/dump.h"
#include "parser/link/features/features.h"
#include "parser/ir/ir.h"

struct folder {
    struct arena *arena;
    char path[64];
};

static const char *inside(struct folder *folder, const char *name)
{
    return arena_format(folder->arena, "%s/%s", folder->path, name);
}

static void make_database(struct folder *folder, const char *name, const char *sql)
{
    struct err err;
    sqlite3 *db = NULL;
    const char *path = inside(folder, arena_format(folder->arena, "%s", name));
    assert_true(folder_create(path, &err));
    path = arena_format(folder->arena, "%s/%s.sqlite", path, name);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    (void)sqlite3_close(db);
}

static int setup(void **state)
{
    struct folder *folder = calloc(1, sizeof *folder);
    folder->arena = arena_new();
    (void)snprintf(folder->path, sizeof folder->path, "/tmp/dragoman-dump-XXXXXX");
    assert_non_null(mkdtemp(folder->path));
    make_database(folder, "shop",
                  "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT);"
                  "INSERT INTO customers VALUES (1, 'Ann', 'Oslo'), (2, 'Bob', 'Rome');");
    make_database(folder, "zoo",
                  "CREATE TABLE animals (id INTEGER PRIMARY KEY, species TEXT, age INT);"
                  "INSERT INTO animals VALUES (1, 'Lion', 3);");
    *state = folder;
    return 0;
}

static int teardown(void **state)
{
    struct folder *folder = *state;
    static const char *const names[] = {"shop/shop.sqlite",
                                        "zoo/zoo.sqlite",
                                        "q.json",
                                        "a.out",
                                        "b.out",
                                        "shop",
                                        "zoo",
                                        ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *path = inside(folder, names[i]);
        if (unlink(path) != 0) {
            (void)rmdir(path);
        }
    }
    arena_free(folder->arena);
    free(folder);
    return 0;
}

static bool dump(struct folder *folder, const char *questions, const char *out,
                 int threads, struct dump_figures *figures, struct err *err)
{
    err_clear(err);
    assert_true(file_write(inside(folder, "q.json"), questions, strlen(questions), err));
    const struct dump_request request = {
        .questions = inside(folder, "q.json"),
        .databases = folder->path,
        .out = inside(folder, out),
        .threads = threads,
    };
    return dump_features(&request, figures, err);
}

static const char *const lines =
    "{\"db_id\":\"shop\",\"question\":\"How many customers are in Oslo?\",\"query\":"
    "\"SELECT count(*) FROM customers WHERE city = 'Oslo'\"}\n"
    "\n"
    "{\"db_id\":\"zoo\",\"question\":\"oldest animal\",\"query\":\"SELECT species FROM "
    "animals ORDER BY age DESC LIMIT 1\",\"source\":\"made up\",\"weight\":0.5}\n"
    "{\"db_id\":\"nowhere\",\"question\":\"x\",\"query\":\"SELECT 1\"}\n"
    "{\"db_id\":\"shop\",\"question\":\"customers in Paris\",\"query\":\"SELECT name "
    "FROM "
    "customers WHERE city = 'London'\"}\n"
    "{\"db_id\":\"shop\",\"question\":\"nonsense\",\"query\":\"SELEKT\"}\n"
    "{\"db_id\":\"shop\",\"question\":\"no query\",\"history\":[{\"question\":\"who is "
    "in Rome\",\"query\":\"SELECT name FROM customers WHERE city = 'Rome'\"}]}\n";

/* A cursor over the file. */
struct bytes {
    const unsigned char *data;
    size_t size;
    size_t at;
};

static uint32_t take(struct bytes *bytes, size_t count)
{
    uint32_t value = 0;
    assert_true(bytes->at + count <= bytes->size);
    for (size_t i = 0; i < count; i++) {
        value |= (uint32_t)bytes->data[bytes->at++] << (8 * i);
    }
    return value;
}

static json_t *read_header(struct folder *folder, struct bytes *bytes)
{
    struct err err;
    err_clear(&err);
    assert_memory_equal(bytes->data, "DGMF", 4);
    bytes->at = 4;
    assert_int_equal(take(bytes, 4), 2);
    size_t size = take(bytes, 4);
    json_t *header =
        json_parse(folder->arena, (const char *)bytes->data + bytes->at, size, &err);
    assert_non_null(header);
    bytes->at += size;
    return header;
}

struct seen {
    size_t words, schemas, examples;
    uint32_t numbers[8];
    uint32_t targets[8];
    uint32_t sources[8];
    uint32_t history[8];
};

/* Skips to the target of an example; every id in it must be known by now. */
static void read_example(struct bytes *bytes, struct seen *seen)
{
    assert_true(take(bytes, 4) < seen->schemas);
    seen->numbers[seen->examples] = take(bytes, 4);
    seen->sources[seen->examples] = take(bytes, 1);
    (void)take(bytes, 4);
    for (uint32_t words = take(bytes, 2); words > 0; words--) {
        uint32_t word = take(bytes, 4);
        assert_true(word > 0 && word <= seen->words);
    }
    for (uint32_t values = take(bytes, 1); values > 0; values--) {
        (void)take(bytes, 1);
        for (uint32_t words = take(bytes, 1); words > 0; words--) {
            assert_true(take(bytes, 4) <= seen->words);
        }
    }
    uint32_t history = take(bytes, 2);
    seen->history[seen->examples] = history;
    for (; history > 0; history--) {
        assert_in_range(take(bytes, 1), FEATURE_SAID, FEATURE_OLDER);
        for (uint32_t words = take(bytes, 1); words > 0; words--) {
            assert_true(take(bytes, 4) <= seen->words);
        }
    }
    for (uint32_t relations = take(bytes, 4); relations > 0; relations--) {
        (void)take(bytes, 4);
        assert_true(take(bytes, 1) < RELATION_COUNT);
    }
    uint32_t length = take(bytes, 2);
    seen->targets[seen->examples++] = length;
    for (uint32_t i = 0; length != 0xFFFF && i < length; i++) {
        assert_true(take(bytes, 2) < IR_KEYWORD_COUNT + IR_FIXED_COUNT + 100);
    }
    assert_true(take(bytes, 1) <= 1);
}

static void read_blocks(struct bytes *bytes, struct seen *seen)
{
    while (bytes->at < bytes->size) {
        uint32_t tag = take(bytes, 1);
        uint32_t size = take(bytes, 4);
        size_t end = bytes->at + size;
        assert_true(end <= bytes->size);
        if (tag == 'E') {
            read_example(bytes, seen);
            assert_int_equal(bytes->at, end);
        }
        seen->words += tag == 'W';
        seen->schemas += tag == 'S';
        assert_true(tag == 'W' || tag == 'S' || tag == 'E');
        bytes->at = end;
    }
}

static void writes_what_it_says(void **state)
{
    struct folder *folder = *state;
    struct dump_figures figures;
    struct err err;
    struct seen seen = {0};
    struct bytes bytes = {0};
    assert_true(dump(folder, lines, "a.out", 1, &figures, &err));
    assert_int_equal(figures.questions, 6);
    assert_int_equal(figures.examples, 5);
    assert_int_equal(figures.no_database, 1);
    assert_int_equal(figures.no_target, 2);
    assert_int_equal(figures.values_missing, 1);
    assert_int_equal(figures.databases, 2);
    const char *data =
        file_read(folder->arena, inside(folder, "a.out"), 1 << 24, &bytes.size, &err);
    bytes.data = (const unsigned char *)data;
    const json_t *header = read_header(folder, &bytes);
    assert_int_equal(json_array_size(json_array_at(header, "keywords")),
                     IR_KEYWORD_COUNT);
    assert_int_equal(json_array_size(json_array_at(header, "relations")), RELATION_COUNT);
    assert_int_equal(json_object_size(json_object_at(header, "block_default")),
                     BLOCKS * BLOCKS);
    assert_int_equal(json_array_size(json_array_at(header, "distance")), 9);
    assert_string_equal(
        json_string_value(json_array_get(json_array_at(header, "sources"), 1)),
        "made up");
    read_blocks(&bytes, &seen);
    assert_int_equal(seen.words, figures.words);
    assert_int_equal(seen.schemas, 2);
    assert_int_equal(seen.examples, 5);
    static const uint32_t numbers[] = {0, 1, 3, 4, 5};
    assert_memory_equal(seen.numbers, numbers, sizeof numbers);
    assert_int_equal(seen.sources[1], 1);
    assert_true(seen.targets[0] > 3 && seen.targets[0] < 30);
    assert_int_equal(seen.targets[4], 0xFFFF);
    assert_int_equal(seen.history[0], 0);
    /* select name from customers where city = Rome; a mark; four words */
    assert_int_equal(seen.history[4], 8 + 1 + 4);
}

/* Many questions over few threads: the same bytes, from lines and from an array. */
static void is_the_same_again(void **state)
{
    struct folder *folder = *state;
    struct dump_figures figures;
    struct err err;
    struct buf buf;
    size_t first_size = 0;
    size_t second_size = 0;
    buf_init(&buf, 1 << 24);
    (void)buf_text(&buf, "[");
    for (int i = 0; i < 300; i++) {
        (void)buf_format(&buf,
                         "%s{\"db_id\":\"%s\",\"question\":\"number %d of Oslo lion%d\","
                         "\"query\":\"SELECT count(*) FROM %s\"}\n",
                         i ? "," : "", i % 3 ? "shop" : "zoo", i, i,
                         i % 3 ? "customers" : "animals");
    }
    char *array = arena_copy(folder->arena, buf_get(&buf), buf.size);
    (void)buf_text(&buf, "]");
    assert_true(dump(folder, buf_get(&buf), "a.out", 1, &figures, &err));
    for (char *c = array; *c; c++) { /* the same as lines */
        *c = *c == ',' && c[-1] == '\n' ? ' ' : *c;
    }
    assert_true(dump(folder, array + 1, "b.out", 4, &figures, &err));
    const char *first =
        file_read(folder->arena, inside(folder, "a.out"), 1 << 24, &first_size, &err);
    const char *second =
        file_read(folder->arena, inside(folder, "b.out"), 1 << 24, &second_size, &err);
    assert_int_equal(first_size, second_size);
    assert_memory_equal(first, second, first_size);
    assert_int_equal(figures.examples, 300);
    buf_release(&buf);
}

static void refuses_bad_input(void **state)
{
    struct folder *folder = *state;
    static const char *const bad[] = {
        "{\"db_id\":\"shop\"}\n",
        "{\"question\":\"x\"}\n",
        "{\"db_id\":\"../shop\",\"question\":\"x\"}\n",
        "{\"db_id\":\"..\",\"question\":\"x\"}\n",
        "{\"db_id\":\"shop\",\"question\":\n",
        "[{\"db_id\":\"shop\",\"question\":\"x\"}",
        "[1, 2]",
        "plain words",
    };
    struct dump_figures figures;
    struct err err;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        (void)unlink(inside(folder, "a.out"));
        assert_false(dump(folder, bad[i], "a.out", 2, &figures, &err));
        assert_int_not_equal(err.code, ERR_OK);
        assert_true(*err.message);
        assert_false(file_exists(inside(folder, "a.out")));
        assert_false(file_exists(inside(folder, "a.out.part")));
    }
    assert_true(dump(folder, "", "a.out", 2, &figures, &err)); /* nothing is no mistake */
    assert_int_equal(figures.questions, 0);
    assert_false(dump(folder, lines, "no/such/folder", 2, &figures, &err));
    assert_int_equal(err.code, ERR_ACCESS);
    const struct dump_request request = {
        .questions = "/nowhere/at/all", .databases = "/nowhere", .out = "/nowhere/x"};
    assert_false(dump_features(&request, &figures, &err));
    assert_int_equal(err.code, ERR_FILE_NOT_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_what_it_says),
        cmocka_unit_test(is_the_same_again),
        cmocka_unit_test(refuses_bad_input),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
