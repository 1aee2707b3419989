/* A short text that changes when the database does: collections, their options and
 * indexes, and the names and kinds found in a few documents from both ends of each. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/hash.h"
#include "datasource/mongodb_driver.h"

enum {
    LOOK_DOCUMENTS = 40, /* of each collection, on every question */
    LINE_MOST = 8192,
    NOTICED_MOST = 200000,
};

struct signing {
    struct mongodb_state *state;
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
    VEC_PUSH(work->arena, &work->lines,
             arena_format(work->arena, "%s\1%s\1%s", kind, name, digest));
}

struct index_signing {
    struct signing *work;
    const char *collection;
};

static bool index_row(void *context, const bson_t *document)
{
    const struct index_signing *index = context;
    bson_iter_t iter;
    /* Only what it is on: the rest may hold what changes by itself. */
    if (mongo.bson_iter_init(&iter, document)) {
        while (mongo.bson_iter_next(&iter)) {
            const char *key = mongo.bson_iter_key(&iter);
            if (strcmp(key, "key") == 0 &&
                mongo.bson_iter_type(&iter) == BSON_TYPE_DOCUMENT) {
                uint32_t size = 0;
                const uint8_t *data = NULL;
                mongo.bson_iter_document(&iter, &size, &data);
                line_add(index->work, "i", index->collection, data, size);
            } else if (strcmp(key, "unique") == 0 && mongo.bson_iter_as_bool(&iter)) {
                line_add(index->work, "u", index->collection, "", 0);
            }
        }
    }
    return true;
}

/* What was seen once stays seen: which documents are the newest changes all the time, and
 * a field that only some of them have must not look like a change. */
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

static bool collection_sign(struct signing *work, struct mongodb_session *session,
                            const struct mongodb_about *about, struct err *err)
{
    line_add(work, about->is_view ? "v" : "c", about->name, about->options,
             about->options_size);
    if (about->is_view) {
        return true; /* it follows from its pipeline and its collection */
    }
    struct err ignored;
    err_clear(&ignored);
    struct index_signing index = {.work = work, .collection = about->name};
    if (about->has_index) {
        (void)mongodb_indexes(session, about->name, index_row, &index, &ignored);
    }
    struct mongodb_shape *shape = mongodb_shape_new(about);
    bool ok = mongodb_shape_sample(session, shape, about, LOOK_DOCUMENTS, &ignored);
    if (ok) {
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
    } else if (session->base.broken || ignored.code == ERR_STOPPED ||
               ignored.code == ERR_TIMEOUT) {
        *err = ignored;
    } else {
        ok = true; /* one that may not be read says nothing */
    }
    mongodb_shape_free(shape);
    return ok;
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

struct asked {
    struct mongodb_state *state;
    char *out;
};

static bool signature_work(struct mongodb_session *session, void *context,
                           struct err *err)
{
    const struct asked *asked = context;
    struct signing work = {.state = asked->state, .arena = arena_new()};
    struct mongodb_collections all = {0};
    bool ok = mongodb_collections(session, work.arena, &all, err);
    for (size_t i = 0; ok && i < all.count; i++) {
        ok = collection_sign(&work, session, &all.items[i], err);
    }
    if (ok) {
        noticed_add(&work, &all);
        if (work.lines.count > 1) {
            qsort(work.lines.items, work.lines.count, sizeof *work.lines.items,
                  line_compare);
        }
        struct hash *hash = hash_new();
        for (size_t i = 0; i < work.lines.count; i++) {
            hash_text(hash, work.lines.items[i]);
        }
        hash_hex(hash, asked->out);
        hash_free(hash);
    }
    arena_free(work.arena);
    return ok;
}

bool mongodb_signature(struct datasource *source, const struct datasource_limits *limits,
                       char out[33], struct err *err)
{
    struct asked asked = {.state = source->state, .out = out};
    return mongodb_with(source, limits, signature_work, &asked, err);
}
