/* Which collections and views a MongoDB database has, and what it says about them. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/workers.h"
#include "datasource/mongodb/mongodb_driver.h"

enum { COLLECTIONS_MOST = 20000, VISITS = 8 };

struct listing {
    struct arena *arena;
    struct mongodb_collections *out;
};

/* The bytes of a document within a document, copied; NULL when it is none. */
static const uint8_t *part_copy(struct arena *arena, const bson_iter_t *iter,
                                size_t *size)
{
    uint32_t length = 0;
    const uint8_t *data = NULL;
    if (mongo.bson_iter_type(iter) != BSON_TYPE_DOCUMENT) {
        return NULL;
    }
    mongo.bson_iter_document(iter, &length, &data);
    *size = length;
    return (const uint8_t *)arena_copy(arena, data, length);
}

static void options_read(struct listing *work, struct mongodb_about *about,
                         const bson_iter_t *options)
{
    bson_iter_t option;
    about->options = part_copy(work->arena, options, &about->options_size);
    if (!mongo.bson_iter_recurse(options, &option)) {
        return;
    }
    while (mongo.bson_iter_next(&option)) {
        const char *key = mongo.bson_iter_key(&option);
        bson_iter_t rule;
        if (str_equal(key, "collation")) {
            about->collated = true;
        } else if (str_equal(key, "timeseries")) {
            about->has_index = false;
        } else if (str_equal(key, "validator") &&
                   mongo.bson_iter_recurse(&option, &rule)) {
            while (mongo.bson_iter_next(&rule)) {
                if (str_equal(mongo.bson_iter_key(&rule), "$jsonSchema")) {
                    about->validator =
                        part_copy(work->arena, &rule, &about->validator_size);
                }
            }
        }
    }
}

static bool listing_row(void *context, const bson_t *document)
{
    struct listing *work = context;
    struct mongodb_about about = {.has_index = true};
    bson_iter_t iter;
    if (!mongo.bson_iter_init(&iter, document)) {
        return true;
    }
    while (mongo.bson_iter_next(&iter)) {
        const char *key = mongo.bson_iter_key(&iter);
        bool text = mongo.bson_iter_type(&iter) == BSON_TYPE_UTF8;
        if (str_equal(key, "name") && text) {
            uint32_t length = 0;
            const char *name = mongo.bson_iter_utf8(&iter, &length);
            size_t size = length;
            name = text_clean(work->arena, name, &size);
            about.name = arena_copy(work->arena, name, size);
        } else if (str_equal(key, "type") && text) {
            about.is_view = str_equal(mongo.bson_iter_utf8(&iter, NULL), "view");
        } else if (str_equal(key, "options")) {
            options_read(work, &about, &iter);
        }
    }
    about.has_index = about.has_index && !about.is_view;
    if (!str_empty(about.name) && !str_starts(about.name, "system.")) {
        VEC_PUSH(work->arena, work->out, about);
    }
    return work->out->count < COLLECTIONS_MOST;
}

static bool list(struct mongodb_session *session, struct listing *work, bool names_only,
                 struct err *err)
{
    bson_t options;
    mongo.bson_init(&options);
    if (names_only) {
        (void)mongo.bson_append_bool(&options, "nameOnly", -1, true);
        (void)mongo.bson_append_bool(&options, "authorizedCollections", -1, true);
    }
    mongoc_database_t *database =
        mongo.client_get_database(session->client, session->state->database);
    mongoc_cursor_t *cursor =
        mongo.database_find_collections_with_opts(database, &options);
    bool ok = mongodb_read(session, cursor, listing_row, work, err);
    mongo.cursor_destroy(cursor);
    mongo.database_destroy(database);
    mongo.bson_destroy(&options);
    return ok;
}

bool mongodb_collections(struct mongodb_session *session, struct arena *arena,
                         struct mongodb_collections *out, struct err *err)
{
    struct listing work = {.arena = arena, .out = out};
    out->count = 0;
    if (list(session, &work, false, err)) {
        return true;
    }
    if (err->code != ERR_ACCESS) {
        return false;
    }
    /* A login that may read only some collections may still list these. */
    err_clear(err);
    out->count = 0;
    return list(session, &work, true, err);
}

bool mongodb_database_exists(struct mongodb_session *session)
{
    struct err ignored;
    bson_t command;
    bson_t part;
    bson_t reply;
    bson_iter_t list;
    bson_iter_t first;
    mongo.bson_init(&command);
    (void)mongo.bson_append_int32(&command, "listDatabases", -1, 1);
    (void)mongo.bson_append_bool(&command, "nameOnly", -1, true);
    (void)mongo.bson_append_document_begin(&command, "filter", -1, &part);
    (void)mongo.bson_append_utf8(&part, "name", -1, session->state->database, -1);
    (void)mongo.bson_append_document_end(&command, &part);
    bool asked = mongodb_command(session, "admin", &command, &reply, &ignored);
    mongo.bson_destroy(&command);
    if (!asked) {
        return true;
    }
    bool exists = mongo.bson_iter_init_find(&list, &reply, "databases") &&
                  mongo.bson_iter_recurse(&list, &first) && mongo.bson_iter_next(&first);
    mongo.bson_destroy(&reply);
    return exists;
}

struct visiting {
    struct datasource *source;
    const struct datasource_limits *limits;
    bool (*visit)(struct mongodb_session *session, size_t index, void *context,
                  struct err *err);
    void *context;
    struct err *errors;
};

struct one {
    const struct visiting *visiting;
    size_t index;
};

static bool visit_work(struct mongodb_session *session, void *context, struct err *err)
{
    const struct one *one = context;
    return one->visiting->visit(session, one->index, one->visiting->context, err);
}

static void visit_one(void *context, size_t index)
{
    const struct visiting *visiting = context;
    struct one one = {.visiting = visiting, .index = index};
    struct err *error = &visiting->errors[index];
    err_clear(error);
    if (limits_hold(visiting->limits, error)) {
        (void)mongodb_with(visiting->source, visiting->limits, visit_work, &one, error);
    }
}

bool mongodb_each(struct datasource *source, const struct datasource_limits *limits,
                  size_t count,
                  bool (*visit)(struct mongodb_session *session, size_t index,
                                void *context, struct err *err),
                  void *context, struct err *errors, struct err *err)
{
    struct visiting visiting = {.source = source,
                                .limits = limits,
                                .visit = visit,
                                .context = context,
                                .errors = errors};
    workers_each(count, VISITS, visit_one, &visiting);
    for (size_t i = 0; i < count; i++) {
        enum err_code code = errors[i].code;
        if (code == ERR_DATASOURCE_UNREACHABLE || code == ERR_STOPPED ||
            code == ERR_TIMEOUT) {
            *err = errors[i];
            return false;
        }
    }
    return true;
}
