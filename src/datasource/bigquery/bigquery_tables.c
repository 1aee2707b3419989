/* The tables of some datasets as the service describes them. That costs requests but no
 * money: one for each thousand names, one for each table, some side by side. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/workers.h"
#include "datasource/bigquery/bigquery_driver.h"
#include "datasource/web_url.h"

enum { PATH_MOST = 8192, PAGE_TABLES = 1000, SIDE_BY_SIDE = 8 };

/* What of a table is asked for: not the figures that change with every row. */
#define ABOUT                                                                            \
    "?fields=type,description,numRows,schema,view(query),materializedView(query),"       \
    "tableConstraints,timePartitioning,rangePartitioning,clustering"

static bool names_read(struct datasource *source, const char *dataset,
                       const struct datasource_limits *limits, struct arena *arena,
                       struct bigquery_tables *out, struct err *err)
{
    struct bigquery_state *state = source->state;
    const char *page = NULL;
    do {
        struct buf path;
        buf_init(&path, PATH_MOST);
        (void)buf_format(&path, "datasets/%s/tables?maxResults=%d", dataset, PAGE_TABLES);
        if (page) {
            (void)buf_text(&path, "&pageToken=");
            web_url_encode(&path, page);
        }
        const struct bigquery_request request = {.method = "GET", .path = buf_get(&path)};
        const json_t *answer = bigquery_call(state, &request, limits, arena, err);
        buf_release(&path);
        if (!answer) {
            return false;
        }
        const json_t *tables = json_array_at(answer, "tables");
        for (size_t i = 0; i < json_array_size(tables); i++) {
            const json_t *reference =
                json_object_at(json_array_get(tables, i), "tableReference");
            const char *name = json_text_at(reference, "tableId");
            if (name && (int64_t)out->count >= source->options->schema_max_tables) {
                out->more = true;
                return true;
            }
            if (name) {
                VEC_PUSH(arena, out,
                         ((struct bigquery_table){.dataset = dataset, .name = name}));
            }
        }
        page = json_text_at(answer, "nextPageToken");
    } while (page && *page);
    return true;
}

struct reading {
    struct bigquery_state *state;
    const struct datasource_limits *limits;
    struct bigquery_tables *tables;
    struct arena **arenas; /* one for each table: they are read on several threads */
    struct err *errors;
};

static void table_read(void *context, size_t index)
{
    struct reading *work = context;
    struct bigquery_table *table = &work->tables->items[index];
    struct buf path;
    buf_init(&path, PATH_MOST);
    (void)buf_format(&path, "datasets/%s/tables/", table->dataset);
    web_url_encode(&path, table->name);
    (void)buf_text(&path, ABOUT);
    const struct bigquery_request request = {.method = "GET", .path = buf_get(&path)};
    table->about = bigquery_call(work->state, &request, work->limits, work->arenas[index],
                                 &work->errors[index]);
    buf_release(&path);
}

static int by_name(const void *a, const void *b)
{
    const struct bigquery_table *left = a;
    const struct bigquery_table *right = b;
    int order = strcmp(left->dataset, right->dataset);
    return order ? order : strcmp(left->name, right->name);
}

/* A table that went away meanwhile, or may not be seen, is left out; when none could be
 * read, why is the error. */
static bool bigquery_tables_judge(struct reading *work, struct err *err)
{
    size_t read = 0;
    for (size_t i = 0; i < work->tables->count; i++) {
        read += work->tables->items[i].about != NULL;
    }
    if (!limits_hold(work->limits, err)) {
        return false;
    }
    if (read == 0 && work->tables->count > 0) {
        *err = work->errors[0];
        return false;
    }
    for (size_t i = 0; i < work->tables->count; i++) {
        if (!work->tables->items[i].about &&
            work->errors[i].code == ERR_DATASOURCE_UNREACHABLE) {
            *err = work->errors[i];
            return false;
        }
    }
    return true;
}

bool bigquery_tables_read(struct datasource *source,
                          const struct datasource_limits *limits, struct arena *arena,
                          struct bigquery_tables *out, struct err *err)
{
    struct bigquery_state *state = source->state;
    if (!names_read(source, state->dataset, limits, arena, out, err)) {
        return false;
    }
    for (size_t i = 0; i < state->datasets.count; i++) {
        struct err missing;
        if (!names_read(source, state->datasets.items[i], limits, arena, out, &missing) &&
            missing.code != ERR_DATASOURCE_NOT_FOUND) {
            *err = missing;
            return false;
        }
    }
    struct reading work = {.state = state,
                           .limits = limits,
                           .tables = out,
                           .arenas = arena_array(arena, out->count, sizeof *work.arenas),
                           .errors = arena_array(arena, out->count, sizeof *work.errors)};
    for (size_t i = 0; i < out->count; i++) {
        work.arenas[i] = arena_new();
        arena_defer(arena, (void (*)(void *))arena_free, work.arenas[i]);
    }
    workers_each(out->count, SIDE_BY_SIDE, table_read, &work);
    bool ok = bigquery_tables_judge(&work, err);
    if (out->count > 1) {
        qsort(out->items, out->count, sizeof *out->items, by_name);
    }
    return ok;
}
