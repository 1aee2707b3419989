/* Generates /openapi.json from the tables of routes and schemas. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "base/writer.h"
#include "server/exchange.h"
#include "server/response.h"
#include "server/routes/routes.h"
#include "server/schema.h"
#include "server/server.h"
#include "server/state.h"

enum { OPENAPI_MOST = 4 << 20 };

static void write_content(struct writer *writer, const char *schema)
{
    char place[128];
    (void)snprintf(place, sizeof place, "#/components/schemas/%s", schema);
    writer_key(writer, "content");
    writer_object(writer);
    writer_key(writer, "application/json");
    writer_object(writer);
    writer_key(writer, "schema");
    writer_object(writer);
    writer_key_text(writer, "$ref", place);
    writer_object_end(writer);
    writer_object_end(writer);
    writer_object_end(writer);
}

/* Query parameters of the routes. */
static const struct {
    const char *route;
    const char *name;
    const char *type;
    const char *text;
} queries[] = {
#define TEXT                                        "string"
#define INT                                         "integer"
#define BOOL                                        "boolean"
#define PARAMETER(handler, name, type, description) {#handler, #name, type, description},
#include "server/parameters.def"
#undef PARAMETER
#undef TEXT
#undef INT
#undef BOOL
};

static void write_parameter(struct writer *writer, const char *name, const char *in,
                            const char *type, const char *text)
{
    writer_object(writer);
    writer_key_text(writer, "name", name);
    writer_key_text(writer, "in", in);
    writer_key_text(writer, "description", text);
    writer_key_bool(writer, "required", str_equal(in, "path"));
    writer_key(writer, "schema");
    writer_object(writer);
    writer_key_text(writer, "type", type);
    writer_object_end(writer);
    writer_object_end(writer);
}

static void write_parameters(struct writer *writer, const struct route *route)
{
    writer_key(writer, "parameters");
    writer_array(writer);
    for (const char *at = strchr(route->path, '{'); at; at = strchr(at + 1, '{')) {
        char name[64];
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(at + 1, "}"), at + 1);
        write_parameter(writer, name, "path", "string", NULL);
    }
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        if (str_equal(queries[i].route, route->name)) {
            write_parameter(writer, queries[i].name, "query", queries[i].type,
                            queries[i].text);
        }
    }
    writer_array_end(writer);
}

/* Bodies of requests are read strictly. */
static bool is_request(const char *schema)
{
    const struct route *route = NULL;
    for (size_t i = 0; (route = router_at(i)); i++) {
        if (str_equal(route->request, schema)) {
            return true;
        }
    }
    return false;
}

static void write_reply(struct writer *writer, const char *status, const char *text,
                        const char *schema)
{
    writer_key(writer, status);
    writer_object(writer);
    writer_key_text(writer, "description", text);
    if (*schema) {
        write_content(writer, schema);
    }
    writer_object_end(writer);
}

/* The schema of errors; "": they are pages, for people who open a link. */
static const char *error_schema(const char *path)
{
    return str_starts(path, "/v1/")      ? "OpenAIError"
           : str_starts(path, "/share/") ? ""
                                         : "Error";
}

static void write_operation(struct writer *writer, const struct route *route)
{
    struct arena *arena = arena_new();
    writer_key(writer, str_lower(arena, route->method));
    arena_free(arena);
    writer_object(writer);
    writer_key_text(writer, "operationId", route->name);
    writer_key_text(writer, "summary", route->summary);
    write_parameters(writer, route);
    if (*route->request) {
        writer_key(writer, "requestBody");
        writer_object(writer);
        write_content(writer, route->request);
        writer_object_end(writer);
    }
    writer_key(writer, "responses");
    writer_object(writer);
    write_reply(writer, "2XX", route->summary, route->response);
    write_reply(writer, "default", "What went wrong", error_schema(route->path));
    writer_object_end(writer);
    writer_key(writer, "security");
    writer_array(writer);
    if (route->scope != SCOPE_OPEN) {
        writer_raw(writer, "{\"key\":[]}");
        writer_raw(writer, "{}");
    }
    writer_array_end(writer);
    writer_object_end(writer);
}

/* Routes with the same path need not be adjacent in the table: the first writes all of
 * them. */
static bool is_first(size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (str_equal(router_at(i)->path, router_at(index)->path)) {
            return false;
        }
    }
    return true;
}

static void write_paths(struct writer *writer)
{
    const struct route *route = NULL;
    const struct route *other = NULL;
    writer_object(writer);
    for (size_t i = 0; (route = router_at(i)); i++) {
        if (!is_first(i)) {
            continue;
        }
        writer_key(writer, route->path);
        writer_object(writer);
        for (size_t j = i; (other = router_at(j)); j++) {
            if (str_equal(route->path, other->path)) {
                write_operation(writer, other);
            }
        }
        writer_object_end(writer);
    }
    writer_object_end(writer);
}

void server_describe(struct buf *out)
{
    struct writer writer;
    buf_init(out, OPENAPI_MOST);
    writer_init(&writer, out);
    writer_object(&writer);
    writer_key_text(&writer, "openapi", "3.1.0");
    writer_key(&writer, "info");
    writer_object(&writer);
    writer_key_text(&writer, "title", "dragoman");
    writer_key_text(&writer, "version", dgm_version());
    writer_key_text(&writer, "description", "Ask databases in plain language.");
    writer_object_end(&writer);
    writer_key(&writer, "paths");
    write_paths(&writer);
    writer_key(&writer, "components");
    writer_object(&writer);
    writer_key(&writer, "schemas");
    schema_write_all(&writer, is_request);
    writer_key(&writer, "securitySchemes");
    writer_raw(&writer, "{\"key\":{\"type\":\"http\",\"scheme\":\"bearer\"}}");
    writer_object_end(&writer);
    writer_object_end(&writer);
}

void openapi_get(struct exchange *exchange)
{
    struct buf buf;
    server_describe(&buf);
    response_buf(exchange, 200, &buf);
}
