/* What a query would read, from PostgreSQL's own plan for it. */
#include "datasource/postgres/postgres_driver.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/str.h"

enum { DEPTH_MOST = 64, SCANS_MOST = 32, PLAN_BYTES = 16384 };

struct scan {
    const char *schema;
    const char *table;
    double rows;  /* after the filter, by the planner */
    double loops; /* how often it runs */
    bool cut;     /* there is a filter, or several workers share the rows */
};

struct planning {
    struct datasource *source;
    const char *sql;
    struct arena *arena;
    struct datasource_estimate *out;
    const char *json;
    struct buf text;
    struct scan scans[SCANS_MOST];
    size_t scan_count;
    double rows; /* read through indexes */
    int64_t own; /* the last table's rows and bytes by the catalog; -1: not known */
    int64_t bytes;
};

static bool plan_columns(void *context, const struct rows_column *columns, size_t count)
{
    (void)context;
    (void)columns;
    return count == 1;
}

static bool plan_row(void *context, const struct value *cells)
{
    struct planning *work = context;
    if (cells[0].kind == VALUE_JSON || cells[0].kind == VALUE_TEXT) {
        work->json = arena_copy(work->arena, cells[0].text.data, cells[0].text.size);
    }
    return false;
}

static void node_print(struct planning *work, const json_t *node, int depth)
{
    const char *table = json_text_at(node, "Relation Name");
    const char *index = json_text_at(node, "Index Name");
    (void)buf_format(&work->text, "%s%*s%s", work->text.size ? "\n" : "", 2 * depth, "",
                     json_text_at(node, "Node Type"));
    if (table) {
        (void)buf_format(&work->text, " on %s", table);
    }
    if (index) {
        (void)buf_format(&work->text, " by %s", index);
    }
    (void)buf_format(&work->text, " (%.0f rows)", json_real_at(node, "Plan Rows", 0));
}

static void node_scan(struct planning *work, const json_t *node, double loops)
{
    const char *type = json_text_at(node, "Node Type");
    const char *table = json_text_at(node, "Relation Name");
    double rows = json_real_at(node, "Plan Rows", 0);
    bool whole = str_equal(type, "Seq Scan") || str_equal(type, "Sample Scan") ||
                 str_equal(type, "Foreign Scan");
    if (!whole || !table || work->scan_count >= SCANS_MOST) {
        work->rows += table ? rows * loops : 0;
        return;
    }
    const char *schema = json_text_at(node, "Schema");
    work->scans[work->scan_count++] =
        (struct scan){.schema = schema ? schema : "",
                      .table = table,
                      .rows = rows,
                      .loops = loops,
                      .cut = json_text_at(node, "Filter") != NULL ||
                             json_bool_at(node, "Parallel Aware", false)};
}

/* The inner side of a nested loop runs once for each row of the outer one, unless its
 * rows are kept. */
static void node_read(struct planning *work, const json_t *node, double loops, int depth)
{
    const char *type = json_text_at(node, "Node Type");
    if (!type || depth > DEPTH_MOST) {
        return;
    }
    node_print(work, node, depth);
    node_scan(work, node, loops);
    const json_t *plans = json_array_at(node, "Plans");
    double outer = 1;
    for (size_t i = 0; i < json_array_size(plans); i++) {
        const json_t *child = json_array_get(plans, i);
        const char *kept = json_text_at(child, "Node Type");
        bool repeats = str_equal(type, "Nested Loop") && i > 0 &&
                       !str_equal(kept, "Materialize") && !str_equal(kept, "Memoize");
        node_read(work, child, repeats ? loops * outer : loops, depth + 1);
        double rows = json_real_at(child, "Plan Rows", 1);
        outer = i == 0 && rows > 1 ? rows : outer;
    }
}

static bool size_row(void *context, const char *const *texts)
{
    struct planning *work = context;
    if (!texts[0] || !str_to_int(texts[0], &work->own)) {
        work->own = -1;
    }
    if (!texts[1] || !str_to_int(texts[1], &work->bytes)) {
        work->bytes = -1;
    }
    return false;
}

/* The catalog's rows and bytes of a table. */
static bool size_ask(struct postgres_session *session, struct planning *work,
                     const struct scan *scan, struct err *err)
{
    struct buf name;
    struct buf sql;
    buf_init(&name, 1024);
    buf_init(&sql, 4096);
    postgres_quote(&name, scan->schema);
    (void)buf_char(&name, '.');
    postgres_quote(&name, scan->table);
    char *literal = PQescapeLiteral(session->connection, buf_get(&name), name.size);
    (void)buf_format(&sql,
                     "SELECT reltuples::bigint, relpages::bigint * 8192 FROM pg_class"
                     " WHERE oid = to_regclass(%s)",
                     literal ? literal : "NULL");
    PQfreemem(literal);
    work->own = -1;
    work->bytes = -1;
    bool ok = postgres_rows(session, buf_get(&sql), size_row, work, err);
    buf_release(&name);
    buf_release(&sql);
    return ok;
}

static bool scans_sum(struct postgres_session *session, struct planning *work,
                      struct err *err)
{
    const struct postgres_state *state = work->source->state;
    struct datasource_estimate *out = work->out;
    double total = work->rows;
    double largest = -1;
    int64_t bytes = 0;
    for (size_t i = 0; i < work->scan_count; i++) {
        const struct scan *scan = &work->scans[i];
        if (!size_ask(session, work, scan, err)) {
            return false;
        }
        double rows = scan->cut && work->own >= 0 ? (double)work->own : scan->rows;
        total += rows * scan->loops;
        bytes = bytes < 0 || work->bytes < 0 ? -1 : bytes + work->bytes;
        if (rows > largest) {
            largest = rows;
            bool home = str_equal(scan->schema, state->schema);
            out->table =
                home ? arena_text(work->arena, scan->table)
                     : arena_format(work->arena, "%s.%s", scan->schema, scan->table);
        }
    }
    out->full_scan = work->scan_count > 0;
    out->rows = total < 9e18 ? (int64_t)total : INT64_MAX;
    out->bytes = work->scan_count > 0 && bytes > 0 ? bytes : -1;
    return true;
}

static bool plan_work(struct postgres_session *session, void *context, struct err *err)
{
    struct planning *work = context;
    const struct datasource_sink sink = {
        .columns = plan_columns, .row = plan_row, .context = work};
    if (!postgres_run(session, work->source->state, "EXPLAIN (VERBOSE, FORMAT JSON) ",
                      work->sql, &sink, err)) {
        return false;
    }
    struct err ignored;
    err_clear(&ignored);
    const json_t *plan =
        work->json ? json_parse(work->arena, work->json, strlen(work->json), &ignored)
                   : NULL;
    const json_t *top = json_object_at(json_array_get(plan, 0), "Plan");
    buf_init(&work->text, PLAN_BYTES);
    node_read(work, top, 1, 0);
    work->out->text = buf_clone(&work->text, work->arena);
    buf_release(&work->text);
    return !top || scans_sum(session, work, err);
}

bool postgres_estimate(struct datasource *source, const char *sql, struct arena *arena,
                       const struct datasource_limits *limits,
                       struct datasource_estimate *out, struct err *err)
{
    struct planning work = {.source = source, .sql = sql, .arena = arena, .out = out};
    return postgres_with(source, limits, plan_work, &work, err);
}
