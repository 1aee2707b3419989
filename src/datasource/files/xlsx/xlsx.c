/* A workbook and its sheets. */
#include "datasource/files/xlsx/xlsx.h"

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "datasource/files/xlsx/xlsx_state.h"

enum { ENTRIES_MOST = 10000 };

struct sheet_place {
    const char *name;
    const char *relation; /* id that leads to its part */
};

struct workbook {
    struct map *targets; /* relation id -> path or kind -> path */
    struct {
        struct sheet_place *items;
        size_t count, capacity;
    } sheets;
    const char *folder; /* of the part whose relations are read */
};

static void nothing(struct xlsx_part *part, const char *name)
{
    (void)part;
    (void)name;
}

/* Targets are relative to the folder of the part that has them, or begin with '/'. */
static const char *resolve(struct arena *arena, const char *folder, const char *target)
{
    return target[0] == '/' ? arena_text(arena, target + 1)
                            : arena_format(arena, "%s%s", folder, target);
}

static void relation_start(struct xlsx_part *part, const char *name,
                           const char **attributes)
{
    struct workbook *workbook = part->context;
    const char *target = xlsx_attribute(attributes, "Target");
    const char *type = xlsx_attribute(attributes, "Type");
    const char *id = xlsx_attribute(attributes, "Id");
    const char *slash = type ? strrchr(type, '/') : NULL;
    bool by_type =
        slash && (strcmp(slash, "/officeDocument") == 0 ||
                  strcmp(slash, "/sharedStrings") == 0 || strcmp(slash, "/styles") == 0);
    if (strcmp(name, "Relationship") == 0 && target && id) {
        const char *path = resolve(part->book->arena, workbook->folder, target);
        const char *key = by_type ? slash : id;
        (void)map_set(workbook->targets, key, arena_text(part->book->arena, path));
    }
}

static bool read_relations(struct xlsx *book, struct workbook *workbook, const char *path,
                           const char *folder)
{
    workbook->folder = folder;
    struct xlsx_part part = {
        .book = book, .start = relation_start, .end = nothing, .context = workbook};
    return xlsx_part_read(&part, path, false);
}

static void workbook_start(struct xlsx_part *part, const char *name,
                           const char **attributes)
{
    struct workbook *workbook = part->context;
    const char *state = xlsx_attribute(attributes, "state");
    bool hidden = state && strcmp(state, "visible") != 0;
    if (strcmp(name, "workbookPr") == 0) {
        const char *old = xlsx_attribute(attributes, "date1904");
        part->book->from_1904 =
            old && (strcmp(old, "1") == 0 || strcmp(old, "true") == 0);
    }
    if (strcmp(name, "sheet") == 0 && hidden && part->book->sink->hidden) {
        const char *called = xlsx_attribute(attributes, "name");
        part->book->sink->hidden(part->book->sink->context, called ? called : "");
    }
    if (strcmp(name, "sheet") == 0 && !hidden &&
        workbook->sheets.count < part->book->limits->sheets) {
        const char *called = xlsx_attribute(attributes, "name");
        const char *id = xlsx_attribute(attributes, "id");
        struct sheet_place place = {arena_text(part->book->arena, called ? called : ""),
                                    arena_text(part->book->arena, id ? id : "")};
        VEC_PUSH(part->book->arena, &workbook->sheets, place);
    }
}

/* "xl/workbook.xml": "xl/" and "xl/_rels/workbook.xml.rels" */
static bool read_workbook(struct xlsx *book, struct workbook *workbook)
{
    if (!read_relations(book, workbook, "_rels/.rels", "")) {
        return false;
    }
    const char *path = map_get(workbook->targets, "/officeDocument");
    path = path ? path : "xl/workbook.xml";
    const char *slash = strrchr(path, '/');
    size_t size = slash ? (size_t)(slash - path) + 1 : 0;
    const char *folder = arena_copy(book->arena, path, size);
    struct xlsx_part part = {
        .book = book, .start = workbook_start, .end = nothing, .context = workbook};
    return xlsx_part_read(&part, path, true) &&
           read_relations(
               book, workbook,
               arena_format(book->arena, "%s_rels/%s.rels", folder, path + size), folder);
}

static bool read_sheets(struct xlsx *book, struct workbook *workbook)
{
    const char *shared = map_get(workbook->targets, "/sharedStrings");
    if (!xlsx_shared_read(book, shared ? shared : "xl/sharedStrings.xml")) {
        return false;
    }
    const char *styles = map_get(workbook->targets, "/styles");
    if (book->sink->cells && !xlsx_styles_read(book, styles ? styles : "xl/styles.xml")) {
        return false;
    }
    if (book->sink->shown) {
        *book->sink->shown = workbook->sheets.count;
    }
    for (size_t i = 0; i < workbook->sheets.count; i++) {
        const struct sheet_place *place = &workbook->sheets.items[i];
        const char *path = map_get(workbook->targets, place->relation);
        if (!path) {
            return err_set(book->err, ERR_INVALID_DATA,
                           "The spreadsheet is damaged: the sheet '%.60s' is missing.",
                           place->name);
        }
        if (!book->sink->sheet(book->sink->context, place->name, book->err) ||
            !xlsx_sheet_read(book, path)) {
            return false;
        }
    }
    return true;
}

static bool read_book(struct xlsx *book)
{
    struct map targets;
    struct workbook workbook = {.targets = &targets};
    if (book->library->zip_get_num_entries(book->zip, 0) > ENTRIES_MOST) {
        return err_set(book->err, ERR_INVALID_DATA,
                       "The spreadsheet has more than %d parts.", ENTRIES_MOST);
    }
    map_init(&targets, false);
    bool ok = read_workbook(book, &workbook) && read_sheets(book, &workbook);
    map_release(&targets);
    return ok;
}

static bool no_zip(const char *data, size_t size, struct err *err)
{
    static const char office[] = "\xD0\xCF\x11\xE0";
    if (size >= 4 && memcmp(data, office, 4) == 0) {
        (void)err_set(err, ERR_INVALID_DATA,
                      "The file is an old .xls, or a spreadsheet with a password.");
        return err_hint(err, "Save it as .xlsx without a password.");
    }
    return err_set(err, ERR_INVALID_DATA,
                   "The file is cut off, damaged, or not an "
                   "XLSX spreadsheet.");
}

bool xlsx_read(const char *data, size_t size, const struct xlsx_limits *limits,
               const struct xlsx_sink *sink, struct err *err)
{
    const struct xlsx_library *library = xlsx_library(err);
    if (!library) {
        return false;
    }
    zip_source_t *source = library->zip_source_buffer_create(data, size, 0, NULL);
    zip_t *zip =
        source ? library->zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, NULL)
               : NULL;
    if (!zip) {
        library->zip_source_free(source);
        return no_zip(data, size, err);
    }
    struct xlsx book = {.library = library,
                        .zip = zip,
                        .arena = arena_new(),
                        .limits = limits,
                        .sink = sink,
                        .err = err};
    bool ok = read_book(&book);
    arena_free(book.arena);
    library->zip_discard(zip);
    return ok;
}
