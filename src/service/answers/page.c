/* Further pages of a result, and the total number of rows. */
#include <inttypes.h>

#include "base/buf.h"
#include "base/str.h"
#include "base/writer.h"
#include "model/rows_json.h"
#include "service/answers/result.h"

enum { TEXT_MOST = 256 * 1024 * 1024, MEGABYTE = 1 << 20 };

struct page {
    struct rows rows;
    int64_t skip;
    int64_t most;
    int64_t max_bytes;
    int64_t seen;
    bool more;  /* rows after this page */
    bool large; /* ended before `most` because of its size */
    bool cut;   /* a policy does not allow more rows */
};

static bool take_columns(void *context, const struct rows_column *columns, size_t count)
{
    struct page *page = context;
    rows_set_columns(&page->rows, columns, count);
    page->rows.count = 0;
    page->rows.cut_cells.count = 0;
    page->seen = 0;
    return true;
}

static bool take_row(void *context, const struct value *cells)
{
    struct page *page = context;
    size_t bytes = 0;
    if (page->seen < page->skip) {
        page->seen++;
        return true;
    }
    for (size_t i = 0; i < page->rows.column_count; i++) {
        bytes += value_bytes(&cells[i]);
    }
    page->large = (int64_t)(page->rows.bytes + bytes) > page->max_bytes;
    if ((int64_t)page->rows.count >= page->most || page->large) {
        page->more = true;
        return false;
    }
    rows_note_cut_cells(&page->rows, page->rows.count, cells);
    rows_add(&page->rows, cells);
    page->seen++;
    return true;
}

static void page_cut(void *context)
{
    ((struct page *)context)->cut = true;
}

/* ------------------------------------------------------------------ counting */

struct counting {
    int64_t count;
    int64_t most;
    bool more;
};

static bool count_columns(void *context, const struct rows_column *columns, size_t count)
{
    struct counting *counting = context;
    (void)columns;
    counting->count = 0;
    return count > 0;
}

static bool count_value(void *context, const struct value *cells)
{
    struct counting *counting = context;
    counting->count = cells[0].kind == VALUE_INT ? cells[0].integer : -1;
    if (cells[0].kind == VALUE_NUMBER &&
        !str_to_int(cells[0].text.data, &counting->count)) {
        counting->count = -1;
    }
    return false;
}

static bool count_row(void *context, const struct value *cells)
{
    struct counting *counting = context;
    (void)cells;
    counting->more = counting->count >= counting->most;
    counting->count += !counting->more;
    return !counting->more;
}

/* Counts in the database; if that fails (for example because of duplicate column names),
 * by reading all rows. -1: unknown; *exact false: at least. */
static int64_t count_all(struct dgm *dgm, struct arena *arena,
                         const struct result *result, bool *exact)
{
    struct err ignored;
    struct counting counting = {.count = -1, .most = dgm->options->export_max_rows};
    struct datasource_sink sink = {
        .columns = count_columns, .row = count_value, .context = &counting};
    struct result outer = *result;
    outer.sql = arena_format(
        arena, "SELECT count(*) AS total FROM (\n%s\n) AS dragoman_counted", result->sql);
    err_clear(&ignored);
    *exact = true;
    if (result_stream(dgm, &outer, &sink, 1, MEGABYTE, &ignored) && counting.count >= 0) {
        return counting.count;
    }
    if (ignored.code == ERR_STOPPED) {
        return -1;
    }
    sink.row = count_row;
    err_clear(&ignored);
    counting.count = -1;
    if (!result_stream(dgm, result, &sink, counting.most,
                       dgm->options->export_max_mb * MEGABYTE, &ignored)) {
        return -1;
    }
    *exact = !counting.more;
    return counting.count;
}

/* ------------------------------------------------------------------ writing */

static void write_columns(struct writer *writer, const struct rows *rows)
{
    writer_key(writer, "columns");
    writer_array(writer);
    for (size_t i = 0; i < rows->column_count; i++) {
        writer_text(writer, rows->columns[i].name);
    }
    writer_array_end(writer);
    writer_key(writer, "column_types");
    writer_array(writer);
    for (size_t i = 0; i < rows->column_count; i++) {
        writer_text(writer, rows->columns[i].type);
    }
    writer_array_end(writer);
}

static char *write_page(const struct page *page, int64_t offset, int64_t total,
                        bool exact)
{
    struct buf buf;
    struct writer writer;
    const struct rows *rows = &page->rows;
    buf_init(&buf, TEXT_MOST);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key_int(&writer, "offset", offset);
    write_columns(&writer, rows);
    writer_key(&writer, "rows");
    writer_array(&writer);
    for (size_t i = 0; i < rows->count; i++) {
        writer_array(&writer);
        for (size_t c = 0; c < rows->column_count; c++) {
            value_show_json(&writer, rows_cell(rows, i, c));
        }
        writer_array_end(&writer);
    }
    writer_array_end(&writer);
    writer_key_int(&writer, "row_count", (int64_t)rows->count);
    writer_key_bool(&writer, "more", page->more);
    rows_write_cut(rows, &writer);
    if (total >= 0) {
        writer_key_int(&writer, exact ? "total" : "total_at_least", total);
    }
    writer_object_end(&writer);
    return buf_take(&buf);
}

static char *page_text(struct dgm *dgm, struct arena *arena, const struct result *result,
                       const struct page *page)
{
    bool exact = true;
    int64_t total = page->more && !result->whole ? count_all(dgm, arena, result, &exact)
                    : result->whole              ? (int64_t)result->rows.count
                                                 : page->seen;
    return write_page(page, page->skip, total, exact && !page->cut);
}

/* An empty page with more rows after it would be requested forever. */
static bool page_fits(const struct page *page, struct err *err)
{
    if (!page->large || page->rows.count > 0) {
        return true;
    }
    (void)err_set(err, ERR_RESULT_TOO_LARGE, "Row %lld has more than %lld bytes.",
                  (long long)page->skip + 1, (long long)page->max_bytes);
    return err_hint(err, "Ask for fewer columns, or raise sql.max_bytes.");
}

char *dgm_rows_observed(struct dgm *dgm, const struct dgm_access *access,
                        const char *query_id, int64_t offset, int64_t limit,
                        dgm_observer *observer, void *context, struct dgm_error *error)
{
    struct err err;
    struct result result;
    const struct options *options = dgm->options;
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    struct page page = {.skip = offset > 0 ? offset : 0,
                        .most = limit > 0 && limit < options->sql_max_rows
                                    ? limit
                                    : options->sql_max_rows,
                        .max_bytes = options->sql_max_bytes};
    const struct datasource_sink sink = {
        .columns = take_columns, .row = take_row, .context = &page, .cut = page_cut};
    rows_init(&page.rows, arena);
    char *text = NULL;
    if (page.skip > options->export_max_rows) {
        (void)err_set(&err, ERR_RESULT_TOO_LARGE,
                      "Pages begin at row %lld at the latest.",
                      (long long)options->export_max_rows);
        (void)err_hint(&err, "Ask for fewer rows, or raise export.max_rows.");
    } else if (result_open(dgm, arena, access, query_id, &result, &err)) {
        result.observer = observer;
        result.context = context;
        text = result_stream(dgm, &result, &sink, page.skip + page.most,
                             options->export_max_mb * MEGABYTE, &err) &&
                       page_fits(&page, &err)
                   ? page_text(dgm, arena, &result, &page)
                   : NULL;
    }
    if (!text) {
        (void)instance_fail(error, &err);
    }
    arena_free(arena);
    return text;
}

char *dgm_rows(struct dgm *dgm, const struct dgm_access *access, const char *query_id,
               int64_t offset, int64_t limit, struct dgm_error *error)
{
    return dgm_rows_observed(dgm, access, query_id, offset, limit, NULL, NULL, error);
}
