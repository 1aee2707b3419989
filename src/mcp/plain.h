/* Texts from databases that people and models read. */
#ifndef DGM_MCP_PLAIN_H
#define DGM_MCP_PLAIN_H

#include "base/arena.h"

enum mcp_lines {
    MCP_ONE_LINE, /* line ends become spaces: titles, labels */
    MCP_LINES,    /* line ends stay */
};

/* The text without characters that act on what is around them or hide (control characters,
 * changes of direction): each becomes U+FFFD. Returns the text itself if it has none. */
const char *mcp_plain(struct arena *arena, const char *text, enum mcp_lines lines);

#endif
