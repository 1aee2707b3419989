/* The history: which questions an account asked. */
#include <string.h>

#include "agent/sources/reach.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/str.h"
#include "base/writer.h"
#include "service/accounts/access.h"
#include "store/store.h"

enum { TEXT_MOST = 64 * 1024 * 1024, USUAL = 100, MOST = 1000 };

static void write_past(struct arena *arena, struct writer *writer,
                       const struct store_past *past)
{
    writer_object(writer);
    writer_key_text(writer, "query_id", past->id);
    writer_key_text(writer, "question", past->question);
    writer_key_text(writer, "datasource", past->datasource);
    writer_key_text(writer, "status", past->status);
    writer_key_text(writer, "sql", past->sql);
    writer_key_text(writer, "created_at", clock_iso(arena, past->at));
    writer_key_text(writer, "brain", past->brain);
    if (past->row_count >= 0) {
        writer_key_int(writer, "row_count", past->row_count);
    }
    writer_key_text(writer, "session_id", past->session_id);
    writer_object_end(writer);
}

/* A key for a single datasource need not name it. */
static const char *past_meant(const struct dgm_access *access, const char *datasource)
{
    return str_empty(datasource) && access_is_narrow(access) &&
                   !strchr(access->datasources, ',')
               ? access->datasources
               : datasource;
}

/* A key for certain datasources sees the history of one of them at a time. */
static bool may_look(const struct dgm_access *access, const char *datasource,
                     struct err *err)
{
    if (!access_is_narrow(access) ||
        (!str_empty(datasource) && reach_holds_all(access->datasources, datasource))) {
        return true;
    }
    return str_empty(datasource) ? err_set(err, ERR_USAGE, "Name the datasource.")
                                 : err_set(err, ERR_DATASOURCE_NOT_FOUND,
                                           "There is no datasource '%.64s'.", datasource);
}

char *dgm_history(struct dgm *dgm, const struct dgm_access *access,
                  const struct dgm_history_query *query, struct dgm_error *error)
{
    struct err err;
    struct store_pasts pasts = {0};
    size_t total = 0;
    const struct dgm_history_query all = {0};
    query = query ? query : &all;
    err_clear(&err);
    instance_no_error(error);
    const char *datasource = past_meant(access, query->datasource);
    struct arena *arena = arena_new();
    int64_t limit = query->limit > 0 ? query->limit : USUAL;
    const struct store_past_query wanted = {
        .account = access_account(access),
        .search = query->search,
        .datasource = datasource,
        .most = (size_t)(limit < MOST ? limit : MOST),
        .skip = query->offset > 0 ? (size_t)query->offset : 0};
    if (!may_look(access, datasource, &err) || !instance_store(dgm, &err) ||
        !store_past_list(dgm->agent.store, arena, &wanted, &pasts, &total, &err)) {
        (void)instance_fail(error, &err);
        arena_free(arena);
        return NULL;
    }
    struct buf buf;
    struct writer writer;
    buf_init(&buf, TEXT_MOST);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key(&writer, "questions");
    writer_array(&writer);
    for (size_t i = 0; i < pasts.count; i++) {
        write_past(arena, &writer, &pasts.items[i]);
    }
    writer_array_end(&writer);
    writer_key_int(&writer, "total", (int64_t)total);
    writer_object_end(&writer);
    arena_free(arena);
    return buf_take(&buf);
}

int64_t dgm_history_remove(struct dgm *dgm, const struct dgm_access *access,
                           const char *query_id, struct dgm_error *error)
{
    struct err err;
    size_t count = 0;
    err_clear(&err);
    instance_no_error(error);
    bool ok = instance_store(dgm, &err) &&
              store_past_delete(dgm->agent.store, access_account(access), query_id,
                                &count, &err);
    if (ok && !str_empty(query_id) && count == 0) {
        ok = err_set(&err, ERR_QUERY_NOT_FOUND, "There is no such question.");
    }
    if (!ok) {
        (void)instance_fail(error, &err);
        return -1;
    }
    return (int64_t)count;
}
