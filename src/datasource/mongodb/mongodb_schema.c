/* What a MongoDB database looks like: collections, their sampled shapes, their indexes.
 */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "datasource/mongodb/mongodb_driver.h"

struct describing {
    struct schema *schema;
    const struct datasource *source;
    struct arena *arena;            /* for the while */
    struct mongodb_collections all; /* what there is */
    struct mongodb_shape **shapes;  /* theirs; NULL: could not be read */
    struct err *errors;             /* why not */
    struct table *table;            /* whose indexes are read */
    const struct mongodb_shape *shape;
};

static void columns_describe(struct describing *work, struct table *table,
                             const struct mongodb_table *from)
{
    struct arena *arena = work->schema->arena;
    for (size_t i = 0; i < from->columns.count; i++) {
        const struct mongodb_column *column = &from->columns.items[i];
        struct column *made =
            table_add_column(work->schema, table, column->name, column->type);
        bool nested =
            column->path.count > 1 ||
            (column->path.count == 1 && !str_equal(column->path.items[0], column->name));
        for (size_t p = 0; nested && p < column->path.count; p++) {
            VEC_PUSH(arena, &made->path, arena_text(arena, column->path.items[p]));
        }
        made->comment = arena_text(arena, column->comment);
        made->nullable = !column->required;
        made->primary = column->primary;
    }
}

/* An element's row belongs to its document's. */
static void parent_describe(struct describing *work, struct table *table,
                            const char *collection)
{
    struct arena *arena = work->schema->arena;
    struct foreign_key *key = VEC_ADD(arena, &table->foreign_keys);
    VEC_PUSH(arena, &key->columns, table->columns.items[0].name);
    VEC_PUSH(arena, &key->references, "_id");
    key->table = arena_text(arena, collection);
    key->confidence = 1;
}

/* A collection's name is its table's, dots and all: a database has no schemas. */
static struct table *table_describe(struct describing *work,
                                    const struct mongodb_shape *shape,
                                    const struct mongodb_table *from)
{
    struct arena *arena = work->schema->arena;
    struct table *table = schema_add_table(work->schema, from->name);
    const char *dot = strrchr(table->name, '.');
    table->namespace =
        dot ? arena_copy(arena, table->name, (size_t)(dot - table->name)) : "";
    table->bare_name = dot ? dot + 1 : table->name;
    table->is_view = shape->is_view;
    columns_describe(work, table, from);
    if (from->array.count > 0) {
        parent_describe(work, table, shape->collection);
        table->parent = arena_text(arena, shape->collection);
        for (size_t p = 0; p < from->array.count; p++) {
            VEC_PUSH(arena, &table->path, arena_text(arena, from->array.items[p]));
        }
        table->comment =
            arena_format(arena, "elements of %s in %s",
                         str_join(arena, &from->array, "."), shape->collection);
    } else if (shape->root->comment) {
        table->comment = arena_text(arena, shape->root->comment);
    }
    return table;
}

/* { v: 2, key: { city: 1, born: -1 }, name: "city_1_born_-1", unique: true } */
static bool index_row(void *context, const bson_t *document)
{
    struct describing *work = context;
    struct arena *arena = work->schema->arena;
    struct index index = {.name = ""};
    bool whole = true;
    bson_iter_t iter;
    bson_iter_t key;
    if (!mongo.bson_iter_init(&iter, document)) {
        return true;
    }
    while (mongo.bson_iter_next(&iter)) {
        const char *name = mongo.bson_iter_key(&iter);
        if (str_equal(name, "name") && mongo.bson_iter_type(&iter) == BSON_TYPE_UTF8) {
            index.name = arena_text(arena, mongo.bson_iter_utf8(&iter, NULL));
        } else if (str_equal(name, "unique")) {
            index.unique = mongo.bson_iter_as_bool(&iter);
        } else if (str_equal(name, "key") && mongo.bson_iter_recurse(&iter, &key)) {
            while (mongo.bson_iter_next(&key)) {
                const struct column *column =
                    table_column(work->table, mongo.bson_iter_key(&key));
                whole = whole && column;
                if (column) {
                    VEC_PUSH(arena, &index.columns, column->name);
                }
            }
        }
    }
    bool primary = index.columns.count == 1 && str_equal(index.columns.items[0], "_id");
    if (whole && index.columns.count > 0) {
        index.unique = index.unique || primary;
        VEC_PUSH(arena, &work->table->indexes, index);
    }
    return true;
}

bool mongodb_indexes(struct mongodb_session *session, const char *collection,
                     bool (*row)(void *context, const bson_t *document), void *context,
                     struct err *err)
{
    mongoc_collection_t *from = mongo.client_get_collection(
        session->client, session->state->database, collection);
    mongoc_cursor_t *cursor = mongo.collection_find_indexes_with_opts(from, NULL);
    bool ok = mongodb_read(session, cursor, row, context, err);
    mongo.cursor_destroy(cursor);
    mongo.collection_destroy(from);
    return ok;
}

int64_t mongodb_count(struct mongodb_session *session, const struct mongodb_shape *shape)
{
    if (shape->is_view) {
        return -1; /* counting would run it */
    }
    bson_error_t ignored;
    mongoc_collection_t *from = mongo.client_get_collection(
        session->client, session->state->database, shape->collection);
    int64_t count =
        mongo.collection_estimated_document_count(from, NULL, NULL, NULL, &ignored);
    mongo.collection_destroy(from);
    return count;
}

static void warn(struct describing *work, const char *collection, const struct err *why)
{
    struct arena *arena = work->schema->arena;
    VEC_PUSH(arena, &work->schema->warnings,
             arena_format(arena, "The collection '%s' could not be read: %s", collection,
                          why->message));
}

/* Another collection may have the name that an array's table would get. */
static bool name_taken(const struct mongodb_collections *all, const char *name)
{
    for (size_t i = 0; i < all->count; i++) {
        if (str_equal_nocase(all->items[i].name, name)) {
            return true;
        }
    }
    return false;
}

static void collection_describe(struct describing *work, struct mongodb_session *session,
                                const struct mongodb_about *about,
                                const struct mongodb_shape *shape)
{
    struct arena *arena = work->schema->arena;
    work->table = table_describe(work, shape, &shape->tables.items[0]);
    work->table->row_count =
        shape->whole ? shape->documents : mongodb_count(session, shape);
    work->table->row_count_exact = shape->whole;
    struct err ignored;
    err_clear(&ignored);
    if (about->has_index) {
        (void)mongodb_indexes(session, about->name, index_row, work, &ignored);
    }
    for (size_t i = 1; i < shape->tables.count; i++) {
        if (!name_taken(&work->all, shape->tables.items[i].name)) {
            (void)table_describe(work, shape, &shape->tables.items[i]);
        }
    }
    for (size_t i = 0; i < shape->warnings.count; i++) {
        VEC_PUSH(arena, &work->schema->warnings,
                 arena_text(arena, shape->warnings.items[i]));
    }
}

static bool list_work(struct mongodb_session *session, void *context, struct err *err)
{
    struct describing *work = context;
    return mongodb_collections(session, work->arena, &work->all, err);
}

static bool shape_visit(struct mongodb_session *session, size_t index, void *context,
                        struct err *err)
{
    struct describing *work = context;
    work->shapes[index] = mongodb_shape_read(session, &work->all.items[index], err);
    return work->shapes[index] != NULL;
}

static bool describe_work(struct mongodb_session *session, void *context, struct err *err)
{
    struct describing *work = context;
    work->schema->tables.count = 0; /* a second try begins anew */
    for (size_t i = 0; i < work->all.count; i++) {
        if (!limits_hold(session->base.limits, err)) {
            return false;
        }
        if (work->shapes[i]) {
            collection_describe(work, session, &work->all.items[i], work->shapes[i]);
        } else {
            warn(work, work->all.items[i].name, &work->errors[i]);
        }
    }
    return !session->base.broken || err_set(err, ERR_DATASOURCE_UNREACHABLE,
                                            "The connection to the database was lost.");
}

bool mongodb_describe(struct datasource *source, struct schema *schema,
                      const struct datasource_limits *limits, struct err *err)
{
    struct mongodb_state *state = source->state;
    struct describing work = {.schema = schema, .source = source, .arena = arena_new()};
    size_t most = (size_t)source->options->schema_max_tables;
    bool ok = mongodb_with(source, limits, list_work, &work, err);
    if (ok) {
        mongodb_shapes_keep(state, &work.all);
        if (work.all.count > most) {
            work.all.count = most;
            VEC_PUSH(schema->arena, &schema->warnings,
                     "schema.max_tables: the database has more collections; they were "
                     "left out");
        }
        size_t count = work.all.count;
        work.shapes = arena_array(work.arena, count, sizeof *work.shapes);
        work.errors = arena_array(work.arena, count, sizeof *work.errors);
        ok = mongodb_each(source, limits, count, shape_visit, &work, work.errors, err) &&
             mongodb_with(source, limits, describe_work, &work, err);
        for (size_t i = 0; i < count; i++) {
            if (work.shapes[i]) {
                mongodb_shape_unref(state, work.shapes[i]);
            }
        }
    }
    arena_free(work.arena);
    return ok;
}
