/* What a SQLite database looks like: tables, columns, keys and indexes. */
#include "datasource/sqlite/sqlite_driver.h"

#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "sql/virtual_table.h"

/* The statements that describe one table, prepared once for all tables. */
enum { ASK_COLUMNS, ASK_KEYS, ASK_INDEXES, ASK_INDEX, ASK_COUNT };

static const char *const questions[ASK_COUNT] = {
    [ASK_COLUMNS] = "SELECT name, type, \"notnull\", dflt_value, pk"
                    " FROM pragma_table_xinfo(?1, 'main') WHERE hidden <> 1 ORDER BY cid",
    [ASK_KEYS] = "SELECT id, \"table\", \"from\", \"to\""
                 " FROM pragma_foreign_key_list(?1, 'main') ORDER BY id DESC, seq",
    [ASK_INDEXES] = "SELECT name, \"unique\" FROM pragma_index_list(?1, 'main')"
                    " WHERE partial = 0 ORDER BY seq DESC",
    [ASK_INDEX] = "SELECT name FROM pragma_index_info(?1, 'main') ORDER BY seqno",
};

struct describing {
    struct sqlite_connection *connection;
    sqlite3_stmt *statements[ASK_COUNT];
    struct schema *schema;
    struct arena *arena;
    const char *path;
};

static const char *text_at(struct describing *work, sqlite3_stmt *statement, int column)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);
    if (!text) {
        return NULL;
    }
    size_t size = strlen(text);
    const char *clean = text_clean(work->arena, text, &size);
    return clean == text ? arena_text(work->arena, text) : clean;
}

static sqlite3_stmt *sqlite_schema_ask(struct describing *work, int question,
                                       const char *name)
{
    sqlite3_stmt *statement = work->statements[question];
    (void)sqlite3_reset(statement);
    (void)sqlite3_bind_text(statement, 1, name, -1, SQLITE_TRANSIENT);
    return statement;
}

static bool asked(struct describing *work, sqlite3_stmt *statement, int result,
                  struct err *err)
{
    bool ok =
        result == SQLITE_DONE || sqlite_fail(work->connection, result, work->path, err);
    (void)sqlite3_reset(statement);
    return ok;
}

static bool columns_read(struct describing *work, struct table *table, struct err *err)
{
    sqlite3_stmt *statement = sqlite_schema_ask(work, ASK_COLUMNS, table->name);
    int result;
    while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
        struct column *column = VEC_ADD(work->arena, &table->columns);
        column->name = text_at(work, statement, 0);
        const char *type = text_at(work, statement, 1);
        column->type = type ? type : "";
        column->primary = sqlite3_column_int(statement, 4) > 0;
        column->nullable = !column->primary && !sqlite3_column_int(statement, 2);
        column->default_value = text_at(work, statement, 3);
        column->distinct = -1;
        column->null_share = -1;
    }
    return asked(work, statement, result, err);
}

static bool keys_read(struct describing *work, struct table *table, struct err *err)
{
    sqlite3_stmt *statement = sqlite_schema_ask(work, ASK_KEYS, table->name);
    struct foreign_key *key = NULL;
    int id = -1;
    int result;
    while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
        if (!key || sqlite3_column_int(statement, 0) != id) {
            id = sqlite3_column_int(statement, 0);
            key = VEC_ADD(work->arena, &table->foreign_keys);
            key->table = text_at(work, statement, 1);
            key->confidence = 1;
        }
        VEC_PUSH(work->arena, &key->columns, text_at(work, statement, 2));
        const char *to = text_at(work, statement, 3);
        if (to) {
            VEC_PUSH(work->arena, &key->references, to);
        }
    }
    return asked(work, statement, result, err);
}

static bool indexes_read(struct describing *work, struct table *table, struct err *err)
{
    sqlite3_stmt *statement = sqlite_schema_ask(work, ASK_INDEXES, table->name);
    int result;
    while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
        struct index *index = VEC_ADD(work->arena, &table->indexes);
        index->name = text_at(work, statement, 0);
        index->unique = sqlite3_column_int(statement, 1) != 0;
    }
    if (!asked(work, statement, result, err)) {
        return false;
    }
    size_t kept = 0;
    for (size_t i = 0; i < table->indexes.count; i++) {
        struct index *index = &table->indexes.items[i];
        bool plain = true; /* no expression among its columns */
        statement = sqlite_schema_ask(work, ASK_INDEX, index->name);
        while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
            const char *name = text_at(work, statement, 0);
            plain = plain && name;
            VEC_PUSH(work->arena, &index->columns, name);
        }
        if (!asked(work, statement, result, err)) {
            return false;
        }
        if (plain) {
            table->indexes.items[kept++] = *index;
        }
    }
    table->indexes.count = kept;
    return true;
}

static void warn(struct describing *work, const char *what, const char *why)
{
    VEC_PUSH(work->arena, &work->schema->warnings,
             arena_format(work->arena, "%s: %s", what, why));
}

/* One table. What cannot be read is left out with a warning; only time and stop end all.
 */
static bool table_read(struct describing *work, const char *name, const char *type,
                       const char *definition, struct err *err)
{
    struct schema *schema = work->schema;
    struct table *table = schema_add_table(schema, name);
    table->namespace = "";
    table->bare_name = table->name;
    table->is_view = str_equal(type, "view");
    table->definition = table->is_view ? definition : NULL;
    table->shows =
        str_equal(type, "virtual") ? virtual_table_shows(work->arena, definition) : NULL;
    table->row_count = -1;
    struct err error;
    err_clear(&error);
    if (columns_read(work, table, &error) && keys_read(work, table, &error) &&
        indexes_read(work, table, &error)) {
        return true;
    }
    if (error.code == ERR_STOPPED || error.code == ERR_TIMEOUT) {
        *err = error;
        return false;
    }
    warn(work, name, error.detail[0] ? error.detail : error.message);
    schema->tables.count--;
    return true;
}

/* A key may name no columns (it means the primary key) or a table that is not there. */
static void keys_resolve(struct describing *work, const struct map *tables,
                         struct table *table)
{
    size_t kept = 0;
    for (size_t i = 0; i < table->foreign_keys.count; i++) {
        struct foreign_key key = table->foreign_keys.items[i];
        const struct table *target = map_get(tables, key.table);
        if (!target) {
            warn(work, table->name, "a foreign key names a table that does not exist");
            continue;
        }
        key.table = target->name;
        for (size_t c = 0;
             key.references.count < key.columns.count && c < target->columns.count; c++) {
            if (target->columns.items[c].primary) {
                VEC_PUSH(work->arena, &key.references, target->columns.items[c].name);
            }
        }
        if (key.references.count == key.columns.count) {
            table->foreign_keys.items[kept++] = key;
        }
    }
    table->foreign_keys.count = kept;
}

static bool tables_read(struct describing *work, int64_t most, struct err *err)
{
    sqlite3_stmt *list = sqlite_prepare_own(
        work->connection,
        "SELECT name, type, CASE WHEN type IN ('view', 'virtual') THEN (SELECT sql FROM"
        " sqlite_schema AS made WHERE made.type IN ('view', 'table') AND made.name ="
        " list.name) END FROM pragma_table_list AS list WHERE schema = 'main'"
        " AND type <> 'shadow' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
        err);
    if (!list) {
        return false;
    }
    bool ok = true;
    int result = SQLITE_DONE;
    while (ok && (result = sqlite3_step(list)) == SQLITE_ROW) {
        if ((int64_t)work->schema->tables.count >= most) {
            limits_warn_tables(work->schema);
            result = SQLITE_DONE;
            break;
        }
        const char *type = (const char *)sqlite3_column_text(list, 1);
        const char *name = text_at(work, list, 0);
        const char *definition = text_at(work, list, 2);
        ok = !name || table_read(work, name, type, definition, err);
    }
    ok = ok && (result == SQLITE_DONE ||
                sqlite_fail(work->connection, result, work->path, err));
    (void)sqlite3_finalize(list);
    return ok;
}

bool sqlite_describe(struct datasource *source, struct schema *schema,
                     const struct datasource_limits *limits, struct err *err)
{
    struct describing work = {
        .schema = schema, .arena = schema->arena, .path = source->path};
    work.connection = sqlite_take(source, SQLITE_FOR_SCHEMA, limits, err);
    if (!work.connection) {
        return false;
    }
    bool ok = true;
    for (int i = 0; ok && i < ASK_COUNT; i++) {
        work.statements[i] = sqlite_prepare_own(work.connection, questions[i], err);
        ok = work.statements[i] != NULL;
    }
    ok = ok && tables_read(&work, source->options->schema_max_tables, err);
    for (int i = 0; i < ASK_COUNT; i++) {
        (void)sqlite3_finalize(work.statements[i]);
    }
    struct map
        tables; /* looking through thousands of tables for each key would take long */
    map_init(&tables, true);
    for (size_t i = 0; i < schema->tables.count; i++) {
        (void)map_set(&tables, schema->tables.items[i].name, &schema->tables.items[i]);
    }
    for (size_t i = 0; ok && i < schema->tables.count; i++) {
        keys_resolve(&work, &tables, &schema->tables.items[i]);
    }
    map_release(&tables);
    ok = ok && sqlite_wal_held(work.connection, source->path, err);
    sqlite_give(source, work.connection);
    return ok;
}
