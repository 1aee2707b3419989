/*
 * Looks for dictionaries that make a reader fall, or bring text into a schema that is not
 * bounded and clean. layers: datasource
 *
 * The first byte chooses the form (YAML, CSV, XLSX); the rest is the file. For the fourth
 * choice the rest is the sheet of an otherwise good spreadsheet, so that the reader of
 * sheets is reached without the zip's checksums in the way.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/utf8.h"
#include "datasource/dictionary/dictionary.h"

#ifdef DRAGOMAN_HAS_XLSX
#include <zip.h>
#endif

static void expect(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void check_text(const char *text, size_t most)
{
    size_t size = text ? strlen(text) : 0;
    expect(!text || (size > 0 && size <= most && utf8_valid(text, size, NULL)));
    for (size_t i = 0; i < size; i++) {
        expect((unsigned char)text[i] >= 0x20 && text[i] != 0x7f);
    }
}

static void check_texts(const struct texts *texts)
{
    expect(texts->count <= DICTIONARY_SYNONYMS_MOST);
    for (size_t i = 0; i < texts->count; i++) {
        check_text(texts->items[i], DICTIONARY_NAME_MOST);
    }
}

static struct schema *small_schema(void)
{
    struct schema *schema = schema_new();
    schema->dialect = "sqlite";
    struct table *table = schema_add_table(schema, "t");
    (void)table_add_column(schema, table, "a", "INTEGER");
    (void)table_add_column(schema, table, "b", "TEXT");
    return schema;
}

static void check(const struct dictionary *dictionary)
{
    struct schema *schema = small_schema();
    dictionary_merge(dictionary, schema);
    const struct table *table = &schema->tables.items[0];
    check_text(table->comment, DICTIONARY_TEXT_MOST);
    check_texts(&table->synonyms);
    for (size_t i = 0; i < table->columns.count; i++) {
        const struct column *column = &table->columns.items[i];
        check_text(column->comment, DICTIONARY_TEXT_MOST);
        check_texts(&column->synonyms);
        expect(column->meanings.count <= DICTIONARY_MEANINGS_MOST);
        for (size_t k = 0; k < column->meanings.count; k++) {
            check_text(column->meanings.items[k].value, DICTIONARY_NAME_MOST);
            check_text(column->meanings.items[k].text, DICTIONARY_NAME_MOST);
        }
    }
    for (size_t i = 0; i < table->metrics.count; i++) {
        check_text(table->metrics.items[i].expression, DICTIONARY_EXPRESSION_MOST);
        check_texts(&table->metrics.items[i].synonyms);
    }
    expect(schema->warnings.count <= 21);
    schema_unref(schema);
}

#ifdef DRAGOMAN_HAS_XLSX
static void add_part(zip_t *zip, const char *path, const void *data, size_t size)
{
    zip_source_t *source = zip_source_buffer(zip, data, size, 0);
    zip_int64_t index = zip_file_add(zip, path, source, 0);
    expect(index >= 0);
    (void)zip_set_file_compression(zip, (zip_uint64_t)index, ZIP_CM_STORE, 0);
}

/* Yours to free. */
static char *pack(const uint8_t *sheet, size_t size, size_t *packed)
{
    static const char book[] = "<workbook xmlns:r=\"r\"><sheets><sheet name=\"t\" "
                               "r:id=\"a\"/></sheets></workbook>";
    static const char relations[] =
        "<Relationships><Relationship Id=\"a\" Target=\"s.xml\"/></Relationships>";
    static const char shared[] = "<sst><si><t>column</t></si><si><t>a</t></si>"
                                 "<si><t>description</t></si></sst>";
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t *source = zip_source_buffer_create(NULL, 0, 0, &error);
    zip_t *zip = zip_open_from_source(source, ZIP_TRUNCATE, &error);
    expect(zip != NULL);
    zip_source_keep(source);
    add_part(zip, "xl/workbook.xml", book, sizeof book - 1);
    add_part(zip, "xl/_rels/workbook.xml.rels", relations, sizeof relations - 1);
    add_part(zip, "xl/sharedStrings.xml", shared, sizeof shared - 1);
    add_part(zip, "xl/s.xml", sheet, size);
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
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1) {
        return 0;
    }
    struct arena *arena = arena_new();
    struct dictionary dictionary;
    struct err err;
    const char *file = (const char *)data + 1;
    char *made = NULL;
    size_t length = size - 1;
    unsigned kind = data[0] % 4;
#ifdef DRAGOMAN_HAS_XLSX
    if (kind == 3) {
        file = made = pack(data + 1, size - 1, &length);
    }
#endif
    err_clear(&err);
    if (dictionary_parse(arena, (enum dictionary_kind)(kind == 3 ? 2 : kind), file,
                         length, &dictionary, &err)) {
        check(&dictionary);
    } else {
        expect(err.code != ERR_OK && *err.message);
    }
    free(made);
    arena_free(arena);
    return 0;
}
