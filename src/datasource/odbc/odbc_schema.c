/* What a database behind ODBC looks like, by the standard's catalog functions. */
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "datasource/odbc/odbc_driver.h"

enum { KEYED_TABLES = 300 }; /* keys and indexes are asked table by table */

struct describing {
    struct odbc_session *session;
    const struct odbc_state *state;
    struct schema *schema;
    struct arena *arena;
    int64_t most;
    bool more;
    struct map tables; /* "namespace\x01table": 1 + its index in the schema */
    struct texts namespaces;
    struct arena *scratch;
    struct table *table; /* the table whose keys are read */
    const char *key;     /* the name of the key or index of the row before */
    struct foreign_key *foreign;
    struct index *index;
};

static const char *text_at(struct describing *work, const struct value *cells,
                           size_t number)
{
    const struct value *cell = &cells[number - 1];
    if (cell->kind != VALUE_TEXT) {
        return NULL;
    }
    return arena_copy(work->arena, cell->text.data, cell->text.size);
}

static int64_t int_at(const struct value *cells, size_t number)
{
    const struct value *cell = &cells[number - 1];
    return cell->kind == VALUE_INT ? cell->integer : -1;
}

/* The part of the name that tells namespaces apart, as SQL writes it. */
static const char *namespace_at(struct describing *work, const struct value *cells,
                                size_t catalog)
{
    size_t number = work->state->product->catalogs ? catalog : catalog + 1;
    return str_or_empty(text_at(work, cells, number));
}

static const char *key_of(struct describing *work, const char *namespace,
                          const char *table)
{
    return arena_format(work->scratch, "%s\x01%s", namespace, table);
}

static struct table *table_find(struct describing *work, const char *namespace,
                                const char *name)
{
    size_t index =
        (size_t)(uintptr_t)map_get(&work->tables, key_of(work, namespace, name));
    return index ? &work->schema->tables.items[index - 1] : NULL;
}

static void namespace_note(struct describing *work, const char *namespace)
{
    for (size_t i = 0; i < work->namespaces.count; i++) {
        if (str_equal(work->namespaces.items[i], namespace)) {
            return;
        }
    }
    VEC_PUSH(work->scratch, &work->namespaces, arena_text(work->scratch, namespace));
}

/* catalog, schema, name, kind, remarks */
static bool table_row(void *context, const struct value *cells)
{
    struct describing *work = context;
    const char *namespace = namespace_at(work, cells, 1);
    const char *bare = text_at(work, cells, 3);
    const char *type = str_or_empty(text_at(work, cells, 4));
    const char *own = work->state->product->own_tables;
    if (!bare || odbc_product_hides(work->state->product, namespace) ||
        (own && str_starts(bare, own)) ||
        (!str_equal_nocase(type, "TABLE") && !str_equal_nocase(type, "VIEW") &&
         !str_equal_nocase(type, "BASE TABLE"))) {
        return true;
    }
    if ((int64_t)work->schema->tables.count >= work->most) {
        work->more = true;
        return false;
    }
    bool home = str_equal(namespace, work->state->home);
    struct table *table = schema_add_table(
        work->schema, home ? bare : arena_format(work->arena, "%s.%s", namespace, bare));
    table->namespace = home ? "" : namespace;
    table->bare_name = bare;
    table->is_view = str_equal_nocase(type, "VIEW");
    table->row_count = -1;
    const char *remarks = text_at(work, cells, 5);
    table->comment = str_empty(remarks) ? NULL : remarks;
    namespace_note(work, namespace);
    (void)map_set(&work->tables, key_of(work, namespace, bare),
                  (void *)(uintptr_t)work->schema->tables.count);
    return true;
}

/* Some drivers leave the quotes of a text away, although the standard wants them. */
static const char *default_of(struct describing *work, const char *type,
                              const char *value)
{
    if (str_empty(value) || str_equal_nocase(value, "NULL")) {
        return NULL;
    }
    bool bare = value[0] != '\'' && !strpbrk(value, "(:'");
    return bare && (str_starts(type, "VARCHAR") || str_starts(type, "CHAR") ||
                    str_equal(type, "TEXT"))
               ? arena_format(work->arena, "'%s'", value)
               : value;
}

/* … table, column, type, its name, size, …, digits, …, nullable, remarks, default */
static bool column_row(void *context, const struct value *cells)
{
    struct describing *work = context;
    const char *name = text_at(work, cells, 4);
    struct table *table = table_find(work, namespace_at(work, cells, 1),
                                     str_or_empty(text_at(work, cells, 3)));
    if (!table || !name || table_column(table, name)) {
        return true;
    }
    struct column *column = VEC_ADD(work->arena, &table->columns);
    column->name = name;
    column->type = odbc_type_name(work->arena, (SQLSMALLINT)int_at(cells, 5),
                                  text_at(work, cells, 6), int_at(cells, 7),
                                  int_at(cells, 9) > 0 ? int_at(cells, 9) : 0);
    const char *own = text_at(work, cells, 6);
    if (work->state->product->own_types && !str_empty(own)) {
        column->type = own;
    }
    column->nullable = int_at(cells, 11) != SQL_NO_NULLS;
    const char *remarks = text_at(work, cells, 12);
    const char *value = text_at(work, cells, 13);
    column->comment = str_empty(remarks) ? NULL : remarks;
    column->default_value = default_of(work, column->type, value);
    column->distinct = -1;
    column->null_share = -1;
    return true;
}

static bool primary_row(void *context, const struct value *cells)
{
    struct describing *work = context;
    const char *name = text_at(work, cells, 4);
    struct column *column = name ? table_column(work->table, name) : NULL;
    if (column) {
        column->primary = true;
        column->nullable = false;
    }
    return true;
}

/* the referenced catalog, schema, table, column; the same of ours; place in the key */
static bool foreign_row(void *context, const struct value *cells)
{
    struct describing *work = context;
    const char *from = text_at(work, cells, 8);
    const char *to = text_at(work, cells, 4);
    const struct table *other = table_find(work, namespace_at(work, cells, 1),
                                           str_or_empty(text_at(work, cells, 3)));
    int64_t place = int_at(cells, 9);
    if (place <= 1) {
        work->foreign =
            other && from ? VEC_ADD(work->arena, &work->table->foreign_keys) : NULL;
        if (work->foreign) {
            work->foreign->table = other->name;
            work->foreign->confidence = 1;
        }
    }
    if (work->foreign && from) {
        VEC_PUSH(work->arena, &work->foreign->columns, from);
    }
    if (work->foreign && !str_empty(to)) {
        VEC_PUSH(work->arena, &work->foreign->references, to);
    }
    return true;
}

/* … table, not unique, qualifier, index, kind, place, column */
static bool index_row(void *context, const struct value *cells)
{
    struct describing *work = context;
    const char *name = text_at(work, cells, 6);
    const char *column = text_at(work, cells, 9);
    if (!name || !column) {
        return true;
    }
    if (!work->key || !str_equal(work->key, name)) {
        work->key = name;
        work->index = VEC_ADD(work->arena, &work->table->indexes);
        work->index->name = name;
        work->index->unique = int_at(cells, 4) == SQL_FALSE ||
                              (cells[3].kind == VALUE_BOOL && !cells[3].boolean);
    }
    VEC_PUSH(work->arena, &work->index->columns, column);
    return true;
}

static bool catalog_ask(struct describing *work, enum odbc_call call,
                        const char *namespace, const char *table,
                        bool (*row)(void *, const struct value *), struct err *err)
{
    const struct odbc_state *state = work->state;
    bool catalogs = state->product->catalogs;
    const char *inside = str_empty(namespace) ? NULL : namespace;
    const struct odbc_request request = {.call = call,
                                         .text = table,
                                         .catalog = catalogs ? inside : NULL,
                                         .schema = catalogs ? NULL : inside};
    const struct odbc_sink sink = {.row = row, .context = work};
    return odbc_job(work->session, &request, &sink, err);
}

static const char *namespace_of(const struct describing *work, const struct table *table)
{
    return table->namespace[0] ? table->namespace : work->state->home;
}

/* A failing table is a warning, unless the line or the time is at its end. */
static bool keys_read(struct describing *work, struct err *err)
{
    static const struct {
        enum odbc_call call;
        bool (*row)(void *, const struct value *);
    } calls[] = {{ODBC_PRIMARY, primary_row},
                 {ODBC_FOREIGN, foreign_row},
                 {ODBC_STATISTICS, index_row}};
    struct schema *schema = work->schema;
    for (size_t i = 0; i < schema->tables.count && i < KEYED_TABLES; i++) {
        work->table = &schema->tables.items[i];
        const char *namespace = namespace_of(work, work->table);
        for (size_t j = 0; j < 3 && !work->table->is_view; j++) {
            work->key = NULL;
            work->foreign = NULL;
            if (!catalog_ask(work, calls[j].call, namespace, work->table->bare_name,
                             calls[j].row, err)) {
                if (err->code == ERR_STOPPED || err->code == ERR_TIMEOUT ||
                    odbc_lost(err)) {
                    return false;
                }
                VEC_PUSH(schema->arena, &schema->warnings,
                         arena_format(schema->arena, "%s: %s", work->table->name,
                                      err->message));
                err_clear(err);
            }
        }
    }
    return true;
}

/* A key that names no columns means the primary key; one that fits nothing is none. */
static void keys_complete(struct schema *schema)
{
    for (size_t i = 0; i < schema->tables.count; i++) {
        struct foreign_keys *keys = &schema->tables.items[i].foreign_keys;
        size_t kept = 0;
        for (size_t j = 0; j < keys->count; j++) {
            struct foreign_key *key = &keys->items[j];
            const struct table *other = schema_table(schema, key->table);
            for (size_t k = 0; other && key->references.count < key->columns.count &&
                               k < other->columns.count;
                 k++) {
                if (other->columns.items[k].primary) {
                    VEC_PUSH(schema->arena, &key->references,
                             other->columns.items[k].name);
                }
            }
            if (key->references.count == key->columns.count) {
                keys->items[kept++] = *key;
            }
        }
        keys->count = kept;
    }
}

static bool columns_read(struct describing *work, struct err *err)
{
    struct schema *schema = work->schema;
    for (size_t i = 0; i < work->namespaces.count; i++) {
        if (!catalog_ask(work, ODBC_COLUMNS, work->namespaces.items[i], "%", column_row,
                         err)) {
            return false;
        }
    }
    size_t kept = 0;
    for (size_t i = 0; i < schema->tables.count; i++) {
        struct table *table = &schema->tables.items[i];
        if (table->columns.count == 0 && /* a driver that knows no pattern */
            !catalog_ask(work, ODBC_COLUMNS, namespace_of(work, table), table->bare_name,
                         column_row, err)) {
            return false;
        }
        if (table->columns.count > 0) {
            schema->tables.items[kept] = *table;
            (void)map_set(&work->tables,
                          key_of(work, namespace_of(work, table), table->bare_name),
                          (void *)(uintptr_t)++kept);
        }
    }
    schema->tables.count = kept;
    return true;
}

struct task {
    struct datasource *source;
    struct schema *schema;
};

static bool describe_work(struct odbc_session *session, void *context, struct err *err)
{
    struct task *task = context;
    struct schema *schema = task->schema;
    struct describing work = {.session = session,
                              .state = session->state,
                              .schema = schema,
                              .arena = schema->arena,
                              .scratch = arena_new(),
                              .most = task->source->options->schema_max_tables};
    map_init(&work.tables, false);
    if (work.state->product->dialect == DIALECT_POSTGRES && work.state->home[0]) {
        schema->home = arena_text(schema->arena, work.state->home);
    }
    /* Of a server with many databases only the own one is looked at. */
    const char *own = work.state->product->catalogs ? work.state->home : NULL;
    bool ok = catalog_ask(&work, ODBC_TABLES, own, NULL, table_row, err) &&
              columns_read(&work, err) && keys_read(&work, err) &&
              odbc_own(session, schema, err) && odbc_virtual(session, schema, err);
    keys_complete(schema);
    map_release(&work.tables);
    arena_free(work.scratch);
    if (work.more) {
        limits_warn_tables(schema);
    }
    return ok;
}

bool odbc_describe(struct datasource *source, struct schema *schema,
                   const struct datasource_limits *limits, struct err *err)
{
    struct task task = {.source = source, .schema = schema};
    return odbc_with(source, limits, describe_work, &task, err);
}

static void texts_hash(struct hash *hash, const struct texts *texts)
{
    for (size_t i = 0; i < texts->count; i++) {
        hash_text(hash, texts->items[i]);
    }
}

static void table_hash(struct hash *hash, const struct table *table)
{
    hash_text(hash, table->name);
    hash_text(hash, table->is_view ? "view" : "table");
    hash_text(hash, str_or_empty(table->comment));
    hash_text(hash, str_or_empty(table->own_code));
    for (size_t i = 0; i < table->columns.count; i++) {
        const struct column *column = &table->columns.items[i];
        hash_text(hash, column->name);
        hash_text(hash, column->type);
        hash_text(hash, str_or_empty(column->comment));
        hash_text(hash, str_or_empty(column->default_value));
        hash_add(hash, column->nullable ? "n" : "-", 1);
        hash_add(hash, column->primary ? "p" : "-", 1);
    }
    for (size_t i = 0; i < table->foreign_keys.count; i++) {
        hash_text(hash, table->foreign_keys.items[i].table);
        texts_hash(hash, &table->foreign_keys.items[i].columns);
        texts_hash(hash, &table->foreign_keys.items[i].references);
    }
    for (size_t i = 0; i < table->indexes.count; i++) {
        hash_text(hash, table->indexes.items[i].name);
        hash_add(hash, table->indexes.items[i].unique ? "u" : "-", 1);
        texts_hash(hash, &table->indexes.items[i].columns);
    }
}

/* The standard has no short way to see a change: the whole description is hashed. */
bool odbc_signature(struct datasource *source, const struct datasource_limits *limits,
                    char out[33], struct err *err)
{
    struct schema *schema = schema_new();
    bool ok = odbc_describe(source, schema, limits, err);
    struct hash *hash = hash_new();
    hash_text(hash, "odbc 3");
    hash_text(hash, str_or_empty(schema->home));
    texts_hash(hash, &schema->functions);
    hash_text(hash, "types");
    texts_hash(hash, &schema->types);
    hash_text(hash, str_or_empty(schema->own_code));
    for (size_t i = 0; i < schema->tables.count; i++) {
        table_hash(hash, &schema->tables.items[i]);
    }
    hash_hex(hash, out);
    hash_free(hash);
    schema_unref(schema);
    return ok;
}
