/* A CSV file as a table: its lines are read as texts, then each column gets its type. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/utf8.h"
#include "datasource/files/files_driver.h"

enum {
    CHUNK = 1 << 20,
    ENGINE_LINE_MOST = 16 << 20,
    LINES = 600,          /* looked at to see how it is divided */
    LINE_MOST = 2000000,  /* bytes; a longer one is left out */
    TEXT_MOST = 8 << 20,  /* of those lines together */
    SAMPLE_BIG = 50000,   /* rows of a file that is not loaded, for its types */
    REJECTS_MOST = 10000, /* bad lines that are kept for the warning */
};

struct csv {
    struct files_work *work;
    const char *encoding;
    struct files_shape shape;
    struct files_columns columns;
    const char *table;
    const char *helper;
    struct buf text;
    int64_t bad;
};

/* ------------------------------------------------------------------ encoding */

struct bytes_seen {
    bool valid; /* UTF-8 */
    bool zeros;
    size_t line; /* bytes of the one that goes on */
    size_t longest;
};

static void look_at(struct bytes_seen *seen, char *data, size_t size, size_t *rest)
{
    for (size_t i = 0; i < size; i++) {
        if (!data[i]) {
            seen->zeros = true;
            data[i] = ' ';
        }
        seen->line = data[i] == '\n' ? 0 : seen->line + 1;
        seen->longest = seen->line > seen->longest ? seen->line : seen->longest;
    }
    size_t bad = 0;
    *rest = 0;
    if (!utf8_valid(data, size, &bad)) {
        *rest = size - bad; /* perhaps a character that goes on in the next chunk */
        if (*rest > 3) {
            seen->valid = false;
            *rest = 0;
        }
    }
}

/* Large files are judged by their beginning. */
static const char *encoding_of(struct files_work *work, int fd)
{
    char *data = memory_alloc(CHUNK + 4);
    struct bytes_seen seen = {.valid = true};
    off_t at = 0;
    size_t rest = 0;
    off_t most = work->big ? 16 * (off_t)CHUNK : work->file->mark.size;
    const char *encoding = "utf-8";
    for (ssize_t got; at < most && (got = pread(fd, data + rest, CHUNK, at)) > 0;) {
        unsigned char first = (unsigned char)data[0];
        unsigned char second = got > 1 ? (unsigned char)data[1] : 0;
        if (at == 0 &&
            ((first == 0xFF && second == 0xFE) || (first == 0xFE && second == 0xFF))) {
            memory_free(data);
            return "utf-16";
        }
        at += got;
        size_t size = rest + (size_t)got;
        look_at(&seen, data, size, &rest);
        memmove(data, data + size - rest, rest);
    }
    memory_free(data);
    if (seen.zeros) {
        files_warn(work, "'%s' holds NUL bytes, which no text should", work->file->name);
    }
    if (seen.longest > ENGINE_LINE_MOST) { /* the engine drops it without a word */
        files_warn(work, "'%s' has a line of more than %d MB, which was left out",
                   work->file->name, ENGINE_LINE_MOST >> 20);
    }
    if (!seen.valid || (rest > 0 && at >= work->file->mark.size)) {
        encoding = "latin-1";
        files_warn(work, "'%s' is not UTF-8; it was read as Latin-1", work->file->name);
    }
    return encoding;
}

/* ------------------------------------------------------------------ reading */

/* read_csv(…) with everything said: nothing is guessed again. */
static void put_reader(struct csv *csv, char sign, bool quotes, bool heading, size_t skip,
                       size_t columns, const char *more)
{
    struct buf *sql = &csv->work->sql;
    (void)buf_text(sql, "read_csv(");
    (void)buf_quote(sql, csv->work->place, '\'');
    (void)buf_format(sql,
                     ", auto_detect = false, delim = '%c', quote = '%s', escape = "
                     "'%s', header = %s, skip = %zu, encoding = '%s', compression = "
                     "'%s', max_line_size = %d%s, columns = {",
                     sign, quotes ? "\"" : "", quotes ? "\"" : "",
                     heading ? "true" : "false", skip, csv->encoding,
                     csv->work->file->packed ? "gzip" : "none", LINE_MOST, more);
    for (size_t i = 0; i < columns; i++) {
        (void)buf_format(sql, "%s'c%zu': 'VARCHAR'", i ? ", " : "", i);
    }
    (void)buf_text(sql, "})");
}

static bool line_row(void *context, const char *const *texts)
{
    struct csv *csv = context;
    (void)buf_text(&csv->text, texts[0] ? texts[0] : "");
    return buf_char(&csv->text, '\n');
}

/* How it is divided, from its first lines. */
static bool shape_read(struct csv *csv, struct err *err)
{
    struct files_work *work = csv->work;
    buf_clear(&work->sql);
    (void)buf_text(&work->sql, "SELECT c0 FROM ");
    put_reader(csv, '\1', false, false, 0, 1, ", ignore_errors = true");
    (void)buf_format(&work->sql, " LIMIT %d", LINES);
    buf_init(&csv->text, TEXT_MOST);
    bool ok = files_run(work, line_row, csv, err);
    if (ok && str_empty(buf_get(&csv->text))) {
        ok = err_set(err, ERR_INVALID_DATA, "The file has no line that can be read.");
    }
    if (ok) {
        files_sniff(work->arena, buf_get(&csv->text), csv->text.size, work->file->tabs,
                    &csv->shape);
        work->comma = csv->shape.sign == ';';
        if ((int64_t)csv->shape.cells.count > work->options->files_max_columns) {
            ok = err_set(err, ERR_INVALID_DATA,
                         "It has %zu columns; files.max_columns allows %lld.",
                         csv->shape.cells.count,
                         (long long)work->options->files_max_columns);
        }
    }
    buf_release(&csv->text);
    return ok;
}

static void put_rows(struct csv *csv, const char *more)
{
    put_reader(csv, csv->shape.sign, true, csv->shape.heading, csv->shape.skip,
               csv->columns.count, more);
}

static bool helper_make(struct csv *csv, struct err *err)
{
    struct files_work *work = csv->work;
    csv->helper = arena_format(work->arena, "%shelper%zu", work->scratch, work->serial++);
    buf_clear(&work->sql);
    (void)buf_format(&work->sql, "CREATE %sTABLE %s AS SELECT * FROM ",
                     *work->scratch ? "" : "TEMP ", csv->helper);
    put_rows(csv, work->big
                      ? ", ignore_errors = true"
                      : arena_format(
                            work->arena,
                            ", store_rejects = true, rejects_limit = %d, rejects_table "
                            "= 'bad%zu', rejects_scan = 'scan%zu'",
                            REJECTS_MOST, work->serial, work->serial));
    if (work->big) {
        (void)buf_format(&work->sql, " LIMIT %d", SAMPLE_BIG);
    } else {
        files_rows_limit(work);
    }
    return files_run(work, NULL, NULL, err);
}

/* "Expected Number of Columns: 6 Found: 3" and the like, in our words. */
static const char *reason_of(struct arena *arena, const char *told)
{
    static const char wanted[] = "Expected Number of Columns: ";
    static const char found[] = "Found: ";
    const char *place = strstr(told, found);
    if (str_starts(told, wanted) && place) {
        return arena_format(arena, "%ld cells where %ld are expected",
                            strtol(place + strlen(found), NULL, 10),
                            strtol(told + strlen(wanted), NULL, 10));
    }
    static const struct {
        const char *begins;
        const char *reason;
    } known[] = {
        {"Value with unterminated quote", "a quote that does not end"},
        {"Maximum line size", "a line that is too long"},
        {"Invalid unicode", "bytes that are not UTF-8"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (str_starts(told, known[i].begins)) {
            return known[i].reason;
        }
    }
    return arena_copy(arena, told, strcspn(told, "\n"));
}

static bool bad_row(void *context, const char *const *texts)
{
    struct csv *csv = context;
    int64_t line = 0;
    (void)str_to_int(texts[0] ? texts[0] : "", &line);
    struct files_reject reject = {
        .table = csv->table,
        .line = line,
        .reason = reason_of(csv->work->arena, texts[2] ? texts[2] : ""),
        .text = texts[1] ? texts[1] : ""};
    int64_t count = 0;
    (void)str_to_int(texts[3] ? texts[3] : "", &count);
    if (csv->bad++ == 0) {
        files_warn(csv->work, "%s: %s%lld %s left out (line %lld: %s)", csv->table,
                   count >= REJECTS_MOST ? "at least " : "", (long long)count,
                   count == 1 ? "row was" : "rows were", (long long)line, reject.reason);
    }
    files_reject(csv->work, &reject);
    return csv->work->reject != NULL;
}

static bool bad_report(struct csv *csv, struct err *err)
{
    struct files_work *work = csv->work;
    buf_clear(&work->sql);
    (void)buf_format(
        &work->sql,
        "SELECT line::VARCHAR, left(any_value(csv_line), 200), "
        "min_by(error_message, coalesce(column_idx, 0)), (count(*) OVER ())::VARCHAR "
        "FROM bad%zu GROUP BY line ORDER BY bad%zu.line",
        work->serial, work->serial);
    return files_run(work, bad_row, csv, err);
}

/* All of a file that is not loaded is gone through once, to know its bad rows. */
static bool big_check(struct csv *csv, struct err *err)
{
    struct files_work *work = csv->work;
    work->serial++;
    buf_clear(&work->sql);
    (void)buf_text(&work->sql, "SELECT count(*)::VARCHAR FROM ");
    put_rows(csv, arena_format(work->arena,
                               ", store_rejects = true, rejects_limit = %d, "
                               "rejects_table = 'bad%zu', rejects_scan = 'scan%zu'",
                               REJECTS_MOST, work->serial, work->serial));
    return files_run(work, NULL, NULL, err) && bad_report(csv, err);
}

static bool table_make(struct csv *csv, struct err *err)
{
    struct files_work *work = csv->work;
    buf_clear(&work->sql);
    (void)buf_text(&work->sql, work->big ? "CREATE VIEW " : "CREATE TABLE ");
    (void)buf_quote(&work->sql, csv->table, '"');
    (void)buf_text(&work->sql, " AS ");
    files_select(work, &csv->columns);
    if (work->big) {
        put_rows(csv, ", ignore_errors = true");
        VEC_PUSH(work->arena, &work->places, work->place);
        files_warn(work,
                   "%s: the file is large and is read for every question anew; "
                   "'dragoman dataset add' imports it once",
                   csv->table);
    } else {
        (void)buf_text(&work->sql, csv->helper);
    }
    return files_run(work, NULL, NULL, err);
}

static bool helper_drop(struct csv *csv, struct err *err)
{
    buf_clear(&csv->work->sql);
    (void)buf_format(&csv->work->sql, "DROP TABLE IF EXISTS %s", csv->helper);
    return files_run(csv->work, NULL, NULL, err);
}

bool files_csv(struct files_work *work, int fd, struct err *err)
{
    struct csv csv = {.work = work};
    csv.encoding = work->file->packed ? "utf-8" : encoding_of(work, fd);
    if (!shape_read(&csv, err)) {
        return false;
    }
    csv.table = files_table_name(work, work->file->name, NULL);
    files_column_names(work, csv.table, csv.shape.heading ? csv.shape.cells.items : NULL,
                       csv.shape.cells.count, &csv.columns);
    if (!csv.shape.heading) {
        files_warn(work,
                   "%s: the first line is no heading; columns are called column1, "
                   "column2 and so on",
                   csv.table);
    }
    bool ok = helper_make(&csv, err);
    if (!ok && err->code == ERR_RESULT_TOO_LARGE && !work->load && !work->big) {
        work->big = true; /* packed files are larger than they look */
        ok = helper_drop(&csv, err) && helper_make(&csv, err);
    }
    return ok && (work->big ? big_check(&csv, err) : bad_report(&csv, err)) &&
           files_types(work, csv.table, csv.helper, &csv.columns, err) &&
           table_make(&csv, err) && helper_drop(&csv, err);
}
