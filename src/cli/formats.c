/* Rows for other programs: CSV, JSON and Markdown. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/csv.h"
#include "base/map.h"
#include "base/markdown.h"
#include "base/writer.h"
#include "cli/clean.h"
#include "cli/grid.h"
#include "cli/out.h"

enum { CELL_CEILING = 1 << 30 };

/* Nothing that a terminal would obey, whoever reads it first: files are looked at on
 * terminals later. */
static void print_clean(struct out *out, const char *text, size_t size)
{
    struct arena *arena = arena_new();
    size_t clean_size = 0;
    const char *clean =
        clean_text(arena, text, size, CLEAN_EXACT, out->utf8, &clean_size);
    out_add(out, clean, clean_size);
    arena_free(arena);
}

static bool is_plain(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if ((unsigned char)text[i] < 0x20 || (unsigned char)text[i] >= 0x7F) {
            return false;
        }
    }
    return true;
}

/* A whole line at once: cleaning costs less than by fields. */
static void print_line(struct out *out, struct buf *line)
{
    (void)buf_char(line, '\n');
    if (is_plain(buf_get(line), line->size - 1)) {
        out_add(out, buf_get(line), line->size);
    } else {
        print_clean(out, buf_get(line), line->size);
    }
    buf_clear(line);
}

void csv_print(struct out *out, const struct grid *grid)
{
    struct buf line;
    buf_init(&line, CELL_CEILING);
    for (size_t column = 0; column < grid->column_count; column++) {
        const char *name = grid->columns[column];
        (void)buf_text(&line, column ? "," : "");
        (void)csv_add(&line, name, strlen(name));
    }
    print_line(out, &line);
    for (size_t row = 0; row < grid->row_count && !out_failed(out); row++) {
        for (size_t column = 0; column < grid->column_count; column++) {
            const struct cell *cell = grid_cell(grid, row, column);
            (void)buf_text(&line, column ? "," : "");
            (void)csv_add(&line, cell->text, cell->size);
        }
        print_line(out, &line);
    }
    buf_release(&line);
}

/* Equal names would make an object that loses values. */
static const char **unique_names(struct arena *arena, const struct grid *grid)
{
    const char **names = arena_array(arena, grid->column_count, sizeof *names);
    struct map taken;
    map_init(&taken, false);
    for (size_t column = 0; column < grid->column_count; column++) {
        const char *name = grid->columns[column];
        for (size_t copy = 2; map_has(&taken, name); copy++) {
            name = arena_format(arena, "%s_%zu", grid->columns[column], copy);
        }
        names[column] = name;
        (void)map_set(&taken, name, (void *)&taken);
    }
    map_release(&taken);
    return names;
}

/* JSON's grammar is stricter than what databases call a number: no +, no .5, no NaN. */
static bool is_json_number(const struct cell *cell)
{
    const char *at = cell->text;
    if (!cell->number || strlen(at) != cell->size) {
        return false;
    }
    at += *at == '-';
    size_t digits = strspn(at, "0123456789");
    if (!digits || (*at == '0' && digits > 1)) {
        return false;
    }
    at += digits;
    if (*at == '.') {
        digits = strspn(++at, "0123456789");
        if (!digits) {
            return false;
        }
        at += digits;
    }
    if (*at == 'e' || *at == 'E') {
        at++;
        at += *at == '+' || *at == '-';
        digits = strspn(at, "0123456789");
        if (!digits) {
            return false;
        }
        at += digits;
    }
    return *at == '\0';
}

static void json_value(struct writer *writer, const struct cell *cell)
{
    if (!cell->text) {
        writer_null(writer);
    } else if (is_json_number(cell)) {
        writer_raw(writer, cell->text);
    } else {
        writer_text_n(writer, cell->text, cell->size);
    }
}

void json_rows_print(struct out *out, const struct grid *grid)
{
    struct arena *arena = arena_new();
    const char **names = unique_names(arena, grid);
    struct buf buf;
    buf_init(&buf, CELL_CEILING);
    out_text(out, "[");
    for (size_t row = 0; row < grid->row_count && !out_failed(out); row++) {
        struct writer writer;
        buf_clear(&buf);
        writer_init(&writer, &buf);
        writer_object(&writer);
        for (size_t column = 0; column < grid->column_count; column++) {
            writer_key(&writer, names[column]);
            json_value(&writer, grid_cell(grid, row, column));
        }
        writer_object_end(&writer);
        out_text(out, row ? ",\n " : "\n ");
        out_add(out, buf_get(&buf), buf.size);
    }
    out_text(out, grid->row_count ? "\n]\n" : "]\n");
    buf_release(&buf);
    arena_free(arena);
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
        const struct cell *cell = grid_cell(grid, row, column);
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
    print_line(out, &line);
    (void)buf_char(&line, '|');
    for (size_t column = 0; column < grid->column_count; column++) {
        (void)buf_text(&line, is_number_column(grid, column) ? " ---: |" : " --- |");
    }
    print_line(out, &line);
    for (size_t row = 0; row < grid->row_count && !out_failed(out); row++) {
        (void)buf_char(&line, '|');
        for (size_t column = 0; column < grid->column_count; column++) {
            const struct cell *cell = grid_cell(grid, row, column);
            markdown_field(&line, cell->text ? cell->text : "NULL",
                           cell->text ? cell->size : 4);
        }
        print_line(out, &line);
    }
    buf_release(&line);
}
