/* Rows for other programs: CSV, JSON and Markdown. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/str.h"
#include "base/writer.h"
#include "cli/clean.h"
#include "cli/grid.h"
#include "cli/out.h"

enum { CELL_CEILING = 1 << 30 };

/* Exact for a pipe; on a terminal what it would obey is made visible. */
static void print_exact(struct out *out, const char *text, size_t size)
{
    if (!out->terminal) {
        out_add(out, text, size);
        return;
    }
    struct arena *arena = arena_new();
    size_t clean_size = 0;
    const char *clean =
        clean_text(arena, text, size, CLEAN_EXACT, out->utf8, &clean_size);
    out_add(out, clean, clean_size);
    arena_free(arena);
}

static void csv_field(struct out *out, const char *text, size_t size, bool null)
{
    if (null) {
        return;
    }
    bool quoted = size == 0 || text[0] == ' ' || text[size - 1] == ' ' ||
                  memchr(text, ',', size) || memchr(text, '"', size) ||
                  memchr(text, '\n', size) || memchr(text, '\r', size);
    if (!quoted) {
        print_exact(out, text, size);
        return;
    }
    out_text(out, "\"");
    while (size) {
        const char *quote = memchr(text, '"', size);
        size_t part = quote ? (size_t)(quote - text) + 1 : size;
        print_exact(out, text, part);
        out_text(out, quote ? "\"" : "");
        text += part;
        size -= part;
    }
    out_text(out, "\"");
}

void csv_print(struct out *out, const struct grid *grid)
{
    for (size_t column = 0; column < grid->column_count; column++) {
        const char *name = grid->columns[column];
        out_text(out, column ? "," : "");
        csv_field(out, name, strlen(name), false);
    }
    out_text(out, "\n");
    for (size_t row = 0; row < grid->row_count && !out_failed(out); row++) {
        for (size_t column = 0; column < grid->column_count; column++) {
            const struct cell *cell = grid_cell(grid, row, column);
            out_text(out, column ? "," : "");
            csv_field(out, cell->text, cell->size, !cell->text);
        }
        out_text(out, "\n");
    }
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
        print_exact(out, buf_get(&buf), buf.size);
    }
    out_text(out, grid->row_count ? "\n]\n" : "]\n");
    buf_release(&buf);
    arena_free(arena);
}

static void markdown_field(struct out *out, const char *text, size_t size)
{
    out_text(out, " ");
    for (size_t at = 0; at < size;) {
        size_t part = 0;
        while (at + part < size && !strchr("|\\\r\n", text[at + part])) {
            part++;
        }
        print_exact(out, text + at, part);
        at += part;
        if (at < size && text[at] == '\n') {
            out_text(out, "<br>");
        } else if (at < size && text[at] == '\0') {
            out_text(out, "\xEF\xBF\xBD");
        } else if (at < size && text[at] != '\r') {
            out_format(out, "\\%c", text[at]);
        }
        at += at < size;
    }
    out_text(out, " |");
}

void markdown_print(struct out *out, const struct grid *grid)
{
    out_text(out, "|");
    for (size_t column = 0; column < grid->column_count; column++) {
        markdown_field(out, grid->columns[column], strlen(grid->columns[column]));
    }
    out_text(out, "\n|");
    for (size_t column = 0; column < grid->column_count; column++) {
        bool number = grid->row_count > 0;
        for (size_t row = 0; row < grid->row_count && number; row++) {
            const struct cell *cell = grid_cell(grid, row, column);
            number = cell->number || !cell->text;
        }
        out_text(out, number ? " ---: |" : " --- |");
    }
    out_text(out, "\n");
    for (size_t row = 0; row < grid->row_count && !out_failed(out); row++) {
        out_text(out, "|");
        for (size_t column = 0; column < grid->column_count; column++) {
            const struct cell *cell = grid_cell(grid, row, column);
            markdown_field(out, cell->text ? cell->text : "NULL",
                           cell->text ? cell->size : 4);
        }
        out_text(out, "\n");
    }
}
