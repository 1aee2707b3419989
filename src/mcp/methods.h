/* The table of methods. A handler ends its call with one reply, at once or later. */
#ifndef DGM_MCP_METHODS_H
#define DGM_MCP_METHODS_H

#include <stdbool.h>
#include <stddef.h>

struct mcp_call;

enum mcp_era { MCP_ERA_2025 = 1, MCP_ERA_2026 = 2, MCP_ERA_BOTH = 3 };

#define MCP_VERSION_2026    "2026-07-28"
#define MCP_VERSION_2025    "2025-11-25"
#define MCP_VERSION_OLDER   "2025-06-18"
#define MCP_SUBSCRIPTION_ID "io.modelcontextprotocol/subscriptionId"

struct mcp_method {
    const char *name;
    void (*run)(struct mcp_call *call);
    unsigned eras;
    bool quick;        /* never blocks: handled by the thread that received it */
    const char *named; /* the parameter that the header Mcp-Name repeats; or NULL */
};

const struct mcp_method *mcp_method_find(const char *name, bool modern); /* or NULL */

/* Lists have one page, so a cursor is none of ours. True: the reply was sent. */
bool mcp_method_refuses_cursor(struct mcp_call *call);

/* In the files of their kind. */
void mcp_tools_list(struct mcp_call *call);
void mcp_tools_call(struct mcp_call *call);
void mcp_resources_list(struct mcp_call *call);
void mcp_resources_templates(struct mcp_call *call);
void mcp_resources_read(struct mcp_call *call);
void mcp_prompts_list(struct mcp_call *call);
void mcp_prompts_get(struct mcp_call *call);
void mcp_complete(struct mcp_call *call);
void mcp_logging_set(struct mcp_call *call);
void mcp_subscribe(struct mcp_call *call);
void mcp_unsubscribe(struct mcp_call *call);
void mcp_subscriptions_listen(struct mcp_call *call);

#endif
