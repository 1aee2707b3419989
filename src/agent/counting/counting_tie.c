/* Warns about rows with the same value as the last one of a ranking that are not
 * shown. */
#include <string.h>

#include "agent/counting/counting.h"
#include "agent/counting/counting_state.h"
#include "base/buf.h"
#include "base/str.h"
#include "sql/counting/tie.h"

enum { MORE = 20, NAMED = 3, CELL_MOST = 60 };

static const char *cell_text(struct run *run, const struct rows *rows, size_t row,
                             size_t column)
{
    struct buf out;
    buf_init(&out, CELL_MOST);
    value_print(&out, rows_cell(rows, row, column));
    const char *text = buf_clone(&out, run->scratch);
    buf_release(&out);
    return text;
}

static bool same_cell(struct run *run, const struct rows *a, size_t a_row,
                      const struct rows *b, size_t b_row, size_t column)
{
    return strcmp(cell_text(run, a, a_row, column), cell_text(run, b, b_row, column)) ==
           0;
}

/* Texts that the database treats as equal may differ in their bytes. */
static bool surely_differs(struct run *run, const struct rows *rows, size_t row,
                           size_t column)
{
    for (size_t i = row; i <= row + 1; i++) {
        const struct value *value = rows_cell(rows, i, column);
        if (value->kind == VALUE_TEXT &&
            (!value->text.size || value->text.data[0] < '0' ||
             value->text.data[0] > '9')) {
            return false;
        }
    }
    return !same_cell(run, rows, row, rows, row + 1, column);
}

static bool may_have_ties(const struct run *run)
{
    return !run_has_own_sql(run) && !run->request.delivery && !run->query.is_write &&
           !run->query.unlimited;
}

bool counting_watch_tie(struct run *run, struct tie_next *out)
{
    struct counting_sql read;
    return may_have_ties(run) && !run->request.sink && counting_sql(run, &read) &&
           tie_next(run->scratch, &read.statement, read.resolved, out) &&
           (int64_t)out->limit < run_limits(run).max_rows && counting_may_measure(run);
}

void counting_note_tie(struct run *run, const struct tie_next *next, struct rows *rows)
{
    if (rows->count < next->limit) {
        return;
    }
    run->query.untied = rows->count == next->limit && rows->cut == ROWS_WHOLE;
    if (rows->count > next->limit) {
        for (size_t i = 0; rows->column_count == next->width && i < next->values; i++) {
            run->query.untied |=
                surely_differs(run, rows, next->limit - 1, next->columns[i]);
        }
        rows_drop_last(rows);
    }
    rows->cut = ROWS_WHOLE; /* all rows that the answer has */
}

/* Which of several equal rows come first may differ from one query to the next. */
static bool is_shown(struct run *run, const struct rows *rows, size_t row, size_t columns)
{
    const struct rows *answer = &run->answer.rows;
    for (size_t i = 0; i < answer->count; i++) {
        bool same = answer->column_count == columns;
        for (size_t k = 0; same && k < columns; k++) {
            same = same_cell(run, answer, i, rows, row, k);
        }
        if (same) {
            return true;
        }
    }
    return false;
}

static bool equals_last(struct run *run, const struct tie *tie, const struct rows *rows,
                        size_t row)
{
    for (size_t i = rows->column_count - tie->values; i < rows->column_count; i++) {
        if (!same_cell(run, rows, tie->limit - 1, rows, row, i)) {
            return false;
        }
    }
    return true;
}

/* "2 more have the same value: Foxes, Lumen." */
static void tell(struct run *run, const struct tie *tie, const struct rows *rows)
{
    size_t same = 0;
    struct texts names = {0};
    for (size_t i = 0; i < rows->count; i++) {
        if (!equals_last(run, tie, rows, i) ||
            is_shown(run, rows, i, rows->column_count - tie->values)) {
            continue;
        }
        same++;
        if (names.count < NAMED) {
            VEC_PUSH(run->scratch, &names, cell_text(run, rows, i, 0));
        }
    }
    bool open =
        rows->count == tie->limit + MORE && equals_last(run, tie, rows, rows->count - 1);
    if (same) {
        run_warn(run, "%s%zu more %s the same value%s: %s%s.", open ? "At least " : "",
                 same, same == 1 ? "has" : "have",
                 tie->limit > 1 ? " as the last row" : "",
                 str_join(run->scratch, &names, ", "), same > names.count ? ", …" : "");
    }
}

void counting_tell_ties(struct run *run)
{
    struct counting_sql read;
    struct tie tie;
    struct rows rows;
    if (!may_have_ties(run) || run->query.untied || !run->answer.has_rows ||
        !counting_sql(run, &read)) {
        return;
    }
    if (tie_find(run->scratch, &read.statement, read.resolved, MORE, &tie) &&
        rows_given(&run->answer.rows) == tie.limit &&
        counting_read(run, tie.sql, tie.limit + MORE, &rows) && rows.count > tie.limit &&
        rows.column_count > tie.values) {
        tell(run, &tie, &rows);
    }
}
