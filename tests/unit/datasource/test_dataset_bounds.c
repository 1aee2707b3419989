/* Small files that would become large datasets: each is refused by the bound it meets,
 * before it has become large, and leaves nothing behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(DRAGOMAN_HAS_XLSX) && defined(DRAGOMAN_HAS_DUCKDB)
#include <zip.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "datasource/files/dataset_state.h"
#include "datasource/duckdb/duckdb.h"

#define OFFICE "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

struct spot {
    char folder[64];
    char target[96];
    struct arena *arena;
    struct options *options;
    int64_t left;
};

static int set_up(void **state)
{
    struct spot *spot = calloc(1, sizeof *spot);
    (void)snprintf(spot->folder, sizeof spot->folder, "/tmp/dragoman-XXXXXX");
    assert_non_null(mkdtemp(spot->folder));
    (void)snprintf(spot->target, sizeof spot->target, "%s/made/made.duckdb",
                   spot->folder);
    spot->arena = arena_new();
    spot->options = options_new();
    spot->left = -1;
    *state = spot;
    return 0;
}

static void folder_empty(const char *folder, bool remove)
{
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        if (entry->d_name[0] != '.' && unlinkat(dirfd(entries), entry->d_name, 0) != 0) {
            char inner[512];
            (void)snprintf(inner, sizeof inner, "%s/%s", folder, entry->d_name);
            folder_empty(inner, true);
        }
    }
    if (entries) {
        (void)closedir(entries);
    }
    if (remove) {
        (void)rmdir(folder);
    }
}

static int tear_down(void **state)
{
    struct spot *spot = *state;
    folder_empty(spot->folder, true);
    options_free(spot->options);
    arena_free(spot->arena);
    free(spot);
    return 0;
}

static const char *path_of(struct spot *spot, const char *name)
{
    return arena_format(spot->arena, "%s/%s", spot->folder, name);
}

/* Lets DuckDB write it, as anybody could. */
static void copy_to(struct spot *spot, const char *select, const char *name,
                    const char *how)
{
    struct err err;
    const struct duckdb_library *library = duckdb_library(&err);
    assert_non_null(library);
    duckdb_database database = NULL;
    duckdb_connection connection = NULL;
    duckdb_result result;
    assert_int_equal(library->open_ext(NULL, &database, NULL, NULL), DuckDBSuccess);
    assert_int_equal(library->connect(database, &connection), DuckDBSuccess);
    const char *sql = arena_format(spot->arena, "COPY (%s) TO '%s' (%s)", select,
                                   path_of(spot, name), how);
    if (library->query(connection, sql, &result) != DuckDBSuccess) {
        fail_msg("%s", library->result_error(&result));
    }
    library->destroy_result(&result);
    library->disconnect(&connection);
    library->close(&database);
}

static bool import(struct spot *spot, const char *name, struct err *err)
{
    struct dataset_report report;
    const struct dataset_request request = {.source = path_of(spot, name),
                                            .name = "made",
                                            .target = spot->target,
                                            .left = spot->left};
    err_clear(err);
    return dataset_import(spot->arena, spot->options, &request, &report, err);
}

static int64_t size_of(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 ? status.st_size : -1;
}

static size_t entries_of(const char *folder)
{
    size_t count = 0;
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        count += entry->d_name[0] != '.';
    }
    if (entries) {
        (void)closedir(entries);
    }
    return count;
}

/* A small file, and the setting that keeps it from becoming a large dataset. */
static void expect_refusal(struct spot *spot, const char *name, enum err_code code,
                           const char *message, const char *setting)
{
    struct err err;
    assert_in_range(size_of(path_of(spot, name)), 1, 2 << 20);
    if (import(spot, name, &err)) {
        fail_msg("%s was imported: %lld bytes", name, (long long)size_of(spot->target));
    }
    if (err.code != code || !strstr(err.message, message) ||
        !(strstr(err.hint, setting) || strstr(err.detail, setting))) {
        fail_msg("%s: %s (%s) %s", name, err.message, err.detail, err.hint);
    }
    assert_int_equal(entries_of(path_of(spot, "made")), 0);
}

static void expect_made(struct spot *spot, const char *name)
{
    struct err err;
    if (!import(spot, name, &err)) {
        fail_msg("%s: %s (%s) %s", name, err.message, err.detail, err.hint);
    }
    assert_true(size_of(spot->target) > 0);
    assert_int_equal(unlink(spot->target), 0);
}

/* ------------------------------------------------------------------ Parquet */

/* 2 GB in a few KB: its pages name one long text again and again. */
static void parquet_of_one_long_text(void **state)
{
    struct spot *spot = *state;
    copy_to(spot, "SELECT repeat('x', 20000) AS a FROM range(100000)", "bomb.parquet",
            "FORMAT parquet, COMPRESSION zstd");
    assert_in_range(size_of(path_of(spot, "bomb.parquet")), 1, 100000);
    spot->options->dataset_unpacked_mb = 1000;
    expect_refusal(spot, "bomb.parquet", ERR_RESULT_TOO_LARGE,
                   "'bomb.parquet' holds more than 1000 MB, unpacked.",
                   "dataset.unpacked_mb");
    copy_to(spot, "SELECT [repeat('x', 20000), 'y'] AS a FROM range(3000)",
            "lists.parquet", "FORMAT parquet, COMPRESSION zstd");
    spot->options->dataset_unpacked_mb = 50;
    expect_refusal(spot, "lists.parquet", ERR_RESULT_TOO_LARGE, "more than 50 MB",
                   "dataset.unpacked_mb");
    spot->options->dataset_unpacked_mb = 100;
    expect_made(spot, "lists.parquet");
}

static void parquet_of_many_rows_groups_and_cells(void **state)
{
    struct spot *spot = *state;
    copy_to(spot, "SELECT 1 AS a FROM range(1000001)", "rows.parquet",
            "FORMAT parquet, COMPRESSION zstd");
    spot->options->dataset_max_rows = 1000000;
    expect_refusal(spot, "rows.parquet", ERR_RESULT_TOO_LARGE,
                   "'rows.parquet' has more than 1000000 rows.", "dataset.max_rows");
    spot->options->dataset_max_rows = 1000001;
    expect_made(spot, "rows.parquet");
    spot->options->dataset_unpacked_mb = 5;
    expect_refusal(spot, "rows.parquet", ERR_RESULT_TOO_LARGE,
                   "holds more than 5 MB, unpacked", "dataset.unpacked_mb");
    spot->options->dataset_unpacked_mb = 100;
    copy_to(spot, "SELECT i FROM range(40960) x(i)", "groups.parquet",
            "FORMAT parquet, ROW_GROUP_SIZE 2048");
    spot->options->dataset_row_groups = 19;
    expect_refusal(spot, "groups.parquet", ERR_RESULT_TOO_LARGE,
                   "'groups.parquet' has 20 row groups; 19 are the limit.",
                   "dataset.row_groups");
    spot->options->dataset_row_groups = 20;
    expect_made(spot, "groups.parquet");
}

/* What the whole file says of its rows is not what is read: the groups count. */
static void parquet_that_lies_about_its_rows(void **state)
{
    struct spot *spot = *state;
    struct err err;
    size_t size = 0;
    copy_to(spot, "SELECT 1 AS a FROM range(1000000)", "lie.parquet",
            "FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 500000");
    const char *path = path_of(spot, "lie.parquet");
    char *data = file_read(spot->arena, path, 1 << 20, &size, &err);
    assert_non_null(data);
    /* 1,000,000 doubled (its sign is the last bit), in groups of seven bits */
    static const char rows[] = "\x80\x89\x7A";
    char *at = NULL;
    for (char *one = data; (one = memmem(one, size - (size_t)(one - data), rows, 3));
         one++) {
        at = one;
    }
    assert_non_null(at);
    memcpy(at, "\x82\x80\x00", 3); /* one row */
    assert_true(file_write(path, data, size, &err));
    spot->options->dataset_max_rows = 1000;
    expect_refusal(spot, "lie.parquet", ERR_RESULT_TOO_LARGE, "more than 1000 rows",
                   "dataset.max_rows");
}

static void many_columns(void **state)
{
    struct spot *spot = *state;
    struct err err;
    struct buf text;
    buf_init(&text, 1 << 20);
    (void)buf_text(&text, "SELECT 0 AS c0");
    for (int i = 1; i < 3000; i++) {
        (void)buf_format(&text, ", %d AS c%d", i, i);
    }
    copy_to(spot, buf_get(&text), "wide.parquet", "FORMAT parquet");
    copy_to(spot, buf_get(&text), "wide.csv", "FORMAT csv");
    buf_clear(&text);
    (void)buf_text(&text, "[{\"a\": {\"c0\": 1");
    for (int i = 1; i < 3000; i++) {
        (void)buf_format(&text, ", \"c%d\": %s", i, i % 2 ? "\"x\"" : "{\"d\": 1}");
    }
    (void)buf_text(&text, "}}]");
    assert_true(file_write(path_of(spot, "wide.json"), buf_get(&text), text.size, &err));
    buf_release(&text);
    spot->options->files_max_columns = 2999;
    static const char *const names[] = {"wide.parquet", "wide.csv", "wide.json"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        expect_refusal(spot, names[i], ERR_NOT_A_DATABASE, "cannot be read as",
                       "files.max_columns");
    }
    spot->options->files_max_columns = 3000;
    expect_made(spot, "wide.parquet");
}

/* ------------------------------------------------------------------ texts */

static void packed_texts(void **state)
{
    struct spot *spot = *state;
    struct err err;
    size_t size = 0;
    copy_to(spot, "SELECT repeat('x', 9999) AS a, i FROM range(5000) x(i)", "bomb.csv.gz",
            "FORMAT csv, COMPRESSION gzip");
    copy_to(spot, "SELECT repeat('x', 9999) AS a, i FROM range(5000) x(i)",
            "bomb.ndjson.gz", "FORMAT json, COMPRESSION gzip");
    spot->options->dataset_unpacked_mb = 25;
    expect_refusal(spot, "bomb.csv.gz", ERR_RESULT_TOO_LARGE,
                   "'bomb.csv.gz' holds more than 25 MB, unpacked.",
                   "dataset.unpacked_mb");
    expect_refusal(spot, "bomb.ndjson.gz", ERR_RESULT_TOO_LARGE, "more than 25 MB",
                   "dataset.unpacked_mb");
    spot->options->dataset_unpacked_mb = 75;
    expect_made(spot, "bomb.csv.gz");
    /* one packed text behind another */
    char *data =
        file_read(spot->arena, path_of(spot, "bomb.csv.gz"), 1 << 20, &size, &err);
    assert_non_null(data);
    char *twice = arena_alloc(spot->arena, 2 * size);
    memcpy(twice, data, size);
    memcpy(twice + size, data, size);
    assert_true(file_write(path_of(spot, "bomb.csv.gz"), twice, 2 * size, &err));
    expect_refusal(spot, "bomb.csv.gz", ERR_RESULT_TOO_LARGE, "more than 75 MB",
                   "dataset.unpacked_mb");
}

static void rows_of_texts(void **state)
{
    struct spot *spot = *state;
    static const char *const names[] = {"rows.csv", "rows.csv.gz", "rows.tsv",
                                        "rows.json", "rows.ndjson.gz"};
    static const char *const forms[] = {
        "FORMAT csv", "FORMAT csv, COMPRESSION gzip", "FORMAT csv, DELIMITER '\t'",
        "FORMAT json, ARRAY true", "FORMAT json, COMPRESSION gzip"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        copy_to(spot, "SELECT i AS a, 1 AS b FROM range(20001) x(i)", names[i], forms[i]);
        spot->options->dataset_max_rows = 20000;
        expect_refusal(spot, names[i], ERR_RESULT_TOO_LARGE, "has more than 20000 rows.",
                       "dataset.max_rows");
        spot->options->dataset_max_rows = 20001;
        expect_made(spot, names[i]);
    }
}

/* ------------------------------------------------------------------ spreadsheets */

static void zip_text(zip_t *zip, const char *path, const char *text)
{
    assert_true(
        zip_file_add(zip, path, zip_source_buffer(zip, text, strlen(text), 0), 0) >= 0);
}

/* A book whose sheets all are the one part. */
static void book_write(struct spot *spot, const char *name, int sheets, const char *part)
{
    struct buf list;
    struct err err;
    const char *path = path_of(spot, name);
    err_clear(&err);
    zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, NULL);
    assert_non_null(zip);
    buf_init(&list, 1 << 20);
    (void)buf_text(&list, "<workbook xmlns:r=\"" OFFICE "\"><sheets>");
    for (int i = 0; i < sheets; i++) {
        (void)buf_format(&list, "<sheet name=\"s%d\" r:id=\"r\"/>", i);
    }
    (void)buf_text(&list, "</sheets></workbook>");
    zip_text(zip, "xl/workbook.xml", buf_get(&list));
    zip_text(zip, "xl/_rels/workbook.xml.rels",
             "<Relationships><Relationship Id=\"r\" Type=\"" OFFICE
             "/worksheet\" Target=\"sheet.xml\"/></Relationships>");
    zip_text(zip, "xl/sheet.xml", part);
    assert_int_equal(zip_close(zip), 0);
    buf_release(&list);
}

static void spreadsheets(void **state)
{
    struct spot *spot = *state;
    struct buf sheet;
    buf_init(&sheet, 8 << 20);
    (void)buf_text(&sheet, "<worksheet><sheetData>");
    for (int i = 0; i < 10000; i++) {
        (void)buf_format(&sheet,
                         "<row><c t=\"inlineStr\"><is><t>text %d</t></is></c></row>", i);
    }
    (void)buf_text(&sheet, "</sheetData></worksheet>");
    book_write(spot, "book.xlsx", 8, buf_get(&sheet));
    spot->options->dataset_unpacked_mb = 4; /* each sheet has 0.6 MB */
    expect_refusal(spot, "book.xlsx", ERR_RESULT_TOO_LARGE,
                   "'book.xlsx' holds more than 4 MB, unpacked.", "dataset.unpacked_mb");
    spot->options->dataset_unpacked_mb = 6;
    expect_made(spot, "book.xlsx");
    spot->options->dataset_max_rows = 9000;
    expect_refusal(spot, "book.xlsx", ERR_RESULT_TOO_LARGE, "more than 9000 rows",
                   "dataset.max_rows");
    spot->options->dataset_max_rows = 10000;
    spot->options->files_max_sheet_rows = 70000; /* of all sheets */
    expect_refusal(spot, "book.xlsx", ERR_NOT_A_DATABASE, "cannot be read as",
                   "files.max_sheet_rows");
    buf_clear(&sheet);
    (void)buf_text(&sheet, "<worksheet><sheetData>"); /* nothing but blanks */
    for (int i = 0; i < 1 << 16; i++) {
        (void)buf_text(&sheet,
                       "                                                        ");
    }
    (void)buf_text(&sheet, "</sheetData></worksheet>");
    book_write(spot, "blank.xlsx", 1, buf_get(&sheet));
    expect_refusal(spot, "blank.xlsx", ERR_NOT_A_DATABASE, "cannot be read as",
                   "far more than it may");
    buf_release(&sheet);
}

/* A spreadsheet without cells leaves no dataset behind that nobody can read. */
static void spreadsheets_without_a_table(void **state)
{
    struct spot *spot = *state;
    book_write(spot, "none.xlsx", 2, "<worksheet><sheetData></sheetData></worksheet>");
    expect_refusal(spot, "none.xlsx", ERR_INVALID_DATA,
                   "There is no table in 'none.xlsx'", "a line of headings");
    book_write(spot, "far.xlsx", 1,
               "<worksheet><sheetData><row><c r=\"ZZZZZZ99999999\"><v>1</v></c></row>"
               "</sheetData></worksheet>");
    expect_refusal(spot, "far.xlsx", ERR_INVALID_DATA, "There is no table in 'far.xlsx'",
                   "a line of headings");
}

/* ------------------------------------------------------------------ the disk */

static bool over(struct dataset_bounds *bounds, struct err *err)
{
    bounds->look_at_ms = 0;
    bounds->met = DATASET_WITHIN;
    err_clear(err);
    return dataset_bounds_over(bounds, err);
}

/* However a file got past all counting: no import takes more of the disk than this. */
static void folders_are_measured(void **state)
{
    struct spot *spot = *state;
    struct err err;
    struct dataset_bounds bounds = {.folder = spot->folder,
                                    .part = path_of(spot, "rows.duckdb"),
                                    .unpacked_mb = 1,
                                    .account_mb = 1,
                                    .left = -1};
    int helper = open(path_of(spot, "spill.tmp"), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    int rows = open(bounds.part, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    assert_true(helper >= 0 && rows >= 0);
    assert_int_equal(ftruncate(helper, (1 << 20) - 1), 0);
    assert_int_equal(ftruncate(rows, 1 << 20), 0);
    assert_false(over(&bounds, &err));
    assert_int_equal(ftruncate(helper, 1 << 20), 0);
    assert_true(over(&bounds, &err));
    assert_int_equal(err.code, ERR_RESULT_TOO_LARGE);
    assert_non_null(strstr(err.hint, "dataset.unpacked_mb"));
    assert_int_equal(ftruncate(helper, 0), 0);
    bounds.left = 1 << 20;
    assert_false(over(&bounds, &err));
    bounds.left--;
    assert_true(over(&bounds, &err));
    assert_int_equal(err.code, ERR_QUOTA);
    assert_non_null(strstr(err.hint, "dataset.account_mb"));
    (void)close(helper);
    (void)close(rows);
}

/* The import itself is ended by it, and its process with it. */
static void imports_end_when_the_room_is_used_up(void **state)
{
    struct spot *spot = *state;
    copy_to(spot, "SELECT i, md5(i::VARCHAR) AS a FROM range(300000) x(i)", "big.parquet",
            "FORMAT parquet, COMPRESSION zstd");
    spot->left = 1 << 20;
    struct err err;
    assert_false(import(spot, "big.parquet", &err));
    assert_int_equal(err.code, ERR_QUOTA);
    assert_int_equal(entries_of(path_of(spot, "made")), 0);
    spot->left = 64 << 20;
    expect_made(spot, "big.parquet");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(parquet_of_one_long_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(parquet_of_many_rows_groups_and_cells, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(parquet_that_lies_about_its_rows, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(many_columns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(packed_texts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rows_of_texts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(spreadsheets, set_up, tear_down),
        cmocka_unit_test_setup_teardown(spreadsheets_without_a_table, set_up, tear_down),
        cmocka_unit_test_setup_teardown(folders_are_measured, set_up, tear_down),
        cmocka_unit_test_setup_teardown(imports_end_when_the_room_is_used_up, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 0; /* nothing to test in a build without them */
}

#endif
