/* What a ClickHouse database looks like: its signature, tables, columns, keys, comments.
 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/str.h"
#include "datasource/clickhouse/clickhouse_driver.h"

enum {
    SQL_MOST = 64 * 1024,
    FACTS_SIZE = 80,
    SETTLED_S = 2, /* times of changes are told in seconds */
};

struct facts {
    char text[FACTS_SIZE];
    char readonly[8]; /* what is in force for this very request */
};

/* ------------------------------------------------------------------ the signature */

static bool signature_row(void *context, const char *const *texts)
{
    char *out = context;
    struct hash *hash = hash_new();
    hash_text(hash, "clickhouse 1");
    hash_text(hash, str_or_empty(texts[0]));
    hash_text(hash, str_or_empty(texts[1]));
    hash_hex(hash, out);
    hash_free(hash);
    return false;
}

/* Facts that change with every change of a schema, except within the second of the last
 * one; "" as long as that second is not over, or a table has no time. */
static bool facts_row(void *context, const char *const *texts)
{
    struct facts *facts = context;
    int64_t age = 0;
    int64_t timeless = 0;
    bool sure = str_to_int(str_or_empty(texts[1]), &age) && age >= SETTLED_S &&
                str_to_int(str_or_empty(texts[2]), &timeless) && timeless == 0;
    (void)snprintf(facts->text, sizeof facts->text, "%s",
                   sure ? str_or_empty(texts[0]) : "");
    (void)snprintf(facts->readonly, sizeof facts->readonly, "%s", str_or_empty(texts[3]));
    return false;
}

/* Reading when tables were changed costs the server a tenth of writing out what they are.
 */
static bool facts_ask(struct clickhouse_state *state, const char *databases,
                      const struct datasource_limits *limits, struct facts *facts,
                      struct err *err)
{
    struct buf sql;
    buf_init(&sql, SQL_MOST);
    (void)buf_format(
        &sql,
        "SELECT concat(toString(count()), ':', toString(sum(cityHash64(database, name,"
        " engine, metadata_modification_time)))), toString(toInt64(toUInt32(now())) -"
        " toInt64(max(toUInt32(metadata_modification_time)))),"
        " toString(countIf(toUInt32(metadata_modification_time) = 0)), (SELECT value FROM"
        " system.settings WHERE name = 'readonly') FROM system.tables WHERE database IN"
        " %s",
        databases);
    bool ok = clickhouse_rows(state, buf_get(&sql), limits, facts_row, facts, err);
    buf_release(&sql);
    return ok;
}

/* Two sums, computed in the server: a sum needs no order. The statement that made a
 * table holds its engine, keys, indexes and a view's query. Which database is in use
 * belongs to it: the guard goes by it. */
static bool signature_ask(struct clickhouse_state *state, const char *databases,
                          const struct datasource_limits *limits, char out[33],
                          struct err *err)
{
    struct buf sql;
    buf_init(&sql, SQL_MOST);
    (void)buf_format(
        &sql,
        "SELECT (SELECT concat(toString(count()), ':', toString(sum(cityHash64(database,"
        " database = currentDatabase(), name, engine, create_table_query)))) FROM "
        "system.tables WHERE database IN %s),"
        " (SELECT concat(toString(count()), ':', toString(sum(cityHash64(database, table,"
        " name, type, default_kind, default_expression, comment)))) FROM system.columns"
        " WHERE database IN %s)",
        databases, databases);
    out[0] = '\0';
    bool ok = clickhouse_rows(state, buf_get(&sql), limits, signature_row, out, err) &&
              (out[0] || err_set(err, ERR_INTERNAL, "ClickHouse gave no signature."));
    buf_release(&sql);
    return ok;
}

/* The facts come first: a change in between makes them old, never the signature. */
bool clickhouse_signature(struct datasource *source,
                          const struct datasource_limits *limits, char out[33],
                          struct err *err)
{
    struct clickhouse_state *state = source->state;
    struct facts facts = {"", ""};
    struct buf databases;
    buf_init(&databases, SQL_MOST);
    clickhouse_databases(&databases, state);
    /* An account that had no right to write may have got it since it was opened. */
    bool ok = facts_ask(state, buf_get(&databases), limits, &facts, err) &&
              clickhouse_rights_judge(state, facts.readonly, err);
    (void)pthread_mutex_lock(&state->lock);
    bool known = ok && facts.text[0] && str_equal(facts.text, state->facts);
    if (known) {
        memcpy(out, state->signature, sizeof state->signature);
    }
    (void)pthread_mutex_unlock(&state->lock);
    if (ok && !known) {
        ok = signature_ask(state, buf_get(&databases), limits, out, err);
    }
    if (ok && !known) {
        (void)pthread_mutex_lock(&state->lock);
        memcpy(state->facts, facts.text, sizeof state->facts);
        memcpy(state->signature, out, sizeof state->signature);
        (void)pthread_mutex_unlock(&state->lock);
    }
    buf_release(&databases);
    return ok;
}

/* ------------------------------------------------------------------ the description */

struct describing {
    struct schema *schema;
    struct arena *arena;
    struct clickhouse_state *state;
    int64_t most;
    bool more;         /* there are more tables than may be described */
    struct map tables; /* "database\1table": 1 + the table's index in the schema */
    struct arena *scratch;
    const char *last; /* columns come table by table: the key of the one before */
    struct table *table;
};

static const char *key_of(struct arena *arena, const char *database, const char *table)
{
    return arena_format(arena, "%s\1%s", database, table);
}

static bool is_view(const char *engine)
{
    return strstr(engine, "View") != NULL;
}

/* database, name, engine, comment, rows */
static bool table_row(void *context, const char *const *texts)
{
    struct describing *work = context;
    if (!texts[0] || !texts[1] || !texts[2]) {
        return true;
    }
    if ((int64_t)work->schema->tables.count >= work->most) {
        work->more = true;
        return false;
    }
    bool home = str_equal(texts[0], work->state->database);
    struct table *table = schema_add_table(
        work->schema,
        home ? texts[1] : arena_format(work->arena, "%s.%s", texts[0], texts[1]));
    table->namespace = home ? "" : arena_text(work->arena, texts[0]);
    table->bare_name = arena_text(work->arena, texts[1]);
    table->is_view = is_view(texts[2]);
    table->comment = str_empty(texts[3]) ? NULL : arena_text(work->arena, texts[3]);
    table->row_count = -1;
    int64_t rows = -1;
    if (!table->is_view && texts[4] && str_to_int(texts[4], &rows)) {
        table->row_count = rows;
    }
    (void)map_set(&work->tables, key_of(work->scratch, texts[0], texts[1]),
                  (void *)(uintptr_t)work->schema->tables.count);
    return true;
}

static struct table *table_find(struct describing *work, const char *const *texts)
{
    const char *key = key_of(work->scratch, texts[0], texts[1]);
    if (!work->last || !str_equal(work->last, key)) {
        size_t index = (size_t)(uintptr_t)map_get(&work->tables, key);
        work->last = key;
        work->table = index ? &work->schema->tables.items[index - 1] : NULL;
    }
    return work->table;
}

/* database, table, name, type, kind of default, default, comment, in the primary key */
static bool column_row(void *context, const char *const *texts)
{
    struct describing *work = context;
    struct table *table = texts[0] && texts[1] ? table_find(work, texts) : NULL;
    if (!table || !texts[2] || !texts[3] || str_equal(texts[4], "EPHEMERAL")) {
        return true;
    }
    struct clickhouse_type type =
        clickhouse_type_read(work->arena, arena_text(work->arena, texts[3]));
    struct column *column = table_add_column(work->schema, table, texts[2], type.name);
    column->nullable = type.nullable;
    column->default_value =
        str_empty(texts[5]) ? NULL : arena_text(work->arena, texts[5]);
    column->comment = str_empty(texts[6]) ? NULL : arena_text(work->arena, texts[6]);
    column->primary = texts[7] && texts[7][0] == '1';
    return true;
}

/* Tables that materialized views keep for themselves are not for reading. */
static void tables_ask(const struct clickhouse_state *state, struct buf *sql)
{
    (void)buf_format(sql,
                     "SELECT database, name, engine, %s, %s FROM system.tables WHERE NOT"
                     " is_temporary AND name NOT LIKE '.inner%%' AND database IN ",
                     state->comments ? "comment" : "''",
                     state->counts ? "toString(total_rows)" : "NULL");
    clickhouse_databases(sql, state);
    (void)buf_text(sql, " ORDER BY database, name");
}

static void columns_ask(const struct clickhouse_state *state, struct buf *sql)
{
    (void)buf_text(sql,
                   "SELECT database, table, name, type, default_kind, default_expression,"
                   " comment, toString(is_in_primary_key) FROM system.columns WHERE"
                   " database IN ");
    clickhouse_databases(sql, state);
}

bool clickhouse_describe(struct datasource *source, struct schema *schema,
                         const struct datasource_limits *limits, struct err *err)
{
    struct clickhouse_state *state = source->state;
    struct describing work = {.schema = schema,
                              .arena = schema->arena,
                              .state = state,
                              .most = source->options->schema_max_tables,
                              .scratch = arena_new()};
    struct buf sql;
    schema->home = arena_text(schema->arena, state->database);
    buf_init(&sql, SQL_MOST);
    map_init(&work.tables, false);
    tables_ask(state, &sql);
    bool ok = clickhouse_rows(state, buf_get(&sql), limits, table_row, &work, err);
    if (ok) {
        buf_clear(&sql);
        columns_ask(state, &sql);
        ok = clickhouse_rows(state, buf_get(&sql), limits, column_row, &work, err);
    }
    if (work.more) {
        limits_warn_tables(schema);
    }
    map_release(&work.tables);
    arena_free(work.scratch);
    buf_release(&sql);
    return ok;
}
