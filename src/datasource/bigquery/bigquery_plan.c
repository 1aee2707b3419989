/* What a query would read: a dry run tells the bytes that would be paid for. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "datasource/bigquery/bigquery_driver.h"
#include "datasource/web_url.h"

enum { TABLES_MOST = 16, PATH_MOST = 8192, TEXT_MOST = 8192 };

struct planning {
    struct bigquery_state *state;
    const struct datasource_limits *limits;
    struct arena *arena;
    struct datasource_estimate *out;
    struct buf text;
    int64_t largest;
};

/* Rows of a table that the query names; -1: not known. */
static int64_t rows_of(struct planning *work, const json_t *reference)
{
    const char *dataset = json_text_at(reference, "datasetId");
    const char *name = json_text_at(reference, "tableId");
    int64_t rows = -1;
    if (!dataset || !name ||
        !str_equal(json_text_at(reference, "projectId"), work->state->project)) {
        return rows;
    }
    struct buf path;
    struct err ignored; /* a figure helps, but nothing depends on it */
    buf_init(&path, PATH_MOST);
    (void)buf_text(&path, "datasets/");
    web_url_encode(&path, dataset);
    (void)buf_text(&path, "/tables/");
    web_url_encode(&path, name);
    (void)buf_text(&path, "?fields=numRows");
    const struct bigquery_request request = {.method = "GET", .path = buf_get(&path)};
    const json_t *answer =
        bigquery_call(work->state, &request, work->limits, work->arena, &ignored);
    const char *text = json_text_at(answer, "numRows");
    if (!text || !str_to_int(text, &rows)) {
        rows = -1;
    }
    buf_release(&path);
    return rows;
}

static void table_add(struct planning *work, const json_t *reference)
{
    int64_t rows = rows_of(work, reference);
    const char *dataset = str_or_empty(json_text_at(reference, "datasetId"));
    const char *name = str_or_empty(json_text_at(reference, "tableId"));
    const char *shown = str_equal(dataset, work->state->dataset)
                            ? arena_text(work->arena, name)
                            : arena_format(work->arena, "%s.%s", dataset, name);
    (void)buf_format(&work->text, "%s: %lld rows\n", shown, (long long)rows);
    if (rows < 0) {
        return;
    }
    work->out->rows = (work->out->rows < 0 ? 0 : work->out->rows) + rows;
    if (rows > work->largest && work->out->bytes > 0) {
        work->largest = rows;
        work->out->full_scan = true; /* columns are read whole */
        work->out->table = shown;
    }
}

bool bigquery_estimate(struct datasource *source, const char *sql, struct arena *arena,
                       const struct datasource_limits *limits,
                       struct datasource_estimate *out, struct err *err)
{
    struct planning work = {.state = source->state,
                            .limits = limits,
                            .arena = arena,
                            .out = out,
                            .largest = -1};
    const json_t *statistics = NULL;
    if (!bigquery_dry_run(source->state, sql, limits, arena, &statistics, err)) {
        return false;
    }
    buf_init(&work.text, TEXT_MOST);
    const json_t *query = json_object_at(statistics, "query");
    const char *bytes = json_text_at(query, "totalBytesProcessed");
    bytes = bytes ? bytes : json_text_at(statistics, "totalBytesProcessed");
    if (!bytes || !str_to_int(bytes, &out->bytes)) {
        out->bytes = -1;
    }
    (void)buf_format(&work.text, "reads %lld bytes\n", (long long)out->bytes);
    const json_t *tables = json_array_at(query, "referencedTables");
    for (size_t i = 0; i < json_array_size(tables) && i < TABLES_MOST; i++) {
        table_add(&work, json_array_get(tables, i));
    }
    out->text = buf_clone(&work.text, arena);
    buf_release(&work.text);
    return limits_hold(limits, err);
}
