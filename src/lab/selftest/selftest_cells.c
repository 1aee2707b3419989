/* Cells that are longer than an answer may hold: cut, marked and told. */
#include <string.h>

#include "base/clock.h"
#include "lab/selftest/selftest.h"

enum { CELL_MOST = 1000, LONG_CELL = 6000, ANSWER_MOST = 2500, TIME_MS = 30000 };

/* What is asked, and how many of its cells must come out cut. Each letter stands for a
 * cell of its own: l is too long, u too long with a character across the border, w just
 * short enough. */
static const struct cells {
    const char *what;
    const char *rows[4];
    int64_t max_bytes;
    size_t cut;
    bool or_row; /* or the whole row is left out, which the answer says, too */
} cases[] = {
    {"a long cell", {"l"}, 1 << 20, 1, false},
    {"a long cell whose border divides a character", {"u"}, 1 << 20, 1, false},
    {"a long cell in each of three rows", {"wl", "lw", "wl"}, 1 << 20, 3, false},
    {"three long cells that share what an answer may hold",
     {"lll"},
     ANSWER_MOST,
     3,
     true},
};
static const struct cells whole = {
    "a cell as long as it may be", {"w"}, 1 << 20, 0, false};

static void add_cell(struct buf *sql, char kind)
{
    size_t size = kind == 'w' ? CELL_MOST : LONG_CELL;
    const char *sign = kind == 'u' ? "\xE2\x82\xAC" : "x";
    (void)buf_char(sql, '\'');
    for (size_t i = 0; i < size; i += strlen(sign)) {
        (void)buf_text(sql, sign);
    }
    (void)buf_char(sql, '\'');
}

static void write_query(struct buf *sql, const struct cells *cells)
{
    for (size_t i = 0; cells->rows[i]; i++) {
        (void)buf_text(sql, i ? " UNION ALL SELECT " : "SELECT ");
        for (const char *kind = cells->rows[i]; *kind; kind++) {
            (void)buf_text(sql, kind > cells->rows[i] ? ", " : "");
            add_cell(sql, *kind);
            (void)buf_format(sql, " AS c%d", (int)(kind - cells->rows[i]));
        }
    }
}

/* No cell longer than it may be, not even with the mark at its end. */
static bool all_short(const struct rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        for (size_t j = 0; j < rows->column_count; j++) {
            const struct value *cell = rows_cell(rows, i, j);
            if (cell->kind != VALUE_TEXT || cell->text.size > CELL_MOST) {
                return false;
            }
        }
    }
    return true;
}

/* NULL: as it must be. */
static const char *fault_of(struct selftest_world *world, struct arena *arena,
                            const struct cells *cells)
{
    const struct datasource_limits limits = {.deadline_ms = clock_ms() + TIME_MS,
                                             .max_rows = 100,
                                             .max_bytes = cells->max_bytes,
                                             .max_cell_bytes = CELL_MOST};
    struct buf sql;
    struct rows rows;
    struct err err;
    err_clear(&err);
    rows_init(&rows, arena);
    buf_init(&sql, 1 << 18);
    write_query(&sql, cells);
    bool ok = datasource_execute(world->source, buf_get(&sql), world->schema, &limits,
                                 &rows, &err);
    buf_release(&sql);
    bool left_out = cells->or_row && rows.count == 0 && rows.cut != ROWS_WHOLE;
    bool told = rows_incomplete(&rows) == (cells->cut > 0) &&
                (left_out || rows.cut_cells.count == cells->cut);
    return !ok ? arena_format(arena, "not answered: %s (%s)", err.message, err.detail)
           : rows.count == 0 && !left_out ? "no row came out"
           : !all_short(&rows) || (int64_t)rows.bytes > cells->max_bytes
               ? "more came out than may"
           : !told ? "that it was cut is not told"
                   : NULL;
}

void selftest_cells_play(struct selftest_world *world, struct selftest_report *report)
{
    struct arena *arena = arena_new();
    struct selftest_tally tally;
    selftest_tally_init(&tally, world->source->driver->name, "cells");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        selftest_tally_add(&tally, cases[i].what, fault_of(world, arena, &cases[i]));
    }
    selftest_tally_control(&tally, whole.what, !fault_of(world, arena, &whole));
    selftest_tally_end(&tally, report);
    arena_free(arena);
}
