/* Addresses as people write them, made into URLs. */
#include <string.h>

#include "base/str.h"
#include "llm/provider.h"

/* A machine of one's own: plain http is meant when no scheme is given. */
static bool is_local(const char *host)
{
    size_t size = strcspn(host, ":/?#");
    return *host == '[' || (size > 0 && strspn(host, "0123456789.") == size) ||
           (size == 9 && strncmp(host, "localhost", 9) == 0) ||
           (size > 0 && memchr(host, '.', size) == NULL);
}

/* Scheme added when missing, white space and trailing slashes gone. */
static char *address_clean(struct arena *arena, const char *url)
{
    char *text = str_trim(arena, url);
    if (!strstr(text, "://")) {
        text = arena_format(arena, "%s%s", is_local(text) ? "http://" : "https://", text);
    }
    return text;
}

char *address_split(struct arena *arena, const char *url, char **path, const char **query)
{
    char *text = address_clean(arena, url);
    const char *host = strstr(text, "://") + 3;
    const char *start = host + strcspn(host, "/?#");
    size_t path_size = strcspn(start, "?#");
    const char *rest = start + path_size;
    *query = *rest == '?' ? arena_copy(arena, rest, strcspn(rest, "#")) : "";
    while (path_size > 0 && start[path_size - 1] == '/') {
        path_size--;
    }
    *path = arena_copy(arena, start, path_size);
    return arena_copy(arena, text, (size_t)(start - text));
}

char *address_safe(struct arena *arena, const char *url)
{
    char *path;
    const char *query;
    char *base = address_split(arena, url, &path, &query);
    char *scheme_end = strstr(base, "://") + 3;
    const char *at = strrchr(scheme_end, '@');
    if (at) {
        size_t scheme = (size_t)(scheme_end - base);
        base = arena_format(arena, "%.*s%s", (int)scheme, base, at + 1);
    }
    return arena_format(arena, "%s%s", base, path);
}
