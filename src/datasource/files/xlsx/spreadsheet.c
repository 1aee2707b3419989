/* Writes one sheet row by row; no cell is ever a formula. */
#include "datasource/files/xlsx/spreadsheet.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/utf8.h"

#ifdef DRAGOMAN_HAS_XLSX

#include "datasource/files/xlsx/xlsx_state.h"

enum { FLUSH_AT = 64 * 1024, ROW_MOST = 256 * 1024 * 1024, EXACT_DIGITS = 15 };

struct spreadsheet {
    const struct xlsx_library *library;
    char *part;
    int fd;
    struct buf out;
    size_t rows;
};

/* ------------------------------------------------------------------ the sheet */

static bool flush(struct spreadsheet *sheet, struct err *err)
{
    if (!file_write_all(sheet->fd, buf_get(&sheet->out), sheet->out.size)) {
        bool full = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
        return err_set(err, full ? ERR_DISK_FULL : ERR_STORE,
                       "The spreadsheet could not be written.");
    }
    buf_clear(&sheet->out);
    return true;
}

/* XML has no way to say most control characters. */
static void add_escaped(struct buf *out, const char *text, size_t size)
{
    size_t shown = 0;
    for (size_t i = 0; i < size && shown < SPREADSHEET_TEXT_MOST; i++) {
        unsigned char c = (unsigned char)text[i];
        shown += (c & 0xC0) != 0x80; /* characters */
        if (c == '&') {
            (void)buf_text(out, "&amp;");
        } else if (c == '<') {
            (void)buf_text(out, "&lt;");
        } else if (c == '>') {
            (void)buf_text(out, "&gt;");
        } else if (c == '\r') {
            (void)buf_text(out, "&#13;");
        } else if (c < 0x20 && c != '\t' && c != '\n') {
            (void)buf_text(out, "\xEF\xBF\xBD");
        } else {
            (void)buf_char(out, (char)c);
        }
    }
}

/* Bad UTF-8 and what XML forbids beyond ASCII would make the whole file unreadable. */
static bool is_text(const char *text, size_t size)
{
    for (size_t i = 0; i + 2 < size; i++) {
        if (memcmp(text + i, "\xEF\xBF\xBE", 3) == 0 ||
            memcmp(text + i, "\xEF\xBF\xBF", 3) == 0) {
            return false;
        }
    }
    return utf8_valid(text, size, NULL);
}

static void add_text(struct buf *out, const char *text, size_t size)
{
    (void)buf_text(out, "<c t=\"inlineStr\"><is><t xml:space=\"preserve\">");
    if (is_text(text, size)) {
        add_escaped(out, text, size);
    } else {
        for (size_t i = 0; i < size && i < SPREADSHEET_TEXT_MOST; i++) {
            bool plain = (unsigned char)text[i] >= 0x20 && (unsigned char)text[i] < 0x7F;
            if (plain) {
                add_escaped(out, text + i, 1);
            } else {
                (void)buf_text(out, "\xEF\xBF\xBD");
            }
        }
    }
    (void)buf_text(out, "</t></is></c>");
}

/* A spreadsheet keeps fifteen digits of a number: longer ones stay whole as texts. */
static bool fits_number(const char *text, size_t size)
{
    size_t digits = 0;
    for (size_t i = 0; i < size; i++) {
        digits += text[i] >= '0' && text[i] <= '9';
        if (!strchr("0123456789.-", text[i])) {
            return false;
        }
    }
    return digits > 0 && digits <= EXACT_DIGITS;
}

static void add_cell(struct buf *out, const struct value *value)
{
    struct buf text;
    if (value->kind == VALUE_NULL) {
        (void)buf_text(out, "<c/>");
        return;
    }
    if (value->kind == VALUE_BOOL) {
        (void)buf_format(out, "<c t=\"b\"><v>%d</v></c>", value->boolean);
        return;
    }
    buf_init(&text, ROW_MOST);
    value_print(&text, value);
    bool number = (value->kind == VALUE_REAL && isfinite(value->real)) ||
                  ((value->kind == VALUE_INT || value->kind == VALUE_NUMBER) &&
                   fits_number(buf_get(&text), text.size));
    if (number) {
        (void)buf_format(out, "<c><v>%s</v></c>", buf_get(&text));
    } else {
        add_text(out, buf_get(&text), text.size);
    }
    buf_release(&text);
}

struct spreadsheet *spreadsheet_new(const char *part, struct err *err)
{
    const struct xlsx_library *library = xlsx_library(err);
    if (!library) {
        return NULL;
    }
    int fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        (void)err_set(err, ERR_ACCESS, "The spreadsheet could not be made: %s.",
                      strerror(errno));
        return NULL;
    }
    struct spreadsheet *sheet = memory_alloc(sizeof *sheet);
    sheet->library = library;
    sheet->part = memory_text(part);
    sheet->fd = fd;
    buf_init(&sheet->out, ROW_MOST);
    (void)buf_text(&sheet->out,
                   "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
                   "<worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/"
                   "2006/main\"><sheetViews><sheetView workbookViewId=\"0\"><pane "
                   "ySplit=\"1\" topLeftCell=\"A2\" state=\"frozen\"/></sheetView>"
                   "</sheetViews><sheetData>");
    return sheet;
}

static bool row_end(struct spreadsheet *sheet, struct err *err)
{
    (void)buf_text(&sheet->out, "</row>\n");
    sheet->rows++;
    if (sheet->out.full) {
        return err_set(err, ERR_RESULT_TOO_LARGE,
                       "A row is too large for a spreadsheet.");
    }
    return sheet->out.size < FLUSH_AT || flush(sheet, err);
}

bool spreadsheet_names(struct spreadsheet *sheet, const char *const *names, size_t count,
                       struct err *err)
{
    if (count > SPREADSHEET_COLUMNS_MOST) {
        return err_set(err, ERR_RESULT_TOO_LARGE,
                       "A spreadsheet holds %d columns at most.",
                       SPREADSHEET_COLUMNS_MOST);
    }
    (void)buf_text(&sheet->out, "<row>");
    for (size_t i = 0; i < count; i++) {
        add_text(&sheet->out, names[i], strlen(names[i]));
    }
    return row_end(sheet, err);
}

bool spreadsheet_row(struct spreadsheet *sheet, const struct value *cells, size_t count,
                     struct err *err)
{
    if (sheet->rows >= SPREADSHEET_ROWS_MOST) {
        return err_set(err, ERR_RESULT_TOO_LARGE, "A spreadsheet holds %d rows at most.",
                       SPREADSHEET_ROWS_MOST);
    }
    (void)buf_text(&sheet->out, "<row>");
    for (size_t i = 0; i < count; i++) {
        add_cell(&sheet->out, &cells[i]);
    }
    return row_end(sheet, err);
}

/* ------------------------------------------------------------------ the package */

static const struct part {
    const char *path;
    const char *text;
} parts[] = {
    {"[Content_Types].xml",
     "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
     "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">"
     "<Default Extension=\"rels\" ContentType=\"application/"
     "vnd.openxmlformats-package.relationships+xml\"/>"
     "<Default Extension=\"xml\" ContentType=\"application/xml\"/>"
     "<Override PartName=\"/xl/workbook.xml\" ContentType=\"application/"
     "vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml\"/>"
     "<Override PartName=\"/xl/worksheets/sheet1.xml\" ContentType=\"application/"
     "vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml\"/></Types>"},
    {"_rels/.rels",
     "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
     "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/"
     "relationships\"><Relationship Id=\"rId1\" Type=\"http://"
     "schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" "
     "Target=\"xl/workbook.xml\"/></Relationships>"},
    {"xl/workbook.xml",
     "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
     "<workbook xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" "
     "xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\">"
     "<sheets><sheet name=\"answer\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>"},
    {"xl/_rels/workbook.xml.rels",
     "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
     "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/"
     "relationships\"><Relationship Id=\"rId1\" Type=\"http://"
     "schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet\" "
     "Target=\"worksheets/sheet1.xml\"/></Relationships>"},
};

static bool add_part(const struct xlsx_library *library, zip_t *zip, const char *path,
                     zip_source_t *source)
{
    if (source && library->zip_file_add(zip, path, source,
                                        ZIP_FL_OVERWRITE | ZIP_FL_ENC_UTF_8) < 0) {
        library->zip_source_free(source);
        return false;
    }
    return source != NULL;
}

static bool pack(struct spreadsheet *sheet, const char *path, struct err *err)
{
    const struct xlsx_library *library = sheet->library;
    int code = 0;
    zip_t *zip = library->zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &code);
    bool ok = zip != NULL;
    for (size_t i = 0; ok && i < sizeof parts / sizeof *parts; i++) {
        ok = add_part(
            library, zip, parts[i].path,
            library->zip_source_buffer(zip, parts[i].text, strlen(parts[i].text), 0));
    }
    ok = ok && add_part(library, zip, "xl/worksheets/sheet1.xml",
                        library->zip_source_file(zip, sheet->part, 0, -1));
    if (ok && library->zip_close(zip) == 0) {
        return true;
    }
    if (zip) {
        library->zip_discard(zip);
    }
    return err_set(err, errno == ENOSPC ? ERR_DISK_FULL : ERR_STORE,
                   "The spreadsheet could not be packed.");
}

bool spreadsheet_end(struct spreadsheet *sheet, const char *path, struct err *err)
{
    bool ok = path != NULL;
    if (ok) {
        (void)buf_text(&sheet->out, "</sheetData></worksheet>\n");
        ok = flush(sheet, err);
    }
    (void)close(sheet->fd);
    ok = ok && pack(sheet, path, err);
    (void)unlink(sheet->part);
    buf_release(&sheet->out);
    memory_free(sheet->part);
    memory_free(sheet);
    return ok || !path;
}

#else

struct spreadsheet *spreadsheet_new(const char *part, struct err *err)
{
    (void)part;
    (void)err_set(err, ERR_DATASOURCE_KIND,
                  "This dragoman was built without support for spreadsheets.");
    return NULL;
}

bool spreadsheet_names(struct spreadsheet *sheet, const char *const *names, size_t count,
                       struct err *err)
{
    (void)sheet;
    (void)names;
    (void)count;
    (void)err;
    return false;
}

bool spreadsheet_row(struct spreadsheet *sheet, const struct value *cells, size_t count,
                     struct err *err)
{
    (void)sheet;
    (void)cells;
    (void)count;
    (void)err;
    return false;
}

bool spreadsheet_end(struct spreadsheet *sheet, const char *path, struct err *err)
{
    (void)sheet;
    (void)path;
    (void)err;
    return false;
}

#endif
