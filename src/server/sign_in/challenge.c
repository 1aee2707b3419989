/* Tells clients where tokens come from. */
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "server/exchange.h"
#include "server/sign_in/sign_in.h"
#include "server/state.h"

static const char *const names[] = {
    [SCOPE_OPEN] = "read",
    [SCOPE_READ] = "read",
    [SCOPE_ASK] = "ask",
    [SCOPE_ADMIN] = "admin",
};

void sign_in_challenge(struct exchange *exchange, const struct err *err,
                       enum scope needed)
{
    const struct server_settings *settings = &exchange->server->settings;
    bool forbidden = err->code == ERR_FORBIDDEN;
    if (str_empty(settings->issuer) || (!forbidden && err->code != ERR_UNAUTHORIZED)) {
        return;
    }
    const char *error = forbidden              ? "error=\"insufficient_scope\", "
                        : exchange->credential ? "error=\"invalid_token\", "
                                               : "";
    const char *prefix = settings->scope_prefix;
    exchange->challenge = arena_format(
        exchange->arena,
        "Bearer %sresource_metadata=\"%s/.well-known/oauth-protected-resource%s\", "
        "scope=\"%s%s\"",
        error, sign_in_base(exchange), str_equal(exchange->path, "/mcp") ? "/mcp" : "",
        strpbrk(prefix, "\"\\") ? "" : prefix, names[needed]);
}
