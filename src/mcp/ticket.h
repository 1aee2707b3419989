/*
 * The state of a question that waits for its user, carried by the client (requestState of
 * 2026-07-28). It holds for this account, this request and ten minutes, and only this process
 * can make one: what comes back is as untrusted as everything else from a client.
 */
#ifndef DGM_MCP_TICKET_H
#define DGM_MCP_TICKET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/id.h"

struct mcp_call;

enum { MCP_TICKET_SIZE = 256 };

void mcp_ticket_write(const struct mcp_call *call, const char *query_id,
                      char out[MCP_TICKET_SIZE]);
/* The question of a ticket that came back with a call. False: it is not one of this account
 * and request, or it is too old. */
bool mcp_ticket_read(const struct mcp_call *call, const char *ticket,
                     char query_id[ID_SIZE]);

#endif
