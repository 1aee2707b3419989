/* The state of a question that waits for its user, carried by the client. */
#include "mcp/ticket.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/str.h"
#include "base/vec.h"
#include "mcp/call.h"
#include "mcp/methods.h"
#include "mcp/session.h"

#define VERSION "v1"

enum { LIFE_S = 600, TEXT_MOST = 4 << 20, PARTS = 4 };

/* The request without what a retry changes. */
static void add_request(const struct mcp_call *call, struct buf *out)
{
    static const char *const changing[] = {"_meta", "inputResponses", "requestState"};
    json_t *params = json_deep_copy(call->params);
    for (size_t i = 0; i < sizeof changing / sizeof *changing; i++) {
        (void)json_object_del(params, changing[i]);
    }
    char *text = json_dumps(params, JSON_COMPACT | JSON_SORT_KEYS);
    (void)buf_format(out, "%s\n%s", call->method->name, str_or_empty(text));
    free(text); /* jansson's own allocation */
    json_decref(params);
}

static void sign(const struct mcp_call *call, const char *query_id, int64_t until_s,
                 char out[MCP_MAC_SIZE])
{
    const struct dgm_access *access = mcp_call_access(call);
    struct buf text;
    buf_init(&text, TEXT_MOST);
    (void)buf_format(&text, VERSION "\n%s\n%lld\n%s\n%s\n", query_id, (long long)until_s,
                     mcp_call_account(call), access->datasources);
    add_request(call, &text);
    mcp_sign(call->client->mcp, buf_get(&text), text.size, out);
    buf_release(&text);
}

void mcp_ticket_write(const struct mcp_call *call, const char *query_id,
                      char out[MCP_TICKET_SIZE])
{
    char mac[MCP_MAC_SIZE];
    int64_t until_s = clock_wall_s() + LIFE_S;
    sign(call, query_id, until_s, mac);
    (void)snprintf(out, MCP_TICKET_SIZE, VERSION ".%s.%lld.%s", query_id,
                   (long long)until_s, mac);
}

bool mcp_ticket_read(const struct mcp_call *call, const char *ticket,
                     char query_id[ID_SIZE])
{
    struct arena *arena = arena_new();
    struct texts parts = {0};
    int64_t until_s = 0;
    char mac[MCP_MAC_SIZE] = "";
    bool good = strlen(ticket) < MCP_TICKET_SIZE;
    if (good) {
        str_split(arena, ticket, '.', &parts);
        good = parts.count == PARTS && str_equal(parts.items[0], VERSION) &&
               id_valid(parts.items[1]) && str_to_int(parts.items[2], &until_s);
    }
    if (good) {
        sign(call, parts.items[1], until_s, mac);
        good = mcp_sign_same(mac, parts.items[3]) && clock_wall_s() <= until_s;
        str_put(query_id, ID_SIZE, parts.items[1]);
    }
    arena_free(arena);
    return good;
}
