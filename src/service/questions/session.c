/* Sessions and their messages. */
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/utf8.h"
#include "base/writer.h"
#include "service/accounts/access.h"
#include "service/questions/question.h"
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
static bool session_find(struct dgm *dgm, struct arena *arena,
                         const struct dgm_access *access, const char *id,
                         struct store_session *out, struct err *err)
{
    if (!instance_store(dgm, err) ||
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
    instance_no_error(error);
    struct arena *arena = arena_new();
    struct store_session session = {0};
    bool ok = session_find(dgm, arena, access, session_id, &session, &err);
    arena_free(arena);
    return ok || instance_fail(error, &err);
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
    instance_no_error(error);
    char id[ID_SIZE];
    id_new("sess", id);
    struct store_session session = {
        .id = id,
        .account = str_empty(account) ? NULL : account,
        .datasource = str_empty(datasource) ? NULL : datasource,
        .created_at = clock_wall_s(),
        .last_activity = clock_wall_s(),
    };
    if (session.datasource && !instance_source(dgm, session.datasource, account)) {
        (void)err_set(&err, ERR_DATASOURCE_NOT_FOUND, "There is no datasource '%s'.",
                      datasource);
    } else if (instance_store(dgm, &err) &&
               store_session_create(dgm->agent.store, &session, &err)) {
        return memory_text(id);
    }
    (void)instance_fail(error, &err);
    return NULL;
}

/* A part of them, as an array; *total: of all that the access may see. */
static char *list(struct dgm *dgm, const struct dgm_access *access, const char *account,
                  size_t offset, size_t limit, size_t *total, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    struct store_sessions sessions = {0};
    struct buf buf;
    buf_init(&buf, 64 * 1024 * 1024);
    if (!instance_store(dgm, &err) ||
        !store_session_list(dgm->agent.store, arena, account, &sessions, &err)) {
        (void)instance_fail(error, &err);
        arena_free(arena);
        return NULL;
    }
    struct writer writer;
    size_t seen = 0;
    writer_init(&writer, &buf);
    writer_array(&writer);
    for (size_t i = 0; i < sessions.count; i++) {
        if (!access_sees_session(access, &sessions.items[i])) {
            continue;
        }
        size_t place = seen++;
        if (place >= offset && place - offset < limit) {
            writer_object(&writer);
            write_session(arena, &writer, &sessions.items[i]);
            writer_object_end(&writer);
        }
    }
    writer_array_end(&writer);
    arena_free(arena);
    *total = seen;
    return buf_take(&buf);
}

char *dgm_session_page(struct dgm *dgm, const struct dgm_access *access, size_t offset,
                       size_t limit, struct dgm_error *error)
{
    size_t total = 0;
    char *array = list(dgm, access, access_account(access), offset, limit, &total, error);
    if (!array) {
        return NULL;
    }
    struct buf buf;
    struct writer writer;
    buf_init(&buf, 64 * 1024 * 1024);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key(&writer, "sessions");
    writer_raw(&writer, array);
    writer_key_int(&writer, "total", (int64_t)total);
    writer_object_end(&writer);
    memory_free(array);
    return buf_take(&buf);
}

bool dgm_session_rename(struct dgm *dgm, const struct dgm_access *access, const char *id,
                        const char *title, struct dgm_error *error)
{
    enum { TITLE_MOST = 400 };
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    size_t size = strlen(str_or_empty(title));
    if (!size || !utf8_valid(title, size, NULL) || size > TITLE_MOST) {
        (void)err_set(&err, ERR_INVALID_DATA, "A title has 1 to %d bytes.", TITLE_MOST);
        return instance_fail(error, &err);
    }
    struct arena *arena = arena_new();
    struct store_session session = {0};
    bool ok = session_find(dgm, arena, access, id, &session, &err) &&
              store_session_rename(dgm->agent.store, id, title, &err);
    arena_free(arena);
    return ok || instance_fail(error, &err);
}

char *dgm_session_list(struct dgm *dgm, const char *account, struct dgm_error *error)
{
    size_t total = 0;
    return list(dgm, NULL, account, 0, SIZE_MAX, &total, error);
}

char *dgm_session_list_for(struct dgm *dgm, const struct dgm_access *access,
                           struct dgm_error *error)
{
    size_t total = 0;
    return list(dgm, access, access_account(access), 0, SIZE_MAX, &total, error);
}

char *dgm_session_get_for(struct dgm *dgm, const struct dgm_access *access,
                          const char *id, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    struct store_session session = {0};
    struct messages messages = {0};
    struct buf buf;
    buf_init(&buf, 256 * 1024 * 1024);
    if (!session_find(dgm, arena, access, id, &session, &err) ||
        !store_message_list(dgm->agent.store, arena, id, 100000, &messages, &err)) {
        (void)instance_fail(error, &err);
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
    if (!running_write(dgm, arena, id, &writer, &err)) {
        (void)instance_fail(error, &err);
        buf_release(&buf);
        arena_free(arena);
        return NULL;
    }
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
    instance_no_error(error);
    struct arena *arena = arena_new();
    struct store_session session = {0};
    bool ok = session_find(dgm, arena, access, id, &session, &err) &&
              store_session_delete(dgm->agent.store, id, &err);
    arena_free(arena);
    return ok || instance_fail(error, &err);
}

bool dgm_session_delete(struct dgm *dgm, const char *id, struct dgm_error *error)
{
    return dgm_session_delete_for(dgm, NULL, id, error);
}
