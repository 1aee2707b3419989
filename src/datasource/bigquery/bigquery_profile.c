/* Sample values and statistics of one BigQuery table, from its first rows: they can be
 * listed without a query, and so without being paid for. Views cannot. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "datasource/bigquery/bigquery_driver.h"
#include "datasource/web_url.h"

enum {
    SCAN_ROWS = 1000,
    SAMPLE_BYTES = 100, /* a longer text is no value one would ask for */
    PATH_MOST = 8192,
    DEPTH_MOST = 16,
};

/* What was seen of one column. */
struct seen {
    struct map counts; /* by text: how often */
    int64_t present;
    const char *least;
    const char *greatest;
};

struct profiling {
    struct table *table;
    struct arena *arena;
    struct arena *scratch;
    struct seen *seen; /* by the column's index */
    int64_t rows;
    bool whole; /* all rows were seen */
    int samples;
};

static bool type_among(const struct column *column, const char *const *words)
{
    for (; *words; words++) {
        if (str_starts(column->type, *words)) {
            return true;
        }
    }
    return false;
}

static bool is_number(const struct column *column)
{
    static const char *const words[] = {"INT64", "FLOAT64", "NUMERIC", "BIGNUMERIC",
                                        NULL};
    return type_among(column, words);
}

static bool ordered(const struct column *column)
{
    static const char *const words[] = {"DATE", "TIME", "STRING", NULL};
    return is_number(column) || type_among(column, words);
}

/* Is a before b? */
static bool before(const struct column *column, const char *a, const char *b)
{
    return is_number(column) ? strtod(a, NULL) < strtod(b, NULL) : strcmp(a, b) < 0;
}

static void value_see(struct profiling *work, size_t index, const struct value *value)
{
    const struct column *column = &work->table->columns.items[index];
    struct seen *seen = &work->seen[index];
    struct buf text;
    if (value->kind == VALUE_NULL) {
        return;
    }
    seen->present++;
    if (value->kind == VALUE_JSON || value->kind == VALUE_BLOB) {
        return;
    }
    buf_init(&text, 1 << 20);
    value_print(&text, value);
    const char *kept = buf_clone(&text, work->scratch);
    buf_release(&text);
    uintptr_t count = (uintptr_t)map_get(&seen->counts, kept);
    (void)map_set(&seen->counts, kept, (void *)(count + 1));
    if (!seen->least || before(column, kept, seen->least)) {
        seen->least = kept;
    }
    if (!seen->greatest || before(column, seen->greatest, kept)) {
        seen->greatest = kept;
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

struct counted {
    const char *text;
    uintptr_t count;
};

static int by_count(const void *a, const void *b)
{
    const struct counted *left = a;
    const struct counted *right = b;
    if (left->count != right->count) {
        return left->count < right->count ? 1 : -1;
    }
    return strcmp(left->text, right->text);
}

/* The most frequent words first. */
static void samples_keep(struct profiling *work, struct column *column, struct seen *seen)
{
    struct counted *list = arena_array(work->scratch, SCAN_ROWS + 1, sizeof *list);
    size_t count = 0;
    const struct map_entry *entry = NULL;
    for (size_t at = 0; count < SCAN_ROWS && (entry = map_next(&seen->counts, &at));) {
        if (entry->key[0] && strlen(entry->key) <= SAMPLE_BYTES) {
            list[count++] = (struct counted){entry->key, (uintptr_t)entry->value};
        }
    }
    if (count > 1) {
        qsort(list, count, sizeof *list, by_count);
    }
    for (size_t i = 0; i < count && (int)i < work->samples; i++) {
        VEC_PUSH(work->arena, &column->samples, arena_text(work->arena, list[i].text));
    }
}

static void column_sum_up(struct profiling *work, size_t index)
{
    struct column *column = &work->table->columns.items[index];
    struct seen *seen = &work->seen[index];
    if (work->rows == 0) {
        return;
    }
    column->null_share = 1.0 - (double)seen->present / (double)work->rows;
    bool words = str_starts(column->type, "STRING");
    if (words) {
        samples_keep(work, column, seen);
    }
    if (!work->whole) {
        return;
    }
    column->distinct = (int64_t)seen->counts.count;
    bool useful = ordered(column) && seen->least &&
                  (!words || text_is_date(seen->least, strlen(seen->least)));
    if (useful) {
        column->least = arena_text(work->arena, seen->least);
        column->greatest = arena_text(work->arena, seen->greatest);
    }
}

static const json_t *ask(struct bigquery_state *state, const struct table *table,
                         const char *tail, const struct datasource_limits *limits,
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
    work.seen = arena_array(scratch, count, sizeof *work.seen);
    for (size_t i = 0; i < count; i++) {
        map_init(&work.seen[i].counts, false);
    }
    const json_t *about = ask(state, table, "?fields=schema", limits, scratch, err);
    const json_t *data =
        about ? ask(state, table,
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
        map_release(&work.seen[i].counts);
    }
    arena_free(scratch);
    return data != NULL;
}
