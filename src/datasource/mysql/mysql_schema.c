/* What a MySQL server's databases look like: four questions for each of them. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "datasource/mysql/mysql_driver.h"
#include "sql/guard.h"

enum { SQL_MOST = 1 << 14 };

struct describing {
    struct schema *schema;
    struct arena *arena;
    const struct mysql_session *session;
    const char *database; /* the one being asked about */
    int64_t most;
    bool more;         /* there are more tables than may be described */
    struct map tables; /* "database\x01table": 1 + the table's index in the schema */
    struct arena *scratch;
    const char *last; /* rows come table by table: the name of the one before */
    struct table *table;
    const char *key; /* the name of the key or index of the row before */
    struct foreign_key *foreign;
    struct index *index;
};

/* ------------------------------------------------------------------ databases */

struct choosing {
    const struct mysql_state *state;
    struct arena *arena;
    struct texts *out;
};

static bool database_wanted(const struct mysql_state *state, const char *name)
{
    static const char *const hidden[] = {"information_schema", "mysql",
                                         "performance_schema", "sys"};
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        if (str_equal_nocase(name, hidden[i])) {
            return false;
        }
    }
    if (!state->databases || str_equal(name, state->database)) {
        return true;
    }
    size_t size = strlen(name);
    for (const char *at = state->databases; *at;) {
        size_t length = strcspn(at, ",");
        if (length == size && strncmp(at, name, size) == 0) {
            return true;
        }
        at += length + (at[length] == ',');
    }
    return false;
}

static bool database_row(void *context, const char *const *texts)
{
    struct choosing *choosing = context;
    if (texts[0] && database_wanted(choosing->state, texts[0])) {
        VEC_PUSH(choosing->arena, choosing->out, arena_text(choosing->arena, texts[0]));
    }
    return true;
}

bool mysql_databases(struct mysql_session *session, struct arena *arena,
                     struct texts *out, struct err *err)
{
    struct choosing choosing = {.state = session->state, .arena = arena, .out = out};
    struct buf sql;
    buf_init(&sql, SQL_MOST);
    (void)buf_text(&sql, "SELECT SCHEMA_NAME FROM information_schema.SCHEMATA"
                         " ORDER BY SCHEMA_NAME <> ");
    mysql_literal(&sql, session->state->database);
    (void)buf_text(&sql, ", SCHEMA_NAME");
    bool ok = mysql_rows(session, buf_get(&sql), database_row, &choosing, err);
    buf_release(&sql);
    return ok;
}

/* ------------------------------------------------------------------ tables */

static const char *clean(struct describing *work, const char *text)
{
    if (!text) {
        return NULL;
    }
    size_t size = strlen(text);
    const char *good = text_clean(work->arena, text, &size);
    return good == text ? arena_text(work->arena, text) : good;
}

static struct table *table_of(struct describing *work, const char *database,
                              const char *name)
{
    const char *key = arena_format(work->scratch, "%s\x01%s", database, name);
    size_t index = (size_t)(uintptr_t)map_get(&work->tables, key);
    return index ? &work->schema->tables.items[index - 1] : NULL;
}

static struct table *table_here(struct describing *work, const char *name)
{
    if (!work->last || !str_equal(work->last, name)) {
        work->last = arena_text(work->scratch, name);
        work->table = table_of(work, work->database, name);
        work->key = NULL;
    }
    return work->table;
}

/* name, kind, estimated rows, comment */
static bool table_row(void *context, const char *const *texts)
{
    struct describing *work = context;
    bool view = str_equal(texts[1], "VIEW");
    if (!view && !str_equal(texts[1], "BASE TABLE") &&
        !str_equal(texts[1], "SYSTEM VERSIONED")) {
        return true; /* a sequence */
    }
    if ((int64_t)work->schema->tables.count >= work->most) {
        work->more = true;
        return false;
    }
    bool home = str_equal(work->database, work->session->state->database);
    const char *bare = clean(work, texts[0]);
    const char *namespace = home ? "" : clean(work, work->database);
    struct table *table = schema_add_table(
        work->schema, home ? bare : arena_format(work->arena, "%s.%s", namespace, bare));
    table->namespace = namespace;
    table->bare_name = bare;
    table->is_view = view;
    table->row_count = -1;
    int64_t rows = -1;
    if (!view && texts[2] && str_to_int(texts[2], &rows) && rows >= 0) {
        table->row_count = rows;
    }
    table->comment = !view && texts[3] && texts[3][0] ? clean(work, texts[3]) : NULL;
    (void)map_set(&work->tables,
                  arena_format(work->scratch, "%s\x01%s", work->database, texts[0]),
                  (void *)(uintptr_t)work->schema->tables.count);
    return true;
}

/* MariaDB writes a default as SQL; MySQL writes a text's bare value. */
static const char *default_of(struct describing *work, const char *text,
                              const char *extra, const char *type)
{
    static const char *const words[] = {"char", "text", "enum", "set",
                                        "date", "time", "json"};
    if (!text || (work->session->mariadb && str_equal(text, "NULL"))) {
        return NULL;
    }
    bool quoted = false;
    for (size_t i = 0; i < sizeof words / sizeof *words && !quoted; i++) {
        quoted = str_contains_nocase(type, words[i]);
    }
    if (work->session->mariadb || !quoted ||
        (extra && str_contains_nocase(extra, "DEFAULT_GENERATED"))) {
        return clean(work, text);
    }
    struct buf literal;
    buf_init(&literal, SQL_MOST);
    mysql_literal(&literal, text);
    const char *kept = clean(work, buf_get(&literal));
    buf_release(&literal);
    return kept;
}

/* table, name, type, nullable, default, extra, comment, rights */
static bool column_row(void *context, const char *const *texts)
{
    struct describing *work = context;
    struct table *table = table_here(work, texts[0]);
    if (!table || !texts[7] || !str_contains_nocase(texts[7], "select")) {
        return true;
    }
    struct column *column = VEC_ADD(work->arena, &table->columns);
    const char *type = texts[2] ? clean(work, texts[2]) : "";
    column->name = clean(work, texts[1]);
    column->type = mysql_type_name(work->arena, type);
    column->nullable = str_equal(texts[3], "YES");
    column->default_value = default_of(work, texts[4], texts[5], type);
    column->comment = texts[6] && texts[6][0] ? clean(work, texts[6]) : NULL;
    column->distinct = -1;
    column->null_share = -1;
    return true;
}

/* table, key, column, referenced database, table and column */
static bool key_row(void *context, const char *const *texts)
{
    struct describing *work = context;
    struct table *table = table_here(work, texts[0]);
    if (!table || !texts[3] || !texts[4] || !texts[5]) {
        return true;
    }
    if (!work->key || !str_equal(work->key, texts[1])) {
        const struct table *other = table_of(work, texts[3], texts[4]);
        work->key = arena_text(work->scratch, texts[1]);
        work->foreign = other ? VEC_ADD(work->arena, &table->foreign_keys) : NULL;
        if (work->foreign) {
            work->foreign->table = other->name;
            work->foreign->confidence = 1;
        }
    }
    if (work->foreign) {
        VEC_PUSH(work->arena, &work->foreign->columns, clean(work, texts[2]));
        VEC_PUSH(work->arena, &work->foreign->references, clean(work, texts[5]));
    }
    return true;
}

/* table, index, 0 when unique, column (NULL: an expression), length of a prefix */
static bool index_row(void *context, const char *const *texts)
{
    struct describing *work = context;
    struct table *table = table_here(work, texts[0]);
    if (!table) {
        return true;
    }
    if (!work->key || !str_equal(work->key, texts[1])) {
        work->key = arena_text(work->scratch, texts[1]);
        work->index = VEC_ADD(work->arena, &table->indexes);
        work->index->name = clean(work, texts[1]);
        work->index->unique = str_equal(texts[2], "0");
    }
    if (!work->index || !texts[3] || texts[4]) {
        if (work->index) { /* only whole columns count */
            table->indexes.count--;
            work->index = NULL;
        }
        return true;
    }
    VEC_PUSH(work->arena, &work->index->columns, clean(work, texts[3]));
    struct column *column = table_column(table, texts[3]);
    if (column && str_equal(texts[1], "PRIMARY")) {
        column->primary = true;
        column->nullable = false;
    }
    return true;
}

/* table, condition: MariaDB's JSON is a text that must pass json_valid(`name`). */
static bool json_row(void *context, const char *const *texts)
{
    static const char test[] = "json_valid(`";
    struct describing *work = context;
    struct table *table = table_here(work, texts[0]);
    const char *end = texts[1] ? strstr(texts[1], "`)") : NULL;
    if (!table || !end || !str_starts_nocase(texts[1], test) || end[2] != '\0') {
        return true;
    }
    const char *from = texts[1] + sizeof test - 1;
    const char *name = arena_copy(work->scratch, from, (size_t)(end - from));
    struct column *column = table_column(table, name);
    if (column && str_equal(column->type, "LONGTEXT")) {
        column->type = "JSON";
    }
    return true;
}

/* name */
static bool function_row(void *context, const char *const *texts)
{
    struct describing *work = context;
    guard_own_add(work->schema, DIALECT_MYSQL, texts[0]);
    return true;
}

struct question {
    const char *sql; /* the database's name and the order come after it */
    const char *order;
    bool (*row)(void *context, const char *const *texts);
};

static const struct question tables_first[] = {
    {"SELECT TABLE_NAME, TABLE_TYPE, TABLE_ROWS, TABLE_COMMENT FROM"
     " information_schema.TABLES WHERE TABLE_SCHEMA = ",
     " ORDER BY 1", table_row},
    {"SELECT TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE, COLUMN_DEFAULT, EXTRA,"
     " COLUMN_COMMENT, PRIVILEGES FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ",
     " ORDER BY TABLE_NAME, ORDINAL_POSITION", column_row},
};

static const struct question keys_then[] = {
    {"SELECT TABLE_NAME, CONSTRAINT_NAME, COLUMN_NAME, REFERENCED_TABLE_SCHEMA,"
     " REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME FROM"
     " information_schema.KEY_COLUMN_USAGE WHERE REFERENCED_TABLE_NAME IS NOT NULL"
     " AND TABLE_SCHEMA = ",
     " ORDER BY TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION", key_row},
    {"SELECT TABLE_NAME, INDEX_NAME, NON_UNIQUE, COLUMN_NAME, SUB_PART FROM"
     " information_schema.STATISTICS WHERE TABLE_SCHEMA = ",
     " ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX", index_row},
};

static const struct question json_last[] = {
    {"SELECT TABLE_NAME, CHECK_CLAUSE FROM information_schema.CHECK_CONSTRAINTS"
     " WHERE CHECK_CLAUSE LIKE 'json_valid(%' AND CONSTRAINT_SCHEMA = ",
     " ORDER BY TABLE_NAME", json_row},
};

/* Without a database before it a name means a function of the one that is used: sum (x),
 * with a blank, calls it, and so does any name that this server has no function for. */
static const struct question functions_of_home[] = {
    {"SELECT ROUTINE_NAME FROM information_schema.ROUTINES WHERE"
     " ROUTINE_TYPE = 'FUNCTION' AND ROUTINE_SCHEMA = ",
     " ORDER BY 1", function_row},
};

static bool database_ask(struct mysql_session *session, struct describing *work,
                         const struct question *questions, size_t count, struct err *err)
{
    struct buf sql;
    bool ok = true;
    buf_init(&sql, SQL_MOST);
    for (size_t i = 0; ok && i < count; i++) {
        buf_clear(&sql);
        (void)buf_text(&sql, questions[i].sql);
        mysql_literal(&sql, work->database);
        (void)buf_text(&sql, questions[i].order);
        work->last = NULL;
        ok = mysql_rows(session, buf_get(&sql), questions[i].row, work, err);
    }
    buf_release(&sql);
    return ok;
}

/* A table of which no column may be read is not shown. */
static void tables_drop_hidden(struct schema *schema)
{
    size_t kept = 0;
    for (size_t i = 0; i < schema->tables.count; i++) {
        if (schema->tables.items[i].columns.count > 0) {
            schema->tables.items[kept++] = schema->tables.items[i];
        }
    }
    schema->tables.count = kept;
}

struct task {
    struct datasource *source;
    struct schema *schema;
};

static bool describe_work(struct mysql_session *session, void *context, struct err *err)
{
    struct task *task = context;
    struct schema *schema = task->schema;
    struct describing work = {.schema = schema,
                              .arena = schema->arena,
                              .session = session,
                              .scratch = arena_new(),
                              .most = task->source->options->schema_max_tables};
    struct texts databases = {0};
    map_init(&work.tables, false);
    bool ok = mysql_databases(session, work.scratch, &databases, err);
    for (size_t i = 0; ok && i < databases.count; i++) {
        work.database = databases.items[i];
        ok = database_ask(session, &work, tables_first, 2, err);
    }
    /* A key may refer to a table of any database. */
    for (size_t i = 0; ok && i < databases.count; i++) {
        work.database = databases.items[i];
        ok = database_ask(session, &work, keys_then, 2, err) &&
             (!session->mariadb || database_ask(session, &work, json_last, 1, err));
    }
    work.database = session->state->database;
    ok = ok && (str_empty(work.database) ||
                database_ask(session, &work, functions_of_home, 1, err));
    map_release(&work.tables);
    arena_free(work.scratch);
    tables_drop_hidden(schema);
    if (work.more) {
        limits_warn_tables(schema);
    }
    return ok;
}

bool mysql_describe(struct datasource *source, struct schema *schema,
                    const struct datasource_limits *limits, struct err *err)
{
    struct task task = {.source = source, .schema = schema};
    return mysql_with(source, limits, describe_work, &task, err);
}
