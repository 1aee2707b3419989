/*
 * How much an import may read: rows, row groups, and bytes once they are unpacked. All
 * are counted here while the file is read, whatever it says of itself. How large the
 * import gets on the disk is measured besides (dataset_bounds.c).
 */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "datasource/files/files_driver.h"
#include "datasource/files/gzip.h"

enum {
    CELL_BYTES = 8, /* of a number, a date and their like */
    COUNTS = 2,     /* in one row of numbers */
};

static int64_t unpacked_most(const struct files_work *work)
{
    return work->options->dataset_unpacked_mb << 20;
}

static bool unpacked_met(struct files_work *work, struct err *err)
{
    work->over = true;
    (void)err_set(err, ERR_RESULT_TOO_LARGE, "'%s' holds more than %lld MB, unpacked.",
                  work->file->name, (long long)work->options->dataset_unpacked_mb);
    return err_hint(err, "Import a part of it, or raise dataset.unpacked_mb.");
}

bool files_unpacked_add(struct files_work *work, int64_t bytes, struct err *err)
{
    if (!work->load) {
        return true;
    }
    bool over = bytes > unpacked_most(work) - work->unpacked;
    work->unpacked += over ? 0 : bytes;
    return !over || unpacked_met(work, err);
}

bool files_rows_hold(struct files_work *work, int64_t rows, struct err *err)
{
    int64_t most = work->options->dataset_max_rows;
    if (!work->load || rows <= most) {
        return true;
    }
    work->over = true;
    (void)err_set(err, ERR_RESULT_TOO_LARGE, "'%s' has more than %lld rows.",
                  work->file->name, (long long)most);
    return err_hint(err, "Import a part of it, or raise dataset.max_rows.");
}

void files_rows_limit(struct files_work *work)
{
    int64_t most = work->options->dataset_max_rows;
    if (work->load && work->file->packed && work->rows_most > most) {
        (void)buf_format(&work->sql, " LIMIT %lld", (long long)most + 1);
    }
}

/* ------------------------------------------------------------------ packed texts */

static int64_t count_of(const char *data, size_t size, char wanted)
{
    int64_t count = 0;
    const char *end = data + size;
    while ((data = memchr(data, wanted, (size_t)(end - data)))) {
        count++;
        data++;
    }
    return count;
}

static bool unpacked_take(void *context, const char *data, size_t size, struct err *err)
{
    struct files_work *work = context;
    if (work->file->format == FILES_CSV) { /* a row is a line, or several */
        work->rows_most += count_of(data, size, '\n') + count_of(data, size, '\r');
    } else { /* a value and what ends it */
        work->rows_most += (int64_t)size;
    }
    return files_unpacked_add(work, (int64_t)size, err) &&
           limits_hold(work->session->limits, err);
}

bool files_text_hold(struct files_work *work, int fd, struct err *err)
{
    if (!work->load) {
        return true;
    }
    work->rows_most = 0;
    return work->file->packed ? gzip_read(fd, unpacked_take, work, err)
                              : files_unpacked_add(work, work->file->mark.size, err);
}

/* ------------------------------------------------------------------ Parquet */

static bool count_row(void *context, const char *const *texts)
{
    int64_t *counts = context;
    for (size_t i = 0; i < COUNTS; i++) {
        (void)str_to_int(texts[i] ? texts[i] : "", &counts[i]);
    }
    return false;
}

static bool groups_hold(struct files_work *work, struct err *err)
{
    int64_t counts[COUNTS] = {0};
    buf_clear(&work->sql);
    (void)buf_format(
        &work->sql,
        "SELECT num_row_groups::VARCHAR, '0' FROM parquet_file_metadata('%s')",
        work->place);
    if (!files_run(work, count_row, counts, err)) {
        return false;
    }
    if (counts[0] <= work->options->dataset_row_groups) {
        return true;
    }
    work->over = true;
    (void)err_set(err, ERR_RESULT_TOO_LARGE,
                  "'%s' has %lld row groups; %lld are the limit.", work->file->name,
                  (long long)counts[0], (long long)work->options->dataset_row_groups);
    return err_hint(err, "Write it with larger ones, or raise dataset.row_groups.");
}

/* The groups say how many rows are read; the number for the whole file is only said. So
 * are the bytes of its pages, but who says too little is found out below. */
static bool sizes_hold(struct files_work *work, int64_t *rows, struct err *err)
{
    int64_t counts[COUNTS] = {0};
    buf_clear(&work->sql);
    (void)buf_format(
        &work->sql,
        "SELECT coalesce(sum(rows), 0)::VARCHAR, coalesce(sum(bytes), 0)::VARCHAR FROM "
        "(SELECT max(row_group_num_rows) AS rows, sum(total_uncompressed_size) AS bytes "
        "FROM parquet_metadata('%s') GROUP BY row_group_id)",
        work->place);
    if (!files_run(work, count_row, counts, err) ||
        !files_rows_hold(work, counts[0], err)) {
        return false;
    }
    *rows = counts[0];
    return counts[1] <= unpacked_most(work) - work->unpacked || unpacked_met(work, err);
}

/* How long the cells of a column are, as SQL; NULL: as long as any number. */
static const char *length_of(struct arena *arena, const char *type, const char *column)
{
    static const struct {
        const char *begins;
        const char *function;
    } kinds[] = {
        {"VARCHAR", "strlen"}, {"JSON", "strlen"},  {"BLOB", "octet_length"},
        {"BOOLEAN", NULL},     {"TINYINT", NULL},   {"SMALLINT", NULL},
        {"INTEGER", NULL},     {"BIGINT", NULL},    {"HUGEINT", NULL},
        {"UTINYINT", NULL},    {"USMALLINT", NULL}, {"UINTEGER", NULL},
        {"UBIGINT", NULL},     {"FLOAT", NULL},     {"DOUBLE", NULL},
        {"DECIMAL(", NULL},    {"DATE", NULL},      {"TIME", NULL},
        {"INTERVAL", NULL},    {"UUID", NULL},
    };
    for (size_t i = 0; !str_ends(type, "]") && i < sizeof kinds / sizeof *kinds; i++) {
        if (str_starts(type, kinds[i].begins)) {
            return kinds[i].function
                       ? arena_format(arena, "%s(%s)", kinds[i].function, column)
                       : NULL;
        }
    }
    return arena_format(arena, "strlen(%s::VARCHAR)", column); /* lists and objects */
}

/* A page may name one long text a million times: what its cells hold is only known when
 * they are read. They are added up row by row until it is too much; no row is kept. */
static bool texts_hold(struct files_work *work, const struct texts *names,
                       const struct texts *types, int64_t rows, struct err *err)
{
    int64_t counts[COUNTS] = {0};
    size_t texts = 0;
    buf_clear(&work->sql);
    (void)buf_text(&work->sql, "SELECT total::VARCHAR, '0' FROM (SELECT sum(0");
    for (size_t i = 0; i < names->count; i++) {
        struct buf name;
        buf_init(&name, 1 << 20);
        (void)buf_quote(&name, names->items[i], '"');
        const char *length = length_of(work->arena, types->items[i], buf_get(&name));
        if (length) {
            (void)buf_format(&work->sql, " + coalesce(%s, 0)", length);
            texts++;
        }
        buf_release(&name);
    }
    (void)buf_format(
        &work->sql,
        ") OVER (ROWS UNBOUNDED PRECEDING) AS total, row_number() OVER () AS "
        "number FROM read_parquet('%s')) WHERE total > %lld OR number = %lld "
        "LIMIT 1",
        work->place, (long long)(unpacked_most(work) - work->unpacked), (long long)rows);
    return (texts == 0 || files_run(work, count_row, counts, err)) &&
           files_unpacked_add(work, counts[0], err);
}

bool files_parquet_hold(struct files_work *work, const struct texts *names,
                        const struct texts *types, struct err *err)
{
    int64_t rows = 0;
    int64_t row_bytes = (int64_t)names->count * CELL_BYTES;
    return !work->load || (groups_hold(work, err) && sizes_hold(work, &rows, err) &&
                           files_unpacked_add(work, rows * row_bytes, err) &&
                           texts_hold(work, names, types, rows, err));
}
