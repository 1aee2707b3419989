/* What a PostgreSQL database looks like: asked of the catalog itself, and no more than is
 * used, since the standard views cost fifty times as much. */
#include "datasource/postgres/postgres_driver.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"

/* Tables, partitioned and foreign ones, views and materialized views that the role may
 * read. Partitions are read through their parent. */
#define TABLES                                                                           \
    " FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"                     \
    " WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm') AND NOT c.relispartition"             \
    " AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'"
#define READABLE                                                                         \
    " AND (has_table_privilege(c.oid, 'SELECT')"                                         \
    " OR has_any_column_privilege(c.oid, 'SELECT'))"                                     \
    " AND has_schema_privilege(n.oid, 'USAGE')"

/* The catalog's numbers of a table's columns, in their order: a dropped one leaves a
 * gap. */
struct numbers {
    long *items;
    size_t count;
    size_t capacity;
    bool some; /* the role may read only some of the columns */
};

struct numbered {
    struct numbers *items;
    size_t count;
    size_t capacity;
};

struct describing {
    struct schema *schema;
    struct arena *arena;
    struct postgres_state *state;
    const char *home; /* the default schema */
    int64_t most;
    bool more;               /* there are more tables than may be described */
    struct map tables;       /* by number: 1 + the table's index in the schema */
    struct numbered columns; /* by the table's index */
    struct arena *scratch;
    const char *last; /* rows come table by table: the number of the one before */
    struct table *table;
};

static struct table *table_by_number(struct describing *work, const char *number)
{
    if (!work->last || !str_equal(work->last, number)) {
        size_t index = (size_t)(uintptr_t)map_get(&work->tables, number);
        work->last = arena_text(work->scratch, number);
        work->table = index ? &work->schema->tables.items[index - 1] : NULL;
    }
    return work->table;
}

static const char *clean(struct describing *work, const char *text)
{
    if (!text) {
        return NULL;
    }
    size_t size = strlen(text);
    const char *good = text_clean(work->arena, text, &size);
    return good == text ? arena_text(work->arena, text) : good;
}

/* number, schema, name, kind, estimated rows, comment, whether all may be read, what a
 * view reads */
static bool table_row(void *context, const char *const *texts)
{
    struct describing *work = context;
    if ((int64_t)work->schema->tables.count >= work->most) {
        work->more = true;
        return false;
    }
    bool home = str_equal(texts[1], work->home);
    const char *bare = clean(work, texts[2]);
    const char *namespace = home ? "" : clean(work, texts[1]);
    struct table *table = schema_add_table(
        work->schema, home ? bare : arena_format(work->arena, "%s.%s", namespace, bare));
    table->namespace = namespace;
    table->bare_name = bare;
    table->is_view = texts[3][0] == 'v' || texts[3][0] == 'm';
    table->definition = clean(work, texts[7]);
    table->row_count = -1;
    int64_t rows = -1;
    if (texts[4] && str_to_int(texts[4], &rows) && rows >= 0) {
        table->row_count = rows;
    }
    table->comment = clean(work, texts[5]);
    (void)map_set(&work->tables, texts[0], (void *)(uintptr_t)work->schema->tables.count);
    VEC_ADD(work->scratch, &work->columns)->some = texts[6][0] != 't';
    return true;
}

static struct column *column_by_number(struct describing *work, struct table *table,
                                       long number)
{
    const struct numbers *numbers =
        &work->columns.items[table - work->schema->tables.items];
    for (size_t i = 0; i < numbers->count; i++) {
        if (numbers->items[i] == number) {
            return &table->columns.items[i];
        }
    }
    return NULL;
}

/* table, name, type, modifier, not null, default, number, whether it has rights of its
 * own */
static bool column_row(void *context, const char *const *texts)
{
    struct describing *work = context;
    struct table *table = table_by_number(work, texts[0]);
    struct numbers *numbers =
        table ? &work->columns.items[table - work->schema->tables.items] : NULL;
    if (!numbers || (numbers->some && texts[7][0] != 't')) {
        return true;
    }
    VEC_PUSH(work->scratch, numbers, strtol(texts[6], NULL, 10));
    struct column *column = VEC_ADD(work->arena, &table->columns);
    column->name = clean(work, texts[1]);
    column->type =
        postgres_type_name(work->state, work->arena, (Oid)strtoul(texts[2], NULL, 10),
                           (int)strtol(texts[3], NULL, 10));
    column->nullable = texts[4][0] != 't';
    column->default_value = clean(work, texts[5]);
    column->distinct = -1;
    column->null_share = -1;
    return true;
}

/* table, column's number, comment */
static bool comment_row(void *context, const char *const *texts)
{
    struct describing *work = context;
    struct table *table = table_by_number(work, texts[0]);
    struct column *column =
        table ? column_by_number(work, table, strtol(texts[1], NULL, 10)) : NULL;
    if (column) {
        column->comment = clean(work, texts[2]);
    }
    return true;
}

/* table, column's number, field of its composite type */
static bool field_row(void *context, const char *const *texts)
{
    enum { MOST_FIELDS = 500 };
    struct describing *work = context;
    struct table *table = table_by_number(work, texts[0]);
    struct column *column =
        table ? column_by_number(work, table, strtol(texts[1], NULL, 10)) : NULL;
    if (column && column->fields.count < MOST_FIELDS) {
        VEC_PUSH(work->arena, &column->fields, clean(work, texts[2]));
    }
    return true;
}

/* The names of a table's columns whose numbers are in a text: {1,3} or 1 3. At most
 * the first `most`; none if one does not exist (an expression has the number 0). */
static struct texts columns_of(struct describing *work, struct table *table,
                               const char *numbers, size_t most)
{
    struct texts names = {0};
    for (const char *at = numbers ? numbers : ""; *at && names.count < most;) {
        char *end = NULL;
        long number = strtol(at, &end, 10);
        if (end == at) {
            at++;
            continue;
        }
        at = end;
        const struct column *column = column_by_number(work, table, number);
        if (!column) {
            return (struct texts){0};
        }
        VEC_PUSH(work->arena, &names, column->name);
    }
    return names;
}

static void primary_mark(struct table *table, const struct texts *columns)
{
    for (size_t i = 0; i < columns->count; i++) {
        struct column *column = table_column(table, columns->items[i]);
        if (column) {
            column->primary = true;
            column->nullable = false;
        }
    }
}

/* table, kind, columns, referenced table, referenced columns */
static bool key_row(void *context, const char *const *texts)
{
    struct describing *work = context;
    struct table *table = table_by_number(work, texts[0]);
    if (!table) {
        return true;
    }
    struct texts columns = columns_of(work, table, texts[2], SIZE_MAX);
    if (texts[1][0] == 'p') {
        primary_mark(table, &columns);
        return true;
    }
    size_t target = texts[3] ? (size_t)(uintptr_t)map_get(&work->tables, texts[3]) : 0;
    if (!target || columns.count == 0) {
        return true;
    }
    struct table *other = &work->schema->tables.items[target - 1];
    struct texts references = columns_of(work, other, texts[4], SIZE_MAX);
    if (references.count == columns.count) {
        struct foreign_key *key = VEC_ADD(work->arena, &table->foreign_keys);
        key->columns = columns;
        key->table = other->name;
        key->references = references;
        key->confidence = 1;
    }
    return true;
}

/* table, name, unique, columns, how many of them are keys */
static bool index_row(void *context, const char *const *texts)
{
    struct describing *work = context;
    struct table *table = table_by_number(work, texts[0]);
    struct texts columns = {0};
    if (table) {
        columns = columns_of(work, table, texts[3], (size_t)strtol(texts[4], NULL, 10));
    }
    if (columns.count > 0) {
        struct index *index = VEC_ADD(work->arena, &table->indexes);
        index->name = clean(work, texts[1]);
        index->unique = texts[2][0] == 't';
        index->columns = columns;
    }
    return true;
}

/* Numbers of columns become names here: for a thousand tables that takes the server ten
 * times as long. */
static const struct postgres_question questions[] = {
    {"SELECT c.oid, n.nspname, c.relname, c.relkind, c.reltuples::bigint,"
     " obj_description(c.oid, 'pg_class'), has_table_privilege(c.oid, 'SELECT'),"
     " CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid) END" TABLES READABLE
     " ORDER BY 2, 3",
     table_row},
    {"SELECT a.attrelid, a.attname, a.atttypid, a.atttypmod, a.attnotnull,"
     " pg_get_expr(d.adbin, d.adrelid), a.attnum, a.attacl IS NOT NULL AND"
     " has_column_privilege(a.attrelid, a.attnum, 'SELECT') FROM pg_attribute a"
     " LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum"
     " AND a.attgenerated = ''"
     " WHERE a.attnum > 0 AND NOT a.attisdropped AND a.attrelid IN (SELECT c.oid" TABLES
     ") ORDER BY a.attrelid, a.attnum",
     column_row},
    {"SELECT objoid, objsubid, description FROM pg_description"
     " WHERE classoid = 'pg_class'::regclass AND objsubid > 0 AND objoid >= 16384"
     " ORDER BY 1",
     comment_row},
    {"SELECT conrelid, contype, conkey, confrelid, confkey FROM pg_constraint"
     " WHERE contype IN ('p', 'f') AND conparentid = 0 AND conrelid >= 16384"
     " ORDER BY 1, oid",
     key_row},
    /* Indexes of whole columns: none of expressions, none of a part of the rows. */
    {"SELECT i.indrelid, c.relname, i.indisunique, i.indkey, i.indnkeyatts"
     " FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE"
     " i.indrelid >= 16384 AND i.indexprs IS NULL AND i.indpred IS NULL AND i.indisvalid"
     " ORDER BY 1, 2",
     index_row},
    /* Fields of composite columns, and of the composite values inside them. A name with a
     * dot or a bracket could not be told from a field of a field. */
    {"WITH RECURSIVE field(relation, number, path, type, depth) AS ("
     "SELECT a.attrelid, a.attnum, ''::text COLLATE \"C\", a.atttypid, 0 FROM "
     "pg_attribute a"
     " JOIN pg_class c ON c.oid = a.attrelid"
     " WHERE a.attrelid >= 16384 AND a.attnum > 0 AND NOT a.attisdropped"
     " AND c.relkind IN ('r', 'p', 'f', 'v', 'm') AND a.atttypid >= 16384"
     " UNION ALL SELECT f.relation, f.number, concat_ws('.', nullif(f.path ||"
     " CASE WHEN t.typcategory = 'A' THEN '[]' ELSE '' END, ''), b.attname),"
     " b.atttypid, f.depth + 1 FROM field f JOIN pg_type t ON t.oid = f.type"
     " JOIN pg_type e ON e.typtype = 'c' AND"
     " e.oid = CASE WHEN t.typcategory = 'A' THEN t.typelem ELSE t.oid END"
     " JOIN pg_attribute b ON b.attrelid = e.typrelid AND b.attnum > 0"
     " AND NOT b.attisdropped AND b.attname = translate(b.attname, '.[]', '')"
     " WHERE f.depth < 4) SELECT relation, number, path FROM field"
     " WHERE depth > 0 ORDER BY 1, 2, 3",
     field_row},
};

struct task {
    struct datasource *source;
    struct schema *schema;
};

static bool describe_work(struct postgres_session *session, void *context,
                          struct err *err)
{
    struct task *task = context;
    struct schema *schema = task->schema;
    struct postgres_state *state = task->source->state;
    struct describing work = {.schema = schema,
                              .arena = schema->arena,
                              .state = state,
                              .home = state->schema,
                              .most = task->source->options->schema_max_tables};
    schema->home = arena_text(schema->arena, state->schema);
    work.scratch = arena_new();
    map_init(&work.tables, false);
    bool ok = postgres_types_load(session, state, err) &&
              postgres_ask(session, questions, sizeof questions / sizeof *questions,
                           &work, err) &&
              postgres_own(session, task->source, schema, err);
    map_release(&work.tables);
    arena_free(work.scratch);
    if (work.more) {
        limits_warn_tables(schema);
    }
    return ok;
}

bool postgres_describe(struct datasource *source, struct schema *schema,
                       const struct datasource_limits *limits, struct err *err)
{
    struct task task = {.source = source, .schema = schema};
    return postgres_with(source, limits, describe_work, &task, err);
}
