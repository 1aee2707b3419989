/* Compares two results. */
#include "lab/eval/eval_compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "model/rows.h"

/* The maximum number of columns, and of column orders and steps to try. */
enum { COLUMNS_MOST = 100, ORDERS_MOST = 200, STEPS_MOST = 20000 };

/* A cell as text in which equal values are equal: 3, 3.0 and '3' are one. */
static const char *plain(struct arena *arena, const struct value *value)
{
    struct buf buf;
    buf_init(&buf, 1 << 20);
    value_print(&buf, value);
    double number = 0;
    char *text = buf_clone(&buf, arena);
    buf_release(&buf);
    if (value->kind != VALUE_NULL && str_to_real(text, &number)) {
        return arena_format(arena, "%.6g", fabs(number) < 1e-9 ? 0.0 : number);
    }
    return value->kind == VALUE_NULL ? "\x01null" : text;
}

static const char **cells_of(struct arena *arena, const struct rows *rows)
{
    size_t count = rows->count * rows->column_count;
    const char **cells = arena_array(arena, count + 1, sizeof *cells);
    for (size_t i = 0; i < count; i++) {
        cells[i] = plain(arena, &rows->cells[i]);
    }
    return cells;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Each row as one text, with its columns in this order; sorted unless order counts. */
static const char **lines_of(struct arena *arena, const char **cells,
                             const struct rows *rows, const size_t *order, bool ordered)
{
    const char **lines = arena_array(arena, rows->count + 1, sizeof *lines);
    for (size_t row = 0; row < rows->count; row++) {
        struct buf line;
        buf_init(&line, 1 << 20);
        for (size_t c = 0; c < rows->column_count; c++) {
            (void)buf_text(&line, cells[row * rows->column_count + order[c]]);
            (void)buf_char(&line, '\x02');
        }
        lines[row] = buf_clone(&line, arena);
        buf_release(&line);
    }
    if (!ordered) {
        qsort(lines, rows->count, sizeof *lines, by_text);
    }
    return lines;
}

static bool same_lines(const char **a, const char **b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(a[i], b[i]) != 0) {
            return false;
        }
    }
    return true;
}

/* A column's cells, sorted: columns can only stand for each other when these are equal.
 */
static const char **column_bag(struct arena *arena, const char **cells,
                               const struct rows *rows, size_t column)
{
    const char **bag = arena_array(arena, rows->count + 1, sizeof *bag);
    for (size_t row = 0; row < rows->count; row++) {
        bag[row] = cells[row * rows->column_count + column];
    }
    qsort(bag, rows->count, sizeof *bag, by_text);
    return bag;
}

struct matching {
    struct arena *arena;
    const struct rows *a;
    const struct rows *b;
    const char **b_cells;
    const char **a_lines;
    bool fits[COLUMNS_MOST][COLUMNS_MOST];
    size_t order[COLUMNS_MOST];
    bool taken[COLUMNS_MOST];
    bool ordered;
    size_t orders;
    size_t steps;
};

/* Gives b's columns an order under which the rows are a's: first the one they have. */
static bool match_from(struct matching *matching, size_t column)
{
    if (column == matching->a->column_count) {
        const char **lines = lines_of(matching->arena, matching->b_cells, matching->b,
                                      matching->order, matching->ordered);
        matching->orders++;
        return same_lines(matching->a_lines, lines, matching->a->count);
    }
    for (size_t i = 0; i < matching->b->column_count; i++) {
        size_t c = (column + i) % matching->b->column_count;
        if (matching->orders >= ORDERS_MOST || ++matching->steps > STEPS_MOST) {
            return false;
        }
        if (!matching->taken[c] && matching->fits[column][c]) {
            matching->taken[c] = true;
            matching->order[column] = c;
            if (match_from(matching, column + 1)) {
                return true;
            }
            matching->taken[c] = false;
        }
    }
    return false;
}

static const char ***bags_of(struct arena *arena, const char **cells,
                             const struct rows *rows)
{
    const char ***bags = arena_array(arena, rows->column_count + 1, sizeof *bags);
    for (size_t i = 0; i < rows->column_count; i++) {
        bags[i] = column_bag(arena, cells, rows, i);
    }
    return bags;
}

bool eval_same(struct arena *arena, const struct rows *a, const struct rows *b,
               bool ordered)
{
    if (a->count != b->count || a->column_count != b->column_count ||
        a->column_count > COLUMNS_MOST) {
        return false;
    }
    const char **a_cells = cells_of(arena, a);
    struct matching matching = {.arena = arena,
                                .a = a,
                                .b = b,
                                .b_cells = cells_of(arena, b),
                                .ordered = ordered};
    const char ***a_bags = bags_of(arena, a_cells, a);
    const char ***b_bags = bags_of(arena, matching.b_cells, b);
    size_t straight[COLUMNS_MOST];
    for (size_t i = 0; i < a->column_count; i++) {
        straight[i] = i;
        for (size_t k = 0; k < b->column_count; k++) {
            matching.fits[i][k] = same_lines(a_bags[i], b_bags[k], a->count);
        }
    }
    matching.a_lines = lines_of(arena, a_cells, a, straight, ordered);
    return match_from(&matching, 0);
}
