/* The characters of a text as a Markdown reader sees them: none hidden, none written in
 * another way. */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "agent/saying.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/utf8.h"

/* First of all: hidden characters must not keep apart what belongs together. */
static const char *without_hidden(struct arena *arena, const char *text)
{
    struct buf out;
    size_t size = strlen(text);
    buf_init(&out, size + 1);
    for (size_t at = 0; at < size;) {
        uint32_t code = 0;
        size_t length = utf8_next(text + at, size - at, &code);
        bool joiner = code == 0x200C || code == 0x200D; /* languages need these */
        if (code == '\n' || code == '\t' || joiner || !utf8_is_hidden(code)) {
            (void)buf_add(&out, text + at, length);
        }
        at += length;
    }
    const char *seen = buf_clone(&out, arena);
    buf_release(&out);
    return seen;
}

size_t saying_entity(const char *text)
{
    enum { ENTITY_MOST = 40 };
    size_t size = 1;
    if (text[0] != '&') {
        return 0;
    }
    while (size < ENTITY_MOST &&
           (isalnum((unsigned char)text[size]) || (size == 1 && text[size] == '#'))) {
        size++;
    }
    return size > 1 && text[size] == ';' ? size + 1 : 0;
}

/* The ASCII character that it stands for; 0: another one, which stays as it is written. */
static char entity_value(const char *text)
{
    static const struct {
        const char *text;
        char value;
    } named[] = {{"&lt;", '<'},   {"&gt;", '>'},    {"&amp;", '&'},
                 {"&quot;", '"'}, {"&apos;", '\''}, {"&nbsp;", ' '}};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        if (strncmp(text, named[i].text, strlen(named[i].text)) == 0) {
            return named[i].value;
        }
    }
    if (text[1] != '#') {
        return 0;
    }
    bool hex = text[2] == 'x' || text[2] == 'X';
    unsigned long code = strtoul(text + 2 + hex, NULL, hex ? 16 : 10);
    return code >= ' ' && code < 0x7F ? (char)code : 0;
}

static const char *without_entities(struct arena *arena, const char *text)
{
    if (!strchr(text, '&')) {
        return text;
    }
    char *out = arena_text(arena, text);
    size_t size = 0;
    while (*text) {
        size_t entity = saying_entity(text);
        char value = entity ? entity_value(text) : 0;
        out[size++] = value ? value : *text;
        text += value ? entity : 1;
    }
    out[size] = '\0';
    return out;
}

/* A backslash says that the sign behind it is only a sign: here all are. It stays where it
 * is a word's own, as in '100\%' and C:\data. */
static const char *without_escapes(struct arena *arena, const char *text)
{
    if (!strchr(text, '\\')) {
        return text;
    }
    const char *signs = strchr(text, '@') ? "@:/[]()!<>&#." : "@:/[]()!<>&#";
    char *out = arena_text(arena, text);
    size_t size = 0;
    while (*text) {
        size_t run = strspn(text, "\\");
        bool drops = run && text[run] && strchr(signs, text[run]);
        if (run) {
            memmove(out + size, text, drops ? 0 : run);
            size += drops ? 0 : run;
            text += run;
        } else {
            out[size++] = *text++;
        }
    }
    out[size] = '\0';
    return out;
}

const char *saying_plain(struct arena *arena, const char *text)
{
    const char *seen = without_hidden(arena, text);
    return without_escapes(arena, without_entities(arena, seen));
}
