/* Spreadsheets opened as tables: dates by their style, titles, sheets, hostile books. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(DRAGOMAN_HAS_XLSX) && defined(DRAGOMAN_HAS_DUCKDB)
#include <zip.h>

#include "base/arena.h"
#include "base/buf.h"
#include "datasource/datasource.h"

#define OFFICE "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
#define TEXT(place, text)                                                                \
    "<c r=\"" place "\" t=\"inlineStr\"><is><t>" text "</t></is></c>"
#define CELL(place, more, value) "<c r=\"" place "\"" more "><v>" value "</v></c>"

static const char styles[] =
    "<styleSheet><numFmts><numFmt numFmtId=\"164\" formatCode=\"dd&quot;h&quot;mm yyyy "
    "hh:mm\"/><numFmt numFmtId=\"165\" formatCode=\"#,##0.00 [$EUR-407]\"/>"
    "<numFmt numFmtId=\"166\" formatCode=\"[h]:mm\"/></numFmts>"
    "<cellStyleXfs><xf numFmtId=\"14\"/></cellStyleXfs><cellXfs><xf numFmtId=\"0\"/>"
    "<xf numFmtId=\"14\"/><xf numFmtId=\"164\"/><xf numFmtId=\"165\"/>"
    "<xf numFmtId=\"20\"/><xf numFmtId=\"166\"/></cellXfs></styleSheet>";

static const char sheet[] =
    "<worksheet><sheetData>"
    "<row r=\"1\">" TEXT(
        "B1",
        "Sales 2024") "</row>"
                      "<row r=\"3\">" CELL("B3", " t=\"s\"", "0") TEXT(
                          "C3", "Amount") TEXT("D3", "Day") TEXT("E3", "At") TEXT("F3",
                                                                                  "Open")
                          TEXT("G3", "Zip") TEXT("H3", "Clock") TEXT("I3", "Hours") CELL(
                              "J3", "",
                              "2024") "</row>"
                                      "<row r=\"4\">" CELL("B4", " t=\"s\"", "1") CELL(
                                          "C4", " s=\"3\"", "12.300000000000001")
                                          CELL("D4", " s=\"1\"", "45322") CELL(
                                              "E4", " s=\"2\"",
                                              "45322.5") CELL("F4", " t=\"b\"", "1")
                                              TEXT("G4", "01234") CELL(
                                                  "H4", " s=\"4\"",
                                                  "0.4375") CELL("I4", " s=\"5\"", "1.5")
                                                  CELL("J4", "",
                                                       "7") "</row>"
                                                            "<row r=\"5\"><c r=\"B5\" "
                                                            "t=\"str\"><f>UPPER(\"bob\")<"
                                                            "/f><v>BOB</v></c>"
                                                            "<c "
                                                            "r=\"C5\"><f>1+1</f><v>2</"
                                                            "v></c>" CELL(
                                                                "D5", " s=\"1\"",
                                                                "59") CELL("E5",
                                                                           " t=\"e\"",
                                                                           "#N/A")
                                                                CELL("F5", " t=\"b\"",
                                                                     "0") "</row><row "
                                                                          "r=\"6\"/>"
                                                                          "</sheetData></"
                                                                          "worksheet>";

struct spot {
    char folder[64];
    char path[128];
    struct arena *arena;
    struct options *options;
    struct datasource *source;
    struct schema *schema;
};

static int spot_setup(void **state)
{
    struct spot *spot = calloc(1, sizeof *spot);
    (void)snprintf(spot->folder, sizeof spot->folder, "/tmp/dragoman-XXXXXX");
    assert_non_null(mkdtemp(spot->folder));
    (void)snprintf(spot->path, sizeof spot->path, "%s/book.xlsx", spot->folder);
    spot->arena = arena_new();
    spot->options = options_new();
    *state = spot;
    return 0;
}

static int spot_teardown(void **state)
{
    struct spot *spot = *state;
    schema_unref(spot->schema);
    datasource_close(spot->source);
    options_free(spot->options);
    arena_free(spot->arena);
    (void)unlink(spot->path);
    (void)rmdir(spot->folder);
    free(spot);
    return 0;
}

static void add(zip_t *zip, const char *path, const char *xml)
{
    zip_source_t *text = zip_source_buffer(zip, xml, strlen(xml), 0);
    assert_true(zip_file_add(zip, path, text, 0) >= 0);
}

/* A book with these sheets: name, state, XML; ended by a NULL name. */
static void book_write(struct spot *spot, const char *about,
                       const char *const sheets[][3])
{
    struct buf list;
    struct buf relations;
    zip_t *zip = zip_open(spot->path, ZIP_CREATE | ZIP_TRUNCATE, NULL);
    assert_non_null(zip);
    buf_init(&list, 1 << 16);
    buf_init(&relations, 1 << 16);
    (void)buf_format(&list, "<workbook xmlns:r=\"" OFFICE "\">%s<sheets>", about);
    (void)buf_text(&relations, "<Relationships><Relationship Id=\"s\" Type=\"" OFFICE
                               "/styles\" Target=\"styles.xml\"/>");
    for (int i = 0; sheets[i][0]; i++) {
        (void)buf_format(&list, "<sheet name=\"%s\" state=\"%s\" r:id=\"r%d\"/>",
                         sheets[i][0], sheets[i][1], i);
        (void)buf_format(&relations,
                         "<Relationship Id=\"r%d\" Type=\"" OFFICE
                         "/worksheet\" Target=\"sheet%d.xml\"/>",
                         i, i);
        add(zip, arena_format(spot->arena, "xl/sheet%d.xml", i), sheets[i][2]);
    }
    (void)buf_text(&list, "</sheets></workbook>");
    (void)buf_text(&relations, "</Relationships>");
    add(zip, "xl/workbook.xml", buf_get(&list));
    add(zip, "xl/_rels/workbook.xml.rels", buf_get(&relations));
    add(zip, "xl/styles.xml", styles);
    add(zip, "xl/sharedStrings.xml",
        "<sst><si><t>Name</t></si><si><r><t>A</t></r><r><t>da</t></r></si></sst>");
    assert_int_equal(zip_close(zip), 0);
    buf_release(&list);
    buf_release(&relations);
}

static bool book_open(struct spot *spot, struct err *err)
{
    const struct datasource_setting setting = {.id = "book", .url = spot->path};
    err_clear(err);
    schema_unref(spot->schema);
    spot->schema = NULL;
    datasource_close(spot->source);
    spot->source = datasource_open(&setting, spot->options, err);
    spot->schema = spot->source ? datasource_describe(spot->source, NULL, err) : NULL;
    return spot->schema != NULL;
}

static void expect_tables(struct spot *spot, const char *expected)
{
    struct err err;
    if (!book_open(spot, &err)) {
        fail_msg("%s (%s)", err.message, err.detail);
    }
    struct buf text;
    buf_init(&text, 1 << 16);
    for (size_t t = 0; t < spot->schema->tables.count; t++) {
        const struct table *table = &spot->schema->tables.items[t];
        (void)buf_format(&text, "%s%s:", t ? "; " : "", table->name);
        for (size_t i = 0; i < table->columns.count; i++) {
            (void)buf_format(&text, " %s %s", table->columns.items[i].name,
                             table->columns.items[i].type);
        }
    }
    const char *found = buf_clone(&text, spot->arena);
    buf_release(&text);
    assert_string_equal(found, expected);
}

static void expect_row(struct spot *spot, const char *sql, const char *expected)
{
    struct rows rows;
    struct err err;
    struct buf text;
    err_clear(&err);
    rows_init(&rows, spot->arena);
    if (!datasource_execute(spot->source, sql, spot->schema, NULL, &rows, &err)) {
        fail_msg("%s (%s)", err.message, err.detail);
    }
    buf_init(&text, 1 << 16);
    for (size_t i = 0; i < rows.column_count; i++) {
        (void)buf_text(&text, i ? "|" : "");
        value_print(&text, rows_cell(&rows, 0, i));
    }
    const char *found = buf_clone(&text, spot->arena);
    buf_release(&text);
    assert_string_equal(found, expected);
}

#define COLUMNS                                                                          \
    " Name VARCHAR Amount DECIMAL(18,1) Day DATE At TIMESTAMP Open BOOLEAN Zip VARCHAR " \
    "Clock TIME Hours DECIMAL(18,1) 2024 BIGINT"

static void a_sheet_is_a_table_below_its_titles(void **state)
{
    struct spot *spot = *state;
    static const char *const sheets[][3] = {{"Sheet1", "visible", sheet}, {NULL}};
    book_write(spot, "", sheets);
    expect_tables(spot, "book:" COLUMNS);
    expect_row(spot, "SELECT * FROM book WHERE Name = 'Ada'",
               "Ada|12.3|2024-01-31|2024-01-31 12:00:00|true|01234|10:30:00|1.5|7");
    /* the leap day of 1900 that never was, a formula, an error */
    expect_row(spot, "SELECT Name, Amount, Day, \"At\" FROM book WHERE NOT Open",
               "BOB|2.0|1900-02-28|");
    assert_int_equal(spot->schema->warnings.count, 0);
}

static void sheets_have_names_and_some_are_hidden(void **state)
{
    struct spot *spot = *state;
    static const char *const sheets[][3] = {
        {"North &amp; East", "visible", sheet},
        {"Secret", "veryHidden", sheet},
        {"Void", "visible", "<worksheet><sheetData/></worksheet>"},
        {NULL}};
    book_write(spot, "<workbookPr date1904=\"1\"/>", sheets);
    expect_tables(spot, "North_East:" COLUMNS);
    expect_row(spot, "SELECT min(Day), max(Day) FROM North_East",
               "1904-02-29|2028-02-01");
    assert_int_equal(spot->schema->warnings.count, 2);
    assert_non_null(strstr(spot->schema->warnings.items[0], "'Secret' is hidden"));
    assert_non_null(strstr(spot->schema->warnings.items[1], "'Void' is empty"));
}

static void tables_without_a_heading(void **state)
{
    struct spot *spot = *state;
    static const char *const sheets[][3] = {
        {"A", "visible",
         "<worksheet><sheetData><row>" CELL("A1", "", "1")
             TEXT("B1", "x") "</row><row>" CELL("A2", "", "2") TEXT("B2", "y")
                 CELL("E2", "", "9") "</row></sheetData></worksheet>"},
        {NULL}};
    book_write(spot, "", sheets);
    expect_tables(spot, "book: column1 BIGINT column2 VARCHAR column3 VARCHAR column4 "
                        "VARCHAR column5 BIGINT");
    assert_non_null(strstr(spot->schema->warnings.items[0], "there is no heading"));
}

/* A row whose second cell has so many letters, not all alike: else it is a bomb. */
static void long_row(struct buf *out, int number, size_t size)
{
    unsigned seed = (unsigned)number;
    (void)buf_format(out, "<row r=\"%d\">", number);
    (void)buf_format(out, CELL("A%d", "", "%d"), number, number);
    (void)buf_format(out, "<c r=\"B%d\" t=\"inlineStr\"><is><t>", number);
    for (size_t i = 0; i + 2 <= size; i += 2) { /* two bytes each */
        seed = seed * 1103515245U + 12345;
        (void)buf_char(out, (char)0xC3);
        (void)buf_char(out, (char)(0xA0 + (seed >> 16) % 30));
    }
    (void)buf_text(out, "</t></is></c></row>");
}

static void long_cells_are_whole_or_told(void **state)
{
    struct spot *spot = *state;
    struct buf text;
    buf_init(&text, 16 << 20);
    (void)buf_text(&text, "<worksheet><sheetData><row>" TEXT("A1", "Id")
                              TEXT("B1", "Note") "</row>");
    long_row(&text, 2, 1000000);
    (void)buf_text(&text, "</sheetData></worksheet>");
    const char *const whole[][3] = {{"Notes", "visible", buf_get(&text)}, {NULL}};
    book_write(spot, "", whole);
    expect_tables(spot, "book: Id BIGINT Note VARCHAR");
    expect_row(spot, "SELECT Id, length(Note) FROM book", "2|500000");
    assert_int_equal(spot->schema->warnings.count, 0);
    text.size -= strlen("</sheetData></worksheet>");
    long_row(&text, 3, 1048578);
    long_row(&text, 4, 1500000);
    (void)buf_text(&text, "</sheetData></worksheet>");
    const char *const cut[][3] = {{"Notes", "visible", buf_get(&text)}, {NULL}};
    book_write(spot, "", cut);
    expect_tables(spot, "book: Id BIGINT Note VARCHAR");
    expect_row(spot, "SELECT min(length(Note)), max(length(Note)) FROM book",
               "500000|524288");
    assert_int_equal(spot->schema->warnings.count, 1);
    assert_non_null(strstr(spot->schema->warnings.items[0],
                           "2 cells are longer than 1048576 bytes and were cut there, "
                           "the first is B3 of the sheet 'Notes'"));
    buf_release(&text);
}

static void hostile_books_are_refused(void **state)
{
    struct spot *spot = *state;
    struct err err;
    struct buf text;
    buf_init(&text, 16 << 20);
    (void)buf_text(&text, "<worksheet><sheetData><row><c><v>");
    for (int i = 0; i < 8 << 20; i++) { /* packs to a thousandth */
        (void)buf_char(&text, '1');
    }
    (void)buf_text(&text, "</v></c></row></sheetData></worksheet>");
    const char *const bomb[][3] = {{"A", "visible", buf_get(&text)}, {NULL}};
    book_write(spot, "", bomb);
    assert_false(book_open(spot, &err));
    assert_int_equal(err.code, ERR_NOT_A_DATABASE);
    assert_non_null(strstr(err.detail, "unpacks to far more"));
    buf_clear(&text);
    (void)buf_text(&text, "<worksheet><sheetData>");
    for (int i = 0; i < 300; i++) {
        (void)buf_format(&text, "<row><c><v>%d</v></c></row>", i);
    }
    (void)buf_text(&text, "</sheetData></worksheet>");
    const char *const rows[][3] = {{"A", "visible", buf_get(&text)}, {NULL}};
    book_write(spot, "", rows);
    spot->options->files_max_sheet_rows = 200;
    assert_false(book_open(spot, &err));
    assert_non_null(strstr(err.detail, "more than 200 rows"));
    buf_release(&text);
    static const char *const outside[][3] = {
        {"A", "visible", "<!DOCTYPE x [<!ENTITY e SYSTEM \"/etc/passwd\">]><x>&e;</x>"},
        {NULL}};
    book_write(spot, "", outside);
    assert_false(book_open(spot, &err));
    assert_non_null(strstr(err.detail, "document type"));
}

#define SPOT_TEST(test) cmocka_unit_test_setup_teardown(test, spot_setup, spot_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SPOT_TEST(a_sheet_is_a_table_below_its_titles),
        SPOT_TEST(sheets_have_names_and_some_are_hidden),
        SPOT_TEST(tables_without_a_heading),
        SPOT_TEST(long_cells_are_whole_or_told),
        SPOT_TEST(hostile_books_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 0; /* nothing to test in a build without it */
}

#endif
