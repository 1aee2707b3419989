/* Rows for other programs: CSV, JSON and Markdown. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/markdown.h"
#include "cli/grid.h"
#include "cli/lines.h"
#include "cli/out.h"

enum { CELL_CEILING = 1 << 30 };

static void print_rows(struct lines *lines, const struct grid *grid)
{
    lines_columns(lines, grid->columns, grid->column_count);
    for (size_t row = 0; row < grid->row_count && !out_failed(lines->out); row++) {
        (void)lines_row(lines, grid_cell(grid, row, 0));
    }
    lines_end(lines);
}

void csv_print(struct out *out, const struct grid *grid)
{
    struct lines lines;
    lines_init(&lines, out, LINES_CSV);
    print_rows(&lines, grid);
}

void json_rows_print(struct out *out, const struct grid *grid)
{
    struct lines lines;
    lines_init(&lines, out, LINES_JSON);
    print_rows(&lines, grid);
}

static void markdown_field(struct buf *line, const char *text, size_t size)
{
    (void)buf_char(line, ' ');
    (void)markdown_add(line, text, size);
    (void)buf_text(line, " |");
}

static bool is_number_column(const struct grid *grid, size_t column)
{
    bool number = grid->row_count > 0;
    for (size_t row = 0; row < grid->row_count && number; row++) {
        const struct dgm_cell *cell = grid_cell(grid, row, column);
        number = cell->number || !cell->text;
    }
    return number;
}

void markdown_print(struct out *out, const struct grid *grid)
{
    struct buf line;
    buf_init(&line, CELL_CEILING);
    (void)buf_char(&line, '|');
    for (size_t column = 0; column < grid->column_count; column++) {
        markdown_field(&line, grid->columns[column], strlen(grid->columns[column]));
    }
    lines_print(out, &line);
    (void)buf_char(&line, '|');
    for (size_t column = 0; column < grid->column_count; column++) {
        (void)buf_text(&line, is_number_column(grid, column) ? " ---: |" : " --- |");
    }
    lines_print(out, &line);
    for (size_t row = 0; row < grid->row_count && !out_failed(out); row++) {
        (void)buf_char(&line, '|');
        for (size_t column = 0; column < grid->column_count; column++) {
            const struct dgm_cell *cell = grid_cell(grid, row, column);
            markdown_field(&line, cell->text ? cell->text : "NULL",
                           cell->text ? cell->size : 4);
        }
        lines_print(out, &line);
    }
    buf_release(&line);
}
