/* Sample values and statistics of one BigQuery table, from its first rows: they can be
 * listed without a query, and so without being paid for. Views cannot. */
#include "base/arena.h"
#include "base/str.h"
#include "datasource/bigquery/bigquery_driver.h"
#include "datasource/profile/profile.h"
#include "datasource/web_url.h"

enum { PATH_MOST = 8192, DEPTH_MOST = 16 };

struct profiling {
    struct table *table;
    struct arena *arena;
    struct arena *scratch;
    struct profile_tally *tallies; /* by the column's index */
    int64_t rows;
    bool whole; /* all rows were read */
    int samples;
};

static bool holds_words(const struct column *column)
{
    return str_starts(column->type, "STRING");
}

/* Of words only dates have a least and a greatest worth knowing. */
static bool ordered(const struct column *column, const struct value *value)
{
    static const char *const words[] = {"INT64",      "FLOAT64", "NUMERIC",
                                        "BIGNUMERIC", "DATE",    "TIME"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_starts(column->type, words[i])) {
            return true;
        }
    }
    return holds_words(column) && value->kind == VALUE_TEXT &&
           text_is_date(value->text.data, value->text.size);
}

static void value_see(struct profiling *work, size_t index, const struct value *value)
{
    if (value->kind != VALUE_NULL) {
        bool plain = value->kind != VALUE_JSON && value->kind != VALUE_BLOB;
        profile_tally_add(&work->tallies[index], work->scratch, value, plain,
                          plain && ordered(&work->table->columns.items[index], value));
    }
}

/* The same walk as in the description, so that paths are the same. */
static void fields_see(struct profiling *work, const json_t *fields, const json_t *cells,
                       const char *prefix, int depth)
{
    for (size_t i = 0; i < json_array_size(fields); i++) {
        const json_t *field = json_array_get(fields, i);
        const json_t *cell = json_array_get(cells, i);
        const char *type = str_or_empty(json_text_at(field, "type"));
        const char *path = arena_format(work->scratch, "%s%s", prefix,
                                        str_or_empty(json_text_at(field, "name")));
        bool record = str_equal(type, "RECORD") || str_equal(type, "STRUCT");
        if (record && !str_equal(json_text_at(field, "mode"), "REPEATED") &&
            depth < DEPTH_MOST) {
            const json_t *inside = json_array_at(json_object_get(cell, "v"), "f");
            fields_see(work, json_array_at(field, "fields"), inside,
                       arena_format(work->scratch, "%s.", path), depth + 1);
            continue;
        }
        const struct column *column = table_column(work->table, path);
        if (column) {
            struct value value = bigquery_value(work->scratch, field, cell);
            value_see(work, (size_t)(column - work->table->columns.items), &value);
        }
    }
}

static void column_sum_up(struct profiling *work, size_t index)
{
    struct column *column = &work->table->columns.items[index];
    struct profile_tally *tally = &work->tallies[index];
    if (work->rows == 0) {
        return;
    }
    profile_tally_fill(tally, work->rows, work->whole, column, work->arena);
    if (work->whole && !tally->too_many) {
        column->distinct = (int64_t)tally->values.count;
    }
    if (holds_words(column)) {
        profile_tally_samples(tally, work->samples, true, column, work->arena);
    }
}

static const json_t *bigquery_profile_ask(struct bigquery_state *state,
                                          const struct table *table, const char *tail,
                                          const struct datasource_limits *limits,
                                          struct arena *arena, struct err *err)
{
    struct buf path;
    buf_init(&path, PATH_MOST);
    (void)buf_format(&path, "datasets/%s/tables/",
                     table->namespace[0] ? table->namespace : state->dataset);
    web_url_encode(&path, table->bare_name);
    (void)buf_text(&path, tail);
    const struct bigquery_request request = {.method = "GET", .path = buf_get(&path)};
    const json_t *answer = bigquery_call(state, &request, limits, arena, err);
    buf_release(&path);
    return answer;
}

static void rows_see(struct profiling *work, const json_t *about, const json_t *data)
{
    const json_t *fields = json_array_at(json_object_at(about, "schema"), "fields");
    const json_t *rows = json_array_at(data, "rows");
    const char *total = json_text_at(data, "totalRows");
    work->rows = (int64_t)json_array_size(rows);
    int64_t all = work->rows;
    if (total && str_to_int(total, &all)) {
        work->table->row_count = all;
        work->table->row_count_exact = true;
    }
    work->whole = work->rows >= all;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        fields_see(work, fields, json_array_at(json_array_get(rows, i), "f"), "", 0);
    }
}

bool bigquery_profile(struct datasource *source, struct schema *schema,
                      struct table *table, struct arena *arena, int samples,
                      const struct datasource_limits *limits, struct err *err)
{
    struct bigquery_state *state = source->state;
    struct arena *scratch = arena_new();
    struct profiling work = {
        .table = table, .arena = arena, .scratch = scratch, .samples = samples};
    (void)schema;
    if (table->is_view) {
        arena_free(scratch);
        return true;
    }
    size_t count = table->columns.count;
    work.tallies = arena_array(scratch, count, sizeof *work.tallies);
    for (size_t i = 0; i < count; i++) {
        profile_tally_init(&work.tallies[i]);
    }
    const json_t *about =
        bigquery_profile_ask(state, table, "?fields=schema", limits, scratch, err);
    const json_t *data =
        about ? bigquery_profile_ask(
                    state, table,
                    "/data?maxResults=1000&formatOptions.useInt64Timestamp=true", limits,
                    scratch, err)
              : NULL;
    if (data) {
        rows_see(&work, about, data);
        for (size_t i = 0; i < count; i++) {
            column_sum_up(&work, i);
        }
    }
    for (size_t i = 0; i < count; i++) {
        profile_tally_release(&work.tallies[i]);
    }
    arena_free(scratch);
    return data != NULL;
}
