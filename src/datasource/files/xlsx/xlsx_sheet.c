/* The shared strings and the rows of a sheet. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/utf8.h"
#include "datasource/files/xlsx/xlsx_state.h"

enum { COLUMN_MOST = 16384 }; /* as spreadsheets themselves have */

/* Text being gathered, from one or several runs of it. */
struct gathering {
    struct buf text;
    bool wanted;   /* inside <t> or <v> */
    bool phonetic; /* inside <rPh>: how it is read aloud, not what it says */
    bool cut;      /* there was more than may be */
};

static void gather(struct xlsx_part *part, const char *text, size_t size)
{
    struct gathering *gathering = part->context;
    if (gathering->wanted && !gathering->phonetic && !gathering->cut) {
        size_t room = gathering->text.ceiling - gathering->text.size;
        gathering->cut = size > room;
        size = gathering->cut ? utf8_cut(text, size, room) : size;
        (void)buf_add(&gathering->text, text, size);
    }
}

static void gather_begin(struct gathering *gathering)
{
    buf_clear(&gathering->text);
    gathering->cut = false;
}

static void shared_start(struct xlsx_part *part, const char *name,
                         const char **attributes)
{
    struct gathering *gathering = part->context;
    (void)attributes;
    if (strcmp(name, "si") == 0) {
        gather_begin(gathering);
    }
    gathering->wanted = strcmp(name, "t") == 0;
    gathering->phonetic = gathering->phonetic || strcmp(name, "rPh") == 0;
}

static void shared_end(struct xlsx_part *part, const char *name)
{
    struct gathering *gathering = part->context;
    struct xlsx *book = part->book;
    gathering->wanted = false;
    if (strcmp(name, "rPh") == 0) {
        gathering->phonetic = false;
    }
    if (strcmp(name, "si") == 0) {
        /* each costs a little, also an empty one */
        book->texts.bytes += gathering->text.size + sizeof(char *);
        if (book->texts.bytes > book->limits->text_bytes) {
            (void)err_set(book->err, ERR_INVALID_DATA,
                          "The spreadsheet holds more than %zu bytes of text.",
                          book->limits->text_bytes);
            xlsx_part_stop(part);
            return;
        }
        VEC_PUSH(book->arena, &book->texts, buf_clone(&gathering->text, book->arena));
        VEC_PUSH(book->arena, &book->texts.cut, gathering->cut);
    }
}

bool xlsx_shared_read(struct xlsx *book, const char *path)
{
    struct gathering gathering = {.wanted = false};
    buf_init(&gathering.text, book->limits->cell_bytes);
    struct xlsx_part part = {.book = book,
                             .start = shared_start,
                             .end = shared_end,
                             .text = gather,
                             .context = &gathering};
    bool ok = xlsx_part_read(&part, path, false);
    buf_release(&gathering.text);
    return ok;
}

struct row_reading {
    struct gathering gathering; /* first: gather() looks for it */
    const char **cells;
    struct xlsx_cell *typed; /* the same with their kinds; NULL: not wanted */
    size_t count;
    size_t number; /* of the row */
    size_t bytes;  /* of its own texts, which are not shared */
    size_t at;     /* column of the cell that is being read */
    size_t style;
    char kind; /* 's'hared, 'b'oolean, 'e'rror, 't'ext, 'n'umber, 'd'ate */
    struct arena *arena;
};

/* "BC12" is in column 54; a cell without a place follows the one before. */
static size_t column_of(const char *reference, size_t next)
{
    size_t column = 0;
    for (; reference && *reference >= 'A' && *reference <= 'Z'; reference++) {
        column = column * 26 + (size_t)(*reference - 'A') + 1;
        if (column > COLUMN_MOST) {
            return COLUMN_MOST;
        }
    }
    return column ? column - 1 : next;
}

static void sheet_start(struct xlsx_part *part, const char *name, const char **attributes)
{
    struct row_reading *row = part->context;
    if (strcmp(name, "row") == 0) {
        memset(row->cells, 0, part->book->limits->cells * sizeof *row->cells);
        if (row->typed) {
            memset(row->typed, 0, part->book->limits->cells * sizeof *row->typed);
        }
        row->count = 0;
        row->bytes = 0;
        row->at = SIZE_MAX;
        int64_t number = 0;
        const char *said = xlsx_attribute(attributes, "r");
        row->number = said && str_to_int(said, &number) && number > 0 ? (size_t)number
                                                                      : row->number + 1;
        arena_reset(row->arena);
    } else if (strcmp(name, "c") == 0) {
        const char *kind = xlsx_attribute(attributes, "t");
        row->at = column_of(xlsx_attribute(attributes, "r"), row->at + 1);
        const char *style = xlsx_attribute(attributes, "s");
        int64_t number = 0;
        row->style =
            style && str_to_int(style, &number) && number >= 0 ? (size_t)number : 0;
        row->kind = !kind || strcmp(kind, "n") == 0 ? 'n'
                    : strcmp(kind, "inlineStr") == 0 || strcmp(kind, "str") == 0
                        ? 't'
                        : kind[0];
        gather_begin(&row->gathering);
    }
    row->gathering.wanted = strcmp(name, "t") == 0 || strcmp(name, "v") == 0;
    row->gathering.phonetic = row->gathering.phonetic || strcmp(name, "rPh") == 0;
}

/* "C12", for people. */
static void cut_tell(const struct xlsx *book, const struct row_reading *row)
{
    char place[40];
    char *at = place + sizeof place;
    if (!book->sink->cut) {
        return;
    }
    at -= snprintf(NULL, 0, "%zu", row->number) + 1;
    (void)snprintf(at, (size_t)(place + sizeof place - at), "%zu", row->number);
    for (size_t column = row->at + 1; column > 0; column = (column - 1) / 26) {
        *--at = (char)('A' + (column - 1) % 26);
    }
    book->sink->cut(book->sink->context, at);
}

/* A row is kept whole until it is handed on, so all its texts have one bound. */
static bool row_fits(struct xlsx_part *part, struct row_reading *row)
{
    row->bytes += row->gathering.text.size;
    if (row->bytes <= part->book->limits->text_bytes) {
        return true;
    }
    (void)err_set(part->book->err, ERR_INVALID_DATA,
                  "Row %zu of the spreadsheet holds more than %zu bytes of text.",
                  row->number, part->book->limits->text_bytes);
    xlsx_part_stop(part);
    return false;
}

static const char *cell_text(const struct xlsx *book, struct row_reading *row)
{
    const char *text = buf_get(&row->gathering.text);
    int64_t number = 0;
    if (row->kind == 's') {
        bool known = str_to_int(text, &number) && number >= 0 &&
                     (uint64_t)number < book->texts.count;
        row->gathering.cut = known && book->texts.cut.items[number];
        return known ? book->texts.items[number] : NULL;
    }
    if (row->kind == 'b') {
        return strcmp(text, "1") == 0 ? "true" : "false";
    }
    return row->kind == 'e' || !*text ? NULL
                                      : buf_clone(&row->gathering.text, row->arena);
}

/* What the text is; numbers are made readable on the way. */
static void type_cell(const struct xlsx *book, struct row_reading *row, const char *text)
{
    struct xlsx_cell *cell = &row->typed[row->at];
    const char *date =
        row->kind == 'n' && text ? xlsx_date(book, row->arena, row->style, text) : NULL;
    cell->kind = date || row->kind == 'd' ? XLSX_DATE
                 : row->kind == 'n'       ? XLSX_NUMBER
                 : row->kind == 'b'       ? XLSX_BOOLEAN
                                          : XLSX_TEXT;
    cell->text = date                       ? date
                 : text && row->kind == 'n' ? xlsx_number(row->arena, text)
                                            : text;
}

static void end_row(struct xlsx_part *part, struct row_reading *row)
{
    struct xlsx *book = part->book;
    bool ok = true;
    if (++book->rows > book->limits->rows) {
        ok = err_set(book->err, ERR_INVALID_DATA,
                     "The spreadsheet has more than %zu rows.", book->limits->rows);
    }
    ok = ok && (row->typed ? book->sink->cells(book->sink->context, row->number,
                                               row->typed, row->count, book->err)
                           : book->sink->row(book->sink->context, row->cells, row->count,
                                             book->err));
    if (!ok) {
        xlsx_part_stop(part);
    }
}

static void sheet_end(struct xlsx_part *part, const char *name)
{
    struct row_reading *row = part->context;
    row->gathering.wanted = false;
    if (strcmp(name, "rPh") == 0) {
        row->gathering.phonetic = false;
    } else if (strcmp(name, "c") == 0 && row->at < part->book->limits->cells &&
               row_fits(part, row)) {
        row->cells[row->at] = cell_text(part->book, row);
        if (row->gathering.cut) {
            cut_tell(part->book, row);
        }
        if (row->typed) {
            type_cell(part->book, row, row->cells[row->at]);
        }
        row->count = row->at + 1 > row->count ? row->at + 1 : row->count;
    } else if (strcmp(name, "row") == 0) {
        end_row(part, row);
    }
}

bool xlsx_sheet_read(struct xlsx *book, const char *path)
{
    struct row_reading row = {.arena = arena_new(), .at = SIZE_MAX};
    buf_init(&row.gathering.text, book->limits->cell_bytes);
    row.cells = arena_array(book->arena, book->limits->cells, sizeof *row.cells);
    row.typed = book->sink->cells
                    ? arena_array(book->arena, book->limits->cells, sizeof *row.typed)
                    : NULL;
    struct xlsx_part part = {.book = book,
                             .start = sheet_start,
                             .end = sheet_end,
                             .text = gather,
                             .context = &row};
    bool ok = xlsx_part_read(&part, path, true);
    buf_release(&row.gathering.text);
    arena_free(row.arena);
    return ok;
}
