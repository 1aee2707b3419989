/* What a login may do on a MongoDB server, and how it gets there; for the doctor. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "datasource/mongodb/mongodb_driver.h"

/* A login that reads needs none of these. */
static const char *const writers[] = {
    "readWrite",
    "readWriteAnyDatabase",
    "dbOwner",
    "dbAdmin",
    "dbAdminAnyDatabase",
    "userAdmin",
    "userAdminAnyDatabase",
    "clusterAdmin",
    "clusterManager",
    "hostManager",
    "restore",
    "root",
    "__system",
};

/* These rule the server, or may make themselves do so. */
static const char *const rulers[] = {
    "root",        "__system", "clusterAdmin",         "clusterManager",
    "hostManager", "restore",  "userAdminAnyDatabase",
};

struct inspecting {
    struct arena *arena;
    struct datasource_inspection *out;
};

static const char *text_at(struct arena *arena, const bson_iter_t *document,
                           const char *key)
{
    bson_iter_t field;
    if (!mongo.bson_iter_recurse(document, &field)) {
        return "";
    }
    while (mongo.bson_iter_next(&field)) {
        if (str_equal(mongo.bson_iter_key(&field), key) &&
            mongo.bson_iter_type(&field) == BSON_TYPE_UTF8) {
            uint32_t length = 0;
            const char *text = mongo.bson_iter_utf8(&field, &length);
            size_t size = length;
            text = text_clean(arena, text, &size);
            return arena_copy(arena, text, size);
        }
    }
    return "";
}

static bool in_list(const char *const *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (str_equal(list[i], name)) {
            return true;
        }
    }
    return false;
}

static void role_note(struct mongodb_login *login, const bson_iter_t *role)
{
    const char *name = text_at(login->arena, role, "role");
    const char *database = text_at(login->arena, role, "db");
    bool ruler = in_list(rulers, sizeof rulers / sizeof *rulers, name) ||
                 (str_equal(database, "admin") &&
                  (str_equal(name, "dbOwner") || str_equal(name, "userAdmin")));
    if (ruler || in_list(writers, sizeof writers / sizeof *writers, name)) {
        const char *text =
            arena_format(login->arena, "has the role '%s' on '%s'", name, database);
        VEC_PUSH(login->arena, &login->dangers, text);
        if (ruler) {
            VEC_PUSH(login->arena, &login->ruling, text);
        }
    }
}

/* { authInfo: { authenticatedUsers: [{ user, db }], authenticatedUserRoles: […] } } */
static void login_note(struct mongodb_login *login, const bson_t *reply)
{
    bson_iter_t about;
    bson_iter_t field;
    bson_iter_t item;
    if (!mongo.bson_iter_init_find(&about, reply, "authInfo") ||
        !mongo.bson_iter_recurse(&about, &field)) {
        return;
    }
    while (mongo.bson_iter_next(&field)) {
        const char *key = mongo.bson_iter_key(&field);
        if (mongo.bson_iter_type(&field) != BSON_TYPE_ARRAY ||
            !mongo.bson_iter_recurse(&field, &item)) {
            continue;
        }
        while (mongo.bson_iter_next(&item)) {
            if (str_equal(key, "authenticatedUsers")) {
                login->user = text_at(login->arena, &item, "user");
            } else if (str_equal(key, "authenticatedUserRoles")) {
                role_note(login, &item);
            }
        }
    }
    if (!login->user) {
        VEC_PUSH(login->arena, &login->dangers,
                 "requires no login: anyone who can connect may change it");
    }
}

static bool mongodb_inspect_ask(struct mongodb_session *session, const char *name,
                                bson_t *reply, struct err *err)
{
    bson_t command;
    mongo.bson_init(&command);
    (void)mongo.bson_append_int32(&command, name, -1, 1);
    bool ok = mongodb_command(session, "admin", &command, reply, err);
    mongo.bson_destroy(&command);
    return ok;
}

bool mongodb_login_ask(struct mongodb_session *session, struct mongodb_login *login,
                       struct err *err)
{
    bson_t reply;
    if (!mongodb_inspect_ask(session, "connectionStatus", &reply, err)) {
        return false;
    }
    login_note(login, &reply);
    mongo.bson_destroy(&reply);
    return true;
}

static bool inspect_work(struct mongodb_session *session, void *context, struct err *err)
{
    struct inspecting *work = context;
    bson_t reply;
    bson_iter_t field;
    if (!mongodb_inspect_ask(session, "buildInfo", &reply, err)) {
        return false;
    }
    if (mongo.bson_iter_init_find(&field, &reply, "version") &&
        mongo.bson_iter_type(&field) == BSON_TYPE_UTF8) {
        work->out->version =
            arena_format(work->arena, "MongoDB %s", mongo.bson_iter_utf8(&field, NULL));
    }
    mongo.bson_destroy(&reply);
    if (!mongodb_inspect_ask(session, "hello", &reply, err)) {
        return false;
    }
    if (mongo.bson_iter_init_find(&field, &reply, "localTime") &&
        mongo.bson_iter_type(&field) == BSON_TYPE_DATE_TIME) {
        work->out->clock_ms = mongo.bson_iter_date_time(&field);
    }
    mongo.bson_destroy(&reply);
    struct mongodb_login login = {.arena = work->arena};
    if (!mongodb_login_ask(session, &login, err)) {
        return false;
    }
    work->out->user = login.user;
    work->out->dangers = login.dangers;
    work->out->ruling = login.ruling;
    server_reader_write(work->arena, SERVER_READER_MONGODB, session->state->database,
                        &(struct texts){0}, &work->out->reader);
    return true;
}

bool mongodb_inspect(struct datasource *source, struct arena *arena,
                     const struct datasource_limits *limits,
                     struct datasource_inspection *out, struct err *err)
{
    struct mongodb_state *state = source->state;
    struct inspecting work = {.arena = arena, .out = out};
    out->encryption = mongo.uri_get_tls(state->uri) ? "TLS" : "none";
    out->remote = !state->here;
    return mongodb_with(source, limits, inspect_work, &work, err);
}
