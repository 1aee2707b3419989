/* Rows for other programs, one line each, written as they come. */
#include "cli/lines.h"

#include <string.h>

#include "base/arena.h"
#include "base/csv.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/writer.h"
#include "cli/clean.h"
#include "cli/out.h"

enum { LINE_CEILING = 1 << 30 };

/* Removes control characters even from output to files, because files are shown on
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

static bool lines_is_plain(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if ((unsigned char)text[i] < 0x20 || (unsigned char)text[i] >= 0x7F) {
            return false;
        }
    }
    return true;
}

/* A whole line at once: cleaning costs less than by fields. */
void lines_print(struct out *out, struct buf *line)
{
    (void)buf_char(line, '\n');
    if (lines_is_plain(buf_get(line), line->size - 1)) {
        out_add(out, buf_get(line), line->size);
    } else {
        print_clean(out, buf_get(line), line->size);
    }
    buf_clear(line);
}

void lines_init(struct lines *lines, struct out *out, enum lines_form form)
{
    *lines = (struct lines){.out = out, .form = form, .arena = arena_new()};
    buf_init(&lines->line, LINE_CEILING);
}

/* Equal names would make an object that loses values. */
static void name_keys(struct lines *lines, const char *const *names, size_t count)
{
    struct map taken;
    map_init(&taken, false);
    for (size_t i = 0; i < count; i++) {
        const char *name = names[i];
        for (size_t copy = 2; map_has(&taken, name); copy++) {
            name = arena_format(lines->arena, "%s_%zu", names[i], copy);
        }
        (void)map_set(&taken, name, (void *)&taken);
        buf_init(&lines->keys[i], LINE_CEILING);
        (void)buf_text(&lines->keys[i], i ? "," : "{");
        writer_quote(&lines->keys[i], name, strlen(name));
        (void)buf_char(&lines->keys[i], ':');
    }
    map_release(&taken);
}

static void drop_columns(struct lines *lines)
{
    for (size_t i = 0; lines->keys && i < lines->column_count; i++) {
        buf_release(&lines->keys[i]);
    }
    memory_free(lines->keys);
    lines->keys = NULL;
}

void lines_columns(struct lines *lines, const char *const *names, size_t count)
{
    drop_columns(lines);
    buf_clear(&lines->line);
    if (lines->form == LINES_JSON) {
        lines->keys = memory_array(count + 1, sizeof *lines->keys);
        name_keys(lines, names, count);
    }
    lines->column_count = count;
    lines->begun = true;
    for (size_t i = 0; lines->form == LINES_CSV && i < count; i++) {
        (void)buf_text(&lines->line, i ? "," : "");
        (void)csv_add(&lines->line, names[i], strlen(names[i]));
    }
}

/* What stands before the first row. */
static void head(struct lines *lines)
{
    lines->headed = true;
    if (lines->form == LINES_CSV) {
        lines_print(lines->out, &lines->line);
    } else {
        out_text(lines->out, "[");
    }
}

static size_t lines_digits(const char *text, size_t size)
{
    size_t count = 0;
    while (count < size && text[count] >= '0' && text[count] <= '9') {
        count++;
    }
    return count;
}

/* JSON's grammar is stricter than what databases call a number: no +, no .5, no NaN. */
static bool is_json_number(const char *text, size_t size)
{
    size_t at = size && text[0] == '-';
    size_t whole = lines_digits(text + at, size - at);
    if (!whole || (text[at] == '0' && whole > 1)) {
        return false;
    }
    at += whole;
    if (at < size && text[at] == '.') {
        size_t part = lines_digits(text + at + 1, size - at - 1);
        if (!part) {
            return false;
        }
        at += 1 + part;
    }
    if (at < size && (text[at] == 'e' || text[at] == 'E')) {
        at++;
        at += at < size && (text[at] == '+' || text[at] == '-');
        size_t exponent = lines_digits(text + at, size - at);
        if (!exponent) {
            return false;
        }
        at += exponent;
    }
    return at == size;
}

static void add_object(struct lines *lines, const struct dgm_cell *cells)
{
    struct buf *line = &lines->line;
    (void)buf_text(line, lines->count ? ",\n " : "\n ");
    for (size_t i = 0; i < lines->column_count; i++) {
        const struct dgm_cell *cell = &cells[i];
        (void)buf_add(line, lines->keys[i].data, lines->keys[i].size);
        if (!cell->text) {
            (void)buf_add(line, "null", 4);
        } else if (cell->number && is_json_number(cell->text, cell->size)) {
            (void)buf_add(line, cell->text, cell->size);
        } else {
            writer_quote(line, cell->text, cell->size);
        }
    }
    (void)buf_text(line, lines->column_count ? "}" : "{}");
}

static void add_fields(struct lines *lines, const struct dgm_cell *cells)
{
    for (size_t i = 0; i < lines->column_count; i++) {
        (void)buf_add(&lines->line, ",", i ? 1 : 0);
        (void)csv_add(&lines->line, cells[i].text, cells[i].size);
    }
}

bool lines_row(struct lines *lines, const struct dgm_cell *cells)
{
    if (!lines->headed) {
        head(lines);
    }
    if (lines->form == LINES_CSV) {
        add_fields(lines, cells);
        lines_print(lines->out, &lines->line);
    } else {
        add_object(lines, cells);
        out_add(lines->out, buf_get(&lines->line), lines->line.size);
        buf_clear(&lines->line);
    }
    lines->count++;
    return !out_failed(lines->out);
}

void lines_abandon(struct lines *lines)
{
    drop_columns(lines);
    buf_release(&lines->line);
    arena_free(lines->arena);
    *lines = (struct lines){0};
}

void lines_end(struct lines *lines)
{
    if (lines->begun && !lines->headed) {
        head(lines);
    }
    if (lines->begun && lines->form == LINES_JSON) {
        out_text(lines->out, lines->count ? "\n]\n" : "]\n");
    }
    lines_abandon(lines);
}
