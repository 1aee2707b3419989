/*
 * The tools: a row each, with its arguments as rows. The list that clients get, and the
 * checks of what they send, are made from these rows. A handler ends its call with one
 * result (reply.h), at once or later.
 */
#ifndef DGM_MCP_TOOLS_H
#define DGM_MCP_TOOLS_H

#include <stdbool.h>

#include "base/json.h"

struct mcp_call;

enum mcp_type { MCP_TEXT, MCP_INTEGER };

struct mcp_argument {
    const char *name; /* NULL: after the last */
    enum mcp_type type;
    bool needed;
    const char *choices; /* "a|b|c": the only values; or NULL */
    const char *about;   /* or NULL */
};

enum { MCP_ARGUMENTS = 6 };

struct mcp_tool {
    const char *name;
    const char *about;
    struct mcp_argument arguments[MCP_ARGUMENTS];
    const char *output; /* the properties of its result, as JSON */
    void (*run)(struct mcp_call *call, const json_t *arguments);
    bool helps; /* where dragoman is not sure, its result helps to write the SQL */
};

void mcp_tool_ask(struct mcp_call *call, const json_t *arguments);
void mcp_tool_sql(struct mcp_call *call, const json_t *arguments);
void mcp_tool_search(struct mcp_call *call, const json_t *arguments);
void mcp_tool_explain(struct mcp_call *call, const json_t *arguments);

#endif
