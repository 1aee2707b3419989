/* A short text that changes when the database does: collections, their options and
 * indexes, and the names and kinds found in a few documents from both ends of each. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/hash.h"
#include "datasource/mongodb/mongodb_driver.h"

enum {
    LOOK_DOCUMENTS = 40, /* of each collection, on every question */
    LINE_MOST = 8192,
    NOTICED_MOST = 200000,
};

struct signing {
    struct mongodb_state *state;
    struct mongodb_collections all;
    pthread_mutex_t lock; /* guards the rest: collections are looked at side by side */
    struct arena *arena;
    struct texts lines;
};

static int line_compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void line_add(struct signing *work, const char *kind, const char *name,
                     const void *data, size_t size)
{
    char digest[33];
    struct hash *hash = hash_new();
    hash_add(hash, data ? data : "", size);
    hash_hex(hash, digest);
    hash_free(hash);
    (void)pthread_mutex_lock(&work->lock);
    VEC_PUSH(work->arena, &work->lines,
             arena_format(work->arena, "%s\1%s\1%s", kind, name, digest));
    (void)pthread_mutex_unlock(&work->lock);
}

struct index_signing {
    struct signing *work;
    const char *collection;
};

/* Only what it is on: the rest may hold what changes by itself. */
static bool index_row(void *context, const bson_t *document)
{
    const struct index_signing *index = context;
    bson_iter_t iter;
    uint32_t size = 0;
    const uint8_t *data = NULL;
    bool unique = mongo.bson_iter_init_find(&iter, document, "unique") &&
                  mongo.bson_iter_as_bool(&iter);
    if (mongo.bson_iter_init_find(&iter, document, "key") &&
        mongo.bson_iter_type(&iter) == BSON_TYPE_DOCUMENT) {
        mongo.bson_iter_document(&iter, &size, &data);
    }
    line_add(index->work, unique ? "u" : "i", index->collection, data, size);
    return true;
}

/* Fields that were seen once stay known: the newest documents change all the time, and
 * a field that only some of them have must not look like a change of the schema. */
static void field_notice(struct signing *work, const struct mongodb_field *field,
                         struct buf *path)
{
    struct mongodb_state *state = work->state;
    size_t before = path->size;
    for (int kind = MONGODB_NULL + 1; kind < MONGODB_KINDS; kind++) {
        if (field->counts[kind] > 0) {
            (void)buf_format(path, "\1%d", kind);
            if (state->noticed.count < NOTICED_MOST) {
                (void)map_set(&state->noticed, buf_get(path), state);
            }
            buf_truncate(path, before);
        }
    }
    for (size_t i = 0; i < field->fields.count; i++) {
        (void)buf_format(path, "\1%s", field->fields.items[i]->name);
        field_notice(work, field->fields.items[i], path);
        buf_truncate(path, before);
    }
    if (field->element) {
        (void)buf_text(path, "\1[]");
        field_notice(work, field->element, path);
        buf_truncate(path, before);
    }
}

/* The newest ones: what changes shows there first. */
static bool look_row(void *context, const bson_t *document)
{
    mongodb_shape_add(context, document);
    return true;
}

static void shape_notice(struct signing *work, const struct mongodb_about *about,
                         struct mongodb_shape *shape)
{
    struct buf path;
    /* An emptied collection looks as its validator says, and has ids as all do. */
    mongodb_shape_validator(shape, about->validator, about->validator_size);
    if (shape->documents == 0) {
        mongodb_field_at(shape, shape->root, "_id", SIZE_MAX)->counts[MONGODB_ID] = 1;
    }
    shape->root->counts[MONGODB_DOCUMENT] = 1;
    buf_init(&path, LINE_MOST);
    (void)buf_text(&path, about->name);
    (void)pthread_mutex_lock(&work->state->lock);
    field_notice(work, shape->root, &path);
    (void)pthread_mutex_unlock(&work->state->lock);
    buf_release(&path);
}

static bool collection_sign(struct mongodb_session *session, size_t at, void *context,
                            struct err *err)
{
    struct signing *work = context;
    const struct mongodb_about *about = &work->all.items[at];
    line_add(work, about->is_view ? "v" : "c", about->name, about->options,
             about->options_size);
    if (about->is_view) {
        return true; /* it follows from its pipeline and its collection */
    }
    struct index_signing index = {.work = work, .collection = about->name};
    const struct mongodb_find find = {
        .collection = about->name, .limit = LOOK_DOCUMENTS, .newest = about->has_index};
    struct mongodb_shape *shape = mongodb_shape_new(about);
    bool ok = mongodb_find(session, &find, look_row, shape, err);
    if (ok) {
        shape_notice(work, about, shape);
    }
    mongodb_shape_free(shape);
    return ok && (!about->has_index ||
                  mongodb_indexes(session, about->name, index_row, &index, err));
}

/* What was noticed about collections that are still there. */
static void noticed_add(struct signing *work, const struct mongodb_collections *all)
{
    struct map names;
    map_init(&names, false);
    for (size_t i = 0; i < all->count; i++) {
        (void)map_set(&names, all->items[i].name, work);
    }
    (void)pthread_mutex_lock(&work->state->lock);
    struct map_entry *entry;
    for (size_t at = 0; (entry = map_next(&work->state->noticed, &at));) {
        char *collection = arena_copy(work->arena, entry->key, strcspn(entry->key, "\1"));
        if (map_has(&names, collection)) {
            VEC_PUSH(work->arena, &work->lines, arena_text(work->arena, entry->key));
        }
    }
    (void)pthread_mutex_unlock(&work->state->lock);
    map_release(&names);
}

static bool list_work(struct mongodb_session *session, void *context, struct err *err)
{
    struct signing *work = context;
    return mongodb_collections(session, work->arena, &work->all, err);
}

static void lines_hash(struct signing *work, char out[33])
{
    struct hash *hash = hash_new();
    if (work->lines.count > 1) {
        qsort(work->lines.items, work->lines.count, sizeof *work->lines.items,
              line_compare);
    }
    for (size_t i = 0; i < work->lines.count; i++) {
        /* a collection may have been looked at twice, on a second connection */
        if (i == 0 || strcmp(work->lines.items[i - 1], work->lines.items[i]) != 0) {
            hash_text(hash, work->lines.items[i]);
        }
    }
    hash_hex(hash, out);
    hash_free(hash);
}

bool mongodb_signature(struct datasource *source, const struct datasource_limits *limits,
                       char out[33], struct err *err)
{
    struct signing work = {.state = source->state, .arena = arena_new()};
    (void)pthread_mutex_init(&work.lock, NULL);
    bool ok = mongodb_with(source, limits, list_work, &work, err);
    if (ok) {
        /* one that may not be read says nothing */
        struct err *errors = arena_array(work.arena, work.all.count, sizeof *errors);
        ok = mongodb_each(source, limits, work.all.count, collection_sign, &work, errors,
                          err);
    }
    if (ok) {
        noticed_add(&work, &work.all);
        lines_hash(&work, out);
    }
    (void)pthread_mutex_destroy(&work.lock);
    arena_free(work.arena);
    return ok;
}
