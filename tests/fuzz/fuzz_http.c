/*
 * Looks for what a client may send that makes our part of the server fall or believe too
 * much: requests as bytes, paths, bodies against their schemas, forms with files, names
 * of files. layers: server
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "base/utf8.h"
#include "server/form.h"
#include "server/framing/framing.h"
#include "server/media.h"
#include "server/router.h"
#include "server/schema.h"

static void expect(bool condition)
{
    if (!condition) {
        abort();
    }
}

/* "GET /path" */
static void try_path(struct arena *arena, const char *text)
{
    struct route_match match = {0};
    size_t size = strcspn(text, " ");
    const char *method = arena_copy(arena, text, size);
    const char *path = text[size] ? text + size + 1 : "";
    if (!router_find(arena, method, path, &match)) {
        return;
    }
    const char *wanted = str_equal(method, "HEAD") ? "GET" : method;
    expect(str_equal(match.route->method, wanted));
    expect(utf8_valid(path, strlen(path), NULL));
    for (int i = 0; i < ROUTE_PARAMETERS && match.parameters[i]; i++) {
        const char *parameter = match.parameters[i];
        expect(*parameter && !strchr(parameter, '/'));
        expect(utf8_valid(parameter, strlen(parameter), NULL));
    }
}

/* A body that was taken has nothing that its schema does not name, but below /v1, where
 * other fields are ignored. */
static void try_body(struct arena *arena, size_t index, const char *text, size_t size)
{
    struct err err;
    const struct route *route = router_at(index);
    err_clear(&err);
    const json_t *body = json_parse(arena, text, size, &err);
    if (!route || !*route->request || !body) {
        return;
    }
    if (schema_check(route->request, body, &err)) {
        expect(json_is_object(body) &&
               (str_starts(route->path, "/v1/") || !json_object_get(body, "unheard_of")));
    } else {
        expect(err.code != ERR_OK && *err.message);
    }
}

static void try_name(struct arena *arena, const char *given)
{
    const char *name = form_file_name(arena, given);
    expect(!name || (*name && !strpbrk(name, "/\\") && !str_equal(name, "..") &&
                     strlen(name) <= 80));
}

/* What is accepted by its own name is not refused because something else stands beside it. */
static void try_types(struct arena *arena, const char *header)
{
    static const char type[] = "application/json";
    bool is = media_is(header, type);
    bool accepts = media_accepts(header, type);
    expect(!is || str_contains_nocase(header, type));
    expect(!accepts || str_contains_nocase(header, type) || strchr(header, '*'));
    expect(media_accepts(arena_format(arena, "%s,%s", type, header), type));
    expect(!media_accepts(arena_format(arena, "%s;q=0,%s", type, header), type));
}

/* The boundary's line, then the form. */
static void try_form(struct arena *arena, const char *text, size_t size)
{
    const char *line = memchr(text, '\n', size);
    size_t length = line ? (size_t)(line - text) : 0;
    struct form_part part = {0};
    if (!line || length == 0 || length > 70 || memchr(text, '\0', length)) {
        return;
    }
    const char *boundary = arena_copy(arena, text, length);
    const char *form = line + 1;
    size_t left = size - length - 1;
    if (form_part_find(arena, form, left, boundary, "file", &part)) {
        expect(part.data >= form && part.size <= left &&
               part.data + part.size <= form + left);
        try_name(arena, str_or_empty(part.name));
    }
}

/* However the bytes are cut, they mean the same; what was read to its end without a fault
 * holds no line that ends in something else than CR LF, and no NUL outside of a body. */
static void try_bytes(size_t cut, const char *bytes, size_t size)
{
    struct framing whole = {0};
    struct framing parts = {0};
    size_t good = framing_read(&whole, bytes, size);
    size_t first = framing_read(&parts, bytes, cut < size ? cut : size);
    size_t second = cut < size ? framing_read(&parts, bytes + cut, size - cut) : 0;
    expect(first + second == good && parts.fault == whole.fault);
    expect(parts.heads == whole.heads && parts.fault_at == whole.fault_at);
    expect(whole.fault ? whole.ending && *whole.ending : good == size);
    expect(framing_fault(&whole, whole.heads) != NULL);
    const char *head = memmem(bytes, size, "\r\n\r\n", 4);
    if (whole.heads > 0) {
        size_t length = head ? (size_t)(head - bytes) : size;
        expect(head && !memchr(bytes, '\0', length) && framing_read(&parts, "", 0) == 0);
        for (size_t i = 0; i < length; i++) {
            expect(bytes[i] != '\n' || (i > 0 && bytes[i - 1] == '\r'));
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) {
        return 0;
    }
    struct arena *arena = arena_new();
    const char *rest = (const char *)data + 2;
    const char *text = arena_copy(arena, rest, size - 2); /* ends with a NUL */
    switch (data[0]) {
    case 'p':
        try_path(arena, text);
        break;
    case 'b':
        try_body(arena, data[1], rest, size - 2);
        break;
    case 'h':
        try_bytes(data[1], rest, size - 2);
        break;
    case 't':
        try_types(arena, text);
        break;
    case 'f':
        try_form(arena, rest, size - 2);
        break;
    default:
        try_name(arena, text);
        break;
    }
    arena_free(arena);
    return 0;
}
