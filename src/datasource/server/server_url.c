/* The URL of a database on a server, taken apart; what is malformed is refused. */
#include "datasource/server/server_url.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

enum { URL_MOST = 8192, PORT_MOST = 65535 };

/* NULL when a % is not followed by the two digits of a byte, or the byte is zero. */
static char *part_decode(struct arena *arena, const char *from, size_t size)
{
    char *out = arena_alloc(arena, size + 1);
    size_t used = 0;
    for (size_t i = 0; i < size; i++) {
        if (from[i] != '%') {
            out[used++] = from[i];
            continue;
        }
        int high = size - i > 2 ? str_hex_digit(from[i + 1]) : -1;
        int low = high >= 0 ? str_hex_digit(from[i + 2]) : -1;
        if (low < 0 || high * 16 + low == 0) {
            return NULL;
        }
        out[used++] = (char)(high * 16 + low);
        i += 2;
    }
    out[used] = '\0';
    return out;
}

static bool host_read(struct arena *arena, const char *text, size_t size,
                      struct server_url *out)
{
    const char *colon = NULL;
    if (size > 0 && text[0] == '[') {
        const char *end = memchr(text, ']', size);
        if (!end) {
            return false;
        }
        out->host = arena_copy(arena, text + 1, (size_t)(end - text) - 1);
        size_t after = (size_t)(end - text) + 1;
        if (after < size && text[after] != ':') {
            return false;
        }
        colon = after < size ? text + after : NULL;
    } else {
        colon = memchr(text, ':', size);
        size_t length = colon ? (size_t)(colon - text) : size;
        out->host = length ? part_decode(arena, text, length) : NULL;
        if (length && !out->host) {
            return false;
        }
    }
    if (!colon) {
        return true;
    }
    int64_t port = 0;
    const char *digits = arena_copy(arena, colon + 1, size - (size_t)(colon + 1 - text));
    if (!str_to_int(digits, &port) || port < 1 || port > PORT_MOST) {
        return false;
    }
    out->port = (int)port;
    return true;
}

static bool user_read(struct arena *arena, const char *text, size_t size,
                      struct server_url *out)
{
    const char *colon = memchr(text, ':', size);
    size_t length = colon ? (size_t)(colon - text) : size;
    out->user = part_decode(arena, text, length);
    if (colon) {
        out->password = part_decode(arena, colon + 1, size - length - 1);
    }
    return out->user && (!colon || out->password);
}

static bool parameters_read(struct arena *arena, const char *text, struct server_url *out)
{
    while (*text) {
        size_t size = strcspn(text, "&");
        const char *equals = memchr(text, '=', size);
        if (size > 0) {
            size_t length = equals ? (size_t)(equals - text) : size;
            char *name = part_decode(arena, text, length);
            const char *value =
                equals ? part_decode(arena, equals + 1, size - length - 1) : "";
            if (!name || !value) {
                return false;
            }
            for (char *at = name; *at; at++) {
                *at = *at == '-' ? '_' : (char)tolower((unsigned char)*at);
            }
            struct server_parameter *parameter = VEC_ADD(arena, &out->parameters);
            parameter->name = name;
            parameter->value = value;
        }
        text += size + (text[size] == '&');
    }
    return true;
}

bool server_url_read(struct arena *arena, const char *url, struct server_url *out)
{
    memset(out, 0, sizeof *out);
    const char *text = strstr(url, "://");
    if (!text || strlen(url) > URL_MOST) {
        return false;
    }
    text += 3;
    size_t size = strcspn(text, "/?");
    const char *at = text + size;
    while (at > text && at[-1] != '@') {
        at--;
    }
    if (at > text && !user_read(arena, text, (size_t)(at - text) - 1, out)) {
        return false;
    }
    if (!host_read(arena, at, size - (size_t)(at - text), out)) {
        return false;
    }
    text += size;
    if (*text == '/') {
        size = strcspn(++text, "?");
        out->database = size ? part_decode(arena, text, size) : NULL;
        if (size && !out->database) {
            return false;
        }
        text += size;
    }
    return *text != '?' || parameters_read(arena, text + 1, out);
}
