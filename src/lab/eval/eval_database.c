/* Opens the databases, and reads them with limits. */
#include "base/clock.h"
#include "base/memory.h"
#include "knowledge/keys/key_find.h"
#include "knowledge/value_index/value_index.h"
#include "lab/eval/eval_state.h"

enum { ROWS_MOST = 20000, BYTES_MOST = 64 << 20, DESCRIBE_MS = 60000, RUN_MS = 3000 };

static void database_free(struct eval_database *database)
{
    value_index_unref(database->index);
    schema_unref(database->schema);
    if (database->source) {
        datasource_close(database->source);
    }
    memory_free(database);
}

static struct datasource_limits limits_for(int64_t ms)
{
    return (struct datasource_limits){
        .deadline_ms = clock_ms() + ms, .max_rows = ROWS_MOST, .max_bytes = BYTES_MOST};
}

struct eval_database *eval_database_get(struct eval *eval, const char *id,
                                        struct err *err)
{
    struct eval_database *known = map_get(&eval->databases, id);
    if (known) {
        return known;
    }
    struct arena *arena = arena_new();
    struct datasource_setting setting = {
        .id = id,
        .url = arena_format(arena, "%s/%s/%s.sqlite", eval->request->databases, id, id)};
    struct eval_database *database = memory_alloc(sizeof *database);
    struct datasource_limits limits = limits_for(DESCRIBE_MS);
    database->source = datasource_open(&setting, eval->options, err);
    database->schema =
        database->source ? datasource_describe(database->source, &limits, err) : NULL;
    arena_free(arena);
    if (!database->schema) {
        database_free(database);
        return NULL;
    }
    schema_normalize(database->schema);
    struct err ignored;
    (void)datasource_enrich(database->source, database->schema, &limits, &ignored);
    key_find(database->source, database->schema, &limits);
    database->index =
        value_index_build(database->source, database->schema, NULL, &limits, &ignored);
    (void)map_set(&eval->databases, id, database);
    return database;
}

void eval_databases_close(struct eval *eval)
{
    size_t at = 0;
    struct map_entry *entry = NULL;
    while ((entry = map_next(&eval->databases, &at))) {
        database_free(entry->value);
    }
    map_release(&eval->databases);
}

bool eval_database_run(struct eval_database *database, const char *sql,
                       struct arena *arena, struct rows *rows)
{
    struct err err;
    return eval_database_try(database, sql, RUN_MS, NULL, arena, rows, &err);
}

bool eval_database_try(struct eval_database *database, const char *sql, int64_t limit_ms,
                       int64_t *steps, struct arena *arena, struct rows *rows,
                       struct err *err)
{
    struct datasource_limits limits = limits_for(limit_ms);
    limits.steps = steps;
    rows_init(rows, arena);
    return datasource_execute(database->source, sql, NULL, &limits, rows, err);
}
