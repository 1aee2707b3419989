/* URLs of databases that are reached by HTTP, taken apart. */
#include "datasource/web_url.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

enum { URL_MOST = 8192 };

/* NULL when a % is not followed by the number of a printable byte or one past ASCII. */
static const char *decode(struct arena *arena, const char *text, size_t size)
{
    char *out = arena_copy(arena, text, size);
    size_t end = 0;
    for (size_t i = 0; i < size; i++) {
        int byte = (unsigned char)text[i];
        if (byte == '%') {
            int high = i + 2 < size ? str_hex_digit(text[i + 1]) : -1;
            int low = high >= 0 ? str_hex_digit(text[i + 2]) : -1;
            byte = low >= 0 ? high * 16 + low : 0;
            i += 2;
        }
        if (byte < 0x20 || byte == 0x7f) {
            return NULL; /* would end a header line */
        }
        out[end++] = (char)byte;
    }
    out[end] = '\0';
    return out;
}

static bool pairs_read(struct arena *arena, const char *text, struct web_url *out)
{
    while (*text) {
        size_t size = strcspn(text, "&");
        size_t key = strcspn(text, "=&");
        if (size > 0) {
            if (out->count == WEB_URL_PAIRS) {
                return false;
            }
            struct web_url_pair *pair = &out->pairs[out->count++];
            pair->key = decode(arena, text, key);
            pair->value =
                key < size ? decode(arena, text + key + 1, size - key - 1) : "1";
            if (!pair->key || !pair->value) {
                return false;
            }
        }
        text += size + (text[size] == '&');
    }
    return true;
}

static bool host_read(struct arena *arena, const char *text, size_t size,
                      struct web_url *out)
{
    size_t host = 0;
    if (size > 0 && text[0] == '[') {
        const char *close = memchr(text, ']', size);
        host = close ? (size_t)(close - text) + 1 : 0;
    } else {
        while (host < size && text[host] != ':') {
            host++;
        }
    }
    out->host = decode(arena, text, host);
    out->port = "";
    if (host < size) {
        out->port = arena_copy(arena, text + host + 1, size - host - 1);
        size_t digits = strspn(out->port, "0123456789");
        if (text[host] != ':' || digits == 0 || digits > 5 || out->port[digits]) {
            return false;
        }
    }
    if (!out->host || strpbrk(out->host, "/?#@ \\\"<>")) {
        return false;
    }
    return host > 0 || size == 0;
}

static bool user_read(struct arena *arena, const char *text, size_t size,
                      struct web_url *out)
{
    const char *colon = memchr(text, ':', size);
    size_t user = colon ? (size_t)(colon - text) : size;
    out->user = decode(arena, text, user);
    out->password = colon ? decode(arena, colon + 1, size - user - 1) : "";
    return out->user && out->password;
}

bool web_url_read(struct arena *arena, const char *url, struct web_url *out)
{
    memset(out, 0, sizeof *out);
    out->user = out->password = out->path = "";
    const char *rest = strstr(url, "://");
    if (!rest || strlen(url) > URL_MOST) {
        return false;
    }
    out->scheme = str_lower(arena, arena_copy(arena, url, (size_t)(rest - url)));
    rest += 3;
    size_t size = strcspn(rest, "/?#");
    const char *at = memrchr(rest, '@', size);
    if (at && !user_read(arena, rest, (size_t)(at - rest), out)) {
        return false;
    }
    const char *host = at ? at + 1 : rest;
    if (!host_read(arena, host, (size_t)(rest + size - host), out)) {
        return false;
    }
    rest += size;
    size_t path = strcspn(rest, "?#");
    if (path > 0) {
        out->path = decode(arena, rest + 1, path - 1);
    }
    rest += path;
    return out->path && (*rest != '?' || pairs_read(arena, rest + 1, out));
}

const char *web_url_get(const struct web_url *url, const char *key)
{
    for (size_t i = 0; i < url->count; i++) {
        if (str_equal(url->pairs[i].key, key)) {
            return url->pairs[i].value;
        }
    }
    return NULL;
}

const char *web_url_stranger(const struct web_url *url, const char *const *known)
{
    for (size_t i = 0; i < url->count; i++) {
        const char *const *at = known;
        while (*at && !str_equal(*at, url->pairs[i].key)) {
            at++;
        }
        if (!*at) {
            return url->pairs[i].key;
        }
    }
    return NULL;
}

void web_url_encode(struct buf *out, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if ((c < 0x80 && isalnum(c)) || strchr("-._~", c)) {
            (void)buf_char(out, (char)c);
        } else {
            (void)buf_format(out, "%%%02X", c);
        }
    }
}
