/* Base64 (RFC 4648), as headers carry names. */
#ifndef DGM_MCP_BASE64_H
#define DGM_MCP_BASE64_H

#include <stddef.h>

struct arena;

/* The text; NULL: this is no base64, or it holds a NUL byte. */
const char *mcp_base64_read(struct arena *arena, const char *text, size_t size);

#endif
