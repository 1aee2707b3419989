/*
 * The id of a conversation of 2025. It says what the client is able to do, and is signed with
 * a secret of the store for the key that began it: so every process with the same store can go
 * on with the conversation, and one that has forgotten it, too.
 */
#ifndef DGM_MCP_SESSION_H
#define DGM_MCP_SESSION_H

#include "mcp/call.h"

/* Signs with the secret that all processes share; without a store, with this process's own.
 * May block at the first call. */
void mcp_sign(struct mcp *mcp, const char *text, size_t size, char out[MCP_MAC_SIZE]);
/* Looks at every byte, wherever the first difference is. */
bool mcp_sign_same(const char *a, const char *b);

#endif
