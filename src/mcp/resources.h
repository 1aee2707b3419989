/* Resources, as one client may see them. */
#ifndef DGM_MCP_RESOURCES_H
#define DGM_MCP_RESOURCES_H

#include <stdbool.h>
#include <stdint.h>

struct mcp_call;
struct mcp_client;

/* A hash of the resource; false: there is none. May block. */
bool mcp_resource_hash(const struct mcp_client *client, const char *uri, uint64_t *hash);
/* A hash of the list of all resources. May block. */
uint64_t mcp_resource_list_hash(const struct mcp_client *client);
/* The error for an address that is none; NULL: none was given. */
void mcp_resource_refuse(struct mcp_call *call, const char *uri);

#endif
