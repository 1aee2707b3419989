/* Log messages for clients: states at debug, warnings of an answer, failures. A client gets
 * none until it sets a level: with logging/setLevel (2025), or in each request (2026). */
#ifndef DGM_MCP_LOGGING_H
#define DGM_MCP_LOGGING_H

#include "mcp/call.h"

/* MCP_LOG_NONE: there is no such level. */
enum mcp_level mcp_level_find(const char *name);
/* Sends a message if the client of the call wants messages of this level. */
void mcp_log(struct mcp_call *call, enum mcp_level level, const char *text);

#endif
