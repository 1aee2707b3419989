/* What a DuckDB database looks like, and a short text that changes when that does. */
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "datasource/duckdb/duckdb.h"
#include "sql/guard.h"

/* Every function is named with its place: a macro of the file would else stand before a
 * built-in one, and could hide what the file holds, or tell of it. Lists come joined by a
 * character that is in no name. */
#define JOINED(list) "system.main.array_to_string(" list ", system.main.chr(1))"
#define OURS         " database_name = system.main.current_database() AND NOT internal "

/* ------------------------------------------------------------------ the signature */

static const char signature_sql[] =
    "SELECT system.main.md5(coalesce(system.main.string_agg(line, system.main.chr(10) "
    "ORDER BY line), '')) FROM ("
    " SELECT system.main.concat_ws(system.main.chr(1), 't', schema_name, table_name, "
    "coalesce(comment, '')) AS "
    "line"
    " FROM system.main.duckdb_tables() WHERE" OURS "UNION ALL"
    " SELECT system.main.concat_ws(system.main.chr(1), 'v', schema_name, view_name, sql, "
    "coalesce(comment, ''))"
    " FROM system.main.duckdb_views() WHERE" OURS "UNION ALL"
    " SELECT system.main.concat_ws(system.main.chr(1), 'c', schema_name, table_name, "
    "column_index, column_name,"
    " data_type, is_nullable, coalesce(column_default, ''), coalesce(comment, ''))"
    " FROM system.main.duckdb_columns() WHERE" OURS "UNION ALL"
    " SELECT system.main.concat_ws(system.main.chr(1), 'k', schema_name, table_name, "
    "constraint_text)"
    " FROM system.main.duckdb_constraints() WHERE database_name = "
    "system.main.current_database() UNION ALL"
    " SELECT system.main.concat_ws(system.main.chr(1), 'i', schema_name, table_name, "
    "index_name, sql)"
    " FROM system.main.duckdb_indexes() WHERE database_name = "
    "system.main.current_database() UNION ALL"
    " SELECT system.main.concat_ws(system.main.chr(1), 'f', schema_name, function_name, "
    "function_type)"
    " FROM system.main.duckdb_functions() WHERE" OURS ")";

static bool signature_row(void *context, const char *const *texts)
{
    char *out = context;
    size_t size = texts[0] ? strlen(texts[0]) : 0;
    if (size == 32) {
        memcpy(out, texts[0], size + 1);
    }
    return false;
}

/* While the file is open nobody else can change it, and a change while it is closed shows
 * in its size or time: the signature is computed once for each state of the file. */
bool duckdb_signature(struct datasource *source, const struct datasource_limits *limits,
                      char out[33], struct err *err)
{
    struct duckdb_source_state *state = source->state;
    if (duckdb_signature_known(state, out)) {
        return true;
    }
    struct duckdb_session session;
    if (!duckdb_begin(source, limits, &session, err)) { /* follows a replaced file */
        return false;
    }
    out[0] = '\0';
    bool ok = duckdb_rows(&session, signature_sql, signature_row, out, err);
    if (ok && !out[0]) {
        ok = err_set(err, ERR_INTERNAL, "DuckDB gave no signature.");
    }
    if (ok) {
        (void)pthread_mutex_lock(&state->lock);
        memcpy(state->signature, out, sizeof state->signature);
        (void)pthread_mutex_unlock(&state->lock);
    }
    duckdb_end(source, &session);
    return ok;
}

/* ------------------------------------------------------------------ describing */

struct describing {
    struct schema *schema;
    struct arena *arena;
    struct map tables; /* "schema\1table" -> position + 1 */
    int64_t most;
    bool more;
};

static char *table_key(struct describing *work, const char *schema, const char *table)
{
    return arena_format(work->arena, "%s\1%s", schema, table);
}

static struct table *table_named(struct describing *work, const char *schema,
                                 const char *table)
{
    size_t place = (size_t)map_get(&work->tables, table_key(work, schema, table));
    return place ? &work->schema->tables.items[place - 1] : NULL;
}

static bool table_row(void *context, const char *const *texts)
{
    struct describing *work = context;
    if ((int64_t)work->schema->tables.count >= work->most) {
        work->more = true;
        return false;
    }
    bool plain = str_equal(texts[0], "main");
    const char *name =
        plain ? texts[1] : arena_format(work->arena, "%s.%s", texts[0], texts[1]);
    struct table *table = schema_add_table(work->schema, name);
    table->namespace = plain ? "" : arena_text(work->arena, texts[0]);
    table->bare_name = plain ? table->name : arena_text(work->arena, texts[1]);
    table->comment = arena_text(work->arena, texts[2]);
    table->is_view = str_equal(texts[3], "true");
    table->definition = arena_text(work->arena, texts[4]);
    (void)map_set(&work->tables, table_key(work, texts[0], texts[1]),
                  (void *)work->schema->tables.count); /* NOLINT: a number, not a place */
    return true;
}

static bool column_row(void *context, const char *const *texts)
{
    struct describing *work = context;
    struct table *table = table_named(work, texts[0], texts[1]);
    if (table) {
        struct column *column = VEC_ADD(work->arena, &table->columns);
        column->name = arena_text(work->arena, texts[2]);
        column->type = arena_text(work->arena, texts[3] ? texts[3] : "");
        column->nullable = str_equal(texts[4], "true");
        column->default_value = arena_text(work->arena, texts[5]);
        column->comment = arena_text(work->arena, texts[6]);
        column->distinct = -1;
        column->null_share = -1;
    }
    return true;
}

static bool key_row(void *context, const char *const *texts)
{
    struct describing *work = context;
    struct table *table = table_named(work, texts[0], texts[1]);
    if (!table || !texts[3]) {
        return true;
    }
    struct texts columns = {0};
    str_split(work->arena, arena_text(work->arena, texts[3]), '\1', &columns);
    if (str_equal(texts[2], "PRIMARY KEY")) {
        for (size_t i = 0; i < columns.count; i++) {
            struct column *column = table_column(table, columns.items[i]);
            if (column) {
                column->primary = true;
                column->nullable = false;
            }
        }
        return true;
    }
    const struct table *target =
        texts[4] ? table_named(work, texts[0], texts[4]) : NULL; /* within one schema */
    struct texts references = {0};
    str_split(work->arena, arena_text(work->arena, texts[5] ? texts[5] : ""), '\1',
              &references);
    if (target && references.count == columns.count) {
        struct foreign_key *key = VEC_ADD(work->arena, &table->foreign_keys);
        key->columns = columns;
        key->table = target->name;
        key->references = references;
        key->confidence = 1;
    }
    return true;
}

/* One expression of an index, as the engine prints it: name, "na me" or '"na me"'. */
static const char *index_column(struct arena *arena, const char *text)
{
    char *name = str_trim(arena, text);
    size_t size = strlen(name);
    if (size >= 2 && name[0] == '\'' && name[size - 1] == '\'') {
        name = arena_copy(arena, name + 1, size - 2);
        size -= 2;
    }
    if (size >= 2 && name[0] == '"' && name[size - 1] == '"') {
        name = arena_copy(arena, name + 1, size - 2);
    }
    return name;
}

static bool index_row(void *context, const char *const *texts)
{
    struct describing *work = context;
    struct table *table = table_named(work, texts[0], texts[1]);
    size_t size = texts[4] ? strlen(texts[4]) : 0;
    if (!table || size < 2) {
        return true;
    }
    struct texts parts = {0};
    str_split(work->arena, arena_copy(work->arena, texts[4] + 1, size - 2), ',', &parts);
    struct texts columns = {0};
    for (size_t i = 0; i < parts.count; i++) {
        const struct column *column =
            table_column(table, index_column(work->arena, parts.items[i]));
        if (!column) {
            return true; /* an expression */
        }
        VEC_PUSH(work->arena, &columns, column->name);
    }
    struct index *index = VEC_ADD(work->arena, &table->indexes);
    index->name = arena_text(work->arena, texts[2]);
    index->unique = str_equal(texts[3], "true");
    index->columns = columns;
    return true;
}

/* name */
static bool function_row(void *context, const char *const *texts)
{
    struct describing *work = context;
    guard_own_add(work->schema, DIALECT_DUCKDB, texts[0]);
    return true;
}

static const struct {
    const char *sql;
    bool (*row)(void *context, const char *const *texts);
} questions[] = {
    {"SELECT schema_name, table_name, comment, 'false', NULL FROM "
     "system.main.duckdb_tables()"
     " WHERE" OURS
     "AND NOT temporary UNION ALL SELECT schema_name, view_name, comment, 'true', sql"
     " FROM system.main.duckdb_views() WHERE" OURS "AND NOT temporary ORDER BY 1, 2",
     table_row},
    {"SELECT schema_name, table_name, column_name, data_type, is_nullable::VARCHAR,"
     " column_default::VARCHAR, comment FROM system.main.duckdb_columns() WHERE" OURS
     "ORDER BY schema_name, table_name, column_index",
     column_row},
    {"SELECT schema_name, table_name, constraint_type,"
     " " JOINED(
         "constraint_column_names") ", referenced_table,"
                                    " " JOINED(
                                        "referenced_column_names") " FROM "
                                                                   "system.main.duckdb_"
                                                                   "constraints() "
                                                                   "WHERE"
                                                                   " database_name = "
                                                                   "system.main.current_"
                                                                   "database() "
                                                                   "AND constraint_type "
                                                                   "IN ('PRIMARY KEY',"
                                                                   " 'FOREIGN KEY') "
                                                                   "ORDER BY "
                                                                   "schema_name, "
                                                                   "table_name, "
                                                                   "constraint_index",
     key_row},
    {"SELECT schema_name, table_name, index_name, is_unique::VARCHAR, "
     "expressions::VARCHAR"
     " FROM system.main.duckdb_indexes() WHERE database_name = "
     "system.main.current_database() ORDER BY 1, 2, 3",
     index_row},
    /* A macro of the file stands before a built-in function of its name. */
    {"SELECT DISTINCT system.main.lower(function_name) FROM "
     "system.main.duckdb_functions() WHERE" OURS "ORDER BY 1",
     function_row},
};

/* A view that can no longer be bound has no columns. */
static void tables_prune(struct schema *schema)
{
    size_t kept = 0;
    for (size_t i = 0; i < schema->tables.count; i++) {
        struct table *table = &schema->tables.items[i];
        if (table->columns.count > 0) {
            schema->tables.items[kept++] = *table;
        } else {
            VEC_PUSH(schema->arena, &schema->warnings,
                     arena_format(schema->arena, "%s: its columns cannot be read",
                                  table->name));
        }
    }
    schema->tables.count = kept;
}

bool duckdb_describe(struct datasource *source, struct schema *schema,
                     const struct datasource_limits *limits, struct err *err)
{
    struct duckdb_session session;
    if (!duckdb_begin(source, limits, &session, err)) {
        return false;
    }
    struct describing work = {.schema = schema,
                              .arena = schema->arena,
                              .most = source->options->schema_max_tables};
    map_init(&work.tables, false);
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof questions / sizeof *questions; i++) {
        ok = duckdb_rows(&session, questions[i].sql, questions[i].row, &work, err);
    }
    map_release(&work.tables);
    duckdb_end(source, &session);
    tables_prune(schema);
    if (work.more) {
        limits_warn_tables(schema);
    }
    return ok;
}
