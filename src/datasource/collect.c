/* Rows collected as they come: as many as the limits allow, and the truth about the rest.
 */
#include "datasource/collect.h"

static size_t bytes_of(const struct rows *rows, const struct value *cells)
{
    size_t bytes = 0;
    for (size_t i = 0; i < rows->column_count; i++) {
        bytes += value_bytes(&cells[i]);
    }
    return bytes;
}

static bool collect_columns(void *context, const struct rows_column *columns,
                            size_t count)
{
    struct collector *collector = context;
    rows_set_columns(collector->rows, columns, count);
    return true;
}

static bool collect_row(void *context, const struct value *cells)
{
    struct collector *collector = context;
    struct rows *rows = collector->rows;
    if ((int64_t)rows->count >= collector->limits->max_rows) {
        rows->cut = ROWS_CUT_BY_COUNT;
        return false;
    }
    if (rows->bytes + bytes_of(rows, cells) > (size_t)collector->limits->max_bytes) {
        rows->cut = ROWS_CUT_BY_BYTES;
        return false;
    }
    rows_note_cut_cells(rows, rows->count, cells);
    rows_add(rows, cells);
    return true;
}

static bool pass_columns(void *context, const struct rows_column *columns, size_t count)
{
    struct collector *collector = context;
    rows_set_columns(collector->rows, columns, count);
    return collector->next->columns(collector->next->context, columns, count);
}

static bool pass_row(void *context, const struct value *cells)
{
    struct collector *collector = context;
    struct rows *rows = collector->rows;
    if ((int64_t)rows->passed_count >= collector->limits->max_rows) {
        rows->passed_cut = ROWS_CUT_BY_COUNT;
        return false;
    }
    collector->bytes += bytes_of(rows, cells);
    if (collector->bytes > (size_t)collector->limits->max_bytes) {
        rows->passed_cut = ROWS_CUT_BY_BYTES;
        return false;
    }
    rows_note_cut_cells(rows, rows->passed_count, cells);
    if (rows->count < collector->keep) {
        rows_add(rows, cells);
    } else {
        rows->cut = ROWS_CUT_BY_COUNT;
    }
    rows->passed_count++;
    return collector->next->row(collector->next->context, cells);
}

struct datasource_sink collector_sink(struct collector *collector)
{
    return (struct datasource_sink){.columns =
                                        collector->next ? pass_columns : collect_columns,
                                    .row = collector->next ? pass_row : collect_row,
                                    .context = collector};
}

static bool drop_columns(void *context, const struct rows_column *columns, size_t count)
{
    (void)context;
    (void)columns;
    (void)count;
    return true;
}

static bool drop_row(void *context, const struct value *cells)
{
    (void)context;
    (void)cells;
    return true;
}

struct datasource_sink dropped_sink(void)
{
    return (struct datasource_sink){.columns = drop_columns, .row = drop_row};
}
