/*
 * Tools, resources and prompts beside dragoman's own. The program has none: extras.c is
 * empty. The conformance suite of the protocol calls tools of its own, so the tests link a
 * second program with another file in its place (tests/e2e/mcp/fixtures).
 */
#ifndef DGM_MCP_EXTRAS_H
#define DGM_MCP_EXTRAS_H

#include "base/writer.h"
#include "mcp/call.h"

/* Adds to the array of a list: "tools", "resources", "resourceTemplates" or "prompts". */
void mcp_extras_list(const char *list, struct writer *json);
/* Handles a request about one of them, by its method. False: it is about none. */
bool mcp_extras_handle(struct mcp_call *call);

#endif
