/* Long cells: cut, marked and told, and never a danger to the process that reads them. */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "conformance.h"

enum { MOST = 100, ROWS_MOST = 100000000 };

static struct rows rows_within(struct place *place, const char *sql, int64_t max_bytes,
                               int64_t max_cell_bytes)
{
    struct datasource_limits limits = {.max_bytes = max_bytes,
                                       .max_cell_bytes = max_cell_bytes};
    struct rows rows;
    struct err err;
    err_clear(&err);
    rows_init(&rows, place->arena);
    if (!datasource_execute(place->source, sql, NULL, &limits, &rows, &err)) {
        fail_msg("%s: %s (%s)", sql, err.message, err.detail);
    }
    return rows;
}

static void assert_marked(const struct value *cell, size_t most)
{
    static const char mark[] = "… [cut]";
    size_t size = sizeof mark - 1;
    assert_true(cell->cut);
    assert_int_equal(cell->kind, VALUE_TEXT);
    assert_true(cell->text.size > size && cell->text.size <= most);
    assert_memory_equal(cell->text.data + cell->text.size - size, mark, size);
    assert_true(utf8_valid(cell->text.data, cell->text.size, NULL));
}

/* One of 100 bytes, which is whole; one of 101, with a character across the border; and
 * one of 3000. */
static void long_cells_are_cut_and_told(void **state)
{
    struct place *place = *state;
    struct buf sql;
    buf_init(&sql, 1 << 16);
    (void)buf_text(&sql, "CREATE TABLE item (id INTEGER, name TEXT);"
                         "INSERT INTO item VALUES (1, '");
    for (int i = 0; i < MOST; i++) {
        (void)buf_char(&sql, 'a');
    }
    (void)buf_text(&sql, "'), (2, '");
    for (int i = 0; i < MOST - 1; i++) {
        (void)buf_char(&sql, 'b');
    }
    (void)buf_text(&sql, "\xC3\xA9'), (3, '");
    for (int i = 0; i < 3000; i++) {
        (void)buf_char(&sql, 'c');
    }
    (void)buf_text(&sql, "'), (4, 'short')");
    (void)place_open(place, buf_get(&sql));
    buf_release(&sql);
    const char *question = "SELECT id, name FROM item ORDER BY id";
    struct rows rows = rows_within(place, question, 1 << 20, MOST);
    assert_int_equal(rows.count, 4);
    assert_int_equal(rows.cut, ROWS_WHOLE);
    assert_int_equal(rows.cut_cells.count, 2);
    assert_int_equal(rows.cut_cells.places[0].row, 1);
    assert_int_equal(rows.cut_cells.places[0].column, 1);
    assert_int_equal(rows.cut_cells.places[1].row, 2);
    assert_true(rows_incomplete(&rows));
    assert_int_equal(rows_cell(&rows, 0, 1)->text.size, MOST);
    assert_false(rows_cell(&rows, 0, 1)->cut);
    assert_marked(rows_cell(&rows, 1, 1), MOST);
    assert_marked(rows_cell(&rows, 2, 1), MOST);
    assert_string_equal(cell_text(place, &rows, 3, 1), "short");
    /* the same without a limit that matters */
    rows = rows_within(place, question, 1 << 20, 1 << 20);
    assert_int_equal(rows.cut_cells.count, 0);
    assert_false(rows_incomplete(&rows));
    assert_int_equal(rows_cell(&rows, 2, 1)->text.size, 3000);
}

/* The statement stands inside of another one there: that must change nothing. */
static void cut_in_the_server_changes_nothing_else(void **state)
{
    static const char *const expressions[] = {"'x'::text",
                                              "'x'::varchar",
                                              "'x'::varchar(3)",
                                              "'x'::char(5)",
                                              "NULL::text",
                                              "'a b  '::bpchar",
                                              "E'\\\\x00ff'::bytea",
                                              "'{\"a\": [1, null]}'::json",
                                              "'{\"a\": 1}'::jsonb",
                                              "ARRAY['a b', NULL, '\"']",
                                              "ARRAY[[1, 2], [3, 4]]",
                                              "ROW(1, 'x')",
                                              "'<a>1</a>'::xml",
                                              "B'101'::varbit",
                                              "'x y'::tsvector",
                                              "1.50::numeric",
                                              "true",
                                              "'2024-01-31'::date",
                                              "'happy'::mood",
                                              "'{happy}'::mood[]",
                                              "'(1,2)'::point",
                                              "'((1,2),(3,4))'::path",
                                              "'[1,5)'::int4range",
                                              "'x'::code",
                                              "''::text",
                                              "'\xC3\xA9'::text",
                                              "'1 day'::interval"};
    struct place *place = *state;
    if (kind->server == NULL || strcmp(kind->name, "postgres") != 0) {
        skip();
    }
    (void)place_open(place, "CREATE TYPE mood AS ENUM ('sad', 'happy');"
                            "CREATE DOMAIN code AS text;"
                            "CREATE TABLE item (id integer, name text);"
                            "INSERT INTO item SELECT i, 'n' || i FROM"
                            " generate_series(1, 500) i");
    for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
        char alone[200];
        char beside[240];
        (void)snprintf(alone, sizeof alone, "SELECT (%s)::text, %s AS v", expressions[i],
                       expressions[i]);
        (void)snprintf(beside, sizeof beside, "SELECT %s AS v, 'long'::text AS v;; -- x",
                       expressions[i]);
        struct rows rows = place_raw_rows(place, beside);
        struct rows same = place_raw_rows(place, alone);
        assert_int_equal(rows.count, 1);
        assert_int_equal(rows.column_count, 2);
        assert_string_equal(rows.columns[0].name, "v");
        assert_string_equal(rows.columns[1].name, "v");
        assert_string_equal(rows.columns[0].type, same.columns[1].type);
        assert_false(rows_cell(&rows, 0, 0)->cut);
        assert_int_equal(rows_cell(&rows, 0, 0)->kind, rows_cell(&same, 0, 1)->kind);
        assert_string_equal(cell_text(place, &rows, 0, 0), cell_text(place, &same, 0, 1));
    }
    struct rows rows =
        place_raw_rows(place, "SELECT name, id FROM item ORDER BY id DESC");
    assert_int_equal(rows.count, 500);
    for (size_t i = 0; i < rows.count; i++) {
        assert_int_equal(rows_cell(&rows, i, 1)->integer, 500 - (int64_t)i);
    }
}

/* What cannot be taken apart any more is text; bytes stay bytes. */
static void cut_values_lose_their_form(void **state)
{
    static const struct {
        const char *sql;
        enum value_kind kind;
        const char *begin;
    } values[] = {
        {"to_json(repeat('x', 500))", VALUE_TEXT, "\"xxx"},
        {"jsonb_build_object('a', repeat('x', 500))", VALUE_TEXT, "{\"a\": \"x"},
        {"ARRAY(SELECT 'y'::text FROM generate_series(1, 300))", VALUE_TEXT, "{y,y,y"},
        {"ROW(1, repeat('z', 500))", VALUE_TEXT, "(1,zzz"},
        {"repeat('\xC3\xA9', 500)", VALUE_TEXT, "\xC3\xA9\xC3\xA9"},
        {"repeat('1', 500)::varbit(600)::varbit", VALUE_TEXT, "1111"},
        {"(SELECT x FROM item)", VALUE_TEXT, "<a>xxx"},
        {"repeat('x', 500)::varchar(900)", VALUE_TEXT, "xxx"},
        {"repeat('x', 500)::char(900)", VALUE_TEXT, "xxx"},
        {"convert_to(repeat('x', 500), 'UTF8')", VALUE_BLOB, "xxx"},
    };
    struct place *place = *state;
    if (kind->server == NULL || strcmp(kind->name, "postgres") != 0) {
        skip();
    }
    (void)place_open(place, "CREATE TABLE item (x xml); INSERT INTO item VALUES"
                            " (('<a>' || repeat('x', 500) || '</a>')::xml)");
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const char *sql = arena_format(place->arena, "SELECT 7, %s", values[i].sql);
        struct rows rows = rows_within(place, sql, 1 << 20, MOST);
        const struct value *cell = rows_cell(&rows, 0, 1);
        assert_int_equal(rows.count, 1);
        assert_int_equal(rows.cut_cells.count, 1);
        assert_int_equal(cell->kind, values[i].kind);
        assert_memory_equal(cell->text.data, values[i].begin, strlen(values[i].begin));
        if (cell->kind == VALUE_BLOB) {
            assert_int_equal(cell->text.size, MOST);
        } else {
            assert_marked(cell, MOST);
        }
    }
    /* many long cells share what an answer may hold */
    struct rows rows = rows_within(
        place, "SELECT repeat('a', 900), repeat('b', 900), repeat('c', 900)", 1200, 1000);
    assert_int_equal(rows.count, 1);
    assert_int_equal(rows.cut_cells.count, 3);
    assert_marked(rows_cell(&rows, 0, 2), 400);
}

/* ------------------------------------------------------------------ memory */

/* What a child did with a cell of some hundred megabytes. */
struct outcome {
    long peak_mb;
    enum err_code code;
    size_t rows;
    size_t cut;
    size_t bytes;
};

static struct outcome huge_read(struct place *place, const char *url, const char *sql)
{
    struct outcome outcome = {0};
    struct rows rows;
    struct err err;
    struct rusage usage;
    err_clear(&err);
    rows_init(&rows, place->arena);
    const struct datasource_limits limits = {.deadline_ms = clock_ms() + 240000,
                                             .max_rows = ROWS_MOST,
                                             .max_bytes = 8 << 20,
                                             .max_cell_bytes = 1 << 20};
    if (!place_try_open(place, url, &err)) {
        outcome.code = err.code;
        return outcome;
    }
    if (!datasource_execute(place->source, sql, NULL, &limits, &rows, &err)) {
        outcome.code = err.code;
    }
    datasource_close(place->source);
    outcome.rows = rows.count;
    outcome.cut = rows.cut_cells.count;
    outcome.bytes = rows.bytes;
    (void)getrusage(RUSAGE_SELF, &usage);
    outcome.peak_mb = usage.ru_maxrss / 1024;
    return outcome;
}

/* In a process of its own: what others have used before does not count. */
static struct outcome child_read(struct place *place, const char *url, const char *sql)
{
    struct outcome outcome = {0};
    int status = -1;
    int line[2];
    assert_int_equal(pipe(line), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        outcome = huge_read(place, url, sql);
        _exit(write(line[1], &outcome, sizeof outcome) == sizeof outcome ? 0 : 1);
    }
    (void)close(line[1]);
    assert_int_equal(read(line[0], &outcome, sizeof outcome), sizeof outcome);
    (void)close(line[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    return outcome;
}

static void assert_little(const struct outcome *outcome)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    enum { PEAK_MB = 130 };
    print_message("peak %ld MB\n", outcome->peak_mb);
    assert_true(outcome->peak_mb < PEAK_MB);
#else
    (void)outcome;
#endif
}

static void huge_cell_takes_little_memory(void **state)
{
    struct place *place = *state;
    if (!kind->huge) {
        skip();
    }
    kind->script(place->path, kind->huge_script);
    struct outcome outcome = child_read(place, place_url(place), kind->huge);
    if (kind->huge_refused) {
        assert_int_equal(outcome.code, ERR_RESULT_TOO_LARGE);
    } else {
        assert_int_equal(outcome.code, ERR_OK);
        assert_int_equal(outcome.rows, 1);
        assert_int_equal(outcome.cut, 1);
        assert_int_equal(outcome.bytes, 1 << 20);
    }
    assert_little(&outcome);
}

/* An error may quote what could not be converted, as long as that is. */
static void huge_error_takes_little_memory(void **state)
{
    struct place *place = *state;
    if (!kind->huge || !kind->huge_error) {
        skip();
    }
    kind->script(place->path, kind->huge_script);
    char url[400]; /* encrypted, since then libraries read on longest */
    kind->server->url(KIND_URL_ENCRYPTED, place->path, url, sizeof url);
    struct outcome outcome = child_read(place, url, kind->huge_error);
    assert_true(outcome.code == ERR_RESULT_TOO_LARGE || outcome.code == ERR_INVALID_SQL);
    assert_little(&outcome);
}

/* The guard, too, allows it. NULL: there is no such statement; ClickHouse's would need a
 * table function, and its old server has none for readers. */
static const char *rows_without_end(void)
{
    if (!kind->huge || strcmp(kind->name, "clickhouse") == 0) {
        return NULL;
    }
    return strcmp(kind->name, "postgres") == 0
               ? "SELECT generate_series(1, 10000000) AS a, repeat('x', 200) AS b"
               : kind->many;
}

/* Drivers may keep a whole result before they hand out its first row. */
static void endless_rows_take_little_memory(void **state)
{
    struct place *place = *state;
    if (!rows_without_end()) {
        skip();
    }
    kind->script(place->path, "CREATE TABLE item (id INTEGER)");
    static const enum kind_url forms[] = {KIND_URL_GOOD, KIND_URL_ENCRYPTED};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char url[400];
        kind->server->url(forms[i], place->path, url, sizeof url);
        struct outcome outcome = child_read(place, url, rows_without_end());
        if (outcome.code == ERR_OK) {
            assert_true(outcome.rows > 1000 && outcome.bytes <= 8 << 20);
        } else {
            assert_int_equal(outcome.code, ERR_RESULT_TOO_LARGE);
        }
        assert_little(&outcome);
    }
}

/* The connection that was given up is replaced, and the next query is answered. */
static void a_result_that_is_too_large_harms_no_other(void **state)
{
    struct place *place = *state;
    struct err err;
    struct rows rows;
    if (!rows_without_end()) {
        skip();
    }
    (void)place_open(place, "CREATE TABLE item (id INTEGER);"
                            "INSERT INTO item VALUES (7)");
    const struct datasource_limits limits = {
        .deadline_ms = clock_ms() + 240000, .max_rows = ROWS_MOST, .max_bytes = 1 << 20};
    for (int i = 0; i < 3; i++) {
        rows_init(&rows, place->arena);
        err_clear(&err);
        if (!datasource_execute(place->source, rows_without_end(), NULL, &limits, &rows,
                                &err)) {
            assert_int_equal(err.code, ERR_RESULT_TOO_LARGE);
            assert_true(err.hint[0]);
        }
        rows = place_raw_rows(place, "SELECT id FROM item");
        assert_string_equal(cell_text(place, &rows, 0, 0), "7");
    }
}

int suite_cells(void)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(long_cells_are_cut_and_told),
        PLACE_TEST(cut_in_the_server_changes_nothing_else),
        PLACE_TEST(cut_values_lose_their_form),
        PLACE_TEST(huge_cell_takes_little_memory),
        PLACE_TEST(huge_error_takes_little_memory),
        PLACE_TEST(endless_rows_take_little_memory),
        PLACE_TEST(a_result_that_is_too_large_harms_no_other),
    };
    return cmocka_run_group_tests_name("cells", tests, NULL, NULL);
}
