/* What a request says about its client: the era of the protocol, and what it is able to do. */
#ifndef DGM_MCP_ABILITIES_H
#define DGM_MCP_ABILITIES_H

#include <stdbool.h>

#include "mcp/call.h"

/* Of a client's capabilities; version: of 2025, or NULL. */
struct mcp_abilities mcp_abilities_read(const json_t *capabilities, const char *version);
/* Is it a request of 2026-07-28? */
bool mcp_abilities_is_modern(const json_t *params, const struct mcp_headers *headers);
/* Fills the call from its client or, in 2026, from the request itself, which is checked.
 * False: the reply was sent. */
bool mcp_abilities_take(struct mcp_call *call, const char *method,
                        const struct mcp_headers *headers);

#endif
