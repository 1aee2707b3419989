/* Commands and cursors: each is numbered by a comment, so that it can be found among what
 * the server works on, and ended there. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "datasource/mongodb/mongodb_driver.h"

enum {
    BATCH_DOCUMENTS = 500, /* short, so that a stop waits for little */
    KILL_PATIENCE_MS = 3000,
    TIME_MOST_MS = 15 * 60 * 1000,
    TAG_SIZE = 64,
};

bool mongodb_command(struct mongodb_session *session, const char *database,
                     const bson_t *command, bson_t *reply, struct err *err)
{
    bson_error_t error = {0};
    if (mongo.client_command_simple(session->client, database, command, NULL, reply,
                                    &error)) {
        session->base.answered = true;
        return true;
    }
    mongo.bson_destroy(reply);
    return mongodb_fail(session, &error, err);
}

bool mongodb_read(struct mongodb_session *session, mongoc_cursor_t *cursor,
                  bool (*row)(void *context, const bson_t *document), void *context,
                  struct err *err)
{
    const bson_t *document = NULL;
    const bson_t *reply = NULL;
    bson_error_t error = {0};
    while (mongo.cursor_next(cursor, &document)) {
        session->base.answered = true;
        if (!limits_hold(session->base.limits, err)) {
            return false;
        }
        if (!row(context, document)) {
            return true;
        }
    }
    if (mongo.cursor_error_document(cursor, &error, &reply)) {
        return mongodb_fail(session, &error, err);
    }
    session->base.answered = true;
    return limits_hold(session->base.limits, err);
}

/* ------------------------------------------------------------------ ending */

/* { currentOp: 1, $ownOps: true, "command.comment": tag }, and killOp for each. The
 * operation that reads a cursor on shows the command that opened it elsewhere. */
static void operations_kill(struct mongodb_session *session, const char *key,
                            const char *tag)
{
    struct err ignored;
    bson_t command;
    bson_t reply;
    bson_iter_t list;
    bson_iter_t operation;
    mongo.bson_init(&command);
    (void)mongo.bson_append_int32(&command, "currentOp", -1, 1);
    (void)mongo.bson_append_bool(&command, "$ownOps", -1, true);
    (void)mongo.bson_append_utf8(&command, key, -1, tag, -1);
    bool found = mongodb_command(session, "admin", &command, &reply, &ignored);
    mongo.bson_destroy(&command);
    if (!found) {
        return;
    }
    if (mongo.bson_iter_init_find(&list, &reply, "inprog") &&
        mongo.bson_iter_recurse(&list, &operation)) {
        while (mongo.bson_iter_next(&operation)) {
            bson_iter_t field;
            if (!mongo.bson_iter_recurse(&operation, &field)) {
                continue;
            }
            while (mongo.bson_iter_next(&field)) {
                if (strcmp(mongo.bson_iter_key(&field), "opid") != 0) {
                    continue;
                }
                bson_t answer;
                mongo.bson_init(&command);
                (void)mongo.bson_append_int32(&command, "killOp", -1, 1);
                (void)mongo.bson_append_value(&command, "op", -1,
                                              mongo.bson_iter_value(&field));
                if (mongodb_command(session, "admin", &command, &answer, &ignored)) {
                    mongo.bson_destroy(&answer);
                }
                mongo.bson_destroy(&command);
            }
        }
    }
    mongo.bson_destroy(&reply);
}

static void cursor_kill(struct mongodb_session *session, const char *collection,
                        int64_t id)
{
    struct err ignored;
    bson_t command;
    bson_t ids;
    bson_t reply;
    mongo.bson_init(&command);
    (void)mongo.bson_append_utf8(&command, "killCursors", -1, collection, -1);
    (void)mongo.bson_append_array_begin(&command, "cursors", -1, &ids);
    (void)mongo.bson_append_int64(&ids, "0", -1, id);
    (void)mongo.bson_append_array_end(&command, &ids);
    if (mongodb_command(session, session->state->database, &command, &reply, &ignored)) {
        mongo.bson_destroy(&reply);
    }
    mongo.bson_destroy(&command);
}

/* The own connection may be dead or busy: another one tells the server. */
static void find_end(struct mongodb_state *state, const char *collection, int64_t cursor,
                     const char *tag)
{
    struct err ignored;
    const struct datasource_limits limits = {.deadline_ms =
                                                 clock_ms() + KILL_PATIENCE_MS};
    struct mongodb_session *session = mongodb_connect(state, &limits, &ignored);
    if (!session) {
        return; /* the server ends it by maxTimeMS */
    }
    operations_kill(session, "command.comment", tag);
    if (cursor) {
        cursor_kill(session, collection, cursor);
    }
    mongodb_disconnect(session);
}

/* ------------------------------------------------------------------ finding */

static void options_fill(bson_t *options, const struct mongodb_session *session,
                         const struct mongodb_find *find, const char *tag)
{
    int64_t left = limits_left_ms(session->base.limits, TIME_MOST_MS);
    (void)mongo.bson_append_int64(options, "maxTimeMS", -1, left > 0 ? left : 1);
    (void)mongo.bson_append_int32(options, "batchSize", -1, BATCH_DOCUMENTS);
    (void)mongo.bson_append_utf8(options, "comment", -1, tag, -1);
    if (find->projection) {
        bson_t part;
        bson_iter_t iter;
        (void)mongo.bson_append_document_begin(options, "projection", -1, &part);
        if (mongo.bson_iter_init(&iter, find->projection)) {
            while (mongo.bson_iter_next(&iter)) {
                (void)mongo.bson_append_value(&part, mongo.bson_iter_key(&iter), -1,
                                              mongo.bson_iter_value(&iter));
            }
        }
        (void)mongo.bson_append_document_end(options, &part);
    }
    if (find->limit > 0) {
        (void)mongo.bson_append_int64(options, "limit", -1, find->limit);
    }
    if (find->newest) {
        bson_t part;
        (void)mongo.bson_append_document_begin(options, "sort", -1, &part);
        (void)mongo.bson_append_int32(&part, "_id", -1, -1);
        (void)mongo.bson_append_document_end(options, &part);
    }
}

bool mongodb_find(struct mongodb_session *session, const struct mongodb_find *find,
                  bool (*row)(void *context, const bson_t *document), void *context,
                  struct err *err)
{
    struct mongodb_state *state = session->state;
    char tag[TAG_SIZE];
    bson_t options;
    bson_t all;
    (void)snprintf(tag, sizeof tag, "dragoman %ld %lld %u", (long)getpid(),
                   (long long)clock_wall_ms(), atomic_fetch_add(&state->queries, 1));
    mongo.bson_init(&options);
    mongo.bson_init(&all);
    options_fill(&options, session, find, tag);
    mongoc_collection_t *collection =
        mongo.client_get_collection(session->client, state->database, find->collection);
    mongoc_cursor_t *cursor = mongo.collection_find_with_opts(
        collection, find->filter ? find->filter : &all, &options, NULL);
    bool ok = mongodb_read(session, cursor, row, context, err);
    int64_t id = mongo.cursor_get_id(cursor);
    bool ended = !ok && limits_spent(session->base.limits);
    if (ended) {
        find_end(state, find->collection, id, tag);
    }
    mongo.cursor_destroy(cursor); /* tells the server too when rows are left */
    mongo.collection_destroy(collection);
    mongo.bson_destroy(&all);
    mongo.bson_destroy(&options);
    return ok;
}
