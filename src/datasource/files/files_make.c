/* Makes a database in memory from a list of files, then locks it. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cancel.h"
#include "base/str.h"
#include "datasource/files/files_driver.h"

enum { SQL_MOST = 16 << 20, WARNINGS_MOST = 200 };

static bool no_row(void *context, const char *const *texts)
{
    (void)context;
    (void)texts;
    return true;
}

bool files_run(struct files_work *work, bool (*row)(void *, const char *const *),
               void *context, struct err *err)
{
    if (work->sql.full) {
        return err_set(err, ERR_NOT_A_DATABASE, "'%s' has too many columns.",
                       work->file ? work->file->name : "The file");
    }
    if (cancel_fired(work->cancel)) {
        return err_set(err, ERR_STOPPED, "The import was stopped.");
    }
    return duckdb_rows(work->session, buf_get(&work->sql), row ? row : no_row, context,
                       err);
}

void files_warn(struct files_work *work, const char *format, ...)
{
    va_list args;
    char text[500];
    if (work->warnings->count >= WARNINGS_MOST) {
        return;
    }
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    size_t size = strlen(text);
    const char *clean = text_clean(work->kept, text, &size);
    VEC_PUSH(work->kept, work->warnings, str_squeeze(work->kept, clean));
}

void files_reject(struct files_work *work, const struct files_reject *reject)
{
    work->rejected++;
    if (work->reject) {
        work->reject(work->context, reject);
    }
}

static const struct {
    enum files_format format;
    const char *what;
    bool (*read)(struct files_work *work, int fd, struct err *err);
    bool text;
} readers[] = {
    {FILES_CSV, "CSV", files_csv, true},
    {FILES_JSON, "JSON", files_json, true},
    {FILES_PARQUET, "Parquet", files_parquet, false},
    {FILES_XLSX, "a spreadsheet", files_xlsx, false},
};

/* The engine's words about a file are no mistake in anybody's SQL. */
static bool file_failed(struct files_work *work, const char *what, struct err *err)
{
    if (!work->over && err->code != ERR_STOPPED) { /* the engine tells another cause */
        work->over = !limits_hold(work->session->limits, err);
    }
    if (work->over) {
        return false;
    }
    if (err->code == ERR_INVALID_SQL || err->code == ERR_UNSAFE ||
        err->code == ERR_DATASOURCE_UNREACHABLE || err->code == ERR_INVALID_DATA) {
        char told[sizeof err->message];
        char detail[sizeof err->detail];
        bool ours = err->code == ERR_INVALID_DATA;
        memcpy(told, err->message, sizeof told);
        memcpy(detail, err->detail, sizeof detail);
        (void)err_set(err, ERR_NOT_A_DATABASE, "'%s' cannot be read as %s.",
                      work->file->name, what);
        (void)err_detail(err, "%.700s", ours || !detail[0] ? told : detail);
        (void)err_hint(err, "The detail says where it goes wrong.");
    } else if (err->code == ERR_RESULT_TOO_LARGE) {
        (void)err_set(err, ERR_RESULT_TOO_LARGE,
                      "'%s' needs more memory than sql.memory_mb allows.",
                      work->file->name);
        (void)err_hint(err, work->load ? "Raise sql.memory_mb."
                                       : "Raise sql.memory_mb, or import the file with "
                                         "'dragoman dataset add'.");
    }
    return false;
}

static bool read_one(struct files_work *work, const struct files_file *file, int fd,
                     int number, struct err *err)
{
    work->file = file;
    work->place = arena_format(work->arena, "/dev/fd/%d", number);
    int64_t most = work->options->files_load_mb << 20;
    most /= file->packed ? 8 : file->format == FILES_PARQUET ? 4 : 1; /* as unpacked */
    work->big = !work->load && file->mark.size > most;
    work->comma = false;
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
        if (readers[i].format == file->format) {
            return ((!readers[i].text || files_text_hold(work, fd, err)) &&
                    readers[i].read(work, fd, err)) ||
                   file_failed(work, readers[i].what, err);
        }
    }
    return err_set(err, ERR_INTERNAL, "'%s' has no reader.", file->name);
}

/* From here on nothing outside is reached but what views still read. */
static bool lock(struct files_work *work, struct err *err)
{
    buf_clear(&work->sql);
    (void)buf_text(&work->sql, "SET allowed_paths = [");
    for (size_t i = 0; i < work->places.count; i++) {
        (void)buf_text(&work->sql, i ? ", " : "");
        (void)buf_quote(&work->sql, work->places.items[i], '\'');
    }
    (void)buf_text(&work->sql, "]");
    if (!files_run(work, NULL, NULL, err)) {
        return false;
    }
    static const char *const last[] = {"SET enable_external_access = false",
                                       "SET lock_configuration = true"};
    for (size_t i = 0; i < sizeof last / sizeof *last; i++) {
        buf_clear(&work->sql);
        (void)buf_text(&work->sql, last[i]);
        if (!files_run(work, NULL, NULL, err)) {
            return false;
        }
    }
    return true;
}

/* One bad file among several is a warning; time and memory are not its fault. */
static bool may_go_on(const struct files_work *work, const struct err *err)
{
    return !work->over && !engine_dead(work->session->line.engine) &&
           err->code != ERR_STOPPED && err->code != ERR_TIMEOUT &&
           err->code != ERR_INTERNAL;
}

/* It must still be the file that DuckDB was given. */
static bool open_one(struct files_work *work, const struct files_file *file, int number,
                     struct err *err)
{
    if (file->failure) {
        *err = *file->failure;
        return false;
    }
    int fd = files_open_again(file);
    if (fd < 0 || (number < 0 && file->format != FILES_XLSX)) {
        if (fd >= 0) {
            (void)close(fd);
        }
        return err_set(err, ERR_DATASOURCE_UNREACHABLE,
                       "The file '%s' changed while it was being read.", file->name);
    }
    bool ok = read_one(work, file, fd, number, err);
    (void)close(fd);
    return ok;
}

bool files_make(struct files_work *work, const struct files_list *list, struct err *err)
{
    map_init(&work->tables, true);
    buf_init(&work->sql, SQL_MOST);
    bool ok = true;
    size_t read = 0;
    struct err first;
    err_clear(&first);
    for (size_t i = 0; ok && i < list->count; i++) {
        bool one = open_one(work, &list->items[i], work->numbers[i], err);
        read += one;
        if (!one && (list->count == 1 || !may_go_on(work, err))) {
            ok = false;
        } else if (!one) {
            first = first.message[0] ? first : *err;
            files_warn(work, "%s %s", err->message, err->detail);
        }
    }
    if (ok && read == 0) {
        *err = first;
        ok = false;
    }
    if (ok && work->load && !work->tables.count) { /* a spreadsheet without cells */
        (void)err_set(err, ERR_INVALID_DATA, "There is no table in '%.80s'.",
                      list->items[0].name);
        ok = err_hint(err, "A table needs at least a line of headings.");
    }
    ok = ok && (work->load || lock(work, err));
    map_release(&work->tables);
    buf_release(&work->sql);
    return ok;
}
