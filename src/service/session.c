/* Conversations through the public header. */
#include "base/buf.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/writer.h"
#include "service/access.h"
#include "service/question.h"
#include "store/store.h"

static void write_session(struct arena *arena, struct writer *writer,
                          const struct store_session *session)
{
    writer_key_text(writer, "session_id", session->id);
    writer_key_text(writer, "datasource", session->datasource);
    writer_key_text(writer, "title", session->title);
    writer_key_text(writer, "created_at", clock_iso(arena, session->created_at));
    writer_key_text(writer, "last_activity", clock_iso(arena, session->last_activity));
}

/* The session, if it is there for this access. */
static bool find(struct dgm *dgm, struct arena *arena, const struct dgm_access *access,
                 const char *id, struct store_session *out, struct err *err)
{
    if (!house_store(dgm, err) ||
        !store_session_get(dgm->agent.store, arena, str_or_empty(id), out, err)) {
        return false;
    }
    return (question_may_see(out->account, access_account(access)) &&
            access_sees_session(access, out)) ||
           err_set(err, ERR_SESSION_NOT_FOUND, "Session not found or expired");
}

bool dgm_access_session(struct dgm *dgm, const struct dgm_access *access,
                        const char *session_id, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    house_no_error(error);
    struct arena *arena = arena_new();
    struct store_session session = {0};
    bool ok = find(dgm, arena, access, session_id, &session, &err);
    arena_free(arena);
    return ok || house_fail(error, &err);
}

char *dgm_session_new_for(struct dgm *dgm, const struct dgm_access *access,
                          const char *datasource, struct dgm_error *error)
{
    char *bound = NULL;
    if (access_is_narrow(access) || !str_empty(datasource)) {
        bound = dgm_access_source(dgm, access, datasource, error);
        if (!bound) {
            return NULL;
        }
    }
    char *id = dgm_session_new(dgm, access_account(access), bound, error);
    memory_free(bound);
    return id;
}

char *dgm_session_new(struct dgm *dgm, const char *account, const char *datasource,
                      struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    house_no_error(error);
    char id[ID_SIZE];
    id_new("sess", id);
    struct store_session session = {
        .id = id,
        .account = str_empty(account) ? NULL : account,
        .datasource = str_empty(datasource) ? NULL : datasource,
        .created_at = clock_wall_s(),
        .last_activity = clock_wall_s(),
    };
    if (session.datasource && !house_source(dgm, session.datasource, account)) {
        (void)err_set(&err, ERR_DATASOURCE_NOT_FOUND, "There is no datasource '%s'.",
                      datasource);
    } else if (house_store(dgm, &err) &&
               store_session_create(dgm->agent.store, &session, &err)) {
        return memory_text(id);
    }
    (void)house_fail(error, &err);
    return NULL;
}

static char *list(struct dgm *dgm, const struct dgm_access *access, const char *account,
                  struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    house_no_error(error);
    struct arena *arena = arena_new();
    struct store_sessions sessions = {0};
    struct buf buf;
    buf_init(&buf, 64 * 1024 * 1024);
    if (!house_store(dgm, &err) ||
        !store_session_list(dgm->agent.store, arena, account, &sessions, &err)) {
        (void)house_fail(error, &err);
        arena_free(arena);
        return NULL;
    }
    struct writer writer;
    writer_init(&writer, &buf);
    writer_array(&writer);
    for (size_t i = 0; i < sessions.count; i++) {
        if (access_sees_session(access, &sessions.items[i])) {
            writer_object(&writer);
            write_session(arena, &writer, &sessions.items[i]);
            writer_object_end(&writer);
        }
    }
    writer_array_end(&writer);
    arena_free(arena);
    return buf_take(&buf);
}

char *dgm_session_list(struct dgm *dgm, const char *account, struct dgm_error *error)
{
    return list(dgm, NULL, account, error);
}

char *dgm_session_list_for(struct dgm *dgm, const struct dgm_access *access,
                           struct dgm_error *error)
{
    return list(dgm, access, access_account(access), error);
}

char *dgm_session_get_for(struct dgm *dgm, const struct dgm_access *access,
                          const char *id, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    house_no_error(error);
    struct arena *arena = arena_new();
    struct store_session session = {0};
    struct messages messages = {0};
    struct buf buf;
    buf_init(&buf, 256 * 1024 * 1024);
    if (!find(dgm, arena, access, id, &session, &err) ||
        !store_message_list(dgm->agent.store, arena, id, 100000, &messages, &err)) {
        (void)house_fail(error, &err);
        arena_free(arena);
        return NULL;
    }
    struct writer writer;
    writer_init(&writer, &buf);
    writer_object(&writer);
    write_session(arena, &writer, &session);
    writer_key(&writer, "messages");
    writer_array(&writer);
    for (size_t i = 0; i < messages.count; i++) {
        const struct message *message = &messages.items[i];
        writer_object(&writer);
        writer_key_text(&writer, "role", message->role);
        writer_key_text(&writer, "content", message->content);
        writer_key(&writer, "sql_query");
        writer_text(&writer, message->sql);
        writer_key_text(&writer, "query_id", message->query_id);
        writer_key_text(&writer, "timestamp", clock_iso(arena, message->at));
        writer_object_end(&writer);
    }
    writer_array_end(&writer);
    writer_object_end(&writer);
    arena_free(arena);
    return buf_take(&buf);
}

char *dgm_session_get(struct dgm *dgm, const char *id, struct dgm_error *error)
{
    return dgm_session_get_for(dgm, NULL, id, error);
}

bool dgm_session_delete_for(struct dgm *dgm, const struct dgm_access *access,
                            const char *id, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    house_no_error(error);
    struct arena *arena = arena_new();
    struct store_session session = {0};
    bool ok = find(dgm, arena, access, id, &session, &err) &&
              store_session_delete(dgm->agent.store, id, &err);
    arena_free(arena);
    return ok || house_fail(error, &err);
}

bool dgm_session_delete(struct dgm *dgm, const char *id, struct dgm_error *error)
{
    return dgm_session_delete_for(dgm, NULL, id, error);
}
