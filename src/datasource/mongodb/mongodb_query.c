/* SQL over collections: what it needs of them is read into a private DuckDB, which runs
 * it. Nothing of the SQL reaches MongoDB but names, values and a few comparisons. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "datasource/mongodb/mongodb_plan.h"
#include "datasource/staging/staging.h"

struct querying {
    struct datasource *source;
    struct mongodb_state *state;
    const struct datasource_limits *limits;
    struct mongodb_plan plan;
    const struct texts *names; /* of tables, as the SQL has them */
    struct staging *staging;
    bool rows; /* wanted, not only the tables */
};

/* ------------------------------------------------------------------ which tables */

static bool part_add(struct querying *work, struct mongodb_shape *shape, const char *name,
                     bool sampled)
{
    for (size_t i = 0; shape && i < shape->tables.count; i++) {
        if (str_equal_nocase(shape->tables.items[i].name, name)) {
            struct mongodb_part *part = VEC_ADD(work->plan.arena, &work->plan.parts);
            part->shape = shape;
            part->table = &shape->tables.items[i];
            part->sampled = sampled;
            return true;
        }
    }
    return false;
}

/* Could the table be this collection, or an array of it? */
static bool collection_fits(const char *collection, const char *name)
{
    size_t size = strlen(collection);
    return str_starts_nocase(name, collection) &&
           (name[size] == '\0' || str_starts(name + size, "__"));
}

static bool table_look(struct querying *work, struct mongodb_session *session,
                       const struct mongodb_collections *all, const char *name,
                       struct err *err)
{
    const struct mongodb_about *best = NULL;
    for (size_t i = 0; i < all->count; i++) {
        const char *collection = all->items[i].name;
        if (collection_fits(collection, name) &&
            (!best || strlen(collection) > strlen(best->name) ||
             strcmp(collection, name) == 0)) {
            best = &all->items[i];
        }
    }
    if (!best) {
        return true; /* the engine will report the unknown table */
    }
    struct mongodb_shape *shape = mongodb_shape_read(session, best, err);
    if (!shape) {
        return false;
    }
    if (!part_add(work, shape, name, true)) {
        mongodb_shape_unref(work->state, shape);
    }
    return true;
}

static bool tables_find(struct querying *work, struct mongodb_session *session,
                        bool afresh, struct err *err)
{
    struct mongodb_collections all = {0};
    bool listed = false;
    for (size_t i = 0; i < work->names->count; i++) {
        const char *name = work->names->items[i];
        struct mongodb_table *table = NULL;
        struct mongodb_shape *shape =
            afresh ? NULL : mongodb_shape_of_table(work->state, name, &table);
        if (shape) {
            (void)part_add(work, shape, table->name, false);
            continue;
        }
        if (!listed && !mongodb_collections(session, work->plan.arena, &all, err)) {
            return false;
        }
        listed = true;
        if (!table_look(work, session, &all, name, err)) {
            return false;
        }
    }
    return true;
}

static void parts_release(struct querying *work)
{
    mongodb_plan_release(&work->plan);
    for (size_t i = 0; i < work->plan.parts.count; i++) {
        mongodb_shape_unref(work->state, work->plan.parts.items[i].shape);
    }
    work->plan.parts.count = 0;
}

/* ------------------------------------------------------------------ their rows */

struct filling {
    struct staging_table *table;
    struct err *err;
    bool failed;
};

static bool fill_row(void *context, const struct value *cells)
{
    struct filling *filling = context;
    filling->failed = !staging_table_add(filling->table, cells, filling->err);
    return !filling->failed;
}

static struct staging_table *part_table(struct querying *work,
                                        const struct mongodb_part *part, struct err *err)
{
    struct arena *arena = work->plan.arena;
    struct rows_column *columns = arena_array(arena, part->count, sizeof *columns);
    for (size_t i = 0; i < part->count; i++) {
        const struct mongodb_column *column =
            &part->table->columns.items[part->columns[i]];
        columns[i] = (struct rows_column){.name = column->name, .type = column->type};
    }
    const char *name = part->table->name;
    const char *dot = strrchr(name, '.');
    const struct staging_shape shape = {
        .namespace = dot ? arena_copy(arena, name, (size_t)(dot - name)) : "",
        .name = dot ? dot + 1 : name,
        .columns = columns,
        .count = part->count,
        .dialect = DIALECT_DUCKDB};
    return staging_table_new(work->staging, &shape, work->limits, err);
}

static bool part_load(struct querying *work, struct mongodb_session *session,
                      const struct mongodb_part *part, struct err *err)
{
    struct filling filling = {.table = part_table(work, part, err), .err = err};
    if (!filling.table) {
        return false;
    }
    const struct mongodb_reading reading = {.shape = part->shape,
                                            .table = part->table,
                                            .columns = part->columns,
                                            .count = part->count,
                                            .filter = part->filter,
                                            .limit = part->limit};
    bool ok = !work->rows || mongodb_rows(session, &reading, fill_row, &filling, err);
    ok = ok && !filling.failed;
    struct err ending;
    err_clear(&ending);
    bool ended = staging_table_end(filling.table, &ending);
    if (ok && !ended) {
        *err = ending;
    }
    return ok && ended;
}

static void columns_all(struct querying *work)
{
    for (size_t i = 0; i < work->plan.parts.count; i++) {
        struct mongodb_part *part = &work->plan.parts.items[i];
        part->count = part->table->columns.count;
        part->columns = arena_array(work->plan.arena, part->count, sizeof *part->columns);
        for (size_t c = 0; c < part->count; c++) {
            part->columns[c] = c;
        }
    }
}

struct loading {
    struct querying *work;
    bool afresh;
};

static bool load_work(struct mongodb_session *session, void *context, struct err *err)
{
    const struct loading *loading = context;
    struct querying *work = loading->work;
    staging_close(work->staging);
    parts_release(work); /* a second try begins anew */
    work->staging = staging_open(work->source->options, err);
    if (!work->staging || !tables_find(work, session, loading->afresh, err)) {
        return false;
    }
    if (work->rows) {
        mongodb_plan_make(&work->plan, work->limits ? work->limits->max_rows : INT64_MAX);
    } else {
        columns_all(work);
    }
    for (size_t i = 0; i < work->plan.parts.count; i++) {
        if (!part_load(work, session, &work->plan.parts.items[i], err)) {
            return false;
        }
    }
    staging_lock(work->staging);
    return true;
}

static void querying_init(struct querying *work, struct datasource *source,
                          const char *sql, const struct datasource_limits *limits,
                          struct guard_result *guard)
{
    struct arena *arena = arena_new();
    *work = (struct querying){.source = source,
                              .state = source->state,
                              .limits = limits,
                              .plan = {.arena = arena},
                              .names = &guard->tables};
    statement_read(arena, DIALECT_DUCKDB, sql, limits, &work->plan.statement);
    guard_check_statement(arena, &work->plan.statement, NULL, guard);
}

static void querying_release(struct querying *work)
{
    staging_close(work->staging);
    parts_release(work);
    arena_free(work->plan.arena);
}

/* ------------------------------------------------------------------ running */

static bool query_once(struct querying *work, bool afresh, const char *sql,
                       const struct datasource_sink *sink, struct err *err)
{
    struct loading loading = {.work = work, .afresh = afresh};
    if (!mongodb_with(work->source, work->limits, load_work, &loading, err)) {
        return false;
    }
    return sink ? staging_run(work->staging, sql, work->limits, sink, err)
                : staging_check(work->staging, sql, work->limits, err);
}

/* Is there a shape that may be older than what the SQL was written for? */
static bool shapes_are_old(const struct querying *work)
{
    for (size_t i = 0; i < work->plan.parts.count; i++) {
        if (!work->plan.parts.items[i].sampled) {
            return true;
        }
    }
    return false;
}

/* The guard stops reading where it refuses: then these are the tables. */
static const struct texts *tables_of(struct querying *work)
{
    struct texts *names = ARENA_NEW(work->plan.arena, struct texts);
    struct sql_nodes tables = {0};
    sql_collect(work->plan.arena, work->plan.statement.root, SQL_TABLE, &tables);
    for (size_t i = 0; i < tables.count; i++) {
        const struct sql_node *path = tables.items[i]->children[TABLE_PATH];
        const char *name = path->children[0]->text;
        for (size_t k = 1; k < path->count; k++) {
            name = arena_format(work->plan.arena, "%s.%s", name, path->children[k]->text);
        }
        VEC_PUSH(work->plan.arena, names, name);
    }
    return names;
}

/* SQL of users or models must be read-only. For other errors the engine's message is
 * best, so the SQL is compiled on empty tables. */
static bool query_refuse(struct querying *work, const struct guard_result *guard,
                         const char *sql, struct err *err)
{
    if (!work->plan.statement.root) {
        work->staging = staging_open(work->source->options, err);
        return work->staging && staging_unreadable(work->staging, &work->plan.statement,
                                                   work->limits, err);
    }
    work->rows = false;
    work->names = tables_of(work);
    if (!query_once(work, false, sql, NULL, err)) {
        return false;
    }
    (void)err_set(err, ERR_UNSAFE, "%s",
                  str_empty(guard->reason) ? "Only a query that reads may run."
                                           : guard->reason);
    err->position = guard->position;
    return false;
}

/* ------------------------------------------------------------------ estimating */

struct estimating {
    struct querying *work;
    struct datasource_estimate *out;
    struct arena *arena; /* of the caller */
};

/* What would be read: whole collections, but for those that a filter or limit bounds. */
static bool estimate_work(struct mongodb_session *session, void *context, struct err *err)
{
    const struct estimating *estimating = context;
    struct datasource_estimate *out = estimating->out;
    struct mongodb_plan *plan = &estimating->work->plan;
    struct buf text;
    int64_t largest = -1;
    (void)err;
    buf_init(&text, 1 << 16);
    out->rows = 0;
    mongodb_plan_release(plan);
    mongodb_plan_make(plan, INT64_MAX);
    for (size_t i = 0; i < plan->parts.count; i++) {
        const struct mongodb_part *part = &plan->parts.items[i];
        int64_t rows = mongodb_count(session, part->shape);
        (void)buf_format(&text, "%sreads %s: %zu of %zu columns%s", i ? "; " : "",
                         part->table->name, part->count, part->table->columns.count,
                         part->filter ? ", filtered" : "");
        rows = part->limit > 0 && (rows < 0 || part->limit < rows) ? part->limit : rows;
        out->rows = rows < 0 || out->rows < 0 ? -1 : out->rows + rows;
        if (!part->filter && part->limit == 0) {
            out->full_scan = true;
            if (rows > largest) {
                largest = rows;
                out->table = arena_text(estimating->arena, part->table->name);
            }
        }
    }
    out->text = buf_clone(&text, estimating->arena);
    buf_release(&text);
    return true;
}

bool mongodb_estimate(struct datasource *source, const char *sql, struct arena *arena,
                      const struct datasource_limits *limits,
                      struct datasource_estimate *out, struct err *err)
{
    struct querying work;
    struct guard_result guard = {0};
    querying_init(&work, source, sql, limits, &guard);
    bool ok = guard.verdict == GUARD_READ ? query_once(&work, false, sql, NULL, err)
                                          : query_refuse(&work, &guard, sql, err);
    struct estimating estimating = {.work = &work, .out = out, .arena = arena};
    ok = ok && mongodb_with(source, limits, estimate_work, &estimating, err);
    querying_release(&work);
    return ok;
}

bool mongodb_query(struct datasource *source, const char *sql,
                   const struct datasource_limits *limits,
                   const struct datasource_sink *sink, struct err *err)
{
    struct querying work;
    struct guard_result guard = {0};
    struct err again;
    querying_init(&work, source, sql, limits, &guard);
    work.rows = sink != NULL;
    bool ok = guard.verdict == GUARD_READ ? query_once(&work, false, sql, sink, err)
                                          : query_refuse(&work, &guard, sql, err);
    if (!ok && guard.verdict == GUARD_READ && err->code == ERR_INVALID_SQL &&
        shapes_are_old(&work) &&
        !staging_check(work.staging, sql, limits, &again)) { /* no row came out */
        err_clear(err);
        ok = query_once(&work, true, sql, sink, err);
    }
    querying_release(&work);
    return ok;
}
