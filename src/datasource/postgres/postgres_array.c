/* PostgreSQL's arrays, {1,NULL,"a b"}, as JSON. */
#include "datasource/postgres/postgres_driver.h"

#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/writer.h"

enum { DEPTH_MOST = 6 }; /* as many dimensions as the server allows */

struct parsing {
    struct postgres_state *state;
    struct arena *scratch;
    const struct postgres_type *element;
    const char *at;
    const char *end;
    struct writer writer;
};

static void element_write(struct parsing *work, const char *text, size_t size)
{
    struct value value =
        postgres_value(work->state, work->scratch, work->element, text, size);
    value_write(&work->writer, &value);
}

/* "a \"b\"": a backslash takes the next character as it is. */
static bool quoted_read(struct parsing *work)
{
    const char *from = work->at + 1;
    const char *to = from;
    while (to < work->end && *to != '"') {
        to += *to == '\\' && to + 1 < work->end ? 2 : 1;
    }
    if (to >= work->end) {
        return false;
    }
    char *text = arena_alloc(work->scratch, (size_t)(to - from) + 1);
    size_t size = 0;
    for (const char *at = from; at < to; at++) {
        at += *at == '\\';
        text[size++] = *at;
    }
    work->at = to + 1;
    element_write(work, text, size);
    return true;
}

static bool plain_read(struct parsing *work)
{
    const char *from = work->at;
    while (work->at < work->end && !strchr(",{}\"", *work->at)) {
        work->at++;
    }
    size_t size = (size_t)(work->at - from);
    if (size == 4 && strncasecmp(from, "null", size) == 0) {
        writer_null(&work->writer);
    } else if (size > 0) {
        element_write(work, arena_copy(work->scratch, from, size), size);
    }
    return size > 0;
}

static bool list_read(struct parsing *work, int depth)
{
    if (depth > DEPTH_MOST || work->at >= work->end || *work->at != '{') {
        return false;
    }
    work->at++;
    writer_array(&work->writer);
    if (work->at < work->end && *work->at == '}') {
        work->at++;
        writer_array_end(&work->writer);
        return true;
    }
    for (;;) {
        bool ok = work->at < work->end && (*work->at == '{'   ? list_read(work, depth + 1)
                                           : *work->at == '"' ? quoted_read(work)
                                                              : plain_read(work));
        if (!ok || work->at >= work->end) {
            return false;
        }
        char next = *work->at++;
        if (next == '}') {
            writer_array_end(&work->writer);
            return true;
        }
        if (next != ',') {
            return false;
        }
    }
}

struct value postgres_array(struct postgres_state *state, struct arena *scratch,
                            const struct postgres_type *element, const char *text,
                            size_t size)
{
    struct parsing work = {.state = state,
                           .scratch = scratch,
                           .element = element,
                           .at = text,
                           .end = text + size};
    struct value value = {.kind = VALUE_TEXT};
    struct buf out;
    buf_init(&out, size * 6 + 64); /* an escape takes six bytes at most */
    writer_init(&work.writer, &out);
    const char *bounds = text[0] == '[' ? strstr(text, "={") : NULL; /* [2:3]={1,2} */
    work.at = bounds ? bounds + 1 : text;
    bool ok = list_read(&work, 1) && work.at == work.end && !out.full;
    value.kind = ok ? VALUE_JSON : VALUE_TEXT;
    value.text.size = ok ? out.size : size;
    value.text.data = ok ? buf_clone(&out, scratch) : text_clean(scratch, text, &size);
    buf_release(&out);
    return value;
}
