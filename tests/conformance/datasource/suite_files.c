/* Files as tables: how they are divided and typed, what is told of them, what they may
 * not do. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "conformance.h"

static const char *at(struct place *place, const char *name)
{
    return arena_format(place->arena, "%s/%s", place->folder, name);
}

#define PUT(place, name, text) put(place, name, text, sizeof(text) - 1)

static void put(struct place *place, const char *name, const char *data, size_t size)
{
    struct err err;
    assert_true(file_write(at(place, name), data, size, &err));
}

static struct schema *open_path(struct place *place, const char *path)
{
    struct err err;
    if (!place_try_open(place, path, &err)) {
        fail_msg("%s: %s (%s)", path, err.message, err.detail);
    }
    return place_schema(place);
}

static struct schema *open_text(struct place *place, const char *name, const char *text)
{
    put(place, name, text, strlen(text));
    return open_path(place, at(place, name));
}

static void expect_types(const struct schema *schema, const char *expected)
{
    struct buf text;
    buf_init(&text, 1 << 16);
    for (size_t t = 0; t < schema->tables.count; t++) {
        const struct table *table = &schema->tables.items[t];
        (void)buf_format(&text, "%s%s:", t ? "; " : "", table->name);
        for (size_t i = 0; i < table->columns.count; i++) {
            (void)buf_format(&text, " %s %s", table->columns.items[i].name,
                             table->columns.items[i].type);
        }
    }
    assert_string_equal(buf_get(&text), expected);
    buf_release(&text);
}

static void expect_warning(const struct schema *schema, const char *part)
{
    for (size_t i = 0; i < schema->warnings.count; i++) {
        if (strstr(schema->warnings.items[i], part)) {
            return;
        }
    }
    fail_msg("no warning says: %s (%zu warnings, first: %s)", part,
             schema->warnings.count,
             schema->warnings.count ? schema->warnings.items[0] : "none");
}

static void expect_cell(struct place *place, const char *sql, const char *expected)
{
    struct rows rows = place_rows(place, sql);
    assert_string_equal(cell_text(place, &rows, 0, 0), expected);
}

static void expect_refusal(struct place *place, const char *name, enum err_code code,
                           const char *part)
{
    struct err err;
    const char *path = at(place, name);
    struct datasource *source = place_try_open(place, path, &err);
    if (source) {
        struct schema *schema = datasource_describe(source, NULL, &err);
        assert_null(schema);
    }
    if (err.code != code) {
        fail_msg("%s: %s (%s)", name, err_name(err.code), err.message);
    }
    char told[2000];
    (void)snprintf(told, sizeof told, "%s %s %s", err.message, err.detail, err.hint);
    if (!strstr(told, part)) {
        fail_msg("%s: '%s' does not say '%s'", name, told, part);
    }
    assert_null(strstr(told, place->folder));
    assert_true(err.hint[0]);
}

/* ------------------------------------------------------------------ CSV */

static void every_type_is_found(void **state)
{
    struct place *place = *state;
    struct schema *schema = open_text(
        place, "all.csv",
        "n,price,ratio,day,at,zoned,clock,yes,zip,word\n"
        "1,1.5,1e-3,2024-02-29,2024-01-31 10:00,2024-01-31T10:00:00Z,10:30,true,01234,a\n"
        "2,12.25,2.5,2024-03-01,2024-01-31 10:00:01.5,2024-01-31T10:00:00+02:00,23:59,"
        "FALSE,99999,\n"
        "-3,,0.1,,,,,,,\"b, \"\"c\"\"\"\n");
    expect_types(schema,
                 "all: n BIGINT price DECIMAL(18,2) ratio DOUBLE day DATE at TIMESTAMP "
                 "zoned TIMESTAMP WITH TIME ZONE clock TIME yes BOOLEAN zip VARCHAR word "
                 "VARCHAR");
    assert_int_equal(schema->warnings.count, 0);
    expect_cell(place, "SELECT sum(price) FROM \"all\"", "13.75");
    expect_cell(place, "SELECT zip FROM \"all\" WHERE n = 1", "01234");
    expect_cell(place, "SELECT zoned FROM \"all\" WHERE n = 2", "2024-01-31 08:00:00+00");
    expect_cell(place, "SELECT word FROM \"all\" WHERE n = -3", "b, \"c\"");
    expect_cell(place, "SELECT count(*) FROM \"all\" WHERE price IS NULL", "1");
}

static void other_countries_write_otherwise(void **state)
{
    struct place *place = *state;
    struct schema *schema = open_text(place, "sales.csv",
                                      "\xEF\xBB\xBF"
                                      "Nr;Kunde;Betrag;Datum;PLZ\r\n"
                                      "1;M\xC3\xBCller;1.234,50;31.01.2024;01234\r\n"
                                      "2;\"A; B\";2,25;01.02.2024;53111\r\n"
                                      "3;C;-7;02.03.2024;00001\r\n");
    expect_types(schema, "sales: Nr BIGINT Kunde VARCHAR Betrag DECIMAL(18,2) Datum DATE "
                         "PLZ VARCHAR");
    expect_cell(place, "SELECT sum(Betrag) FROM sales", "1229.75");
    expect_cell(place, "SELECT max(Datum) FROM sales", "2024-03-02");
    schema = open_text(place, "us.csv",
                       "day,total\n01/31/2024,\"1,234.50\"\n02/01/2024,\"7\"\n");
    expect_types(schema, "us: day DATE total DECIMAL(18,2)");
    expect_cell(place, "SELECT sum(total) FROM us WHERE day > '2024-01-01'", "1241.50");
    schema = open_text(place, "ambiguous.csv", "day,n\n01/02/2024,1\n03/04/2024,2\n");
    expect_warning(schema, "ambiguous: day: the dates were read as month/day/year");
    expect_cell(place, "SELECT min(day) FROM ambiguous", "2024-01-02");
}

static void bad_rows_and_cells_are_told(void **state)
{
    struct place *place = *state;
    struct buf text;
    buf_init(&text, 1 << 16);
    (void)buf_text(&text, "id,amount,code\n");
    for (int i = 1; i <= 40; i++) {
        (void)buf_format(&text, "%d,%s,%s\n", i, i == 7 ? "unknown" : "2.50",
                         i == 9 ? "A7" : "12");
    }
    (void)buf_text(&text, "41,1\n42,1,2,3\n43,\"1,2\n");
    struct schema *schema = open_text(place, "t.csv", buf_get(&text));
    buf_release(&text);
    expect_types(schema, "t: id BIGINT amount DECIMAL(18,2) code VARCHAR");
    expect_warning(schema, "t: 3 rows were left out (line 42: 2 cells where 3 are");
    expect_warning(schema, "t: amount: 1 of 40 cells could not be read as DECIMAL(18,2) "
                           "and were set to NULL (row 7: 'unknown')");
    expect_cell(place, "SELECT count(*) FROM t", "40");
    expect_cell(place, "SELECT sum(amount) FROM t", "97.50");
}

static void headings_are_found_and_made_good(void **state)
{
    struct place *place = *state;
    struct schema *schema =
        open_text(place, "a.csv", "id,id,,Name,name\n1,2,3,4,5\n2,3,4,5,6\n");
    expect_types(schema,
                 "a: id BIGINT id_2 BIGINT column3 BIGINT Name BIGINT name_2 BIGINT");
    expect_warning(schema, "1 column has no heading");
    expect_warning(schema, "several columns are called 'id'");
    schema = open_text(place, "b.csv", "1,x\n2,y\n");
    expect_types(schema, "b: column1 BIGINT column2 VARCHAR");
    expect_warning(schema, "the first line is no heading");
    schema = open_text(place, "c.csv", "Report 2024,,\n\nyear,2023,2024\nnorth,1,2\n");
    expect_types(schema, "c: year VARCHAR 2023 BIGINT 2024 BIGINT");
    schema = open_text(place, "d.csv", "only\n1\n2\n");
    expect_types(schema, "d: only BIGINT");
    schema = open_text(place, "e.csv", "id,name\n");
    expect_types(schema, "e: id VARCHAR name VARCHAR");
    schema = open_text(place, "Odd name (2).csv", "a|b\n1|2\n3|4\n");
    expect_types(schema, "Odd_name_2: a BIGINT b BIGINT");
    schema = open_text(place, "2024.tsv", "a\tb\n1,5\t2\n");
    expect_types(schema, "t_2024: a DECIMAL(18,1) b BIGINT");
}

static void encodings_are_found(void **state)
{
    struct place *place = *state;
    struct schema *schema =
        open_text(place, "l.csv", "id,name\n1,M\xFCller\n2,J\xE4ger\n");
    expect_warning(schema, "'l.csv' is not UTF-8; it was read as Latin-1");
    expect_cell(place, "SELECT name FROM l WHERE id = 1", "M\xC3\xBCller");
    struct buf text;
    buf_init(&text, 4 << 20);
    (void)buf_text(&text, "id,name\n1,M\xFCller\n");
    for (int i = 2; i < 150000; i++) { /* longer than what is looked at at once */
        (void)buf_format(&text, "%d,J\xE4ger\n", i);
    }
    schema = open_text(place, "m.csv", buf_get(&text));
    buf_release(&text);
    expect_warning(schema, "'m.csv' is not UTF-8");
    expect_cell(place, "SELECT count(*) FROM m WHERE name = 'J\xC3\xA4ger'", "149998");
    static const char wide[] = "\xFF\xFEi\0d\0,\0n\0\n\0"
                               "1\0,\0\xFC\0\n\0";
    put(place, "u.csv", wide, sizeof wide - 1);
    (void)open_path(place, at(place, "u.csv"));
    expect_cell(place, "SELECT n FROM u WHERE id = 1", "\xC3\xBC");
}

/* ------------------------------------------------------------------ others */

static void json_objects_become_columns(void **state)
{
    struct place *place = *state;
    struct schema *schema = open_text(
        place, "p.json",
        "[{\"id\": 1, \"name\": \"Ada\", \"home\": {\"city\": \"Bonn\", \"at\": {\"x\": "
        "1.5}}, \"tags\": [\"a\", \"b\"], \"zip\": \"01234\", \"day\": \"2024-01-31\"},"
        " {\"id\": 2, \"name\": \"Ben \xF0\x9F\x98\x80\"}]");
    expect_types(schema, "p: id BIGINT name VARCHAR home_city VARCHAR home_at_x DOUBLE "
                         "tags VARCHAR[] zip VARCHAR day DATE");
    expect_cell(place, "SELECT home_city FROM p WHERE id = 1", "Bonn");
    expect_cell(place, "SELECT tags FROM p WHERE id = 1", "[\"a\",\"b\"]");
    schema = open_text(place, "q.ndjson",
                       "{\"a\":1,\"b\":{\"c d\":\"x\"}}\nnot json\n{\"a\":2}\n");
    expect_types(schema, "q: a BIGINT b_c d VARCHAR");
    expect_warning(schema, "q: 1 row was left out (line 2 is no JSON)");
    expect_cell(place, "SELECT count(*) FROM q", "2");
    PUT(place, "r.json", "[{\"a\": 1}");
    expect_refusal(place, "r.json", ERR_NOT_A_DATABASE, "cannot be read as JSON");
}

static void folder_is_a_database(void **state)
{
    struct place *place = *state;
    assert_int_equal(mkdir(at(place, "data"), 0700), 0);
    PUT(place, "data/orders.csv", "id,customer_id\n1,7\n2,8\n");
    PUT(place, "data/customers.json", "[{\"id\": 7, \"name\": \"Ada\"}]");
    PUT(place, "data/broken.parquet", "PAR1 but nothing more");
    PUT(place, "data/readme.txt", "not a table");
    PUT(place, "secret.csv", "password\nhunter2\n");
    assert_int_equal(symlink(at(place, "secret.csv"), at(place, "data/link.csv")), 0);
    struct schema *schema = open_path(place, at(place, "data"));
    expect_types(
        schema,
        "customers: id BIGINT name VARCHAR; orders: id BIGINT customer_id BIGINT");
    expect_warning(schema, "'link.csv' leads out of the folder");
    expect_warning(schema, "'broken.parquet' cannot be read as Parquet");
    expect_cell(place,
                "SELECT name FROM orders JOIN customers ON customers.id = customer_id",
                "Ada");
    schema = open_path(place, at(place, "data/*.csv"));
    expect_types(schema, "orders: id BIGINT customer_id BIGINT");
    schema =
        open_path(place, arena_format(place->arena, "%s,%s", at(place, "data/orders.csv"),
                                      at(place, "secret.csv")));
    expect_types(schema,
                 "orders: id BIGINT customer_id BIGINT; secret: password VARCHAR");
    schema = open_path(place, arena_format(place->arena, "files:%s", at(place, "data")));
    assert_int_equal(schema->tables.count, 2);
}

/* ------------------------------------------------------------------ freshness */

static void changed_file_is_read_anew(void **state)
{
    struct place *place = *state;
    char before[33];
    char after[33];
    (void)open_text(place, "t.csv", "id\n1\n2\n");
    expect_cell(place, "SELECT sum(id) FROM t", "3");
    place_signature(place, before);
    struct timespec times[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    assert_int_equal(utimensat(AT_FDCWD, at(place, "t.csv"), times, 0), 0);
    place_signature(place, after);
    assert_string_equal(before, after); /* what it holds is the same */
    PUT(place, "t.csv", "id\n1\n5\n");  /* as long as before */
    place_signature(place, after);
    assert_string_not_equal(before, after);
    expect_cell(place, "SELECT sum(id) FROM t", "6");
    assert_int_equal(unlink(at(place, "t.csv")), 0);
    struct err err;
    struct rows rows;
    err_clear(&err);
    rows_init(&rows, place->arena);
    assert_false(
        datasource_execute(place->source, "SELECT 1 FROM t", NULL, NULL, &rows, &err));
    assert_int_equal(err.code, ERR_DATASOURCE_NOT_FOUND);
    PUT(place, "t.csv", "id,x\n1,2\n");
    expect_cell(place, "SELECT x FROM t", "2");
}

static void new_file_in_a_folder_is_a_table(void **state)
{
    struct place *place = *state;
    assert_int_equal(mkdir(at(place, "data"), 0700), 0);
    PUT(place, "data/a.csv", "id\n1\n");
    char before[33];
    char after[33];
    (void)open_path(place, at(place, "data"));
    place_signature(place, before);
    PUT(place, "data/b.csv", "id\n2\n");
    place_signature(place, after);
    assert_string_not_equal(before, after);
    expect_cell(place, "SELECT sum(b.id) FROM a, b", "2");
}

static void large_file_is_read_where_it_lies(void **state)
{
    struct place *place = *state;
    struct buf text;
    buf_init(&text, 1 << 22);
    (void)buf_text(&text, "id;amount;day\n");
    for (int i = 1; i <= 60000; i++) {
        (void)buf_format(&text, "%d;%d,50;2024-01-%02d\n", i, i % 10, i % 28 + 1);
    }
    (void)buf_text(&text, "60001;1,5\n");
    place->options->files_load_mb = 0;
    struct schema *schema = open_text(place, "big.csv", buf_get(&text));
    buf_release(&text);
    expect_types(schema, "big: id BIGINT amount DECIMAL(18,2) day DATE");
    expect_warning(schema, "big: 1 row was left out (line 60002");
    expect_warning(schema, "big: the file is large");
    expect_cell(place, "SELECT count(*) FROM big", "60000");
    expect_cell(place, "SELECT sum(amount) FROM big", "300000.00");
    static const char *const attacks[] = {
        "SELECT * FROM read_csv('/dev/fd/3')", "SELECT * FROM '/etc/passwd'",
        "COPY big TO '/dev/fd/1'", "SELECT sql FROM duckdb_views()"};
    for (size_t i = 0; i < sizeof attacks / sizeof *attacks; i++) {
        struct err err;
        assert_false(place_raw(place, attacks[i], NULL, NULL, &err));
    }
    PUT(place, "big.csv", "id;amount\n1;2,5\n");
    expect_cell(place, "SELECT sum(amount) FROM big", "2.5");
}

static void reading_ends_at_its_deadline(void **state)
{
    struct place *place = *state;
    struct buf text;
    buf_init(&text, 1 << 24);
    (void)buf_text(&text, "id,name\n");
    for (int i = 1; i <= 200000; i++) {
        (void)buf_format(&text, "%d,name of row number %d\n", i, i);
    }
    struct err err;
    put(place, "t.csv", buf_get(&text), text.size);
    buf_release(&text);
    assert_non_null(place_try_open(place, at(place, "t.csv"), &err));
    struct datasource_limits limits = {
        .deadline_ms = clock_ms() + 30, .max_rows = 10, .max_bytes = 1 << 20};
    assert_false(place_raw(place, "SELECT count(*) FROM t", &limits, NULL, &err));
    assert_int_equal(err.code, ERR_TIMEOUT);
    expect_cell(place, "SELECT count(*) FROM t", "200000");
}

/* ------------------------------------------------------------------ hostile */

static void wrong_files_are_named_for_what_they_are(void **state)
{
    struct place *place = *state;
    PUT(place, "empty.csv", "");
    expect_refusal(place, "empty.csv", ERR_NOT_A_DATABASE, "is empty");
    PUT(place, "binary.csv", "\1\2\3\4\5\6\7\x08\1\2\3\4\5\6\7\x08");
    expect_refusal(place, "binary.csv", ERR_NOT_A_DATABASE, "not a file that can be");
    PUT(place, "old.xls", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1");
    expect_refusal(place, "old.xls", ERR_NOT_A_DATABASE, "Save it as .xlsx");
    PUT(place, "new.ods", "not a table");
    expect_refusal(place, "new.ods", ERR_NOT_A_DATABASE, "Tables are .csv");
    PUT(place, "shop.csv", "SQLite format 3\0 and so on");
    expect_refusal(place, "shop.csv", ERR_NOT_A_DATABASE, "ends in .db");
    PUT(place, "x.parquet", "id,name\n1,2\n");
    expect_refusal(place, "x.parquet", ERR_NOT_A_DATABASE, "not a Parquet file");
    PUT(place, "x.xlsx", "id,name\n1,2\n");
    expect_refusal(place, "x.xlsx", ERR_NOT_A_DATABASE, "not a spreadsheet");
    assert_int_equal(mkdir(at(place, "none"), 0700), 0);
    expect_refusal(place, "none", ERR_NOT_A_DATABASE, "a folder without");
    expect_refusal(place, "nothing.csv", ERR_DATASOURCE_NOT_FOUND, "no file");
    expect_refusal(place, "*.json", ERR_DATASOURCE_NOT_FOUND, "No file fits");
}

static void names_of_files_mean_nothing_to_the_engine(void **state)
{
    struct place *place = *state;
    PUT(place, "other.csv", "id\n1\n");
    PUT(place, "o*.csv", "id\n7\n");
    (void)open_path(place, at(place, "o*.csv"));
    expect_cell(place, "SELECT sum(id) FROM o", "7");
    PUT(place, "it's; DROP TABLE x--.csv", "a'b,\"say \"\"hi\"\"\"\n1,2\n");
    struct schema *schema = open_path(place, at(place, "it's; DROP TABLE x--.csv"));
    expect_types(schema, "it_s_DROP_TABLE_x: a'b BIGINT say \"hi\" BIGINT");
    expect_cell(place, "SELECT \"a'b\" FROM it_s_DROP_TABLE_x", "1");
}

static void hostile_shapes_are_bounded(void **state)
{
    struct place *place = *state;
    struct buf text;
    buf_init(&text, 16 << 20);
    for (int i = 0; i < 100000; i++) {
        (void)buf_format(&text, "%sc%d", i ? "," : "", i);
    }
    (void)buf_text(&text, "\n1\n");
    put(place, "wide.csv", buf_get(&text), text.size);
    expect_refusal(place, "wide.csv", ERR_NOT_A_DATABASE, "files.max_columns");
    buf_clear(&text);
    (void)buf_text(&text, "id,x\n1,");
    for (int i = 0; i < 5 << 19; i++) {
        (void)buf_char(&text, 'y');
    }
    (void)buf_text(&text, "\n2,c\n");
    struct schema *schema = open_text(place, "long.csv", buf_get(&text));
    expect_warning(schema, "1 row was left out (line 2: a line that is too long)");
    expect_cell(place, "SELECT count(*) FROM long", "1");
    buf_release(&text);
    PUT(place, "zeros.csv", "id,x,and,more\n1,a\0b,2,3\n2,c,3,4\n");
    schema = open_path(place, at(place, "zeros.csv"));
    expect_warning(schema, "holds NUL bytes");
    expect_cell(place, "SELECT count(*) FROM zeros", "2");
    buf_init(&text, 16 << 20);
    for (int i = 0; i < 100000; i++) { /* would end the process by its stack */
        (void)buf_char(&text, '[');
    }
    put(place, "deep.json", buf_get(&text), text.size);
    buf_release(&text);
    expect_refusal(place, "deep.json", ERR_NOT_A_DATABASE, "levels deep");
    /* a formula is a text like any other */
    (void)open_text(place, "f.csv", "a,b\n\"=HYPERLINK(\"\"http://x\"\")\",1\n@x,2\n");
    expect_cell(place, "SELECT a FROM f WHERE b = 1", "=HYPERLINK(\"http://x\")");
}

int suite_files(void)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(every_type_is_found),
        PLACE_TEST(other_countries_write_otherwise),
        PLACE_TEST(bad_rows_and_cells_are_told),
        PLACE_TEST(headings_are_found_and_made_good),
        PLACE_TEST(encodings_are_found),
        PLACE_TEST(json_objects_become_columns),
        PLACE_TEST(folder_is_a_database),
        PLACE_TEST(changed_file_is_read_anew),
        PLACE_TEST(new_file_in_a_folder_is_a_table),
        PLACE_TEST(large_file_is_read_where_it_lies),
        PLACE_TEST(reading_ends_at_its_deadline),
        PLACE_TEST(wrong_files_are_named_for_what_they_are),
        PLACE_TEST(names_of_files_mean_nothing_to_the_engine),
        PLACE_TEST(hostile_shapes_are_bounded),
    };
    return cmocka_run_group_tests_name("files", tests, NULL, NULL);
}
