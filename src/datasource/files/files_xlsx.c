/* A spreadsheet as tables: every sheet that is shown, below its titles. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cancel.h"
#include "base/memory.h"
#include "base/str.h"
#include "datasource/files/files_driver.h"
#ifdef DRAGOMAN_HAS_XLSX
#include "datasource/files/xlsx/xlsx.h"

enum {
    FILE_MOST = 256 << 20,
    FIRST_ROWS = 50, /* kept until it is known where the table begins */
    FIRST_BYTES = 16 << 20,
    TITLES_MOST = 30,
};

struct first_row {
    struct xlsx_cell *cells;
    size_t count;
    size_t filled;
    size_t number;
};

struct book {
    struct files_work *work;
    struct arena *arena; /* of one sheet */
    const char *sheet;   /* NULL before the first */
    size_t sheets;       /* in the whole book; 1: the file gives the name */
    struct first_row first[FIRST_ROWS];
    size_t first_count;
    size_t first_bytes;
    bool begun; /* the table has */
    const char *table;
    const char *helper;
    struct files_columns columns;
    bool open; /* its helper table takes rows */
    struct value *cells;
    size_t left; /* first column of the table */
    size_t wider;
    size_t cut; /* cells that were too long, and the first of them */
    char cut_at[40];
    int64_t rows; /* of all sheets */
};

/* ------------------------------------------------------------------ rows */

static bool row_append(struct book *book, const struct xlsx_cell *cells, size_t count,
                       struct err *err)
{
    if (cancel_fired(book->work->cancel)) {
        return err_set(err, ERR_STOPPED, "The import was stopped.");
    }
    for (size_t i = 0; i < book->columns.count; i++) {
        size_t at = book->left + i;
        const char *text = at < count ? cells[at].text : NULL;
        book->cells[i] = (struct value){.kind = text ? VALUE_TEXT : VALUE_NULL};
        if (text) {
            book->cells[i].text.data = text;
            book->cells[i].text.size = strlen(text);
        }
    }
    for (size_t at = book->left + book->columns.count; at < count; at++) {
        book->wider += cells[at].text != NULL;
    }
    /* a row has all columns, however short it is in the file */
    return files_unpacked_add(book->work, (int64_t)book->columns.count, err) &&
           duckdb_append_row(book->work->session, book->cells, err) &&
           limits_hold(book->work->session->limits, err);
}

static size_t filled_in(const struct xlsx_cell *cells, size_t count)
{
    size_t filled = 0;
    for (size_t i = 0; i < count; i++) {
        filled += !str_empty(cells[i].text);
    }
    return filled;
}

/* ------------------------------------------------------------------ the beginning */

/* Most cells that any of the first rows has, and where they lie. */
static size_t widest(struct book *book, size_t *left, size_t *right)
{
    size_t most = 0;
    *left = SIZE_MAX;
    *right = 0;
    for (size_t i = 0; i < book->first_count; i++) {
        most = book->first[i].filled > most ? book->first[i].filled : most;
    }
    for (size_t i = 0; i < book->first_count; i++) {
        const struct first_row *row = &book->first[i];
        for (size_t c = 0; row->filled * 2 > most && c < row->count; c++) {
            if (!str_empty(row->cells[c].text)) {
                *left = c < *left ? c : *left;
                *right = c + 1 > *right ? c + 1 : *right;
            }
        }
    }
    return most;
}

static bool is_heading(const struct first_row *row, const struct first_row *below)
{
    for (size_t i = 0; i < row->count; i++) {
        int64_t year = 0;
        const struct xlsx_cell *cell = &row->cells[i];
        bool is_year = cell->kind == XLSX_NUMBER && cell->text &&
                       str_to_int(cell->text, &year) && year >= 1900 && year <= 2100 &&
                       below && below->filled > 0 && i < below->count &&
                       !str_equal(below->cells[i].text, cell->text);
        if (!str_empty(cell->text) && cell->kind != XLSX_TEXT && !is_year) {
            return false;
        }
    }
    return row->filled > 0;
}

static bool helper_create(struct book *book, struct err *err)
{
    struct files_work *work = book->work;
    const char *name = arena_format(work->arena, "sheet%zu", work->serial++);
    book->helper = arena_format(work->arena, "temp.%s", name);
    buf_clear(&work->sql);
    (void)buf_format(&work->sql, "CREATE TEMP TABLE %s (", name);
    for (size_t i = 0; i < book->columns.count; i++) {
        (void)buf_format(&work->sql, "%sc%zu VARCHAR", i ? ", " : "", i);
    }
    (void)buf_char(&work->sql, ')');
    if (!files_run(work, NULL, NULL, err)) {
        return false;
    }
    struct staged_type *types =
        arena_array(work->arena, book->columns.count, sizeof *types);
    for (size_t i = 0; i < book->columns.count; i++) {
        types[i].kind = STAGED_TEXT;
    }
    book->cells = arena_array(work->arena, book->columns.count, sizeof *book->cells);
    const struct duckdb_table table = {
        .namespace = "", .name = name, .types = types, .count = book->columns.count};
    book->open = duckdb_append_begin(work->session, &table, err);
    return book->open;
}

/* Titles are rows with far fewer cells than the table; then comes a heading, perhaps. */
static bool table_begin(struct book *book, struct err *err)
{
    size_t right = 0;
    size_t most = widest(book, &book->left, &right);
    size_t begin = 0;
    book->begun = true;
    if (most == 0) {
        return true;
    }
    while (begin + 1 < book->first_count && begin < TITLES_MOST &&
           book->first[begin].filled * 2 <= most &&
           !(most <= 2 && book->first[begin].filled > 0)) {
        begin++;
    }
    if (right - book->left > (size_t)book->work->options->files_max_columns) {
        return err_set(
            err, ERR_INVALID_DATA, "It has %zu columns; files.max_columns allows %lld.",
            right - book->left, (long long)book->work->options->files_max_columns);
    }
    const struct first_row *row = &book->first[begin];
    bool heading =
        is_heading(row, begin + 1 < book->first_count ? &book->first[begin + 1] : NULL);
    const char **names =
        arena_array(book->work->arena, right - book->left, sizeof *names);
    for (size_t i = book->left; i < right && i < row->count; i++) {
        names[i - book->left] = row->cells[i].text;
    }
    bool plain = book->sheets == 1;
    book->table =
        files_table_name(book->work, book->work->file->name, plain ? NULL : book->sheet);
    book->columns = (struct files_columns){0};
    files_column_names(book->work, book->table, heading ? names : NULL,
                       right - book->left, &book->columns);
    if (!heading) {
        files_warn(book->work,
                   "%s: there is no heading; columns are called column1, "
                   "column2 and so on",
                   book->table);
    }
    if (!helper_create(book, err)) {
        return false;
    }
    for (size_t i = begin + heading; i < book->first_count; i++) {
        if (book->first[i].filled > 0 &&
            !row_append(book, book->first[i].cells, book->first[i].count, err)) {
            return false;
        }
    }
    return true;
}

/* ------------------------------------------------------------------ sheets */

/* Spreadsheet programs allow 32,767 characters in a cell, others write longer ones. Such
 * a cell is taken whole as far as an answer could show it; what is cut is told. */
static size_t cell_bytes(const struct options *options)
{
    size_t most = (size_t)options->sql_max_cell_bytes;
    return most > XLSX_CELL_USUAL ? most : XLSX_CELL_USUAL;
}

static bool table_finish(struct book *book, struct err *err)
{
    struct files_work *work = book->work;
    book->open = false;
    if (!duckdb_append_end(work->session, err) ||
        !files_types(work, book->table, book->helper, &book->columns, err)) {
        return false;
    }
    if (book->wider > 0) {
        files_warn(work, "%s: %zu cells beside the table were left out", book->table,
                   book->wider);
    }
    if (book->cut > 0) {
        files_warn(
            work,
            "%s: %zu cells are longer than %zu bytes and were cut there, the first "
            "is %s of the sheet '%.60s'; the limit is sql.max_cell_bytes",
            book->table, book->cut, cell_bytes(work->options), book->cut_at, book->sheet);
    }
    buf_clear(&work->sql);
    (void)buf_text(&work->sql, "CREATE TABLE ");
    (void)buf_quote(&work->sql, book->table, '"');
    (void)buf_text(&work->sql, " AS ");
    files_select(work, &book->columns);
    (void)buf_text(&work->sql, book->helper);
    if (!files_run(work, NULL, NULL, err)) {
        return false;
    }
    buf_clear(&work->sql);
    (void)buf_format(&work->sql, "DROP TABLE %s", book->helper);
    return files_run(work, NULL, NULL, err);
}

static bool sheet_finish(struct book *book, struct err *err)
{
    bool ok = !book->sheet || book->begun || table_begin(book, err);
    if (ok && book->sheet && !book->open) {
        files_warn(book->work, "the sheet '%.60s' is empty and was left out",
                   book->sheet);
    } else if (ok && book->sheet) {
        ok = table_finish(book, err);
    }
    book->open = false;
    arena_reset(book->arena);
    book->first_count = 0;
    book->begun = false;
    book->wider = 0;
    book->cut = 0;
    book->first_bytes = 0;
    return ok;
}

static bool take_sheet(void *context, const char *name, struct err *err)
{
    struct book *book = context;
    bool ok = sheet_finish(book, err);
    book->sheet = arena_text(book->work->arena, name);
    return ok;
}

static bool take_cells(void *context, size_t number, const struct xlsx_cell *cells,
                       size_t count, struct err *err)
{
    struct book *book = context;
    size_t filled = filled_in(cells, count);
    int64_t most = book->work->options->files_max_sheet_rows;
    if (++book->rows > most) {
        return err_set(
            err, ERR_INVALID_DATA,
            "The sheets have more than %lld rows; the limit is files.max_sheet_rows.",
            (long long)most);
    }
    if (book->begun) {
        return filled == 0 || !book->open || row_append(book, cells, count, err);
    }
    struct first_row *row = &book->first[book->first_count++];
    row->cells = arena_array(book->arena, count ? count : 1, sizeof *row->cells);
    for (size_t i = 0; i < count; i++) {
        row->cells[i] = cells[i];
        row->cells[i].text = arena_text(book->arena, cells[i].text);
        book->first_bytes += cells[i].text ? strlen(cells[i].text) : 0;
    }
    row->count = count;
    row->filled = filled;
    row->number = number;
    return (book->first_count < FIRST_ROWS && book->first_bytes < FIRST_BYTES) ||
           table_begin(book, err);
}

static void take_cut(void *context, const char *place)
{
    struct book *book = context;
    if (book->cut++ == 0) {
        (void)snprintf(book->cut_at, sizeof book->cut_at, "%s", place);
    }
}

static void take_hidden(void *context, const char *name)
{
    struct book *book = context;
    files_warn(book->work, "'%s': the sheet '%.60s' is hidden and was left out",
               book->work->file->name, name);
}

static bool take_unpacked(void *context, size_t bytes, struct err *err)
{
    struct book *book = context;
    return files_unpacked_add(book->work, (int64_t)bytes, err) &&
           limits_hold(book->work->session->limits, err);
}

static bool book_read(struct book *book, const char *data, size_t size, struct err *err)
{
    const struct options *options = book->work->options;
    const struct xlsx_limits limits = {
        .part_bytes = (size_t)1 << 30,
        .text_bytes = (size_t)options->sql_memory_mb << 19, /* half of it */
        .rows = (size_t)options->files_max_sheet_rows + 1,  /* told by take_cells */
        .cells = (size_t)options->files_max_columns + 64,
        .cell_bytes = cell_bytes(options),
        .sheets = 256,
    };
    const struct xlsx_sink sink = {.sheet = take_sheet,
                                   .cells = take_cells,
                                   .hidden = take_hidden,
                                   .cut = take_cut,
                                   .shown = &book->sheets,
                                   .unpacked = take_unpacked,
                                   .context = book};
    return xlsx_read(data, size, &limits, &sink, err) && sheet_finish(book, err);
}

bool files_xlsx(struct files_work *work, int fd, struct err *err)
{
    size_t size = (size_t)work->file->mark.size;
    if (size > FILE_MOST) {
        return err_set(err, ERR_INVALID_DATA, "The spreadsheet is larger than %d MB.",
                       FILE_MOST >> 20);
    }
    char *data = memory_alloc(size + 1);
    size_t got = 0;
    for (ssize_t part;
         got < size && (part = pread(fd, data + got, size - got, (off_t)got)) > 0;) {
        got += (size_t)part;
    }
    struct book book = {.work = work, .arena = arena_new()};
    bool ok = book_read(&book, data, got, err);
    arena_free(book.arena);
    memory_free(data);
    return ok;
}

#else

bool files_xlsx(struct files_work *work, int fd, struct err *err)
{
    (void)work;
    (void)fd;
    return err_set(err, ERR_INVALID_DATA,
                   "This dragoman was built without XLSX support; install libzip-dev and "
                   "libexpat1-dev and rebuild, or save the file as CSV.");
}

#endif
