/* Rows as an aligned table that fits the terminal, or as records when it cannot. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "cli/clean.h"
#include "cli/grid.h"
#include "cli/out.h"

enum {
    GAP = 2,
    LEAST_COLUMN = 8,  /* a text column is not cut below this */
    MOST_COLUMN = 200, /* nor wider than this on a terminal */
};

struct piece { /* a cell ready for the screen */
    const char *text;
    size_t size;
    size_t columns;
};

struct layout {
    struct out *out;
    struct arena *arena;
    const struct grid *grid;
    size_t rows;
    struct piece *heads;
    struct piece *pieces; /* rows * columns */
    size_t *widths;
    bool *numeric;  /* every value is a number: right-aligned and never cut */
    size_t pending; /* blanks owed to the line, so that none stand at its end */
};

static struct piece make_piece(struct layout *layout, const char *text, size_t size)
{
    struct piece piece = {.text = text ? text : "NULL", .size = text ? size : 4};
    piece.text = clean_text(layout->arena, piece.text, piece.size, CLEAN_ONE_LINE,
                            layout->out->utf8, &piece.size);
    piece.columns = utf8_columns(piece.text, piece.size);
    return piece;
}

static void measure(struct layout *layout)
{
    const struct grid *grid = layout->grid;
    size_t columns = grid->column_count;
    layout->heads = arena_array(layout->arena, columns, sizeof *layout->heads);
    layout->pieces =
        arena_array(layout->arena, columns * layout->rows, sizeof *layout->pieces);
    layout->widths = arena_array(layout->arena, columns, sizeof *layout->widths);
    layout->numeric = arena_array(layout->arena, columns, sizeof *layout->numeric);
    for (size_t column = 0; column < columns; column++) {
        const char *name = grid->columns[column];
        layout->heads[column] = make_piece(layout, name, strlen(name));
        size_t widest = layout->heads[column].columns;
        bool all_numbers = true;
        bool any = false;
        for (size_t row = 0; row < layout->rows; row++) {
            const struct dgm_cell *cell = grid_cell(grid, row, column);
            struct piece piece = make_piece(layout, cell->text, cell->size);
            layout->pieces[row * columns + column] = piece;
            widest = piece.columns > widest ? piece.columns : widest;
            all_numbers = all_numbers && (!cell->text || cell->number);
            any = any || cell->text;
        }
        layout->numeric[column] = any && all_numbers;
        layout->widths[column] = widest ? widest : 1;
    }
}

static size_t total(const struct layout *layout)
{
    size_t columns = layout->grid->column_count;
    size_t sum = columns ? (columns - 1) * GAP : 0;
    for (size_t column = 0; column < columns; column++) {
        sum += layout->widths[column];
    }
    return sum;
}

/* Takes from the widest text column, one column of the screen at a time. */
static bool fit(struct layout *layout)
{
    size_t width = layout->out->width;
    size_t columns = layout->grid->column_count;
    if (!width) {
        return true;
    }
    for (size_t column = 0; column < columns; column++) {
        if (layout->widths[column] > MOST_COLUMN) {
            layout->widths[column] = MOST_COLUMN;
        }
    }
    for (size_t sum = total(layout); sum > width; sum--) {
        size_t widest = columns;
        for (size_t column = 0; column < columns; column++) {
            if (!layout->numeric[column] && layout->widths[column] > LEAST_COLUMN &&
                (widest == columns || layout->widths[column] > layout->widths[widest])) {
                widest = column;
            }
        }
        if (widest == columns) {
            return false;
        }
        layout->widths[widest]--;
    }
    return true;
}

/* As much of the piece as fits; returns the columns used. */
static size_t print_cut(struct out *out, const struct piece *piece, size_t width)
{
    if (piece->columns <= width) {
        out_add(out, piece->text, piece->size);
        return piece->columns;
    }
    size_t mark = out->utf8 ? 1 : 3;
    size_t room = width > mark ? width - mark : 0;
    size_t at = 0;
    size_t used = 0;
    while (at < piece->size) {
        uint32_t code = 0;
        size_t length = utf8_next(piece->text + at, piece->size - at, &code);
        size_t columns = (size_t)utf8_width(code);
        if (used + columns > room) {
            break;
        }
        at += length;
        used += columns;
    }
    out_add(out, piece->text, at);
    out_text(out, out->utf8 ? "…" : "...");
    return used + mark;
}

static void print_padded(struct layout *layout, size_t column, const struct piece *piece,
                         enum shade shade)
{
    struct out *out = layout->out;
    size_t width = layout->widths[column];
    size_t shown = piece->columns < width ? piece->columns : width;
    if (layout->numeric[column]) {
        layout->pending += width - shown;
    }
    if (piece->size) {
        out_repeat(out, " ", layout->pending);
        layout->pending = 0;
    }
    if (shade != SHADE_PLAIN) {
        out_shade(out, shade);
    }
    size_t used = print_cut(out, piece, width);
    if (shade != SHADE_PLAIN) {
        out_shade(out, SHADE_PLAIN);
    }
    if (!layout->numeric[column] && used < width) {
        layout->pending += width - used;
    }
    layout->pending += GAP;
}

static void end_line(struct layout *layout)
{
    out_text(layout->out, "\n");
    layout->pending = 0;
}

static void print_lines(struct layout *layout)
{
    struct out *out = layout->out;
    size_t columns = layout->grid->column_count;
    for (size_t column = 0; column < columns; column++) {
        print_padded(layout, column, &layout->heads[column], SHADE_BOLD);
    }
    end_line(layout);
    out_shade(out, SHADE_DIM);
    for (size_t column = 0; column < columns; column++) {
        out_repeat(out, out->utf8 ? "─" : "-", layout->widths[column]);
        out_repeat(out, " ", column + 1 == columns ? 0 : GAP);
    }
    out_shade(out, SHADE_PLAIN);
    out_text(out, "\n");
    for (size_t row = 0; row < layout->rows && !out_failed(out); row++) {
        for (size_t column = 0; column < columns; column++) {
            bool null = !grid_cell(layout->grid, row, column)->text;
            print_padded(layout, column, &layout->pieces[row * columns + column],
                         null ? SHADE_DIM : SHADE_PLAIN);
        }
        end_line(layout);
    }
}

/* One record after another, a line per column. */
static void print_records(struct layout *layout)
{
    struct out *out = layout->out;
    size_t columns = layout->grid->column_count;
    size_t names = 0;
    for (size_t column = 0; column < columns; column++) {
        size_t width = layout->heads[column].columns;
        names = width > names ? width : names;
    }
    names = names > out->width / 2 ? out->width / 2 : names;
    size_t values = out->width - names - GAP;
    for (size_t row = 0; row < layout->rows && !out_failed(out); row++) {
        out_shade(out, SHADE_DIM);
        out_repeat(out, out->utf8 ? "─" : "-", 2);
        out_format(out, " row %zu ", row + 1);
        out_repeat(out, out->utf8 ? "─" : "-", 8);
        out_shade(out, SHADE_PLAIN);
        out_text(out, "\n");
        for (size_t column = 0; column < columns; column++) {
            bool null = !grid_cell(layout->grid, row, column)->text;
            out_shade(out, SHADE_BOLD);
            size_t used = print_cut(out, &layout->heads[column], names);
            out_shade(out, SHADE_PLAIN);
            out_repeat(out, " ", names - used + GAP);
            if (null) {
                out_shade(out, SHADE_DIM);
            }
            (void)print_cut(out, &layout->pieces[row * columns + column], values);
            if (null) {
                out_shade(out, SHADE_PLAIN);
            }
            out_text(out, "\n");
        }
    }
}

size_t table_print(struct out *out, const struct grid *grid, size_t most)
{
    struct layout layout = {.out = out, .grid = grid, .rows = grid->row_count};
    if (most && layout.rows > most) {
        layout.rows = most;
    }
    layout.arena = arena_new();
    measure(&layout);
    if (fit(&layout)) {
        print_lines(&layout);
    } else {
        print_records(&layout);
    }
    arena_free(layout.arena);
    return layout.rows;
}
