/* Spreadsheets as dictionaries: real files made here, and hostile ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "datasource/dictionary/dictionary.h"

#ifdef DRAGOMAN_HAS_XLSX
#include <zip.h>

struct part {
    const char *path;
    const char *xml;
    size_t size; /* 0: its length */
};

struct book {
    char *data;
    size_t size;
};

/* A zip of these parts, in memory, as a spreadsheet program would write it. */
static struct book pack(const struct part *parts, size_t count)
{
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t *source = zip_source_buffer_create(NULL, 0, 0, &error);
    zip_t *zip = zip_open_from_source(source, ZIP_TRUNCATE, &error);
    assert_non_null(zip);
    zip_source_keep(source);
    for (size_t i = 0; i < count; i++) {
        size_t size = parts[i].size ? parts[i].size : strlen(parts[i].xml);
        zip_source_t *text = zip_source_buffer(zip, parts[i].xml, size, 0);
        assert_true(zip_file_add(zip, parts[i].path, text, 0) >= 0);
    }
    assert_int_equal(zip_close(zip), 0);
    struct book book = {0};
    struct zip_stat about;
    assert_int_equal(zip_source_stat(source, &about), 0);
    book.size = (size_t)about.size;
    book.data = malloc(book.size);
    assert_int_equal(zip_source_open(source), 0);
    assert_int_equal(zip_source_read(source, book.data, book.size),
                     (zip_int64_t)book.size);
    (void)zip_source_close(source);
    zip_source_free(source);
    zip_error_fini(&error);
    return book;
}

#define HEAD   "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
#define OFFICE "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
#define MAIN   "http://schemas.openxmlformats.org/spreadsheetml/2006/main"

static const char root_relations[] =
    HEAD "<Relationships><Relationship Id=\"rId1\" Type=\"" OFFICE
         "/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>";
static const char workbook[] =
    HEAD "<workbook xmlns=\"" MAIN "\" xmlns:r=\"" OFFICE "\"><sheets>"
         "<sheet name=\"Schema\" sheetId=\"1\" r:id=\"rId7\"/>"
         "<sheet name=\"Secret\" sheetId=\"2\" state=\"hidden\" r:id=\"rId9\"/>"
         "<sheet name=\"order_items\" sheetId=\"3\" r:id=\"rId8\"/></sheets></workbook>";
static const char workbook_relations[] =
    HEAD "<Relationships>"
         "<Relationship Id=\"rId7\" Type=\"" OFFICE
         "/worksheet\" Target=\"worksheets/sheet1.xml\"/>"
         "<Relationship Id=\"rId8\" Type=\"" OFFICE
         "/worksheet\" Target=\"/xl/worksheets/sheet2.xml\"/>"
         "<Relationship Id=\"rId1\" Type=\"" OFFICE
         "/sharedStrings\" Target=\"sharedStrings.xml\"/></Relationships>";
static const char shared[] =
    HEAD "<sst xmlns=\"" MAIN "\"><si><t>Schema Name</t></si><si><t>Actual Name</t></si>"
         "<si><t xml:space=\"preserve\">Column </t></si><si><t>Description</t></si>"
         "<si><r><t>Peo</t></r><r><rPr><b/></rPr><t>ple &amp; firms</t></r>"
         "<rPh sb=\"0\" eb=\"1\"><t>read so</t></rPh></si></sst>";
/* a title row, cells left out, inline and shared texts, numbers and booleans */
static const char sheet1[] =
    HEAD "<worksheet xmlns=\"" MAIN "\"><cols/><sheetData>"
         "<row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>Our data</t></is></c></row>"
         "<row r=\"3\"><c r=\"A3\" t=\"s\"><v>0</v></c><c r=\"B3\" t=\"s\"><v>2</v></c>"
         "<c r=\"C3\" t=\"s\"><v>1</v></c><c r=\"D3\" t=\"s\"><v>3</v></c>"
         "<c r=\"F3\" t=\"str\"><v>Values</v></c></row>"
         "<row r=\"4\"><c r=\"A4\" t=\"inlineStr\"><is><t>customers</t></is></c>"
         "<c r=\"C4\" t=\"inlineStr\"><is><t>PROD_Customers</t></is></c>"
         "<c r=\"D4\" t=\"s\"><v>4</v></c></row>"
         "<row r=\"5\"><c r=\"B5\" t=\"inlineStr\"><is><t>status</t></is></c>"
         "<c r=\"C5\" t=\"inlineStr\"><is><t>st</t></is></c><c r=\"D5\" t=\"e\">"
         "<v>#N/A</v></c><c r=\"F5\" t=\"inlineStr\"><is><t>1 = active\n2 = "
         "closed</t></is></c></row></sheetData></worksheet>";
/* the sheet's name is the table; prefixes as strict writers have them */
static const char sheet2[] =
    HEAD "<x:worksheet xmlns:x=\"" MAIN "\"><x:sheetData>"
         "<x:row><x:c t=\"inlineStr\"><x:is><x:t>Field</x:t></x:is></x:c>"
         "<x:c t=\"inlineStr\"><x:is><x:t>Comment</x:t></x:is></x:c></x:row>"
         "<x:row><x:c t=\"inlineStr\"><x:is><x:t>quantity</x:t></x:is></x:c>"
         "<x:c><x:v>12.5</x:v></x:c></x:row></x:sheetData></x:worksheet>";

static const struct part good[] = {
    {"_rels/.rels", root_relations, 0},
    {"xl/workbook.xml", workbook, 0},
    {"xl/_rels/workbook.xml.rels", workbook_relations, 0},
    {"xl/sharedStrings.xml", shared, 0},
    {"xl/worksheets/sheet1.xml", sheet1, 0},
    {"xl/worksheets/sheet2.xml", sheet2, 0},
};
enum { GOOD = sizeof good / sizeof *good };

static bool read_book(struct arena *arena, struct book book, struct dictionary *out,
                      struct err *err)
{
    err_clear(err);
    return dictionary_parse(arena, DICTIONARY_XLSX, book.data, book.size, out, err);
}

static void a_schema_in_a_spreadsheet(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct dictionary dictionary;
    struct err err;
    struct book book = pack(good, GOOD);
    if (!read_book(arena, book, &dictionary, &err)) {
        fail_msg("%s", err.message);
    }
    struct schema *schema = schema_new();
    struct table *table = schema_add_table(schema, "PROD_Customers");
    (void)table_add_column(schema, table, "st", "INTEGER");
    table = schema_add_table(schema, "order_items");
    (void)table_add_column(schema, table, "quantity", "INTEGER");
    dictionary_merge(&dictionary, schema);
    table = schema_table(schema, "PROD_Customers");
    assert_string_equal(table->comment, "People & firms");
    assert_int_equal(table->synonyms.count, 1);
    assert_string_equal(table->synonyms.items[0], "customers");
    const struct column *status = table_column(table, "st");
    assert_null(status->comment);
    assert_string_equal(status->synonyms.items[0], "status");
    assert_int_equal(status->meanings.count, 2);
    assert_string_equal(status->meanings.items[1].text, "closed");
    table = schema_table(schema, "order_items");
    assert_string_equal(table_column(table, "quantity")->comment, "12.5");
    assert_int_equal(schema->warnings.count, 0);
    schema_unref(schema);
    free(book.data);
    arena_free(arena);
}

/* Every cut of the file, and every byte of its ends changed: refused or read, no fall. */
static void damaged_files(void **state)
{
    (void)state;
    struct book book = pack(good, GOOD);
    struct dictionary dictionary;
    struct err err;
    for (size_t size = 0; size < book.size; size += size < 200 ? 1 : 7) {
        struct arena *arena = arena_new();
        char *cut = malloc(size + 1); /* so that a look past the end is seen */
        memcpy(cut, book.data, size);
        assert_false(read_book(arena, (struct book){cut, size}, &dictionary, &err));
        assert_int_equal(err.code, ERR_INVALID_DATA);
        free(cut);
        arena_free(arena);
    }
    for (size_t at = 0; at < book.size; at += 3) {
        struct arena *arena = arena_new();
        char kept = book.data[at];
        book.data[at] = (char)(kept ^ 0x55);
        (void)read_book(arena, book, &dictionary, &err);
        book.data[at] = kept;
        arena_free(arena);
    }
    free(book.data);
}

static void refuse(const struct part *parts, size_t count, const char *reason)
{
    struct arena *arena = arena_new();
    struct dictionary dictionary;
    struct err err;
    struct book book = pack(parts, count);
    assert_false(read_book(arena, book, &dictionary, &err));
    if (!strstr(err.message, reason)) {
        fail_msg("%s, not %s", err.message, reason);
    }
    free(book.data);
    arena_free(arena);
}

/* The good file with one part replaced. */
static void refuse_part(size_t number, const char *xml, size_t size, const char *reason)
{
    struct part parts[GOOD];
    memcpy(parts, good, sizeof parts);
    parts[number].xml = xml;
    parts[number].size = size;
    refuse(parts, GOOD, reason);
}

static void entities_are_refused(void **state)
{
    (void)state;
    refuse_part(3,
                "<!DOCTYPE l [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;\">"
                "<!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;\">]><sst><si><t>&c;</t></si></sst>",
                0, "document type");
    refuse_part(
        4,
        "<!DOCTYPE l [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>"
        "<worksheet><sheetData><row><c><v>&a;</v></c></row></sheetData></worksheet>",
        0, "document type");
}

static void deep_nesting_is_refused(void **state)
{
    (void)state;
    struct buf xml;
    buf_init(&xml, 1 << 20);
    for (int i = 0; i < 100000; i++) {
        (void)buf_text(&xml, "<a>");
    }
    refuse_part(4, buf_get(&xml), xml.size, "levels deep");
    buf_release(&xml);
}

static void bombs_are_refused(void **state)
{
    (void)state;
    size_t size = (size_t)80 << 20;
    char *blanks = malloc(size);
    memset(blanks, ' ', size);
    refuse_part(4, blanks, size, "unpacks to far more");
    /* smaller than any part may be, but far larger than its packed form */
    refuse_part(4, blanks, (size_t)8 << 20, "unpacks to far more");
    free(blanks);
}

static void a_million_rows_are_refused(void **state)
{
    (void)state;
    struct buf xml;
    buf_init(&xml, (size_t)60 << 20);
    (void)buf_text(&xml, "<worksheet><sheetData>");
    for (unsigned i = 0; i < 1000000; i++) { /* not all alike, or it is a bomb */
        (void)buf_format(&xml, "<row><c><v>%x</v></c></row>", i * 2654435761U);
    }
    refuse_part(4, buf_get(&xml), xml.size, "more than 100000 rows");
    buf_release(&xml);
}

static void what_is_no_spreadsheet(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct dictionary dictionary;
    struct err err;
    char old[] = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1 and more";
    char text[] = "table,column\n";
    assert_false(read_book(arena, (struct book){old, sizeof old}, &dictionary, &err));
    assert_non_null(strstr(err.message, "old .xls"));
    assert_false(read_book(arena, (struct book){text, sizeof text}, &dictionary, &err));
    assert_non_null(strstr(err.message, "not an XLSX"));
    arena_free(arena);
    refuse((struct part[]){{"word/document.xml", "<a/>", 0}}, 1, "no 'xl/workbook.xml'");
    refuse_part(2, "<Relationships/>", 0, "sheet 'Schema' is missing");
    refuse_part(4, "<worksheet><sheetData><row>", 0, "damaged");
    refuse_part(4, "", 1, "damaged");
    refuse_part(1, "<workbook/>", 0, "No sheet");
}

/* Places and numbers that point nowhere. */
static void odd_cells(void **state)
{
    (void)state;
    struct part parts[GOOD];
    memcpy(parts, good, sizeof parts);
    parts[4].xml =
        "<worksheet><sheetData><c r=\"A1\"><v>1</v></c><row><c r=\"A1\" t=\"s\">"
        "<v>99999999999</v></c><c r=\"B1\" t=\"s\"><v>-1</v></c><c "
        "r=\"XFD1\"><v>1</v></c>"
        "<c r=\"ZZZZZZZZZZZZZZZZ1\"><v>1</v></c><c><v>1</v></c><c r=\"\"/><row/></row>"
        "</sheetData></worksheet>";
    struct arena *arena = arena_new();
    struct dictionary dictionary;
    struct err err;
    struct book book = pack(parts, GOOD);
    assert_true(read_book(arena, book, &dictionary, &err)); /* by its other sheet */
    assert_int_equal(dictionary.entries.count, 1);
    free(book.data);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_schema_in_a_spreadsheet),
        cmocka_unit_test(damaged_files),
        cmocka_unit_test(entities_are_refused),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(bombs_are_refused),
        cmocka_unit_test(a_million_rows_are_refused),
        cmocka_unit_test(what_is_no_spreadsheet),
        cmocka_unit_test(odd_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void a_build_without_it_says_so(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct dictionary dictionary;
    struct err err;
    assert_false(dictionary_parse(arena, DICTIONARY_XLSX, "PK", 2, &dictionary, &err));
    assert_non_null(strstr(err.message, "libzip-dev"));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_build_without_it_says_so)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
