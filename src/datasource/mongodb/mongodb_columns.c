/* The tables and columns of a shape: documents flattened, arrays as tables of their own.
 * See docs/decisions/0022-documents-as-tables.md. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/str.h"
#include "datasource/mongodb/mongodb_driver.h"

enum {
    COLUMNS_MOST = 2000,
    TABLES_MOST = 50, /* arrays of one collection */
    COMMENT_MOST = 1000,
    LOOSE_SCALE = 10,
    DECIMAL_WIDTH = 38,
};

struct making {
    struct mongodb_shape *shape;
    struct arena *arena;
    size_t table; /* being filled */
    struct map names;
};

/* What a field with these kinds becomes. */
static enum mongodb_kind field_kind(const struct mongodb_field *field, bool *mixed)
{
    enum mongodb_kind kind = MONGODB_NULL;
    *mixed = false;
    for (int i = MONGODB_NULL + 1; i < MONGODB_KINDS; i++) {
        enum mongodb_kind other = (enum mongodb_kind)i;
        if (field->counts[i] == 0) {
            continue;
        }
        *mixed = *mixed || kind != MONGODB_NULL;
        if (other >= MONGODB_DOCUMENT && other <= MONGODB_ARRAY && *mixed) {
            return MONGODB_DOCUMENT; /* as JSON */
        }
        bool numbers =
            kind >= MONGODB_INT && kind <= MONGODB_DECIMAL && other <= MONGODB_DECIMAL;
        if (kind == MONGODB_REAL && other == MONGODB_DECIMAL) {
            kind = MONGODB_REAL;
        } else {
            kind = kind == MONGODB_NULL || numbers ? other : MONGODB_OTHER;
        }
    }
    return kind;
}

static const char *kind_type(struct arena *arena, enum mongodb_kind kind,
                             const struct mongodb_field *field)
{
    static const char *const types[MONGODB_KINDS] = {
        [MONGODB_NULL] = "VARCHAR",   [MONGODB_BOOL] = "BOOLEAN",
        [MONGODB_INT] = "BIGINT",     [MONGODB_REAL] = "DOUBLE",
        [MONGODB_DECIMAL] = "DOUBLE", [MONGODB_TEXT] = "VARCHAR",
        [MONGODB_ID] = "VARCHAR",     [MONGODB_TIME] = "TIMESTAMP",
        [MONGODB_BYTES] = "BLOB",     [MONGODB_UUID] = "VARCHAR",
        [MONGODB_DOCUMENT] = "JSON",  [MONGODB_ARRAY] = "JSON",
        [MONGODB_OTHER] = "VARCHAR",
    };
    if (kind != MONGODB_DECIMAL || field->uneven) {
        return types[kind];
    }
    unsigned scale = field->whole ? field->scale : LOOSE_SCALE;
    return arena_format(arena, "DECIMAL(%d,%u)", DECIMAL_WIDTH, scale);
}

/* "mixed types: string 97 %, integer 3 %", after what the validator says. */
static const char *field_comment(struct arena *arena, const struct mongodb_field *field,
                                 bool mixed)
{
    if (!mixed) {
        return field->comment;
    }
    int64_t all = 0;
    for (int i = MONGODB_NULL + 1; i < MONGODB_KINDS; i++) {
        all += field->counts[i];
    }
    struct buf out;
    buf_init(&out, COMMENT_MOST);
    (void)buf_format(&out, "%s%smixed types: ", field->comment ? field->comment : "",
                     field->comment ? "; " : "");
    const char *comma = "";
    for (int i = MONGODB_NULL + 1; i < MONGODB_KINDS; i++) {
        if (field->counts[i] > 0) {
            (void)buf_format(&out, "%s%s %lld %%", comma,
                             mongodb_kind_name((enum mongodb_kind)i),
                             (long long)(100 * field->counts[i] / all));
            comma = ", ";
        }
    }
    const char *text = buf_clone(&out, arena);
    buf_release(&out);
    return text;
}

/* A name that no other column has; case does not tell columns apart in SQL. */
static const char *name_free(struct making *work, const char *wanted)
{
    const char *name = wanted[0] ? wanted : "_";
    for (int i = 2; map_has(&work->names, name); i++) {
        name = arena_format(work->arena, "%s_%d", wanted, i);
    }
    (void)map_set(&work->names, name, work);
    return name;
}

static struct mongodb_column *column_add(struct making *work, const char *name,
                                         const struct texts *path)
{
    struct mongodb_table *table = &work->shape->tables.items[work->table];
    if (table->columns.count >= COLUMNS_MOST) {
        return NULL;
    }
    struct mongodb_column *column = VEC_ADD(work->arena, &table->columns);
    column->name = name_free(work, name);
    for (size_t i = 0; path && i < path->count; i++) {
        VEC_PUSH(work->arena, &column->path, path->items[i]);
    }
    column->in_element = table->array.count > 0;
    return column;
}

static void field_column(struct making *work, const struct mongodb_field *field,
                         const char *name, const struct texts *path,
                         enum mongodb_kind kind, bool mixed)
{
    struct mongodb_column *column = column_add(work, name, path);
    if (!column) {
        work->shape->root->wide = true;
        return;
    }
    column->kind = kind == MONGODB_ARRAY ? MONGODB_DOCUMENT : kind;
    column->type = kind_type(work->arena, kind, field);
    column->unlike = field->stamps;
    column->comment = field_comment(work->arena, field, mixed);
    column->required = field->required && field->counts[MONGODB_NULL] == 0;
    column->primary = !column->in_element && str_equal(column->name, "_id");
    column->required = column->required || column->primary;
}

/* An array of a document, whose table is made when the document's own is done. */
struct pending {
    const struct mongodb_field *field;
    struct texts path;
};

struct pendings {
    struct pending *items;
    size_t count;
    size_t capacity;
};

static void fields_make(struct making *work, const struct mongodb_field *parent,
                        struct texts *path, const char *prefix, struct pendings *arrays)
{
    for (size_t i = 0; i < parent->fields.count; i++) {
        const struct mongodb_field *field = parent->fields.items[i];
        bool mixed = false;
        enum mongodb_kind kind = field_kind(field, &mixed);
        const char *name = prefix[0]
                               ? arena_format(work->arena, "%s.%s", prefix, field->name)
                               : field->name;
        VEC_PUSH(work->arena, path, field->name);
        if (kind == MONGODB_DOCUMENT && !mixed && !field->wide &&
            field->fields.count > 0) {
            fields_make(work, field, path, name, arrays);
        } else if (kind == MONGODB_ARRAY && !mixed && !field->wide && arrays) {
            struct pending *pending = VEC_ADD(work->arena, arrays);
            pending->field = field;
            for (size_t p = 0; p < path->count; p++) {
                VEC_PUSH(work->arena, &pending->path, path->items[p]);
            }
        } else {
            field_column(work, field, name, path, kind, mixed);
        }
        path->count--;
    }
}

static void key_column(struct making *work, const char *name, bool position)
{
    struct texts path = {0};
    const struct mongodb_field *root = work->shape->root;
    if (!position) {
        VEC_PUSH(work->arena, &path, "_id");
    }
    struct mongodb_column *column = column_add(work, name, &path);
    column->in_element = false;
    column->is_position = position;
    column->kind = MONGODB_INT;
    column->type = "BIGINT";
    column->primary = true;
    column->required = true;
    if (position) {
        column->comment = "place in the array, from 1";
        return;
    }
    for (size_t i = 0; i < root->fields.count; i++) {
        if (str_equal(root->fields.items[i]->name, "_id")) {
            bool mixed = false;
            column->kind = field_kind(root->fields.items[i], &mixed);
            column->type = kind_type(work->arena, column->kind, root->fields.items[i]);
        }
    }
}

static void array_make(struct making *work, const struct pending *pending)
{
    struct mongodb_shape *shape = work->shape;
    const struct mongodb_field *element = pending->field->element;
    struct mongodb_table *table = VEC_ADD(work->arena, &shape->tables);
    struct texts parts = {0};
    VEC_PUSH(work->arena, &parts, shape->collection);
    for (size_t i = 0; i < pending->path.count; i++) {
        VEC_PUSH(work->arena, &parts, pending->path.items[i]);
    }
    work->table = shape->tables.count - 1;
    table->name = str_join(work->arena, &parts, "__");
    table->array = pending->path;
    map_release(&work->names);
    map_init(&work->names, true);
    key_column(work, arena_format(work->arena, "%s_id", shape->collection), false);
    key_column(work, "position", true);
    bool mixed = false;
    enum mongodb_kind kind = element ? field_kind(element, &mixed) : MONGODB_NULL;
    struct texts path = {0};
    if (kind == MONGODB_DOCUMENT && !mixed && !element->wide &&
        element->fields.count > 0) {
        fields_make(work, element, &path, "", NULL);
    } else {
        static const struct mongodb_field nothing = {.name = "value"};
        field_column(work, element ? element : &nothing, "value", &path, kind, mixed);
    }
}

void mongodb_columns_make(struct mongodb_shape *shape)
{
    struct making work = {.shape = shape, .arena = shape->arena};
    struct texts path = {0};
    struct pendings arrays = {0};
    map_init(&work.names, true);
    struct mongodb_table *table = VEC_ADD(shape->arena, &shape->tables);
    table->name = shape->collection;
    fields_make(&work, shape->root, &path, "", &arrays);
    for (size_t i = 0; i < arrays.count && i < TABLES_MOST; i++) {
        array_make(&work, &arrays.items[i]);
    }
    map_release(&work.names);
    if (shape->root->wide || arrays.count > TABLES_MOST) {
        VEC_PUSH(shape->arena, &shape->warnings,
                 arena_format(shape->arena,
                              "The collection '%s' has more fields than are shown.",
                              shape->collection));
    }
}
