/* Hides the tokens of links in paths. Requests that are refused are logged, too, and their paths
 * come in any spelling. */
#include "server/discreet.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/str.h"

enum { RUN_LEAST = 40 /* ids are shorter, tokens longer, even those that were cut */ };

static const char hidden[] = "{token}";

static int value_of(char digit)
{
    return isdigit((unsigned char)digit) ? digit - '0'
                                         : tolower((unsigned char)digit) - 'a' + 10;
}

/* Until nothing is left to decode: "%252F" becomes "/", too. */
static char *decoded(struct arena *arena, const char *path)
{
    char *out = arena_text(arena, path);
    size_t size = 0;
    for (const char *at = path; *at; at++) {
        out[size++] = *at;
        while (size >= 3 && out[size - 3] == '%' &&
               isxdigit((unsigned char)out[size - 2]) &&
               isxdigit((unsigned char)out[size - 1])) {
            int value = value_of(out[size - 2]) * 16 + value_of(out[size - 1]);
            out[size - 3] = (char)(value ? value : '?');
            size -= 2;
        }
    }
    out[size] = '\0';
    return out;
}

static bool is_slash(char c)
{
    return c == '/' || c == '\\';
}

/* Behind "share/", where that is a part of the path; NULL: it is not. */
static char *after_share(char *path)
{
    static const char word[] = "share";
    const size_t size = sizeof word - 1;
    for (char *at = path; *at; at++) {
        if ((at == path || is_slash(at[-1])) && strncasecmp(at, word, size) == 0 &&
            is_slash(at[size])) {
            return at + size + 1;
        }
    }
    return NULL;
}

/* The first long run of hexadecimal digits, and its size; NULL: none. */
static const char *long_run(const char *text, size_t *size)
{
    *size = 0;
    for (const char *at = text; *at; at += *size ? *size : 1) {
        *size = strspn(at, "0123456789abcdefABCDEF");
        if (*size >= RUN_LEAST) {
            return at;
        }
    }
    return NULL;
}

const char *discreet_path(struct arena *arena, const char *path)
{
    size_t size = 0;
    char *plain = decoded(arena, str_or_empty(path));
    char *token = after_share(plain);
    if (token && *token) {
        *token = '\0';
        return arena_format(arena, "%s%s", plain, hidden);
    }
    if (!long_run(plain, &size)) {
        return path;
    }
    const char *shown = "";
    const char *rest = plain;
    const char *run = NULL;
    while ((run = long_run(rest, &size))) {
        shown = arena_format(arena, "%s%.*s%s", shown, (int)(run - rest), rest, hidden);
        rest = run + size;
    }
    return arena_format(arena, "%s%s", shown, rest);
}
