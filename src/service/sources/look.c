/* Lists datasources, schemas, states and suggested questions. */
#include <stdio.h>
#include <string.h>

#include "agent/sources/reach.h"
#include "agent/suggest/suggest.h"
#include "base/buf.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/writer.h"
#include "service/accounts/access.h"
#include "service/instance.h"
#include "service/questions/recover.h"
#include "service/questions/resume.h"
#include "service/sample/sample.h"
#include "service/sources/schema_draw.h"
#include "sql/describe/describe.h"
#include "store/store.h"

enum { TEXT_MOST = 256 * 1024 * 1024 };

/*
 * The driver's name as the URL tells it, without opening anything; NULL when it does not.
 */
static const char *kind_of(const char *url)
{
    const struct datasource_driver *driver = NULL;
    for (size_t i = 0; (driver = datasource_driver_at(i)); i++) {
        for (const char *const *scheme = driver->schemes; *scheme; scheme++) {
            size_t size = strlen(*scheme);
            if (str_starts_nocase(url, *scheme) && url[size] == ':') {
                return driver->name;
            }
        }
        for (const char *const *extension = driver->extensions; *extension; extension++) {
            if (str_ends_nocase(url, *extension)) {
                return driver->name;
            }
        }
    }
    return NULL;
}

char *dgm_datasources_for(struct dgm *dgm, const struct dgm_access *access)
{
    struct arena *arena = arena_new();
    struct buf buf;
    struct writer writer;
    const bool admin = access_is_admin(access);
    buf_init(&buf, TEXT_MOST);
    writer_init(&writer, &buf);
    writer_array(&writer);
    const struct datasource_setting *setting = NULL;
    for (size_t i = 0; (setting = sources_at(dgm->agent.sources, i)); i++) {
        if (access && !reach_holds(access->datasources, setting->id)) {
            continue;
        }
        writer_object(&writer);
        writer_key_text(&writer, "id", setting->id);
        writer_key_text(&writer, "kind", kind_of(setting->url));
        if (admin) {
            writer_key_text(&writer, "url", datasource_safe_url(arena, setting->url));
        }
        writer_key_text(&writer, "description", setting->description);
        writer_key_bool(&writer, "writable", setting->writable);
        if (admin && setting->added) {
            writer_key_bool(&writer, "added", true);
        }
        writer_object_end(&writer);
    }
    writer_array_end(&writer);
    arena_free(arena);
    return buf_take(&buf);
}

char *dgm_datasources(struct dgm *dgm)
{
    return dgm_datasources_for(dgm, NULL);
}

/* The fresh schema of the datasource meant; a reference. */
static struct schema *schema_of(struct dgm *dgm, const char *account, const char *id,
                                struct err *err)
{
    struct arena *keeper = arena_new();
    struct datasource *source = instance_datasource_for(dgm, keeper, account, id, err);
    struct schema *schema = source ? instance_schema(dgm, source, err) : NULL;
    arena_free(keeper);
    return schema;
}

/* What is known of a database that does not answer says so, in each format's own way. */
static void say_stale(struct buf *buf, const char *format, const char *why)
{
    char *drawn = buf_take(buf);
    buf_init(buf, TEXT_MOST);
    if (str_equal(format, "json")) {
        struct writer writer;
        struct buf reason;
        buf_init(&reason, TEXT_MOST);
        writer_init(&writer, &reason);
        writer_text(&writer, why);
        (void)buf_format(buf, "{\n  \"stale\": true,\n  \"stale_reason\": %s,%s",
                         buf_get(&reason), drawn + 1);
        buf_release(&reason);
    } else {
        (void)buf_format(buf, "%s%s This is the last known schema.\n%s",
                         str_equal(format, "mermaid") ? "%% " : "", why, drawn);
    }
    memory_free(drawn);
}

char *dgm_schema(struct dgm *dgm, const char *datasource, const char *format,
                 struct dgm_error *error)
{
    return dgm_schema_for(dgm, NULL, datasource, format, error);
}

char *dgm_schema_for(struct dgm *dgm, const char *account, const char *datasource,
                     const char *format, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    bool stale = false;
    struct arena *keeper = arena_new();
    struct datasource *source =
        instance_datasource_for(dgm, keeper, account, datasource, &err);
    struct schema *schema =
        source ? instance_schema_known(dgm, source, &stale, &err) : NULL;
    arena_free(keeper);
    struct err why = err;
    struct buf buf;
    buf_init(&buf, TEXT_MOST);
    if (stale) {
        err_clear(&err);
    }
    if (schema && schema->tables.count == 0) {
        (void)err_set(&err, ERR_EMPTY_SCHEMA, "The database '%s' has no tables.",
                      schema->datasource);
    } else if (schema && !schema_draw(schema, format, &buf)) {
        (void)err_set(&err, ERR_USAGE, "There is no schema format '%s'.", format);
    } else if (schema && stale) {
        say_stale(&buf, format, why.message);
    }
    schema_unref(schema);
    if (err.code != ERR_OK) {
        buf_release(&buf);
        (void)instance_fail(error, &err);
        return NULL;
    }
    return buf_take(&buf);
}

char *dgm_states(const char *format)
{
    struct buf buf;
    buf_init(&buf, TEXT_MOST);
    if (!moves_print(format, &buf)) {
        return NULL;
    }
    return buf_take(&buf);
}

char *dgm_suggestions(struct dgm *dgm, const char *datasource, struct dgm_error *error)
{
    return dgm_suggestions_for(dgm, NULL, datasource, error);
}

char *dgm_suggestions_for(struct dgm *dgm, const char *account, const char *datasource,
                          struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    struct schema *schema = schema_of(dgm, account, datasource, &err);
    if (!schema) {
        (void)instance_fail(error, &err);
        return NULL;
    }
    struct arena *arena = arena_new();
    struct texts questions = {0};
    suggest_beginnings(arena, schema, 6, &questions);
    struct buf buf;
    struct writer writer;
    buf_init(&buf, TEXT_MOST);
    writer_init(&writer, &buf);
    writer_array(&writer);
    for (size_t i = 0; i < questions.count; i++) {
        writer_text(&writer, questions.items[i]);
    }
    writer_array_end(&writer);
    arena_free(arena);
    schema_unref(schema);
    return buf_take(&buf);
}

char *dgm_explain_sql(const char *dialect, const char *sql)
{
    enum dialect found = DIALECT_SQLITE;
    if (!dialect_find(dialect, &found)) {
        return NULL;
    }
    struct arena *arena = arena_new();
    char *text = memory_text(describe_sql_text(arena, found, sql));
    arena_free(arena);
    return text;
}

/* NULL: the account's last question; "" without any. */
static const char *wanted_id(struct dgm *dgm, struct arena *arena,
                             const struct dgm_request *request, const char *query_id)
{
    struct store_question *last = NULL;
    size_t count = 0;
    struct err err;
    err_clear(&err);
    bool found = !query_id &&
                 store_question_list(dgm->agent.store, arena, request_account(request), 1,
                                     &last, &count, &err);
    return query_id ? query_id : found && count ? last[0].id : "";
}

char *dgm_answer_load_for(struct dgm *dgm, const struct dgm_access *access,
                          const char *query_id, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    struct store_question stored = {0};
    struct dgm_request request = {.access = access};
    char *answer = NULL;
    if (!instance_store(dgm, &err) ||
        !resume_find(dgm, arena, wanted_id(dgm, arena, &request, query_id), &stored,
                     &err)) {
        (void)instance_fail(error, &err);
    } else if (!request_sees_question(&request, &stored)) {
        (void)err_set(&err, ERR_QUERY_NOT_FOUND, "There is no question with this id.");
        (void)instance_fail(error, &err);
    } else if (!stored.answer &&
               (!instance_ready(dgm, &err) || !recover_one(dgm, &stored) ||
                !store_question_get(dgm->agent.store, arena, stored.id, &stored, &err))) {
        (void)err_set(&err, ERR_QUERY_NOT_FOUND, "The question has no answer yet.");
        (void)instance_fail(error, &err);
    } else {
        answer = memory_text(stored.answer);
    }
    arena_free(arena);
    return answer;
}

char *dgm_answer_load(struct dgm *dgm, const char *query_id, struct dgm_error *error)
{
    return dgm_answer_load_for(dgm, NULL, query_id, error);
}

bool dgm_sample(const char *path, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    return sample_create(path, &err) || instance_fail(error, &err);
}
