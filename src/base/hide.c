/* Finds what looks like a secret in a text and hides it. */
#include "base/hide.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

static const char ends[] = " \t\r\n'\"`<>";

/* Puts *** over the bytes; returns where the text goes on behind them. */
static char *cover(char *from, const char *to)
{
    size_t size = (size_t)(to - from);
    size_t stars = size < 3 ? size : 3;
    memset(from, '*', stars);
    memmove(from + stars, to, strlen(to) + 1);
    return from + stars;
}

/* "host:8080" or "[::1]:8080" and not "user:password". */
static bool is_port(const char *colon, size_t size)
{
    enum { DIGITS_MOST = 5 };
    size_t digits = strspn(colon + 1, "0123456789");
    return digits + 1 >= size && digits <= DIGITS_MOST;
}

/* After "://". A password may contain any character: if there is no @ where it
 * belongs, and the text there is not a host with a port, everything up to the last @
 * is hidden; without an @ (the text was cut), the rest of the word. */
static char *hide_login(char *at)
{
    size_t size = strcspn(at, ends);
    size_t authority = strcspn(at, "/?# \t\r\n'\"`<>");
    char *sign = memrchr(at, '@', authority);
    const char *bracket = *at == '[' ? memchr(at, ']', authority) : NULL;
    const char *from = bracket ? bracket : at;
    const char *colon = memchr(from, ':', authority - (size_t)(from - at));
    if (!sign && (!colon || is_port(colon, authority - (size_t)(colon - at)))) {
        return at + authority;
    }
    sign = sign ? sign : strrchr(at, '@');
    return cover(at, sign ? sign : at + size);
}

static char *hide_value(char *at)
{
    size_t size = strcspn(at, "&; \t\r\n'\"`<>");
    if (*at == '{' || *at == '\'' || *at == '"') {
        const char *end = strchr(at + 1, *at == '{' ? '}' : *at);
        size = end ? (size_t)(end - at) : strlen(at);
        size += strcspn(at + size, "&; \t\r\n<>");
    }
    return size ? cover(at, at + size) : at;
}

/* dgm_<id>_<secret>: the id may be shown. */
static char *hide_key(char *at)
{
    char *from = at + strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789");
    if (*from != '_' || from == at) {
        return at;
    }
    size_t size = strcspn(++from, ends);
    return size ? cover(from, from + size) : from;
}

static char *hide_token(char *at)
{
    enum { LEAST = 16 }; /* "sk-learn" is not a key */
    size_t size = strcspn(at, ends);
    return size >= LEAST ? cover(at, at + size) : at;
}

static const struct rule {
    const char *mark;
    char *(*hide)(char *at); /* from behind the mark; returns where to go on */
    bool starts_word;
} rules[] = {
    {"://", hide_login, false},     {"password=", hide_value, false},
    {"passwd=", hide_value, false}, {"passphrase=", hide_value, false},
    {"pwd=", hide_value, false},    {"secret=", hide_value, false},
    {"token=", hide_value, false},  {"api_key=", hide_value, false},
    {"apikey=", hide_value, false}, {"llm.key=", hide_value, false},
    {"Bearer ", hide_token, true},  {"dgm_", hide_key, true},
    {"sk-", hide_token, true},
};

void hide_secrets(char *text)
{
    for (char *at = text; (at = strpbrk(at, ":pPsStTaAlLbBd")); at++) {
        for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
            size_t size = strlen(rules[i].mark);
            bool here =
                strncasecmp(at, rules[i].mark, size) == 0 &&
                !(rules[i].starts_word && at > text && isalnum((unsigned char)at[-1]));
            if (here) {
                at = rules[i].hide(at + size) - 1;
                break;
            }
        }
    }
}
