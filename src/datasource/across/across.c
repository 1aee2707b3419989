/* Several datasources as one: opened, checked and run like any other. */
#include "datasource/across/across.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "datasource/across/across_state.h"
#include "datasource/opening.h"

/* The members are open, or open themselves when they are first asked. */
static bool across_open_source(struct datasource *source, struct err *err)
{
    (void)source;
    (void)err;
    return true;
}

static void across_close_source(struct datasource *source)
{
    struct across *across = source->state;
    for (size_t i = 0; i < across->count; i++) {
        schema_unref(across->parts[i].schema);
    }
    schema_unref(across->schema);
}

static bool across_signature(struct datasource *source,
                             const struct datasource_limits *limits, char out[33],
                             struct err *err)
{
    const struct across *across = source->state;
    for (size_t i = 0; i < across->count; i++) {
        char now[33];
        if (!datasource_signature(across->parts[i].source, limits, now, err)) {
            return false;
        }
        if (!str_equal(now, across->parts[i].signature)) {
            memcpy(out, now, sizeof now); /* any text but ours */
            return true;
        }
    }
    memcpy(out, across->schema->signature, 33);
    return true;
}

static bool across_describe(struct datasource *source, struct schema *schema,
                            const struct datasource_limits *limits, struct err *err)
{
    (void)schema;
    (void)limits;
    return err_set(err, ERR_INTERNAL, "'%s' is described by its datasources.",
                   source->id);
}

/* What the SQL needs, with a staging for it. */
static struct staging *across_prepare(struct datasource *source, const char *sql,
                                      struct arena *arena, struct across_needs *needs,
                                      const struct datasource_limits *limits,
                                      struct err *err)
{
    struct across *across = source->state;
    struct sql_statement statement;
    struct staging *staging = staging_open(source->options, err);
    if (!staging) {
        return NULL;
    }
    statement_read(arena, DIALECT_DUCKDB, sql, limits, &statement);
    if (!statement.root ? !staging_unreadable(staging, &statement, limits, err)
                        : !across_read(across, arena, &statement, needs, err)) {
        staging_close(staging);
        return NULL;
    }
    staging_watch(staging, &across->watcher);
    return staging;
}

/* The engine's compiler over tables that are there but empty. */
static bool across_check(struct datasource *source, const char *sql,
                         const struct datasource_limits *limits, struct err *err)
{
    struct arena *arena = arena_new();
    struct across_needs needs = {0};
    struct staging *staging = across_prepare(source, sql, arena, &needs, limits, err);
    bool ok = staging && across_stage(source->state, staging, &needs, true, limits, err);
    if (ok) {
        staging_lock(staging);
        ok = staging_check(staging, sql, limits, err);
    }
    staging_close(staging);
    arena_free(arena);
    return ok;
}

static bool across_execute(struct datasource *source, const char *sql,
                           const struct datasource_limits *limits,
                           const struct datasource_sink *sink, struct err *err)
{
    struct arena *arena = arena_new();
    struct across_needs needs = {0};
    struct staging *staging = across_prepare(source, sql, arena, &needs, limits, err);
    bool ok = staging && across_stage(source->state, staging, &needs, false, limits, err);
    if (ok) {
        staging_lock(staging);
        ok = staging_run(staging, sql, limits, sink, err);
    }
    staging_close(staging);
    arena_free(arena);
    return ok;
}

/* All rows of the tables that are named: conditions make it less. */
static bool across_estimate(struct datasource *source, const char *sql,
                            struct arena *arena, const struct datasource_limits *limits,
                            struct datasource_estimate *out, struct err *err)
{
    struct across_needs needs = {0};
    struct staging *staging = across_prepare(source, sql, arena, &needs, limits, err);
    staging_close(staging);
    out->rows = 0;
    for (size_t i = 0; staging && i < needs.count && out->rows >= 0; i++) {
        int64_t rows = needs.items[i].table->table->row_count;
        out->rows = rows < 0 ? -1 : out->rows + rows;
    }
    return staging != NULL;
}

static const char *const no_names[] = {NULL};

static const struct datasource_driver driver_across = {
    .name = "duckdb",
    .dialect = DIALECT_DUCKDB,
    .schemes = no_names,
    .extensions = no_names,
    .open = across_open_source,
    .close = across_close_source,
    .signature = across_signature,
    .describe = across_describe,
    .check = across_check,
    .estimate = across_estimate,
    .execute = across_execute,
};

bool across_is(const struct datasource *source)
{
    return source && source->driver == &driver_across;
}

struct datasource *across_open(const struct across_member *members, size_t count,
                               const struct options *options, struct err *err)
{
    if (count < 2 || count > ACROSS_MOST) {
        (void)err_set(err, ERR_INVALID_DATA,
                      "A question can be about 2 to %d datasources.", ACROSS_MOST);
        return NULL;
    }
    struct arena *arena = arena_new();
    struct datasource *source = ARENA_NEW(arena, struct datasource);
    struct across *across = ARENA_NEW(arena, struct across);
    struct texts ids = {0};
    across->count = count;
    for (size_t i = 0; i < count; i++) {
        across->parts[i].source = members[i].source;
        across->parts[i].schema = schema_ref(members[i].schema);
        across->parts[i].signature = arena_text(arena, members[i].signature);
        VEC_PUSH(arena, &ids, members[i].source->id);
    }
    source->arena = arena;
    source->id = str_join(arena, &ids, ",");
    source->url = "";
    source->place = "";
    source->driver = &driver_across;
    source->options = options;
    source->state = across;
    across_schema_build(across, arena, source->id);
    opening_init(source);
    (void)opening_ready(source, NULL, err); /* so that it is closed, too */
    return source;
}

struct schema *across_schema(const struct datasource *source)
{
    return ((const struct across *)source->state)->schema;
}

size_t across_count(const struct datasource *source)
{
    return ((const struct across *)source->state)->count;
}

struct datasource *across_member_at(const struct datasource *source, size_t index,
                                    struct schema **schema)
{
    const struct across *across = source->state;
    *schema = across->parts[index].schema;
    return across->parts[index].source;
}

const char *across_table_name(const struct datasource *source, size_t member,
                              const char *table)
{
    const struct across *across = source->state;
    for (size_t i = 0; i < across->tables.count; i++) {
        const struct across_table *entry = &across->tables.items[i];
        if (entry->part == member && str_equal_nocase(entry->table->name, table)) {
            return entry->name;
        }
    }
    return NULL;
}

struct datasource *across_member_of(const struct datasource *source, const char *table)
{
    const struct across *across = source->state;
    for (size_t i = 0; i < across->tables.count; i++) {
        if (str_equal_nocase(across->tables.items[i].name, table)) {
            return across->parts[across->tables.items[i].part].source;
        }
    }
    return NULL;
}

void across_watch(struct datasource *source, const struct staging_watcher *watcher)
{
    ((struct across *)source->state)->watcher = *watcher;
}

bool across_explain(struct datasource *source, const char *sql, struct arena *arena,
                    const struct datasource_limits *limits, struct texts *out,
                    struct err *err)
{
    const struct across *across = source->state;
    struct across_needs needs = {0};
    struct staging *staging = across_prepare(source, sql, arena, &needs, limits, err);
    staging_close(staging);
    for (size_t i = 0; staging && i < needs.count; i++) {
        const struct across_part *part = &across->parts[needs.items[i].table->part];
        const struct across_link *link = needs.items[i].link;
        VEC_PUSH(arena, out,
                 arena_format(arena, "%s: %s%s%s%s%s", part->source->id,
                              across_push(across, arena, &needs.items[i]),
                              link ? " for each " : "", link ? link->column->name : "",
                              link ? " of " : "", link ? link->other->name : ""));
    }
    return staging != NULL;
}
