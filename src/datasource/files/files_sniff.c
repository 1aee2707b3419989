/*
 * How the text of a CSV file is divided: the sign between cells, lines above the heading,
 * and whether there is a heading. Looked at are the first lines; what is decided is
 * checked on every row afterwards.
 */
#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "datasource/driver.h"
#include "datasource/files/files_driver.h"

enum { ROWS_MOST = 500, TITLES_MOST = 30 };

struct row {
    size_t cells;
    size_t filled;
    size_t line; /* lines above it */
};

struct rows_found {
    struct row items[ROWS_MOST];
    size_t count;
};

/* One row from `at`; its cells go to `cells` when that is wanted. */
static size_t row_read(const char *text, size_t size, size_t at, char sign,
                       struct row *row, struct arena *arena, struct texts *cells)
{
    struct buf cell;
    bool quoted = false;
    bool fresh = true; /* at the start of a cell */
    size_t lines = 0;
    buf_init(&cell, 1 << 16);
    row->cells = 1;
    row->filled = 0;
    for (; at < size && (quoted || text[at] != '\n'); at++) {
        char c = text[at];
        lines += c == '\n';
        if (c == '"' && (fresh || quoted)) {
            if (quoted && at + 1 < size && text[at + 1] == '"') {
                (void)buf_char(&cell, text[at++]);
            } else {
                quoted = !quoted;
            }
            fresh = false;
        } else if (c == sign && !quoted) {
            row->filled += !str_empty(buf_get(&cell));
            row->cells++;
            if (cells) {
                VEC_PUSH(arena, cells, buf_clone(&cell, arena));
            }
            buf_clear(&cell);
            fresh = true;
        } else {
            fresh = fresh && c == ' ';
            (void)buf_char(&cell, c);
        }
    }
    row->filled += !str_empty(buf_get(&cell));
    if (cells) {
        VEC_PUSH(arena, cells, buf_clone(&cell, arena));
    }
    buf_release(&cell);
    row->line += lines; /* of those inside */
    return at < size ? at + 1 : size;
}

static void rows_find(const char *text, size_t size, char sign, struct rows_found *out)
{
    size_t line = 0;
    out->count = 0;
    for (size_t at = 0; at < size && out->count < ROWS_MOST;) {
        struct row *row = &out->items[out->count];
        row->line = 0;
        at = row_read(text, size, at, sign, row, NULL, NULL);
        size_t inside = row->line;
        row->line = line;
        line += 1 + inside;
        out->count++;
    }
}

/* The most frequent number of cells in a row, ignoring empty lines; *share: the share of
 * rows with that number. */
static size_t width_of(const struct rows_found *rows, double *share)
{
    size_t best = 0;
    size_t best_count = 0;
    size_t rows_filled = 0;
    for (size_t i = 0; i < rows->count; i++) {
        size_t same = 0;
        rows_filled += rows->items[i].filled > 0;
        for (size_t j = 0; j < rows->count; j++) {
            same +=
                rows->items[j].filled > 0 && rows->items[j].cells == rows->items[i].cells;
        }
        if (rows->items[i].filled > 0 &&
            (same > best_count || (same == best_count && rows->items[i].cells > best))) {
            best = rows->items[i].cells;
            best_count = same;
        }
    }
    *share = rows_filled ? (double)best_count / (double)rows_filled : 0;
    return best;
}

static char sign_find(const char *text, size_t size, struct rows_found *rows)
{
    static const char signs[] = ",;\t|";
    char best = ',';
    double best_score = 0;
    for (size_t i = 0; signs[i]; i++) {
        double share = 0;
        rows_find(text, size, signs[i], rows);
        size_t width = width_of(rows, &share);
        /* even rows count most; more cells decide between equally even ones */
        double score =
            width < 2 ? 0 : share * share * (1 + (width < 20 ? (double)width : 20) / 20);
        if (score > best_score) {
            best_score = score;
            best = signs[i];
        }
    }
    return best;
}

/* A number, a date or nothing: what a heading is not. */
static bool is_data(const char *cell)
{
    double number = 0;
    struct arena *arena = arena_new();
    char *text = str_trim(arena, cell);
    for (char *at = text; *at; at++) {
        *at = *at == ',' ? '.' : *at;
    }
    bool data = !*text || str_to_real(text, &number) ||
                text_is_date(text, strlen(text)) || str_equal_nocase(text, "true") ||
                str_equal_nocase(text, "false");
    if (!data && isdigit((unsigned char)*text)) { /* 31.01.2024, 10:30, 12 % */
        data = strspn(text, "0123456789.:/- %") == strlen(text);
    }
    arena_free(arena);
    return data;
}

static bool is_year(const char *cell)
{
    int64_t year = 0;
    return cell && str_to_int(cell, &year) && year >= 1900 && year <= 2100;
}

/* Words; a year among them is one when no year stands below it. */
static bool is_heading(const struct texts *cells, const struct texts *below)
{
    size_t words = 0;
    for (size_t i = 0; i < cells->count; i++) {
        const char *next = i < below->count ? below->items[i] : NULL;
        if (!is_data(cells->items[i])) {
            words++;
        } else if (!str_empty(cells->items[i]) &&
                   !(is_year(cells->items[i]) && next && !is_year(next))) {
            return false;
        }
    }
    return words > 0;
}

void files_sniff(struct arena *arena, const char *text, size_t size, bool tabs,
                 struct files_shape *out)
{
    struct rows_found *rows = ARENA_NEW(arena, struct rows_found);
    memset(out, 0, sizeof *out);
    double share = 0;
    out->sign = tabs ? '\t' : sign_find(text, size, rows);
    rows_find(text, size, out->sign, rows);
    size_t width = width_of(rows, &share);
    size_t first = 0;
    /* titles and notes above the table: rows that are much narrower than it */
    while (first + 1 < rows->count && first < TITLES_MOST &&
           (rows->items[first].filled == 0 ||
            (width > 1 && (rows->items[first].cells < width ||
                           (rows->items[first].filled == 1 && width > 2))))) {
        first++;
    }
    if (first >= TITLES_MOST || first + 1 >= rows->count) {
        first = 0;
        while (first + 1 < rows->count && rows->items[first].filled == 0) {
            first++;
        }
    }
    out->skip = rows->count ? rows->items[first].line : 0;
    size_t at = 0;
    for (size_t line = 0; line < out->skip && at < size; at++) {
        line += text[at] == '\n';
    }
    struct row row = {0};
    struct texts below = {0};
    at = row_read(text, size, at, out->sign, &row, arena, &out->cells);
    if (at < size) {
        (void)row_read(text, size, at, out->sign, &row, arena, &below);
    }
    out->heading = is_heading(&out->cells, &below);
}
