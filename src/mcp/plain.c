/* Takes characters that act or hide out of texts. */
#include "mcp/plain.h"

#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"

#define INSTEAD "\xEF\xBF\xBD" /* U+FFFD */

/* The bytes that another text replaces, from here on; 0: the character stays. */
static size_t replaced(const char *text, size_t size, enum mcp_lines lines,
                       const char **instead)
{
    bool end = *text == '\n';
    if (end && lines == MCP_LINES) {
        return 0;
    }
    size_t bytes = utf8_acting(text, size);
    *instead = end || *text == '\r' ? " " : INSTEAD;
    return bytes;
}

const char *mcp_plain(struct arena *arena, const char *text, enum mcp_lines lines)
{
    size_t size = text ? strlen(text) : 0;
    const char *instead = NULL;
    size_t from = 0; /* of what is not yet copied */
    struct buf out;
    buf_init(&out, size * (sizeof INSTEAD - 1) + 1);
    for (size_t at = 0; at < size; at++) {
        size_t bytes = replaced(text + at, size - at, lines, &instead);
        if (bytes) {
            (void)buf_add(&out, text + from, at - from);
            (void)buf_text(&out, instead);
            from = at + bytes;
            at = from - 1;
        }
    }
    if (from) {
        (void)buf_add(&out, text + from, size - from);
        text = buf_clone(&out, arena);
    }
    buf_release(&out);
    return text;
}
