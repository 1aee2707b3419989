/* What a host's model needs to write the SQL itself where dragoman is not sure: the relevant
 * tables only, the dialect, and what to mind in it. */
#ifndef DGM_MCP_CONTEXT_H
#define DGM_MCP_CONTEXT_H

#include "base/json.h"
#include "base/writer.h"

struct mcp_call;

/* Writes the key "context" with an object; nothing if the schema is not known. answer: the
 * answer object, whose question and tables say what is relevant. */
void mcp_context_write(struct mcp_call *call, const json_t *answer, struct writer *json);

#endif
