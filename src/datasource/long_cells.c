/*
 * Cells that are longer than an answer may hold. The beginning is kept and marked, so
 * that nobody takes it for the whole; what was JSON or a number is text from there on.
 */
#include "datasource/collect.h"

#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"

static const char mark[] = "… [cut]";

static bool is_text(const struct value *value)
{
    return value->kind == VALUE_TEXT || value->kind == VALUE_JSON ||
           value->kind == VALUE_NUMBER;
}

static bool is_long(const struct value *value, size_t most)
{
    return value->cut ||
           ((is_text(value) || value->kind == VALUE_BLOB) && value->text.size > most);
}

static struct value cell_cut(struct arena *arena, const struct value *cell, size_t most)
{
    struct value value = {.kind = cell->kind == VALUE_BLOB ? VALUE_BLOB : VALUE_TEXT,
                          .cut = true};
    const char *data = cell->text.data;
    size_t size = cell->text.size;
    if (cell->kind == VALUE_BLOB) {
        value.text.data = data;
        value.text.size = size < most ? size : most;
        return value;
    }
    /* The mark is a part of what is shown, also where a driver has left off earlier. */
    size_t whole = size < most ? size : most;
    size_t room = whole > sizeof mark ? whole - (sizeof mark - 1) : 0;
    size_t kept = utf8_cut(data, size, room);
    char *text = arena_alloc(arena, kept + sizeof mark);
    memcpy(text, data, kept);
    memcpy(text + kept, mark, sizeof mark);
    value.text.data = text;
    value.text.size = kept + sizeof mark - 1;
    return value;
}

static bool take_columns(void *context, const struct rows_column *columns, size_t count)
{
    struct long_cells *work = context;
    work->count = count;
    work->cells = arena_array(work->arena, count, sizeof *work->cells);
    return work->next->columns(work->next->context, columns, count);
}

static bool take_row(void *context, const struct value *cells)
{
    struct long_cells *work = context;
    size_t most = (size_t)work->limits->max_cell_bytes;
    size_t first = 0;
    while (first < work->count && !is_long(&cells[first], most)) {
        first++;
    }
    if (first == work->count) {
        return work->next->row(work->next->context, cells);
    }
    for (size_t i = 0; i < work->count; i++) {
        work->cells[i] = is_long(&cells[i], most)
                             ? cell_cut(work->scratch, &cells[i], most)
                             : cells[i];
    }
    bool more = work->next->row(work->next->context, work->cells);
    arena_reset(work->scratch);
    return more;
}

void long_cells_init(struct long_cells *long_cells, const struct datasource_sink *next,
                     const struct datasource_limits *limits)
{
    *long_cells = (struct long_cells){
        .next = next, .limits = limits, .arena = arena_new(), .scratch = arena_new()};
}

void long_cells_release(struct long_cells *long_cells)
{
    arena_free(long_cells->arena);
    arena_free(long_cells->scratch);
}

struct datasource_sink long_cells_sink(struct long_cells *long_cells)
{
    return (struct datasource_sink){
        .columns = take_columns, .row = take_row, .context = long_cells};
}
