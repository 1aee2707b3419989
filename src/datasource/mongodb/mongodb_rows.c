/* Documents as rows of one table: each document is walked once, whatever its width. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "datasource/mongodb/mongodb_driver.h"

enum { PATH_MOST = 4096 };

struct node;

struct nodes {
    struct node **items;
    size_t count;
    size_t capacity;
};

/* A name on the way to columns. */
struct node {
    const char *name;
    int column;    /* position in the row; -1: none ends here */
    bool elements; /* the array whose elements are the rows */
    struct nodes children;
    size_t hint;
};

struct walking {
    const struct mongodb_reading *reading;
    struct arena *arena;   /* for the whole reading */
    struct arena *scratch; /* for one document */
    struct node *document;
    struct node *element; /* below the array, where rows are its elements */
    struct value *cells;
    int position; /* column, or -1 */
    bson_iter_t array;
    bool has_array;
    bool more;
    bool (*row)(void *context, const struct value *cells);
    void *context;
};

static struct node *node_new(struct arena *arena, const char *name)
{
    struct node *node = ARENA_NEW(arena, struct node);
    node->name = name;
    node->column = -1;
    return node;
}

static struct node *node_below(struct arena *arena, struct node *node, const char *name)
{
    for (size_t i = 0; i < node->children.count; i++) {
        if (str_equal(node->children.items[i]->name, name)) {
            return node->children.items[i];
        }
    }
    struct node *child = node_new(arena, name);
    VEC_PUSH(arena, &node->children, child);
    return child;
}

static void nodes_make(struct walking *work)
{
    const struct mongodb_reading *reading = work->reading;
    work->document = node_new(work->arena, "");
    work->element = node_new(work->arena, "");
    work->position = -1;
    if (reading->table->array.count > 0) {
        struct node *node = work->document;
        for (size_t i = 0; i < reading->table->array.count; i++) {
            node = node_below(work->arena, node, reading->table->array.items[i]);
        }
        node->elements = true;
    }
    for (size_t i = 0; i < reading->count; i++) {
        const struct mongodb_column *column =
            &reading->table->columns.items[reading->columns[i]];
        if (column->is_position) {
            work->position = (int)i;
            continue;
        }
        struct node *node = column->in_element ? work->element : work->document;
        for (size_t p = 0; p < column->path.count; p++) {
            node = node_below(work->arena, node, column->path.items[p]);
        }
        node->column = (int)i;
    }
}

static void cell_set(struct walking *work, const struct node *node,
                     const bson_iter_t *iter)
{
    const struct mongodb_column *column =
        &work->reading->table->columns.items[work->reading->columns[node->column]];
    bool json = column->kind == MONGODB_DOCUMENT && mongodb_kind_of(iter) != MONGODB_NULL;
    work->cells[node->column] = json ? mongodb_value_json(work->scratch, iter)
                                     : mongodb_value(work->scratch, iter);
}

static void node_walk(struct walking *work, struct node *node, bson_iter_t *iter)
{
    while (mongo.bson_iter_next(iter)) {
        const char *key = mongo.bson_iter_key(iter);
        struct node *child = NULL;
        for (size_t i = 0; !child && i < node->children.count; i++) {
            size_t at = (node->hint + i) % node->children.count;
            if (strcmp(node->children.items[at]->name, key) == 0) {
                child = node->children.items[at];
                node->hint = at + 1;
            }
        }
        bson_iter_t inside;
        if (!child) {
            continue;
        }
        if (child->column >= 0) {
            cell_set(work, child, iter);
        }
        if (child->elements && mongo.bson_iter_type(iter) == BSON_TYPE_ARRAY) {
            work->has_array = mongo.bson_iter_recurse(iter, &work->array);
        } else if (child->children.count > 0 &&
                   mongo.bson_iter_type(iter) == BSON_TYPE_DOCUMENT &&
                   mongo.bson_iter_recurse(iter, &inside)) {
            node_walk(work, child, &inside);
        }
    }
}

static void elements_hand(struct walking *work)
{
    const struct mongodb_reading *reading = work->reading;
    for (int64_t place = 1; work->more && mongo.bson_iter_next(&work->array); place++) {
        bson_iter_t inside;
        for (size_t i = 0; i < reading->count; i++) {
            if (reading->table->columns.items[reading->columns[i]].in_element) {
                work->cells[i] = (struct value){.kind = VALUE_NULL};
            }
        }
        if (work->position >= 0) {
            work->cells[work->position] =
                (struct value){.kind = VALUE_INT, .integer = place};
        }
        if (work->element->column >= 0) {
            cell_set(work, work->element, &work->array);
        } else if (mongo.bson_iter_type(&work->array) == BSON_TYPE_DOCUMENT &&
                   mongo.bson_iter_recurse(&work->array, &inside)) {
            node_walk(work, work->element, &inside);
        }
        work->more = work->row(work->context, work->cells);
    }
}

static bool document_row(void *context, const bson_t *document)
{
    struct walking *work = context;
    bson_iter_t iter;
    for (size_t i = 0; i < work->reading->count; i++) {
        work->cells[i] = (struct value){.kind = VALUE_NULL};
    }
    work->has_array = false;
    work->document->hint = 0;
    if (mongo.bson_iter_init(&iter, document)) {
        node_walk(work, work->document, &iter);
    }
    if (work->reading->table->array.count == 0) {
        work->more = work->row(work->context, work->cells);
    } else if (work->has_array) {
        elements_hand(work);
    }
    arena_reset(work->scratch);
    return work->more;
}

/* ------------------------------------------------------------------ projection */

/* A name that MongoDB would read as a path or an operator cannot be projected. */
static bool name_plain(const char *name)
{
    return name[0] && name[0] != '$' && !strchr(name, '.');
}

static bool projection_add(const struct walking *work, const struct node *node,
                           struct buf *path, bson_t *out)
{
    size_t before = path->size;
    for (size_t i = 0; i < node->children.count; i++) {
        const struct node *child = node->children.items[i];
        if (!name_plain(child->name) ||
            !buf_format(path, "%s%s", before ? "." : "", child->name)) {
            return false;
        }
        const struct node *inside = child->elements ? work->element : child;
        bool ends = inside->column >= 0 || inside->children.count == 0;
        if (!ends && !projection_add(work, inside, path, out)) {
            return false;
        }
        if (ends && !mongo.bson_append_int32(out, buf_get(path), (int)path->size, 1)) {
            return false;
        }
        buf_truncate(path, before);
    }
    return true;
}

/* Only what the columns need; false: the whole document. */
static bool projection_make(const struct walking *work, bson_t *out)
{
    struct buf path;
    buf_init(&path, PATH_MOST);
    bool ok = projection_add(work, work->document, &path, out);
    bool id = false;
    for (size_t i = 0; i < work->document->children.count; i++) {
        id = id || str_equal(work->document->children.items[i]->name, "_id");
    }
    if (ok && !id) {
        if (work->document->children.count == 0) { /* rows are only counted */
            ok = mongo.bson_append_int32(out, "_id", -1, 1);
        } else {
            ok = mongo.bson_append_int32(out, "_id", -1, 0);
        }
    }
    buf_release(&path);
    return ok;
}

bool mongodb_rows(struct mongodb_session *session, const struct mongodb_reading *reading,
                  bool (*row)(void *context, const struct value *cells), void *context,
                  struct err *err)
{
    struct walking work = {.reading = reading,
                           .arena = arena_new(),
                           .scratch = arena_new(),
                           .more = true,
                           .row = row,
                           .context = context};
    bson_t projection;
    nodes_make(&work);
    work.cells = arena_array(work.arena, reading->count + 1, sizeof *work.cells);
    mongo.bson_init(&projection);
    bool projected = projection_make(&work, &projection);
    const struct mongodb_find find = {.collection = reading->shape->collection,
                                      .filter = reading->filter,
                                      .projection = projected ? &projection : NULL,
                                      .limit = reading->limit,
                                      .newest = reading->newest};
    bool ok = mongodb_find(session, &find, document_row, &work, err);
    mongo.bson_destroy(&projection);
    arena_free(work.scratch);
    arena_free(work.arena);
    return ok;
}
