/* Answers as files, page by page, and drawn: all rows, nothing live, nobody else's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/json.h"
#include "datasource/files/xlsx/xlsx.h"
#include "unit/service/instance_of_one.h"

static const char *const settings[] = {"sql.default_rows=10", "sql.max_rows=20", NULL};

static const char hostile[] =
    "SELECT 1 AS id, '=1+2' AS cell, -5 AS n, 'a,\"b\"' AS id, x'00ff' AS b "
    "UNION ALL SELECT 2, '@SUM(A1)', 1.5, '<i>&</i>', NULL "
    "UNION ALL SELECT 3, '-1.5', NULL, 'line' || char(10) || 'two', x''";

static const char many[] =
    "SELECT a.id * 1000 + b.id * 100 + c.id * 10 + d.id AS i, 'v' || a.id AS v "
    "FROM users a CROSS JOIN users b CROSS JOIN users c CROSS JOIN users d ORDER BY 1";

static const struct dgm_access ann = {.account = "ann"};
static const struct dgm_access bob = {.account = "bob"};
static const struct dgm_access elsewhere = {.account = "ann", .datasources = "other"};

static int set_up(void **state)
{
    struct instance_of_one *instance = calloc(1, sizeof *instance);
    *state = instance;
    return instance_of_one_open(instance, "", settings) ? 0 : -1;
}

static int tear_down(void **state)
{
    instance_of_one_close(*state);
    free(*state);
    return 0;
}

static char *asked(struct dgm *dgm, const char *sql, const char *account)
{
    struct dgm_error error;
    struct dgm_request request = {.account = account};
    struct dgm_question *question = dgm_run_sql(dgm, sql, &request, &error);
    assert_non_null(question);
    const struct dgm_answer *answer = dgm_question_wait(question, -1);
    if (dgm_answer_error(answer, &error)) {
        fail_msg("%s: %s", error.code, error.message);
    }
    char *id = strdup(dgm_question_id(question));
    dgm_question_free(question);
    return id;
}

static const char *file_of(struct instance_of_one *instance, const char *name)
{
    static char path[160];
    (void)snprintf(path, sizeof path, "%s/%s", instance->folder, name);
    return path;
}

static void write_out(struct instance_of_one *instance, const char *id, const char *name,
                      struct dgm_exported *out)
{
    struct dgm_error error;
    if (!dgm_export(instance->dgm, NULL, id, NULL, file_of(instance, name), out,
                    &error)) {
        fail_msg("%s: %s: %s", name, error.code, error.message);
    }
    struct stat status;
    assert_int_equal(stat(file_of(instance, name), &status), 0);
    assert_int_equal(status.st_size, out->bytes);
    assert_int_equal(status.st_mode & 077, 0); /* for its owner alone */
}

static void text_forms(void **state)
{
    struct instance_of_one *instance = *state;
    struct arena *arena = arena_new();
    struct dgm_exported out;
    struct err err;
    char *id = asked(instance->dgm, hostile, NULL);
    write_out(instance, id, "a.csv", &out);
    assert_int_equal(out.rows, 3);
    assert_false(out.truncated);
    assert_string_equal(file_read(arena, file_of(instance, "a.csv"), 10000, NULL, &err),
                        "id,cell,n,id,b\r\n"
                        "1,'=1+2,-5,\"a,\"\"b\"\"\",00ff\r\n"
                        "2,'@SUM(A1),1.5,<i>&</i>,\r\n"
                        "3,-1.5,,\"line\ntwo\",\"\"\r\n");
    write_out(instance, id, "a.json", &out);
    size_t size = 0;
    const char *text = file_read(arena, file_of(instance, "a.json"), 10000, &size, &err);
    const json_t *rows = json_parse(arena, text, size, &err);
    assert_int_equal(json_array_size(rows), 3);
    const json_t *row = json_array_get(rows, 0);
    assert_int_equal(json_int_at(row, "id", 0), 1);
    assert_string_equal(json_text_at(row, "id_2"), "a,\"b\"");
    assert_string_equal(json_text_at(row, "cell"), "=1+2");
    free(id);
    arena_free(arena);
}

static void page_form(void **state)
{
    struct instance_of_one *instance = *state;
    struct arena *arena = arena_new();
    struct dgm_exported out;
    struct dgm_error error;
    struct err err;
    char *id = asked(instance->dgm, hostile, NULL);
    write_out(instance, id, "a.html", &out);
    assert_int_equal(out.rows, 3);
    assert_false(out.truncated);
    const char *page = file_read(arena, file_of(instance, "a.html"), 100000, NULL, &err);
    assert_non_null(strstr(page, "<td dir=\"auto\">&lt;i&gt;&amp;&lt;/i&gt;</td>"));
    assert_non_null(strstr(page, "line\ntwo"));
    assert_null(strstr(page, "<script"));
    assert_null(strstr(page, instance->folder));
    free(id);
    id = asked(instance->dgm, many, "ann");
    assert_true(dgm_export(instance->dgm, &ann, id, "html", file_of(instance, "b"), &out,
                           &error));
    assert_true(out.truncated); /* the rows that are stored with the answer */
    assert_false(dgm_export(instance->dgm, &bob, id, "html", file_of(instance, "c"), &out,
                            &error));
    assert_string_equal(error.code, "QUERY_NOT_FOUND");
    assert_int_equal(access(file_of(instance, "c"), F_OK), -1);
    assert_false(dgm_export_sql(instance->dgm, NULL, "SELECT 1", "html",
                                file_of(instance, "c"), &out, &error));
    assert_string_equal(error.code, "USAGE");
    free(id);
    arena_free(arena);
}

#ifdef DRAGOMAN_HAS_XLSX

struct sheet {
    size_t rows;
    char first[200]; /* the second row's cells */
};

static bool sheet_begins(void *context, const char *name, struct err *err)
{
    (void)context;
    (void)err;
    assert_string_equal(name, "answer");
    return true;
}

static bool sheet_row(void *context, size_t number, const struct xlsx_cell *cells,
                      size_t count, struct err *err)
{
    struct sheet *sheet = context;
    (void)err;
    sheet->rows++;
    for (size_t i = 0; number == 2 && i < count; i++) {
        size_t used = strlen(sheet->first);
        (void)snprintf(sheet->first + used, sizeof sheet->first - used, "%s:%d|",
                       cells[i].text ? cells[i].text : "-", (int)cells[i].kind);
    }
    return true;
}

static void spreadsheets(void **state)
{
    struct instance_of_one *instance = *state;
    struct arena *arena = arena_new();
    struct dgm_exported out;
    struct err err;
    size_t size = 0;
    char *id = asked(instance->dgm, hostile, NULL);
    write_out(instance, id, "a.xlsx", &out);
    const char *data = file_read(arena, file_of(instance, "a.xlsx"), 100000, &size, &err);
    struct sheet sheet = {0};
    const struct xlsx_limits limits = {.part_bytes = 1 << 20,
                                       .cell_bytes = XLSX_CELL_USUAL,
                                       .text_bytes = 1 << 20,
                                       .rows = 100,
                                       .cells = 100,
                                       .sheets = 2};
    const struct xlsx_sink sink = {
        .sheet = sheet_begins, .cells = sheet_row, .context = &sheet};
    assert_true(xlsx_read(data, size, &limits, &sink, &err));
    assert_int_equal(sheet.rows, 4);
    assert_string_equal(sheet.first, "1:1|=1+2:0|-5:1|a,\"b\":0|00ff:0|");
    free(id);
    arena_free(arena);
}
#endif

/* The answer shows a part; the file and the pages have all of it. */
static void beyond_the_cap(void **state)
{
    struct instance_of_one *instance = *state;
    struct arena *arena = arena_new();
    struct dgm_exported out;
    struct dgm_error error;
    struct err err;
    char *id = asked(instance->dgm, many, NULL);
    write_out(instance, id, "b.csv", &out);
    assert_int_equal(out.rows, 81);
    char *text = dgm_rows(instance->dgm, NULL, id, 75, 4, &error);
    const json_t *page = json_parse(arena, text, strlen(text), &err);
    assert_int_equal(json_int_at(page, "row_count", 0), 4);
    assert_int_equal(json_int_at(page, "total", 0), 81);
    assert_true(json_bool_at(page, "more", false));
    const json_t *row = json_array_get(json_array_at(page, "rows"), 0);
    assert_int_equal(json_integer_value(json_array_get(row, 0)), 3321);
    dgm_free(text);
    text = dgm_rows(instance->dgm, NULL, id, 79, 0, &error);
    assert_non_null(strstr(text, "\"more\":false,\"total\":81"));
    dgm_free(text);
    text = dgm_rows(instance->dgm, NULL, id, 500, 10, &error); /* past the end */
    assert_non_null(strstr(text, "\"rows\":[],\"row_count\":0,\"more\":false"));
    dgm_free(text);
    assert_null(dgm_rows(instance->dgm, NULL, id, INT64_MAX, 10, &error));
    assert_string_equal(error.code, "RESULT_TOO_LARGE");
    free(id);
    arena_free(arena);
}

static void equal_names_do_not_collide(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    char *id = asked(instance->dgm,
                     "SELECT a.id, b.id, a.name FROM users a JOIN users b ON 1 = 1 "
                     "CROSS JOIN users c ORDER BY a.id, b.id",
                     NULL);
    char *text = dgm_rows(instance->dgm, NULL, id, 20, 5, &error);
    assert_non_null(text);
    assert_non_null(strstr(text, "\"columns\":[\"id\",\"id\",\"name\"]"));
    assert_non_null(strstr(text, "[3,1,\"Cy\"]"));
    assert_non_null(strstr(text, "\"total\":27"));
    dgm_free(text);
    free(id);
}

#ifdef DRAGOMAN_HAS_DUCKDB
static void parquet(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_exported out;
    struct dgm_error error;
    char *id = asked(instance->dgm, many, NULL);
    write_out(instance, id, "c.parquet", &out);
    assert_int_equal(out.rows, 81);
    free(id);
    id = asked(instance->dgm, hostile, NULL); /* two columns of one name */
    write_out(instance, id, "d.parquet", &out);
    free(id);
    struct dgm_config *config = dgm_config_new();
    assert_true(dgm_config_set(config, "store.url", "memory:", &error));
    assert_true(dgm_config_add_datasource(config, "back", file_of(instance, "c.parquet"),
                                          &error));
    struct dgm *reader = dgm_open(config, &error);
    dgm_config_free(config);
    struct dgm_question *question =
        dgm_run_sql(reader, "SELECT count(*), max(i), min(v) FROM c", NULL, &error);
    const struct dgm_answer *answer = dgm_question_wait(question, -1);
    assert_false(dgm_answer_error(answer, &error));
    assert_string_equal(dgm_answer_cell(answer, 0, 0, NULL), "81");
    assert_string_equal(dgm_answer_cell(answer, 0, 1, NULL), "3333");
    assert_string_equal(dgm_answer_cell(answer, 0, 2, NULL), "v1");
    dgm_question_free(question);
    dgm_close(reader);
}
#endif

static void bounded(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_exported out;
    struct dgm_error error;
    static const char *const small[] = {"sql.default_rows=10", "export.max_rows=30",
                                        NULL};
    char *id = asked(instance->dgm, many, NULL);
    assert_true(instance_of_one_reopen(instance, "", small));
    write_out(instance, id, "e.csv", &out);
    assert_int_equal(out.rows, 30);
    assert_true(out.truncated);
    struct dgm_request request = {.datasource = "people"};
    assert_true(dgm_export_sql(instance->dgm, &request, many, "json",
                               file_of(instance, "e.data"), &out, &error));
    assert_int_equal(out.rows, 30);
    free(id);
}

static void refused(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    char *id = asked(instance->dgm, many, "ann");
    const char *path = file_of(instance, "f.csv");
    static const struct {
        const struct dgm_access *access;
        const char *id, *format, *code;
    } cases[] = {
        {&bob, "", "csv", "QUERY_NOT_FOUND"},
        {&ann, "q-none", "csv", "QUERY_NOT_FOUND"},
        {&ann, "", "exe", "USAGE"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_false(dgm_export(instance->dgm, cases[i].access,
                                *cases[i].id ? cases[i].id : id, cases[i].format, path,
                                NULL, &error));
        assert_string_equal(error.code, cases[i].code);
        assert_int_equal(access(path, F_OK), -1);
    }
    /* a key that is not for this datasource */
    assert_null(dgm_rows(instance->dgm, &elsewhere, id, 0, 1, &error));
    assert_string_equal(error.code, "QUERY_NOT_FOUND");
    assert_null(dgm_rows(instance->dgm, &bob, id, 0, 1, &error));
    assert_null(dgm_chart(instance->dgm, &bob, id, NULL, &error));
    assert_string_equal(error.code, "QUERY_NOT_FOUND");
    assert_false(
        dgm_export(instance->dgm, &ann, id, "csv", "/nowhere/at/all.csv", NULL, &error));
    assert_string_equal(error.code, "ACCESS");
    assert_false(dgm_export_sql(instance->dgm, NULL, "DELETE FROM users", "csv", path,
                                NULL, &error));
    assert_string_equal(error.code, "WRITE_NOT_ALLOWED");
    assert_false(dgm_export_sql(instance->dgm, NULL, "SELECT nothing FROM nowhere", "csv",
                                path, NULL, &error));
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(instance_of_one_count(instance, "SELECT count(*) FROM users"), 3);
    free(id);
}

static void drawn(void **state)
{
    struct instance_of_one *instance = *state;
    struct dgm_error error;
    char *id =
        asked(instance->dgm, "SELECT status, count(*) AS n FROM users GROUP BY 1", NULL);
    char *text = dgm_chart(instance->dgm, NULL, id, NULL, &error);
    assert_non_null(text);
    assert_non_null(strstr(text, "{\"chart\":{\"kind\":\"bar\""));
    assert_non_null(strstr(text, "\"values\":[{\"c0\":\"active\",\"c1\":2}"));
    assert_non_null(strstr(text, "\"alternatives\":[\"arc\"]"));
    dgm_free(text);
    assert_null(dgm_chart(instance->dgm, NULL, id, "scatter", &error));
    assert_string_equal(error.code, "INVALID_DATA");
    assert_null(dgm_chart(instance->dgm, NULL, id, "pie", &error));
    assert_string_equal(error.code, "USAGE");
    free(id);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(text_forms),
        TEST(page_form),
        TEST(beyond_the_cap),
        TEST(bounded),
        TEST(equal_names_do_not_collide),
        TEST(refused),
        TEST(drawn),
#ifdef DRAGOMAN_HAS_XLSX
        TEST(spreadsheets),
#endif
#ifdef DRAGOMAN_HAS_DUCKDB
        TEST(parquet),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
