/* A kept answer, made from a stored one. */
#include "service/documents/kept.h"

#include <string.h>

#include "agent/sources/reach.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/writer.h"
#include "model/chart.h"
#include "model/rows_json.h"
#include "service/accounts/access.h"
#include "service/documents/document.h"
#include "service/questions/stored.h"

enum { VERSION = 1, MEGABYTE = 1 << 20, CHART_MOST = 16384, PAGE_MOST = 1 << 30 };

/* Copied from the answer object as they are. */
static const char *const copied[] = {
    "query_id", "question",   "rewritten_query", "text",         "summary",
    "sql",      "parameters", "datasource",      "tables_used",  "assumptions",
    "unplaced", "confidence", "columns",         "column_types",
};

struct kept_limits kept_limits_of(const struct options *options)
{
    return (struct kept_limits){.rows = options->export_max_rows,
                                .bytes = options->export_max_mb * MEGABYTE};
}

static bool is_finished(const json_t *answer, struct err *err)
{
    const char *type = json_text_at(answer, "type");
    bool shown = str_equal(type, "rows") || str_equal(type, "text") ||
                 str_equal(type, "schema") || str_equal(type, "write");
    if (shown && str_equal(json_text_at(answer, "status"), "finished")) {
        return true;
    }
    (void)err_set(err, ERR_INVALID_DATA, "The question has no finished answer.");
    return err_hint(err, "Only answers that are complete can be kept or shared.");
}

/* As many rows as the limits allow. */
static void take_rows(json_t *kept, const json_t *answer,
                      const struct kept_limits *limits)
{
    const json_t *rows = json_array_at(answer, "rows");
    if (!rows) {
        return;
    }
    json_t *taken = json_array();
    int64_t left = limits->bytes;
    for (size_t i = 0; i < json_array_size(rows) && (int64_t)i < limits->rows; i++) {
        json_t *row = json_array_get(rows, i);
        left -= (int64_t)json_dumpb(row, NULL, 0, JSON_COMPACT) + 1;
        if (left < 0) {
            break;
        }
        (void)json_array_append(taken, row);
    }
    bool whole = json_array_size(taken) == json_array_size(rows);
    (void)json_object_set_new(kept, "row_count",
                              json_integer((json_int_t)json_array_size(taken)));
    (void)json_object_set_new(
        kept, "truncated",
        json_boolean(!whole || json_bool_at(answer, "truncated", false)));
    (void)json_object_set_new(kept, "rows", taken);
}

/* The chart that was chosen, drawn from the rows that are kept. */
static bool take_chart(struct arena *arena, json_t *kept, const char *kind,
                       struct err *err)
{
    struct rows rows;
    struct chart chart;
    enum chart_kind wanted = CHART_FIGURE;
    bool named = !str_empty(kind);
    if (str_equal(kind, "none")) {
        return true;
    }
    if (named && !chart_kind_find(kind, &wanted)) {
        (void)err_set(err, ERR_USAGE, "There is no kind of chart '%.32s'.", kind);
        return err_hint(err, "Use figure, line, area, stacked, arc, bar, scatter, "
                             "multiples, share or none.");
    }
    if (!rows_read(&rows, arena, kept) ||
        !(named ? chart_as(&rows, wanted, &chart) : chart_recommend(&rows, &chart))) {
        return !named || err_set(err, ERR_INVALID_DATA,
                                 "The result does not fit a chart of kind %s.", kind);
    }
    struct buf buf;
    struct writer writer;
    buf_init(&buf, CHART_MOST);
    writer_init(&writer, &buf);
    writer_object(&writer);
    chart_write(&chart, &writer);
    writer_object_end(&writer);
    (void)json_object_set(kept, "chart", json_quick(arena, buf_get(&buf), buf.size));
    buf_release(&buf);
    return true;
}

static bool holds(const json_t *texts, const char *text)
{
    for (size_t i = 0; i < json_array_size(texts); i++) {
        if (str_equal(json_string_value(json_array_get(texts, i)), text)) {
            return true;
        }
    }
    return false;
}

/* The warnings about the answer. Those that may name parts of the installation stay behind. */
static void take_warnings(json_t *kept, const json_t *answer)
{
    json_t *taken = json_array();
    size_t index = 0;
    json_t *warning = NULL;
    json_array_foreach(json_array_at(answer, "warnings"), index, warning)
    {
        if (!holds(json_array_at(answer, "system_warnings"),
                   json_string_value(warning))) {
            (void)json_array_append(taken, warning);
        }
    }
    if (json_array_size(taken)) {
        (void)json_object_set(kept, "warnings", taken);
    }
    json_decref(taken);
}

/* Datasets have a name for people besides their id. */
static void take_name(struct dgm *dgm, json_t *kept, const struct stored *stored)
{
    const struct datasource_setting *setting =
        str_empty(stored->datasource)
            ? NULL
            : instance_source(dgm, stored->datasource, stored->question.account);
    const char *name = setting ? reach_name(setting) : stored->datasource;
    if (!str_empty(name)) {
        (void)json_object_set_new(kept, "datasource_name", json_string(name));
    }
}

json_t *kept_answer(struct dgm *dgm, struct arena *arena, const struct stored *stored,
                    const char *chart, const struct kept_limits *limits, struct err *err)
{
    if (!is_finished(stored->json, err)) {
        return NULL;
    }
    json_t *kept = json_keep(arena, json_object());
    (void)json_object_set_new(kept, "version", json_integer(VERSION));
    for (size_t i = 0; i < sizeof copied / sizeof *copied; i++) {
        json_t *value = json_object_get(stored->json, copied[i]);
        if (value) {
            (void)json_object_set(kept, copied[i], value);
        }
    }
    take_warnings(kept, stored->json);
    take_name(dgm, kept, stored);
    (void)json_object_set_new(kept, "answered_at",
                              json_string(clock_iso(arena, stored->question.updated_at)));
    take_rows(kept, stored->json, limits);
    return take_chart(arena, kept, chart, err) ? kept : NULL;
}

json_t *kept_document(struct arena *arena, const char *title, json_t *answers)
{
    json_t *document = json_keep(arena, json_object());
    (void)json_object_set_new(document, "version", json_integer(VERSION));
    (void)json_object_set_new(document, "title", json_string(str_or_empty(title)));
    (void)json_object_set_new(document, "made_at",
                              json_string(clock_iso(arena, clock_wall_s())));
    (void)json_object_set(document, "answers", answers);
    return document;
}

bool kept_page(struct arena *arena, const json_t *kept, struct buf *out, struct err *err)
{
    json_t *answers = json_keep(arena, json_array());
    (void)json_array_append(answers, (json_t *)(uintptr_t)kept);
    document_write(kept_document(arena, json_text_at(kept, "question"), answers), arena,
                   out);
    return !out->full ||
           err_set(err, ERR_RESULT_TOO_LARGE, "The answer is too large for one page.");
}

/* ------------------------------------------------------------------ for callers */

static json_t *open_kept(struct dgm *dgm, struct arena *arena,
                         const struct dgm_access *access, const char *query_id,
                         const char *chart, struct err *err)
{
    struct stored stored;
    const struct kept_limits limits = kept_limits_of(dgm->options);
    return stored_open(dgm, arena, access, query_id, &stored, err)
               ? kept_answer(dgm, arena, &stored, chart, &limits, err)
               : NULL;
}

char *dgm_kept_answer(struct dgm *dgm, const struct dgm_access *access,
                      const char *query_id, const char *chart, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    const json_t *kept = open_kept(dgm, arena, access, query_id, chart, &err);
    struct buf buf;
    buf_init(&buf, PAGE_MOST);
    bool ok = kept && (json_write(kept, &buf) ||
                       err_set(&err, ERR_RESULT_TOO_LARGE, "The answer is too large."));
    char *text = ok ? buf_take(&buf) : NULL;
    buf_release(&buf);
    arena_free(arena);
    if (!text) {
        (void)instance_fail(error, &err);
    }
    return text;
}

char *dgm_kept_html(struct dgm *dgm, const struct dgm_access *access,
                    const char *query_id, const char *chart, struct dgm_error *error)
{
    struct err err;
    struct buf buf;
    err_clear(&err);
    instance_no_error(error);
    buf_init(&buf, PAGE_MOST);
    struct arena *arena = arena_new();
    const json_t *kept = open_kept(dgm, arena, access, query_id, chart, &err);
    bool ok = kept && kept_page(arena, kept, &buf, &err);
    arena_free(arena);
    if (!ok) {
        buf_release(&buf);
        (void)instance_fail(error, &err);
        return NULL;
    }
    return buf_take(&buf);
}
