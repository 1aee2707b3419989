/*
 * Looks for files that make a reader of tables fall: CSV text whose shape is found, and
 * spreadsheets whose cells are typed. layers: datasource
 *
 * The first byte chooses: the text of a CSV file, a whole spreadsheet, or the sheet or
 * the styles of an otherwise good one, so that they are reached without the zip's
 * checksums in the way.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"

#if defined(DRAGOMAN_HAS_XLSX) && defined(DRAGOMAN_HAS_DUCKDB)
#include <zip.h>

#include "datasource/files/files_driver.h"
#include "datasource/files/xlsx/xlsx.h"

static void expect(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void check_sniff(const char *text, size_t size, bool tabs)
{
    struct arena *arena = arena_new();
    struct files_shape shape;
    size_t lines = 0;
    files_sniff(arena, text, size, tabs, &shape);
    for (size_t i = 0; i < size; i++) {
        lines += text[i] == '\n';
    }
    expect(shape.sign && strchr(",;\t|", shape.sign));
    expect(shape.cells.count >= 1 && shape.skip <= lines);
    for (size_t i = 0; i < shape.cells.count; i++) {
        expect(shape.cells.items[i] != NULL);
    }
    arena_free(arena);
}

struct seen {
    size_t last; /* row */
    size_t shown;
};

static bool take_sheet(void *context, const char *name, struct err *err)
{
    struct seen *seen = context;
    (void)err;
    expect(name && seen->shown > 0);
    return true;
}

/* A date is one that can be read again. */
static bool take_cells(void *context, size_t number, const struct xlsx_cell *cells,
                       size_t count, struct err *err)
{
    struct seen *seen = context;
    (void)err;
    expect(number > 0 && count <= 64);
    seen->last = number;
    for (size_t i = 0; i < count; i++) {
        const char *text = cells[i].text;
        size_t size = text ? strlen(text) : 0;
        expect(!text || size < 400000);
        expect(!text || cells[i].kind != XLSX_BOOLEAN || strcmp(text, "true") == 0 ||
               strcmp(text, "false") == 0);
    }
    return true;
}

static void add_part(zip_t *zip, const char *path, const void *data, size_t size)
{
    zip_source_t *source = zip_source_buffer(zip, data, size, 0);
    zip_int64_t index = zip_file_add(zip, path, source, 0);
    expect(index >= 0);
    (void)zip_set_file_compression(zip, (zip_uint64_t)index, ZIP_CM_STORE, 0);
}

/* Yours to free. */
static char *pack(const uint8_t *part, size_t size, bool styles, size_t *packed)
{
    static const char book[] = "<workbook xmlns:r=\"r\"><sheets><sheet name=\"t\" "
                               "r:id=\"a\"/></sheets></workbook>";
    static const char relations[] =
        "<Relationships><Relationship Id=\"a\" Target=\"s.xml\"/></Relationships>";
    static const char dates[] =
        "<styleSheet><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/>"
        "<xf numFmtId=\"20\"/><xf numFmtId=\"22\"/></cellXfs></styleSheet>";
    static const char sheet[] =
        "<worksheet><sheetData><row><c s=\"0\"><v>1</v></c><c s=\"1\"><v>45322.5</v></c>"
        "<c s=\"2\"><v>0.9999999</v></c><c s=\"3\"><v>1e300</v></c></row></sheetData>"
        "</worksheet>";
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t *source = zip_source_buffer_create(NULL, 0, 0, &error);
    zip_t *zip = zip_open_from_source(source, ZIP_TRUNCATE, &error);
    expect(zip != NULL);
    zip_source_keep(source);
    add_part(zip, "xl/workbook.xml", book, sizeof book - 1);
    add_part(zip, "xl/_rels/workbook.xml.rels", relations, sizeof relations - 1);
    add_part(zip, "xl/styles.xml", styles ? (const void *)part : dates,
             styles ? size : sizeof dates - 1);
    add_part(zip, "xl/s.xml", styles ? sheet : (const void *)part,
             styles ? sizeof sheet - 1 : size);
    expect(zip_close(zip) == 0);
    struct zip_stat about;
    expect(zip_source_stat(source, &about) == 0);
    *packed = (size_t)about.size;
    char *data = malloc(*packed);
    expect(data && zip_source_open(source) == 0 &&
           zip_source_read(source, data, *packed) == (zip_int64_t)*packed);
    (void)zip_source_close(source);
    zip_source_free(source);
    zip_error_fini(&error);
    return data;
}

static void check_book(const char *data, size_t size)
{
    static const struct xlsx_limits limits = {.part_bytes = 1 << 20,
                                              .cell_bytes = XLSX_CELL_USUAL,
                                              .text_bytes = 1 << 20,
                                              .rows = 1000,
                                              .cells = 64,
                                              .sheets = 8};
    struct seen seen = {0};
    struct err err;
    const struct xlsx_sink sink = {
        .sheet = take_sheet, .cells = take_cells, .shown = &seen.shown, .context = &seen};
    err_clear(&err);
    if (!xlsx_read(data, size, &limits, &sink, &err)) {
        expect(err.code != ERR_OK && *err.message);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1) {
        return 0;
    }
    const char *rest = (const char *)data + 1;
    size_t length = size - 1;
    char *made = NULL;
    switch (data[0] % 5) {
    case 0:
    case 1:
        check_sniff(rest, length, data[0] % 5 == 1);
        return 0;
    case 2:
        check_book(rest, length);
        return 0;
    default:
        made = pack(data + 1, size - 1, data[0] % 5 == 3, &length);
        check_book(made, length);
        free(made);
        return 0;
    }
}

#else

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    (void)data;
    (void)size;
    return 0;
}

#endif
