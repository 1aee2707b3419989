/* One part of a workbook: unpacked and parsed as XML, within limits. */
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "datasource/files/xlsx/xlsx_state.h"

enum {
    DEPTH_MOST = 64,
    CHUNK = 16384,
    RATIO_MOST = 400,         /* unpacked to packed: sheets of one text reach 200 */
    RATIO_FROM = 1024 * 1024, /* smaller parts may be anything */
};

static const char *plain_name(const char *name)
{
    const char *colon = strrchr(name, ':');
    return colon ? colon + 1 : name;
}

const char *xlsx_attribute(const char **attributes, const char *name)
{
    for (size_t i = 0; attributes[i]; i += 2) {
        if (strcmp(plain_name(attributes[i]), name) == 0) {
            return attributes[i + 1];
        }
    }
    return NULL;
}

void xlsx_part_stop(struct xlsx_part *part)
{
    part->failed = true;
    (void)part->book->library->xml_StopParser(part->parser, XML_FALSE);
}

static void on_start(void *context, const char *name, const char **attributes)
{
    struct xlsx_part *part = context;
    if (part->failed) {
        return;
    }
    if (++part->depth > DEPTH_MOST) {
        (void)err_set(part->book->err, ERR_INVALID_DATA,
                      "The spreadsheet nests more than %d levels deep.", DEPTH_MOST);
        xlsx_part_stop(part);
        return;
    }
    part->start(part, plain_name(name), attributes);
}

static void on_end(void *context, const char *name)
{
    struct xlsx_part *part = context;
    if (!part->failed) {
        part->depth--;
        part->end(part, plain_name(name));
    }
}

static void on_text(void *context, const char *text, int size)
{
    struct xlsx_part *part = context;
    if (!part->failed && part->text) {
        part->text(part, text, (size_t)size);
    }
}

/* Spreadsheets have none; what has one wants entities, which can grow without end. */
static void on_doctype(void *context, const char *name, const char *system,
                       const char *public, int internal)
{
    struct xlsx_part *part = context;
    (void)name;
    (void)system;
    (void)public;
    (void)internal;
    (void)err_set(part->book->err, ERR_INVALID_DATA,
                  "The spreadsheet holds XML with a document type, which is not read.");
    xlsx_part_stop(part);
}

static bool broken(struct xlsx_part *part)
{
    const struct xlsx_library *library = part->book->library;
    return err_set(part->book->err, ERR_INVALID_DATA,
                   "The spreadsheet is damaged: %s at line %lu of a part.",
                   library->xml_ErrorString(library->xml_GetErrorCode(part->parser)),
                   (unsigned long)library->xml_GetCurrentLineNumber(part->parser));
}

static bool too_large(struct xlsx_part *part)
{
    return err_set(part->book->err, ERR_INVALID_DATA,
                   "The spreadsheet unpacks to far more than it may.");
}

static bool read_file(struct xlsx_part *part, zip_file_t *file, size_t packed)
{
    const struct xlsx_library *library = part->book->library;
    char chunk[CHUNK];
    size_t total = 0;
    for (;;) {
        zip_int64_t got = library->zip_fread(file, chunk, sizeof chunk);
        if (got < 0) {
            return err_set(part->book->err, ERR_INVALID_DATA,
                           "The spreadsheet is damaged: a part cannot be unpacked.");
        }
        total += (size_t)got;
        if (total > part->book->limits->part_bytes ||
            (total > RATIO_FROM && total / RATIO_MOST > packed)) {
            return too_large(part);
        }
        const struct xlsx_sink *sink = part->book->sink;
        if (sink->unpacked &&
            !sink->unpacked(sink->context, (size_t)got, part->book->err)) {
            return false;
        }
        enum XML_Status status =
            library->xml_Parse(part->parser, chunk, (int)got, got == 0);
        if (part->failed) {
            return false;
        }
        if (status != XML_STATUS_OK) {
            return broken(part);
        }
        if (got == 0) {
            return true;
        }
    }
}

bool xlsx_part_read(struct xlsx_part *part, const char *path, bool required)
{
    const struct xlsx_library *library = part->book->library;
    struct zip_stat about = {0};
    if (library->zip_stat(part->book->zip, path, ZIP_FL_NOCASE, &about) != 0) {
        return !required ||
               err_set(part->book->err, ERR_INVALID_DATA,
                       "The file is not a spreadsheet: it has no '%.100s'.", path);
    }
    /* what the file says of itself is only the first thing to look at */
    size_t packed = about.valid & ZIP_STAT_COMP_SIZE ? (size_t)about.comp_size : 0;
    if (about.valid & ZIP_STAT_SIZE && about.size > part->book->limits->part_bytes) {
        return too_large(part);
    }
    zip_file_t *file = library->zip_fopen_index(part->book->zip, about.index, 0);
    if (!file) {
        return err_set(part->book->err, ERR_INVALID_DATA,
                       "A part of the spreadsheet cannot be opened; is there a "
                       "password on it?");
    }
    part->parser = library->xml_ParserCreate(NULL);
    library->xml_SetUserData(part->parser, part);
    library->xml_SetElementHandler(part->parser, on_start, on_end);
    library->xml_SetCharacterDataHandler(part->parser, on_text);
    library->xml_SetStartDoctypeDeclHandler(part->parser, on_doctype);
    bool ok = read_file(part, file, packed);
    library->xml_ParserFree(part->parser);
    (void)library->zip_fclose(file);
    return ok;
}
