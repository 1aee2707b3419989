/* Saved queries of one account. */
#include "service/saved/saved.h"

#include <string.h>

#include "agent/sources/reach.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/str.h"
#include "base/utf8.h"
#include "base/writer.h"
#include "service/accounts/access.h"
#include "store/store.h"

enum { TEXT_MOST = 64 * 1024 * 1024, NAME_MOST = 200, SAVED_MOST = 5000 };

static const char kind[] = "saved";

static bool missing(struct err *err)
{
    return err->code == ERR_OK
               ? err_set(err, ERR_SAVED_NOT_FOUND, "There is no such saved query.")
               : false;
}

/* ------------------------------------------------------------------ JSON */

static void write_parameters(struct writer *writer, const struct saved *saved)
{
    writer_key(writer, "parameters");
    writer_array(writer);
    for (size_t i = 0; i < saved->count; i++) {
        const struct saved_parameter *parameter = &saved->parameters[i];
        writer_object(writer);
        writer_key_text(writer, "name", parameter->name);
        writer_key_text(writer, "type", parameter_type_name(parameter->type));
        if (parameter->has_default) {
            writer_key(writer, "default");
            writer_text(writer, parameter->fallback);
        }
        writer_object_end(writer);
    }
    writer_array_end(writer);
}

static void write_body(struct writer *writer, const struct saved *saved)
{
    writer_key_text(writer, "question", saved->question);
    writer_key_text(writer, "sql", saved->sql);
    writer_key_text(writer, "datasource", saved->datasource);
    write_parameters(writer, saved);
}

static void write_saved(struct arena *arena, struct writer *writer,
                        const struct saved *saved)
{
    writer_object(writer);
    writer_key_text(writer, "id", saved->id);
    writer_key_text(writer, "name", saved->name);
    write_body(writer, saved);
    writer_key_text(writer, "created_at", clock_iso(arena, saved->created_at));
    writer_key_text(writer, "updated_at", clock_iso(arena, saved->updated_at));
    writer_object_end(writer);
}

static const char *body_of(struct arena *arena, const struct saved *saved)
{
    struct buf buf;
    struct writer writer;
    buf_init(&buf, TEXT_MOST);
    writer_init(&writer, &buf);
    writer_object(&writer);
    write_body(&writer, saved);
    writer_object_end(&writer);
    const char *text = buf_clone(&buf, arena);
    buf_release(&buf);
    return text;
}

/* It was checked when it was stored: parameters are used as listed. */
static bool read_record(struct arena *arena, const struct store_record *record,
                        struct saved *out, struct err *err)
{
    const json_t *json = json_parse(arena, record->json, strlen(record->json), err);
    const json_t *list = json_array_at(json, "parameters");
    struct texts names = {0};
    *out = (struct saved){.id = record->id,
                          .name = record->name,
                          .question = json_text_at(json, "question"),
                          .sql = json_text_at(json, "sql"),
                          .datasource = json_text_at(json, "datasource"),
                          .created_at = record->created_at,
                          .updated_at = record->updated_at};
    for (size_t i = 0; i < json_array_size(list); i++) {
        VEC_PUSH(arena, &names, json_text_at(json_array_get(list, i), "name"));
    }
    return json && out->sql && saved_parameters_read(arena, list, &names, out, err);
}

/* ------------------------------------------------------------------ finding */

static bool sees(const struct dgm_access *access, const struct saved *saved)
{
    return !access_is_narrow(access) ||
           reach_holds_all(access->datasources, saved->datasource);
}

bool saved_open(struct dgm *dgm, struct arena *arena, const struct dgm_access *access,
                const char *id, struct saved *out, struct err *err)
{
    struct store_record record;
    const char *account = access_owner(access);
    *out = (struct saved){.id = NULL};
    const struct store_record by_id = {
        .kind = kind, .account = account, .id = str_or_empty(id)};
    const struct store_record by_name = {
        .kind = kind, .account = account, .scope = "", .name = str_or_empty(id)};
    bool found = instance_store(dgm, err) &&
                 (store_record_get(dgm->agent.store, arena, &by_id, &record, err) ||
                  (err->code == ERR_OK &&
                   store_record_get(dgm->agent.store, arena, &by_name, &record, err)));
    return (found && read_record(arena, &record, out, err) && sees(access, out)) ||
           missing(err);
}

/* ------------------------------------------------------------------ keeping */

static bool check_texts(const struct saved *saved, struct err *err)
{
    size_t size = saved->name ? strnlen(saved->name, NAME_MOST + 1) : 0;
    if (str_empty(saved->name) || size > NAME_MOST ||
        !utf8_valid(saved->name, size, NULL)) {
        return err_set(err, ERR_USAGE, "A saved query needs a name of at most %d bytes.",
                       NAME_MOST);
    }
    if (str_empty(saved->sql) || !utf8_valid(saved->sql, strlen(saved->sql), NULL)) {
        return err_set(err, ERR_USAGE, "A saved query needs SQL.");
    }
    const char *question = str_or_empty(saved->question);
    return utf8_valid(question, strlen(question), NULL) ||
           err_set(err, ERR_INVALID_TEXT, "The question is not valid UTF-8.");
}

/* Checks the SQL with sample values by the guard. */
static bool check_sql(struct dgm *dgm, struct arena *arena,
                      const struct dgm_access *access, const struct saved *saved,
                      struct datasource *source, struct err *err)
{
    struct dgm_verdict verdict;
    struct dgm_error error;
    const char *bound =
        saved_bind(arena, saved, datasource_dialect(source), NULL, true, err);
    if (!bound) {
        return false;
    }
    if (!dgm_guard_for(dgm, access_account(access), source->id, NULL, bound,
                       strlen(bound), &verdict, &error)) {
        return err_set(err, ERR_DATASOURCE_UNREACHABLE, "%s", error.message);
    }
    return verdict.allowed ||
           err_set(err,
                   verdict.unparsable || *verdict.reason == 'C' ? ERR_INVALID_SQL
                                                                : ERR_UNSAFE,
                   "%s", *verdict.reason ? verdict.reason : "The SQL is not allowed.");
}

/* Fills in what follows from what is given, and checks it. */
static bool complete(struct dgm *dgm, struct arena *arena,
                     const struct dgm_access *access, const char *parameters,
                     struct saved *saved, struct err *err)
{
    struct dgm_error error;
    struct texts found = {0};
    if (!check_texts(saved, err)) {
        return false;
    }
    char *id = dgm_access_source(dgm, access, saved->datasource, &error);
    saved->datasource = arena_text(arena, id);
    dgm_free(id);
    if (!saved->datasource) {
        return err_set(err, ERR_DATASOURCE_NOT_FOUND, "%s", error.message);
    }
    struct datasource *source = instance_datasource_for(
        dgm, arena, access_account(access), saved->datasource, err);
    if (!source) {
        return false;
    }
    parameters_find(arena, datasource_dialect(source), saved->sql, &found);
    if (parameters) {
        const json_t *json = json_parse(arena, parameters, strlen(parameters), err);
        if (!json || !saved_parameters_read(arena, json, &found, saved, err)) {
            return false;
        }
    }
    return check_sql(dgm, arena, access, saved, source, err);
}

static char *failed(struct dgm_error *error, const struct err *err, struct arena *arena)
{
    (void)instance_fail(error, err);
    arena_free(arena);
    return NULL;
}

char *dgm_saved_add(struct dgm *dgm, const struct dgm_access *access,
                    const struct dgm_saved *given, struct dgm_error *error)
{
    struct err err;
    char id[ID_SIZE];
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    struct saved saved = {.name = given->name,
                          .question = given->question,
                          .sql = given->sql,
                          .datasource = given->datasource};
    const char *parameters = str_empty(given->parameters) ? "[]" : given->parameters;
    if (!instance_store(dgm, &err) ||
        !complete(dgm, arena, access, parameters, &saved, &err)) {
        return failed(error, &err, arena);
    }
    const struct store_record record = {.kind = kind,
                                        .account = access_owner(access),
                                        .scope = "",
                                        .name = saved.name,
                                        .json = body_of(arena, &saved)};
    if (!store_record_put(dgm->agent.store, &record, false, SAVED_MOST, id, &err)) {
        if (err.code == ERR_OK) {
            (void)err_set(&err, ERR_SAVED_EXISTS,
                          "There is a saved query '%.100s' already.", saved.name);
        }
        return failed(error, &err, arena);
    }
    char *text = dgm_saved_get(dgm, access, id, error);
    arena_free(arena);
    return text;
}

char *dgm_saved_get(struct dgm *dgm, const struct dgm_access *access, const char *id,
                    struct dgm_error *error)
{
    struct err err;
    struct saved saved;
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    if (!saved_open(dgm, arena, access, id, &saved, &err)) {
        return failed(error, &err, arena);
    }
    struct buf buf;
    struct writer writer;
    buf_init(&buf, TEXT_MOST);
    writer_init(&writer, &buf);
    write_saved(arena, &writer, &saved);
    arena_free(arena);
    return buf_take(&buf);
}

char *dgm_saved_list(struct dgm *dgm, const struct dgm_access *access,
                     struct dgm_error *error)
{
    struct err err;
    struct store_records records = {0};
    const struct store_record like = {.kind = kind, .account = access_owner(access)};
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    if (!instance_store(dgm, &err) ||
        !store_record_list(dgm->agent.store, arena, &like, &records, &err)) {
        return failed(error, &err, arena);
    }
    struct buf buf;
    struct writer writer;
    buf_init(&buf, TEXT_MOST);
    writer_init(&writer, &buf);
    writer_array(&writer);
    for (size_t i = 0; i < records.count; i++) {
        struct saved saved;
        struct err ignored;
        err_clear(&ignored);
        if (read_record(arena, &records.items[i], &saved, &ignored) &&
            sees(access, &saved)) {
            write_saved(arena, &writer, &saved);
        }
    }
    writer_array_end(&writer);
    arena_free(arena);
    return buf_take(&buf);
}

char *dgm_saved_change(struct dgm *dgm, const struct dgm_access *access, const char *id,
                       const struct dgm_saved *given, struct dgm_error *error)
{
    struct err err;
    struct saved saved;
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    if (!saved_open(dgm, arena, access, id, &saved, &err)) {
        return failed(error, &err, arena);
    }
    bool runs = given->sql || given->datasource || given->parameters;
    saved.name = given->name ? given->name : saved.name;
    saved.question = given->question ? given->question : saved.question;
    saved.datasource = given->datasource ? given->datasource : saved.datasource;
    saved.sql = given->sql ? given->sql : saved.sql;
    const char *parameters = given->parameters ? given->parameters
                             : given->sql      ? "[]"
                                               : NULL;
    /* a new name does not need the database */
    bool ok = runs ? complete(dgm, arena, access, parameters, &saved, &err)
                   : check_texts(&saved, &err);
    const struct store_record record = {.kind = kind,
                                        .account = access_owner(access),
                                        .id = saved.id,
                                        .name = saved.name,
                                        .json = ok ? body_of(arena, &saved) : ""};
    if (ok && !store_record_change(dgm->agent.store, &record, &err)) {
        ok = err.code == ERR_OK &&
             err_set(&err, ERR_SAVED_EXISTS, "There is a saved query '%.100s' already.",
                     saved.name);
    }
    if (!ok) {
        return failed(error, &err, arena);
    }
    char *text = dgm_saved_get(dgm, access, saved.id, error);
    arena_free(arena);
    return text;
}

bool dgm_saved_remove(struct dgm *dgm, const struct dgm_access *access, const char *id,
                      struct dgm_error *error)
{
    struct err err;
    struct saved saved;
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    bool ok = saved_open(dgm, arena, access, id, &saved, &err);
    const struct store_record like = {
        .kind = kind, .account = access_owner(access), .id = ok ? saved.id : NULL};
    ok = ok && (store_record_delete(dgm->agent.store, &like, &err) || missing(&err));
    arena_free(arena);
    return ok || instance_fail(error, &err);
}
