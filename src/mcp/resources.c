/* Resources: the schema and the lessons of each datasource, and saved queries. */
#include <string.h>

#include "base/hash.h"
#include "base/str.h"
#include "base/utf8.h"
#include "mcp/call.h"
#include "mcp/extras.h"
#include "mcp/methods.h"
#include "mcp/objects.h"
#include "mcp/plain.h"
#include "mcp/reply.h"
#include "mcp/resources.h"

#define SCHEME "dragoman://"

enum { HASH_HEX = 33 };

/* The text of a resource; yours (dgm_free), NULL: there is none. */
typedef char *reader(const struct mcp_client *client, const char *id,
                     struct dgm_error *error);

struct kind {
    const char *name; /* of the address: dragoman://<name>/<id> */
    const char *title;
    const char *type;
    const char *parameter;
    reader *read;
    bool exact; /* SQL, which must stay as it is */
};

/* The id of a datasource that the caller may see; NULL and the error. */
static char *see(const struct mcp_client *client, const char *id, struct dgm_error *error)
{
    return dgm_access_source(client->mcp->settings.dgm, &client->access, id, error);
}

static char *read_schema(const struct mcp_client *client, const char *id,
                         struct dgm_error *error)
{
    char *seen = see(client, id, error);
    char *text = seen ? dgm_schema_for(client->mcp->settings.dgm,
                                       mcp_client_account(client), seen, "text", error)
                      : NULL;
    dgm_free(seen);
    return text;
}

static char *read_lessons(const struct mcp_client *client, const char *id,
                          struct dgm_error *error)
{
    char *seen = see(client, id, error);
    char *text = seen ? dgm_lesson_export(client->mcp->settings.dgm,
                                          mcp_client_account(client), seen, "yaml", error)
                      : NULL;
    dgm_free(seen);
    return text;
}

static char *read_saved(const struct mcp_client *client, const char *id,
                        struct dgm_error *error)
{
    return dgm_saved_get(client->mcp->settings.dgm, &client->access, id, error);
}

enum { KIND_SCHEMA, KIND_LESSONS, KIND_SAVED, KIND_COUNT };

static const struct kind kinds[KIND_COUNT] = {
    [KIND_SCHEMA] = {"schema", "Schema", "text/plain", "datasource", read_schema, false},
    [KIND_LESSONS] = {"lessons", "Lessons", "application/yaml", "datasource",
                      read_lessons, false},
    [KIND_SAVED] = {"saved", "Saved query", "application/json", "id", read_saved, true},
};

static void write_resource(struct writer *json, const struct kind *kind, const char *id,
                           const char *name)
{
    struct arena *arena = arena_new();
    writer_object(json);
    writer_key_text(json, "uri", arena_format(arena, SCHEME "%s/%s", kind->name, id));
    writer_key_text(
        json, "name",
        arena_format(arena, "%s: %s", kind->title, mcp_plain(arena, name, MCP_ONE_LINE)));
    writer_key_text(json, "mimeType", kind->type);
    writer_object_end(json);
    arena_free(arena);
}

void mcp_resources_list(struct mcp_call *call)
{
    struct mcp_reply reply;
    struct dgm_error error;
    struct texts ids = {0};
    if (mcp_method_refuses_cursor(call)) {
        return;
    }
    mcp_objects_sources(call, call->arena, &ids);
    char *text = dgm_saved_list(mcp_call_dgm(call), mcp_call_access(call), &error);
    const json_t *saved = text ? json_quick(call->arena, text, strlen(text)) : NULL;
    dgm_free(text);
    mcp_reply_open(&reply, call);
    writer_key(&reply.json, "resources");
    writer_array(&reply.json);
    for (size_t i = 0; i < ids.count; i++) {
        write_resource(&reply.json, &kinds[KIND_SCHEMA], ids.items[i], ids.items[i]);
        write_resource(&reply.json, &kinds[KIND_LESSONS], ids.items[i], ids.items[i]);
    }
    for (size_t i = 0; i < json_array_size(saved); i++) {
        const json_t *item = json_array_get(saved, i);
        write_resource(&reply.json, &kinds[KIND_SAVED],
                       str_or_empty(json_text_at(item, "id")),
                       str_or_empty(json_text_at(item, "name")));
    }
    mcp_extras_list("resources", &reply.json);
    writer_array_end(&reply.json);
    mcp_reply_cacheable(&reply, false);
    mcp_reply_close(&reply);
}

void mcp_resources_templates(struct mcp_call *call)
{
    struct mcp_reply reply;
    if (mcp_method_refuses_cursor(call)) {
        return;
    }
    mcp_reply_open(&reply, call);
    writer_key(&reply.json, "resourceTemplates");
    writer_array(&reply.json);
    for (size_t i = 0; i < KIND_COUNT; i++) {
        writer_object(&reply.json);
        writer_key_text(&reply.json, "uriTemplate",
                        arena_format(call->arena, SCHEME "%s/{%s}", kinds[i].name,
                                     kinds[i].parameter));
        writer_key_text(&reply.json, "name", kinds[i].title);
        writer_key_text(&reply.json, "mimeType", kinds[i].type);
        writer_object_end(&reply.json);
    }
    mcp_extras_list("resourceTemplates", &reply.json);
    writer_array_end(&reply.json);
    mcp_reply_cacheable(&reply, true);
    mcp_reply_close(&reply);
}

/* The kind of an address, and its id; NULL: it is none of ours. */
static const struct kind *kind_of(const char *uri, const char **id)
{
    const char *path = str_starts(uri, SCHEME) ? uri + strlen(SCHEME) : "";
    const char *slash = strchr(path, '/');
    for (size_t i = 0; i < KIND_COUNT && slash; i++) {
        size_t size = strlen(kinds[i].name);
        if ((size_t)(slash - path) == size && strncmp(path, kinds[i].name, size) == 0 &&
            slash[1]) {
            *id = slash + 1;
            return &kinds[i];
        }
    }
    return NULL;
}

void mcp_resource_refuse(struct mcp_call *call, const char *uri)
{
    if (!uri) {
        mcp_reply_refuse(call, MCP_INVALID_PARAMS, "The uri is missing.", NULL);
        return;
    }
    struct buf data;
    struct writer json;
    buf_init(&data, MCP_REPLY_MOST);
    writer_init(&json, &data);
    writer_object(&json);
    writer_key_text(&json, "uri", uri);
    writer_object_end(&json);
    mcp_reply_refuse(call, call->modern ? MCP_INVALID_PARAMS : MCP_RESOURCE_NOT_FOUND,
                     "There is no such resource.", buf_get(&data));
    buf_release(&data);
}

static void write_text(struct writer *json, const char *text)
{
    size_t size = strlen(text);
    size_t cut = utf8_cut(text, size, MCP_RESULT_MOST);
    struct buf buf;
    buf_init(&buf, (size_t)MCP_RESULT_MOST * 2);
    (void)buf_add(&buf, text, cut);
    if (cut < size) {
        (void)buf_format(&buf,
                         "\n[truncated: %zu of %zu bytes; search_objects finds the rest]",
                         cut, size);
    }
    writer_key_text(json, "text", buf_get(&buf));
    buf_release(&buf);
}

void mcp_resources_read(struct mcp_call *call)
{
    const char *uri = json_text_at(call->params, "uri");
    const char *id = NULL;
    struct dgm_error error = {.position = -1};
    const struct kind *kind = uri ? kind_of(uri, &id) : NULL;
    char *text = kind ? kind->read(call->client, id, &error) : NULL;
    if (!text) {
        if (!uri || !mcp_extras_handle(call)) {
            mcp_resource_refuse(call, uri);
        }
        return;
    }
    struct mcp_reply reply;
    mcp_reply_open(&reply, call);
    writer_key(&reply.json, "contents");
    writer_array(&reply.json);
    writer_object(&reply.json);
    writer_key_text(&reply.json, "uri", uri);
    writer_key_text(&reply.json, "mimeType", kind->type);
    write_text(&reply.json, kind->exact ? text : mcp_plain(call->arena, text, MCP_LINES));
    writer_object_end(&reply.json);
    writer_array_end(&reply.json);
    mcp_reply_cacheable(&reply, false);
    mcp_reply_close(&reply);
    dgm_free(text);
}

bool mcp_resource_hash(const struct mcp_client *client, const char *uri, uint64_t *hash)
{
    const char *id = NULL;
    struct dgm_error error = {.position = -1};
    const struct kind *kind = kind_of(uri, &id);
    char *text = kind ? kind->read(client, id, &error) : NULL;
    *hash = text ? hash_of(text, strlen(text)) : 0;
    dgm_free(text);
    return text != NULL;
}

/* Ids and names alone: saved queries also tell when they ran. */
static void hash_list(struct hash *hash, const char *text)
{
    struct arena *arena = arena_new();
    const json_t *list = text ? json_quick(arena, text, strlen(text)) : NULL;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        hash_text(hash, str_or_empty(json_text_at(item, "id")));
        hash_text(hash, str_or_empty(json_text_at(item, "name")));
    }
    arena_free(arena);
}

uint64_t mcp_resource_list_hash(const struct mcp_client *client)
{
    char hex[HASH_HEX];
    struct dgm_error error;
    struct dgm *dgm = client->mcp->settings.dgm;
    struct hash *hash = hash_new();
    char *sources = dgm_datasources_for(dgm, &client->access);
    char *saved = dgm_saved_list(dgm, &client->access, &error);
    hash_list(hash, sources);
    hash_list(hash, saved);
    hash_hex(hash, hex);
    hash_free(hash);
    dgm_free(sources);
    dgm_free(saved);
    return hash_of(hex, strlen(hex));
}

/* Ids of datasources, wherever one is wanted. */
void mcp_complete(struct mcp_call *call)
{
    enum { VALUES_MOST = 100 };
    const json_t *argument = json_object_at(call->params, "argument");
    const char *name = json_text_at(argument, "name");
    const char *value = json_text_at(argument, "value");
    struct texts ids = {0};
    if (!json_object_at(call->params, "ref") || !name || !value) {
        mcp_reply_refuse(call, MCP_INVALID_PARAMS,
                         "completion/complete wants ref and argument.", NULL);
        return;
    }
    if (str_equal(name, "datasource")) {
        mcp_objects_sources(call, call->arena, &ids);
    }
    struct mcp_reply reply;
    mcp_reply_open(&reply, call);
    writer_key(&reply.json, "completion");
    writer_object(&reply.json);
    writer_key(&reply.json, "values");
    writer_array(&reply.json);
    size_t count = 0;
    for (size_t i = 0; i < ids.count; i++) {
        if (str_starts_nocase(ids.items[i], value) && count++ < VALUES_MOST) {
            writer_text(&reply.json, ids.items[i]);
        }
    }
    writer_array_end(&reply.json);
    writer_key_int(&reply.json, "total", (int64_t)count);
    writer_key_bool(&reply.json, "hasMore", count > VALUES_MOST);
    writer_object_end(&reply.json);
    mcp_reply_close(&reply);
}
