/* What running a query would read, from DuckDB's own plan. */
#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "datasource/duckdb/duckdb.h"

enum { DEPTH_MOST = 200 };

struct planning {
    struct duckdb_session *session;
    struct arena *arena;
    const char *json;
    int64_t largest;
    struct datasource_estimate *out;
    int64_t size; /* of the table just asked about */
};

static bool plan_row(void *context, const char *const *texts)
{
    struct planning *work = context;
    if (texts[0] && texts[1]) {
        work->json = arena_text(work->arena, texts[1]);
    }
    return false;
}

static bool size_row(void *context, const char *const *texts)
{
    struct planning *work = context;
    if (!texts[0] || !str_to_int(texts[0], &work->size)) {
        work->size = -1;
    }
    return false;
}

/* "shop.main.orders": the last part, which may be quoted, is the table's name. */
static int64_t table_size(struct planning *work, const char *full, const char **name)
{
    const char *dot = strrchr(full, '.');
    *name = dot ? dot + 1 : full;
    struct err ignored;
    err_clear(&ignored);
    work->size = -1;
    char *quoted = arena_alloc(work->arena, 2 * strlen(*name) + 1);
    char *out = quoted;
    for (const char *at = *name; *at; at++) {
        *out++ = *at;
        if (*at == '\'') {
            *out++ = '\'';
        }
    }
    (void)duckdb_rows(work->session,
                      arena_format(work->arena,
                                   "SELECT system.main.max(estimated_size)::VARCHAR FROM "
                                   "system.main.duckdb_tables()"
                                   " WHERE database_name = system.main.current_database()"
                                   " AND table_name = '%s'",
                                   quoted),
                      size_row, work, &ignored);
    return work->size;
}

static void scan_add(struct planning *work, int64_t rows)
{
    int64_t *total = &work->out->rows;
    if (*total >= 0) {
        *total = rows < 0 ? -1 : *total > INT64_MAX - rows ? INT64_MAX : *total + rows;
    }
}

static void node_read(struct planning *work, const json_t *node, int depth)
{
    const json_t *info = json_object_at(node, "extra_info");
    const char *name = json_text_at(node, "name");
    const char *table = json_text_at(info, "Table");
    const char *guess = json_text_at(info, "Estimated Cardinality");
    if (name && table && strstr(name, "SCAN") && !strstr(name, "INDEX")) {
        const char *bare = NULL;
        const char *type = json_text_at(info, "Type");
        int64_t size = table_size(work, table, &bare);
        if (!type || !str_contains_nocase(type, "index")) {
            scan_add(work, size);
            work->out->full_scan = true;
            if (size > work->largest) {
                work->largest = size;
                work->out->table = arena_text(work->arena, bare);
            }
        }
    } else if (name && guess &&
               (strstr(name, "CROSS_PRODUCT") || strstr(name, "NESTED_LOOP") ||
                strstr(name, "NL_JOIN"))) {
        int64_t pairs = 0;
        scan_add(work, str_to_int(guess, &pairs) ? pairs : 0);
    }
    const json_t *children = json_array_at(node, "children");
    for (size_t i = 0; depth < DEPTH_MOST && i < json_array_size(children); i++) {
        node_read(work, json_array_get(children, i), depth + 1);
    }
}

bool duckdb_estimate(struct datasource *source, const char *sql, struct arena *arena,
                     const struct datasource_limits *limits,
                     struct datasource_estimate *out, struct err *err)
{
    static const char how[] = "EXPLAIN (FORMAT json) ";
    if (!duckdb_lock_holds(sql, !((struct duckdb_source_state *)source->state)->path,
                           err)) {
        return false;
    }
    struct duckdb_session session;
    if (!duckdb_begin(source, limits, &session, err)) {
        return false;
    }
    struct planning work = {
        .session = &session, .arena = arena, .largest = -1, .out = out};
    bool ok = duckdb_rows(&session, arena_format(arena, "%s%s", how, sql), plan_row,
                          &work, err);
    if (!ok && err->position >= (int)sizeof how - 1) {
        err->position -= (int)sizeof how - 1;
    }
    if (ok && work.json) {
        struct err ignored;
        err_clear(&ignored);
        const json_t *plan = json_parse(arena, work.json, strlen(work.json), &ignored);
        out->text = work.json;
        out->rows = 0;
        for (size_t i = 0; i < json_array_size(plan); i++) {
            node_read(&work, json_array_get(plan, i), 0);
        }
    }
    duckdb_end(source, &session);
    return ok;
}
