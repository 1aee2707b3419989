/* Forms with a file in them: what a client says of a file, and where the file is. */
#include "server/form.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/str.h"

enum { NAME_MOST = 80, HEAD_MOST = 4096 };

/* The last part of whatever path it claims to be, in plain letters. NULL: not a kind of
 * file that is taken. */
const char *form_file_name(struct arena *arena, const char *given)
{
    static const char *const endings[] = {
        ".csv",    ".tsv",    ".json",    ".ndjson",    ".jsonl",    ".parquet",
        ".csv.gz", ".tsv.gz", ".json.gz", ".ndjson.gz", ".jsonl.gz", ".xlsx"};
    const char *base = given;
    for (const char *at = given; *at; at++) {
        base = *at == '/' || *at == '\\' ? at + 1 : base;
    }
    while (*base == '.') {
        base++;
    }
    size_t size = strlen(base);
    if (size > NAME_MOST) { /* its end tells what it is */
        base += size - NAME_MOST;
        size = NAME_MOST;
    }
    char *name = arena_copy(arena, base, size);
    for (char *at = name; *at; at++) {
        *at = isalnum((unsigned char)*at) || strchr("._-", *at) ? *at : '_';
    }
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (str_ends_nocase(name, endings[i]) && strlen(name) > strlen(endings[i])) {
            return name;
        }
    }
    return NULL;
}

/* The value of `name="…"` in a header; NULL when it is not there. */
const char *form_header_value(struct arena *arena, const char *head, const char *name)
{
    size_t size = strlen(name);
    bool quoted = false;
    for (const char *at = head; *at; at++) {
        quoted = quoted != (*at == '"'); /* a ';' within quotes ends nothing */
        const char *key = at + 1 + strspn(at + 1, " ");
        if (quoted || *at != ';' || strncasecmp(key, name, size) != 0 ||
            key[size] != '=') {
            continue;
        }
        const char *value = key + size + 1;
        bool opens = *value == '"';
        value += opens;
        return arena_copy(arena, value, strcspn(value, opens ? "\"\r\n" : "; \r\n"));
    }
    return NULL;
}

bool form_part_find(struct arena *arena, const char *data, size_t size,
                    const char *boundary, const char *name, struct form_part *out)
{
    const char *mark = arena_format(arena, "--%s", boundary);
    const char *end_mark = arena_format(arena, "\r\n--%s", boundary);
    const char *end = data + size;
    const char *at = memmem(data, size, mark, strlen(mark));
    while (at) {
        const char *head = at + strlen(mark);
        size_t left = (size_t)(end - head);
        const char *body =
            memmem(head, left < HEAD_MOST ? left : HEAD_MOST, "\r\n\r\n", 4);
        if (!body) {
            return false;
        }
        body += 4;
        const char *stop = memmem(body, (size_t)(end - body), end_mark, strlen(end_mark));
        if (!stop) {
            return false; /* cut off */
        }
        const char *text = arena_copy(arena, head, (size_t)(body - head));
        if (str_equal(form_header_value(arena, text, "name"), name)) {
            *out = (struct form_part){body, (size_t)(stop - body),
                                      form_header_value(arena, text, "filename")};
            return true;
        }
        at = stop + 2;
    }
    return false;
}
