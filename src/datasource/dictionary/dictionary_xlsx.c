/* A dictionary from a spreadsheet: every sheet that has a heading. */
#include "base/err.h"
#include "datasource/dictionary/dictionary_state.h"
#ifdef DRAGOMAN_HAS_XLSX
#include "datasource/files/xlsx/xlsx.h"

struct book_reading {
    struct dictionary *dictionary;
    struct sheet *sheet;
    const char *name; /* of the sheet */
    bool understood;  /* some sheet was */
};

static bool take_sheet(void *context, const char *name, struct err *err)
{
    struct book_reading *reading = context;
    (void)err;
    reading->understood =
        reading->understood || (reading->sheet && sheet_understood(reading->sheet));
    reading->sheet = sheet_new(reading->dictionary, name);
    reading->name = name;
    return true;
}

static void take_cut(void *context, const char *place)
{
    struct book_reading *reading = context;
    dictionary_warn(reading->dictionary,
                    "The dictionary's cell %s of the sheet '%.60s' is too long; its end "
                    "was left out.",
                    place, reading->name);
}

static bool take_row(void *context, const char *const *cells, size_t count,
                     struct err *err)
{
    struct book_reading *reading = context;
    return sheet_row(reading->sheet, cells, count, err);
}

bool dictionary_xlsx(struct dictionary *dictionary, const char *data, size_t size,
                     struct err *err)
{
    static const struct xlsx_limits limits = {
        .part_bytes = (size_t)64 << 20,
        .text_bytes = (size_t)32 << 20,
        .rows = DICTIONARY_ROWS_MOST,
        .cells = DICTIONARY_CELLS_MOST,
        .cell_bytes = XLSX_CELL_USUAL,
        .sheets = 256,
    };
    struct book_reading reading = {.dictionary = dictionary};
    const struct xlsx_sink sink = {
        .sheet = take_sheet, .row = take_row, .cut = take_cut, .context = &reading};
    if (!xlsx_read(data, size, &limits, &sink, err)) {
        return false;
    }
    if (!reading.understood && !(reading.sheet && sheet_understood(reading.sheet))) {
        (void)err_set(err, ERR_INVALID_DATA,
                      "No sheet of the dictionary has a header row.");
        return err_hint(err, "Name the columns: table, column, description, synonyms.");
    }
    return true;
}

#else

bool dictionary_xlsx(struct dictionary *dictionary, const char *data, size_t size,
                     struct err *err)
{
    (void)dictionary;
    (void)data;
    (void)size;
    return err_set(err, ERR_INVALID_DATA,
                   "This dragoman was built without XLSX support; install libzip-dev and "
                   "libexpat1-dev and rebuild, or save the dictionary as CSV.");
}

#endif
