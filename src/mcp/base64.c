/* Base64 (RFC 4648), as headers carry names. */
#include "mcp/base64.h"

#include <stdint.h>
#include <string.h>

#include "base/arena.h"

enum { GROUP = 4, SIX = 6, EIGHT = 8, BYTE = 255 };

static int value_of(char c)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

const char *mcp_base64_read(struct arena *arena, const char *text, size_t size)
{
    size_t padding = 0;
    while (padding < 2 && padding < size && text[size - padding - 1] == '=') {
        padding++;
    }
    if (size % GROUP != 0) {
        return NULL;
    }
    char *out = arena_alloc(arena, size + 1);
    size_t used = 0;
    uint32_t bits = 0;
    int count = 0;
    for (size_t i = 0; i < size - padding; i++) {
        int value = value_of(text[i]);
        if (value < 0) {
            return NULL;
        }
        bits = (bits << SIX) | (uint32_t)value;
        count += SIX;
        if (count >= EIGHT) {
            count -= EIGHT;
            out[used++] = (char)((bits >> count) & BYTE);
        }
    }
    out[used] = '\0';
    return strlen(out) == used ? out : NULL;
}
