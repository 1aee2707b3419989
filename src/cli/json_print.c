/* JSON indented for a terminal, as it is for a pipe. */
#include <string.h>

#include "base/utf8.h"
#include "cli/grid.h"
#include "cli/out.h"

enum { STEP = 2 };

/* A string literal; what a terminal would obey leaves as an escape that JSON knows. */
static size_t print_string(struct out *out, const char *json, size_t size)
{
    size_t at = 1;
    out_text(out, "\"");
    while (at < size && json[at] != '"') {
        uint32_t code = 0;
        size_t length = 2;
        if (json[at] != '\\' || at + 1 == size) {
            length = utf8_next(json + at, size - at, &code);
        }
        if (code && utf8_is_unsafe(code)) {
            out_format(out, "\\u%04x", (unsigned)code);
        } else {
            out_add(out, json + at, length);
        }
        at += length;
    }
    out_text(out, "\"");
    return at < size ? at + 1 : size;
}

static void new_line(struct out *out, size_t depth)
{
    out_text(out, "\n");
    out_repeat(out, " ", depth * STEP);
}

void json_print(struct out *out, const char *json)
{
    size_t size = strlen(json);
    if (!out->terminal) {
        out_add(out, json, size);
        out_text(out, size && json[size - 1] == '\n' ? "" : "\n");
        return;
    }
    size_t depth = 0;
    for (size_t at = 0; at < size;) {
        char c = json[at];
        bool closes = c == '}' || c == ']';
        if (c == '"') {
            at += print_string(out, json + at, size - at);
            continue;
        }
        at++;
        if (strchr(" \t\r\n", c)) {
            continue;
        }
        if (closes && depth) {
            new_line(out, --depth);
        }
        out_add(out, &c, 1);
        if (c == '{' || c == '[') {
            size_t inside = strspn(json + at, " \t\r\n");
            char next = json[at + inside];
            if (next == '}' || next == ']') {
                out_add(out, &next, 1);
                at += inside + 1;
            } else {
                new_line(out, ++depth);
            }
        } else if (c == ',') {
            new_line(out, depth);
        } else if (c == ':') {
            out_text(out, " ");
        }
    }
    out_text(out, "\n");
}
