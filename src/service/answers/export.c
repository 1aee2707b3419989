/* Writes a result to a file; one writer per file format. */
#include "service/answers/export.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/map.h"
#include "base/str.h"
#include "service/answers/result.h"
#include "service/documents/kept.h"
#include "service/questions/question.h"
#include "service/questions/stored.h"

enum { MEGABYTE = 1 << 20, FLUSH_AT = 64 * 1024, PIECE_MOST = 256 * MEGABYTE };

/* A page for people, which only a stored answer has: question, sentence, chart, rows, SQL. */
static const struct export_format export_html = {.name = "html",
                                                 .type = "text/html; charset=utf-8"};

static const struct export_format *const formats[] = {
    &export_csv, &export_json, &export_xlsx, &export_parquet, &export_html};

enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

/* By name, or by the extension of a path; NULL: none. */
static const struct export_format *export_format_find(const char *name, const char *path)
{
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        size_t dot = path ? strlen(path) : 0;
        size_t size = strlen(formats[i]->name);
        bool ends = dot > size && path[dot - size - 1] == '.' &&
                    str_ends_nocase(path, formats[i]->name);
        if (str_empty(name) ? ends : str_equal_nocase(name, formats[i]->name)) {
            return formats[i];
        }
    }
    return NULL;
}

const char *dgm_export_type(const char *format)
{
    const struct export_format *found =
        str_empty(format) ? NULL : export_format_find(format, NULL);
    return found ? found->type : NULL;
}

static bool write_fail(struct err *err)
{
    bool full = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
    return err_set(err, full ? ERR_DISK_FULL : ERR_ACCESS,
                   "The file could not be written: %s.", strerror(errno));
}

bool export_flush(struct exporter *exporter, bool all, struct err *err)
{
    if (exporter->out.full) {
        return err_set(err, ERR_RESULT_TOO_LARGE, "A row is too large to be exported.");
    }
    if (!all && exporter->out.size < FLUSH_AT) {
        return true;
    }
    if (!file_write_all(exporter->fd, buf_get(&exporter->out), exporter->out.size)) {
        return write_fail(err);
    }
    buf_clear(&exporter->out);
    return true;
}

/* Column names must be unique in objects and tables, also ignoring case. */
static void name_columns(struct exporter *exporter)
{
    struct map taken;
    map_init(&taken, false);
    exporter->names =
        arena_array(exporter->arena, exporter->count + 1, sizeof *exporter->names);
    for (size_t i = 0; i < exporter->count; i++) {
        const char *given = exporter->columns[i].name;
        given = str_empty(given) ? "column" : given;
        const char *name = given;
        for (size_t copy = 2; map_has(&taken, str_lower(exporter->arena, name)); copy++) {
            name = arena_format(exporter->arena, "%s_%zu", given, copy);
        }
        exporter->names[i] = arena_text(exporter->arena, name);
        (void)map_set(&taken, str_lower(exporter->arena, name), exporter);
    }
    map_release(&taken);
}

static bool take_columns(void *context, const struct rows_column *columns, size_t count)
{
    struct exporter *exporter = context;
    struct rows copied;
    if (exporter->begun) {
        return err_set(&exporter->failure, ERR_INTERRUPTED,
                       "The database changed while the result was read.");
    }
    rows_init(&copied, exporter->arena);
    rows_set_columns(&copied, columns, count);
    exporter->columns = copied.columns;
    exporter->count = count;
    exporter->begun = true;
    name_columns(exporter);
    return exporter->format->begin(exporter, &exporter->failure);
}

static bool take_row(void *context, const struct value *cells)
{
    struct exporter *exporter = context;
    size_t bytes = 0;
    for (size_t i = 0; i < exporter->count; i++) {
        bytes += value_bytes(&cells[i]);
        exporter->truncated = exporter->truncated || cells[i].cut;
    }
    if (exporter->rows >= exporter->max_rows ||
        exporter->cell_bytes + (int64_t)bytes > exporter->max_bytes) {
        exporter->truncated = true;
        return false;
    }
    if (!exporter->format->row(exporter, cells, &exporter->failure)) {
        return false;
    }
    exporter->rows++;
    exporter->cell_bytes += (int64_t)bytes;
    return true;
}

static void cut(void *context)
{
    ((struct exporter *)context)->truncated = true;
}

static bool export_fill(struct dgm *dgm, const struct result *result,
                        struct exporter *exporter, struct err *err)
{
    const struct datasource_sink sink = {
        .columns = take_columns, .row = take_row, .context = exporter, .cut = cut};
    bool ok = result_stream(dgm, result, &sink, exporter->max_rows,
                            exporter->max_bytes + 1, err);
    if (ok && exporter->failure.code != ERR_OK) {
        *err = exporter->failure;
        ok = false;
    }
    if (ok && !exporter->begun) {
        ok = err_set(err, ERR_INVALID_DATA, "The result has no columns.");
    }
    struct err ignored;
    err_clear(&ignored);
    bool ended = exporter->format->end(exporter, ok, ok ? err : &ignored);
    return ok && ended;
}

/*
 * Writes a temporary file and renames it, so that readers see the old or the complete new
 * file.
 */
static bool write_file(struct dgm *dgm, struct arena *arena, const struct result *result,
                       const struct export_format *format, const char *path,
                       struct dgm_exported *out, struct err *err)
{
    char *part = arena_format(arena, "%s.XXXXXX", path);
    struct exporter exporter = {.options = dgm->options,
                                .arena = arena,
                                .format = format,
                                .part = part,
                                .fd = mkstemp(part),
                                .dialect = result_dialect(dgm, result),
                                .max_rows = dgm->options->export_max_rows,
                                .max_bytes = dgm->options->export_max_mb * MEGABYTE};
    if (exporter.fd < 0) {
        return write_fail(err);
    }
    err_clear(&exporter.failure);
    buf_init(&exporter.out, PIECE_MOST);
    bool ok = export_fill(dgm, result, &exporter, err);
    (void)close(exporter.fd);
    struct stat status = {0};
    ok = ok && ((stat(part, &status) == 0 && rename(part, path) == 0) || write_fail(err));
    if (!ok) {
        (void)unlink(part);
    }
    buf_release(&exporter.out);
    if (out) {
        *out = (struct dgm_exported){.rows = exporter.rows,
                                     .bytes = (int64_t)status.st_size,
                                     .truncated = exporter.truncated};
    }
    return ok;
}

static const struct export_format *export_choose(const char *format, const char *path,
                                                 struct err *err)
{
    const struct export_format *found = export_format_find(format, path);
    if (str_empty(path)) {
        (void)err_set(err, ERR_USAGE, "No file was named.");
        return NULL;
    }
    if (!found) {
        (void)err_set(err, ERR_USAGE,
                      "Results are exported as csv, json, xlsx, parquet or html.");
        (void)err_hint(err, "The file extension or the format selects one of them.");
    }
    return found;
}

/* The same for the page of a stored answer. */
static bool write_page(struct arena *arena, const struct buf *page, const char *path,
                       struct err *err)
{
    char *part = arena_format(arena, "%s.XXXXXX", path);
    int fd = mkstemp(part);
    if (fd < 0) {
        return write_fail(err);
    }
    bool ok = file_write_all(fd, buf_get(page), page->size) || write_fail(err);
    (void)close(fd);
    ok = ok && (rename(part, path) == 0 || write_fail(err));
    if (!ok) {
        (void)unlink(part);
    }
    return ok;
}

/* The export that is in progress. */
struct order {
    const struct dgm_access *access;
    const char *query_id;
    const char *format;
    const char *path;
    dgm_observer *observer;
    void *context;
};

static bool export_page(struct dgm *dgm, const struct order *order,
                        struct dgm_exported *out, struct dgm_error *error)
{
    struct err err;
    struct stored stored;
    struct buf page;
    err_clear(&err);
    buf_init(&page, PIECE_MOST);
    struct arena *arena = arena_new();
    const struct kept_limits limits = kept_limits_of(dgm->options);
    const json_t *kept =
        stored_open(dgm, arena, order->access, order->query_id, &stored, &err)
            ? kept_answer(dgm, arena, &stored, NULL, &limits, &err)
            : NULL;
    bool ok = kept && kept_page(arena, kept, &page, &err) &&
              write_page(arena, &page, order->path, &err);
    if (ok && out) {
        *out = (struct dgm_exported){.rows = json_int_at(kept, "row_count", 0),
                                     .bytes = (int64_t)page.size,
                                     .truncated = json_bool_at(kept, "truncated", false)};
    }
    buf_release(&page);
    arena_free(arena);
    return ok || instance_fail(error, &err);
}

static bool export_answer(struct dgm *dgm, const struct order *order,
                          struct dgm_exported *out, struct dgm_error *error)
{
    struct err err;
    struct result result;
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    const struct export_format *found = export_choose(order->format, order->path, &err);
    if (found == &export_html) {
        arena_free(arena);
        return export_page(dgm, order, out, error);
    }
    bool ok =
        found && result_open(dgm, arena, order->access, order->query_id, &result, &err);
    if (ok) {
        result.observer = order->observer;
        result.context = order->context;
        ok = write_file(dgm, arena, &result, found, order->path, out, &err);
    }
    arena_free(arena);
    return ok || instance_fail(error, &err);
}

bool dgm_export(struct dgm *dgm, const struct dgm_access *access, const char *query_id,
                const char *format, const char *path, struct dgm_exported *out,
                struct dgm_error *error)
{
    const struct order order = {access, query_id, format, path, NULL, NULL};
    return export_answer(dgm, &order, out, error);
}

bool dgm_export_observed(struct dgm *dgm, const struct dgm_access *access,
                         const char *query_id, const char *format, const char *path,
                         dgm_observer *observer, void *context, struct dgm_exported *out,
                         struct dgm_error *error)
{
    const struct order order = {access, query_id, format, path, observer, context};
    return export_answer(dgm, &order, out, error);
}

bool dgm_export_sql(struct dgm *dgm, const struct dgm_request *request, const char *sql,
                    const char *format, const char *path, struct dgm_exported *out,
                    struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    const struct export_format *found = export_choose(format, path, &err);
    if (found == &export_html) {
        (void)err_set(&err, ERR_USAGE, "Only a stored answer can be exported as HTML.");
        (void)err_hint(&err, "Run the SQL first, then export its answer.");
        found = NULL;
    }
    const struct result result = {.account = request ? request->account : NULL,
                                  .access = request ? request->access : NULL,
                                  .datasource = request ? request->datasource : NULL,
                                  .sql = str_or_empty(sql)};
    bool ok = found && write_file(dgm, arena, &result, found, path, out, &err);
    arena_free(arena);
    return ok || instance_fail(error, &err);
}
