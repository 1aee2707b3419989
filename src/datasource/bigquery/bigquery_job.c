/*
 * Queries as jobs. Each is compiled by a dry run first, which tells whether it only
 * reads: accounts that can run jobs can also write, and nothing but the kind of the
 * statement tells the two apart. The job has an id that we chose, so that it can be
 * cancelled even when the answer to its start never came.
 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/writer.h"
#include "datasource/bigquery/bigquery_driver.h"
#include "datasource/web_url.h"

enum {
    BODY_MOST = 16 << 20,
    PATH_MOST = 8192,
    PAGE_ROWS = 20000,
    PATIENCE_MS = 10000, /* the service waits so long before it says "not yet" */
    CANCEL_MS = 3000,
    SERVER_GRACE_MS = 2000, /* we end it ourselves; the service only when we cannot */
    LONGEST_MS = 3600000,
};

static void key_number(struct writer *writer, const char *key, int64_t value)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%lld", (long long)value);
    writer_key_text(writer, key, text); /* 64 bits are texts in this interface */
}

static void job_write(const struct bigquery_state *state, const char *sql, const char *id,
                      const struct datasource_limits *limits, struct buf *out)
{
    struct writer writer;
    writer_init(&writer, out);
    writer_object(&writer);
    writer_key(&writer, "configuration");
    writer_object(&writer);
    writer_key_bool(&writer, "dryRun", id == NULL);
    key_number(&writer, "jobTimeoutMs",
               limits_left_ms(limits, LONGEST_MS) + SERVER_GRACE_MS);
    writer_key(&writer, "labels");
    writer_object(&writer);
    writer_key_text(&writer, "application", "dragoman");
    writer_object_end(&writer);
    writer_key(&writer, "query");
    writer_object(&writer);
    writer_key_text(&writer, "query", sql);
    writer_key_bool(&writer, "useLegacySql", false);
    if (state->most_billed > 0) {
        key_number(&writer, "maximumBytesBilled", state->most_billed);
    }
    writer_key(&writer, "defaultDataset");
    writer_object(&writer);
    writer_key_text(&writer, "projectId", state->project);
    writer_key_text(&writer, "datasetId", state->dataset);
    writer_object_end(&writer);
    writer_object_end(&writer);
    writer_object_end(&writer);
    writer_key(&writer, "jobReference");
    writer_object(&writer);
    writer_key_text(&writer, "projectId", state->project);
    writer_key_text(&writer, "jobId", id);
    writer_key_text(&writer, "location", state->location[0] ? state->location : NULL);
    writer_object_end(&writer);
    writer_object_end(&writer);
}

static const json_t *job_insert(struct bigquery_state *state, const char *sql,
                                const char *id, const struct datasource_limits *limits,
                                struct arena *arena, struct err *err)
{
    struct buf body;
    buf_init(&body, BODY_MOST);
    job_write(state, sql, id, limits, &body);
    const struct bigquery_request request = {
        .method = "POST", .path = "jobs", .body = buf_get(&body), .sql = sql};
    const json_t *answer = bigquery_call(state, &request, limits, arena, err);
    buf_release(&body);
    const json_t *wrong = json_object_at(json_object_at(answer, "status"), "errorResult");
    if (wrong) {
        (void)bigquery_fail(0, wrong, sql, limits, err);
        return NULL;
    }
    return answer;
}

bool bigquery_dry_run(struct bigquery_state *state, const char *sql,
                      const struct datasource_limits *limits, struct arena *arena,
                      const json_t **statistics, struct err *err)
{
    const json_t *answer = job_insert(state, sql, NULL, limits, arena, err);
    if (!answer) {
        return false;
    }
    *statistics = json_object_at(answer, "statistics");
    const char *kind =
        json_text_at(json_object_at(*statistics, "query"), "statementType");
    if (!str_equal(kind, "SELECT")) {
        return err_set(err, ERR_UNSAFE, "Only a query that reads may run.");
    }
    return true;
}

static void page_path(const struct bigquery_state *state, const char *id,
                      const char *page, int64_t rows, struct buf *out)
{
    (void)buf_format(out, "queries/%s?location=", id);
    web_url_encode(out, state->location);
    (void)buf_format(out,
                     "&maxResults=%lld&timeoutMs=%d&formatOptions.useInt64Timestamp=true",
                     (long long)rows, (int)PATIENCE_MS);
    if (page) {
        (void)buf_text(out, "&pageToken=");
        web_url_encode(out, page);
    }
}

static void job_cancel(struct bigquery_state *state, const char *id)
{
    struct arena *arena = arena_new();
    struct buf path;
    struct err ignored;
    const struct datasource_limits limits = {.deadline_ms = clock_ms() + CANCEL_MS};
    buf_init(&path, PATH_MOST);
    (void)buf_format(&path, "jobs/%s/cancel?location=", id);
    web_url_encode(&path, state->location);
    const struct bigquery_request request = {.method = "POST", .path = buf_get(&path)};
    (void)bigquery_call(state, &request, &limits, arena, &ignored);
    buf_release(&path);
    arena_free(arena);
}

struct reading {
    const json_t *fields;
    const struct datasource_sink *sink;
    struct arena *arena; /* columns */
    json_t *kept;        /* the schema, beyond its page */
    bool begun;
    bool enough;
    int64_t left; /* rows that may still be handed out */
};

static void columns_hand(struct reading *work, const json_t *answer)
{
    work->kept = json_incref(json_object_get(answer, "schema"));
    work->fields = json_array_at(work->kept, "fields");
    size_t count = json_array_size(work->fields);
    struct rows_column *columns = arena_array(work->arena, count, sizeof *columns);
    for (size_t i = 0; i < count; i++) {
        const json_t *field = json_array_get(work->fields, i);
        columns[i].name =
            arena_text(work->arena, str_or_empty(json_text_at(field, "name")));
        columns[i].type = bigquery_type_name(work->arena, field);
    }
    work->begun = true;
    work->enough = !work->sink->columns(work->sink->context, columns, count);
}

static void rows_hand(struct reading *work, const json_t *answer)
{
    const json_t *rows = json_array_at(answer, "rows");
    size_t count = json_array_size(work->fields);
    struct arena *scratch = arena_new();
    for (size_t i = 0; !work->enough && i < json_array_size(rows); i++) {
        const json_t *cells = json_array_at(json_array_get(rows, i), "f");
        struct value *values = arena_array(scratch, count, sizeof *values);
        for (size_t j = 0; j < count; j++) {
            values[j] = bigquery_value(scratch, json_array_get(work->fields, j),
                                       json_array_get(cells, j));
        }
        work->enough = !work->sink->row(work->sink->context, values) || --work->left < 0;
        arena_reset(scratch);
    }
    arena_free(scratch);
}

/* One page, or word that there is none yet. *page: of the next one, yours. */
static bool page_read(struct bigquery_state *state, const char *id, const char *sql,
                      const struct datasource_limits *limits, struct reading *work,
                      char **page, bool *done, struct err *err)
{
    struct arena *arena = arena_new();
    struct buf path;
    buf_init(&path, PATH_MOST);
    int64_t rows = work->left < PAGE_ROWS ? work->left + 1 : PAGE_ROWS;
    page_path(state, id, *page, rows, &path);
    const struct bigquery_request request = {
        .method = "GET", .path = buf_get(&path), .sql = sql};
    const json_t *answer = bigquery_call(state, &request, limits, arena, err);
    buf_release(&path);
    if (answer && json_bool_at(answer, "jobComplete", false)) {
        if (!work->begun) {
            columns_hand(work, answer);
        }
        rows_hand(work, answer);
        const char *next = json_text_at(answer, "pageToken");
        memory_free(*page);
        *page = next ? memory_text(next) : NULL;
        *done = !next || work->enough;
    }
    arena_free(arena);
    return answer != NULL;
}

bool bigquery_run(struct bigquery_state *state, const char *sql,
                  const struct datasource_limits *limits,
                  const struct datasource_sink *sink, struct err *err)
{
    char id[ID_SIZE];
    struct reading work = {.sink = sink,
                           .arena = arena_new(),
                           .left = limits && limits->max_rows > 0 ? limits->max_rows
                                                                  : INT64_MAX - 1};
    const json_t *statistics = NULL;
    bool ok = bigquery_dry_run(state, sql, limits, work.arena, &statistics, err);
    if (ok) {
        char *page = NULL;
        bool done = false;
        id_new("dragoman", id);
        ok = job_insert(state, sql, id, limits, work.arena, err) != NULL;
        while (ok && !done) {
            ok = limits_hold(limits, err) &&
                 page_read(state, id, sql, limits, &work, &page, &done, err);
        }
        if (!ok) {
            job_cancel(state, id);
        }
        memory_free(page);
    }
    json_decref(work.kept);
    arena_free(work.arena);
    return ok;
}
