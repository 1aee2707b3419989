/* Tells clients where tokens for this server come from (RFC 9728). */
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "base/writer.h"
#include "server/exchange.h"
#include "server/response.h"
#include "server/routes/routes.h"
#include "server/sign_in/sign_in.h"
#include "server/state.h"

static void write_resource(struct exchange *exchange, const char *path)
{
    static const char *const names[] = {"read", "ask"};
    const struct server_settings *settings = &exchange->server->settings;
    struct texts scopes = {0};
    struct texts issuers = {0};
    struct texts methods = {0};
    struct buf buf;
    struct writer writer;
    if (str_empty(settings->issuer)) {
        response_fail(exchange, ERR_NOT_FOUND, "This server has no single sign-on.");
        return;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        VEC_PUSH(exchange->arena, &scopes,
                 arena_format(exchange->arena, "%s%s", settings->scope_prefix, names[i]));
    }
    VEC_PUSH(exchange->arena, &issuers, settings->issuer);
    VEC_PUSH(exchange->arena, &methods, "header");
    buf_init(&buf, 65536);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key_text(&writer, "resource",
                    arena_format(exchange->arena, "%s%s", sign_in_base(exchange), path));
    writer_key_texts(&writer, "authorization_servers", &issuers);
    writer_key_texts(&writer, "scopes_supported", &scopes);
    writer_key_texts(&writer, "bearer_methods_supported", &methods);
    writer_object_end(&writer);
    response_buf(exchange, 200, &buf);
}

void resource_get(struct exchange *exchange)
{
    write_resource(exchange, "");
}

void resource_mcp(struct exchange *exchange)
{
    write_resource(exchange, "/mcp");
}
