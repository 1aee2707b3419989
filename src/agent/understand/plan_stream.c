/* The steps of a plan, found in a reply while it is still being written. */
#include "agent/understand/plan_stream.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/scan.h"
#include "base/str.h"

enum {
    TEXT_MOST = 4096, /* of one step; a longer one is sent at the end */
    STEPS_MOST = 200,
    DEPTH_LIST = 2, /* {"steps": [ here */
    DEPTH_ITEM = 3, /* {"steps": [{"step": here */
};

struct plan_stream {
    void (*tell)(void *context, const char *step);
    void *context;
    struct buf text; /* of the string being read, as written: with its escapes */
    size_t seen;     /* steps of this reply */
    size_t told;
    int depth;
    bool in_text;
    bool escaped;
    bool is_value; /* a colon came: what follows is no key */
    bool wanted;   /* the last key of the outermost object was "steps" or "plan" */
    bool listed;   /* what stands in it is a list */
    bool named;    /* the last key of an item was "step" */
};

struct plan_stream *plan_stream_new(void (*tell)(void *context, const char *step),
                                    void *context)
{
    struct plan_stream *stream = memory_alloc(sizeof *stream);
    *stream = (struct plan_stream){.tell = tell, .context = context};
    buf_init(&stream->text, TEXT_MOST);
    return stream;
}

void plan_stream_free(struct plan_stream *stream)
{
    if (stream) {
        buf_release(&stream->text);
        memory_free(stream);
    }
}

size_t plan_stream_told(const struct plan_stream *stream)
{
    return stream->told;
}

static void begin_anew(struct plan_stream *stream)
{
    stream->seen = 0;
    stream->depth = 0;
    stream->in_text = stream->escaped = stream->is_value = false;
    stream->wanted = stream->listed = stream->named = false;
    buf_clear(&stream->text);
}

static void tell_step(struct plan_stream *stream)
{
    if (stream->seen++ != stream->told || stream->told == STEPS_MOST ||
        stream->text.full) {
        return; /* told already; or one before it was not, and the order matters */
    }
    struct arena *arena = arena_new();
    struct err err;
    const char *step = buf_get(&stream->text);
    if (scan_plain(step, stream->text.size, '\\', '\\') != stream->text.size) {
        const char *written = arena_format(arena, "[\"%s\"]", step);
        const json_t *list = json_parse(arena, written, strlen(written), &err);
        step = json_string_value(json_array_get(list, 0));
    }
    if (!str_empty(step)) {
        stream->told++;
        stream->tell(stream->context, step);
    } else {
        stream->seen--; /* an empty one is no step */
    }
    arena_free(arena);
}

static void end_text(struct plan_stream *stream)
{
    const char *text = stream->text.full ? "" : buf_get(&stream->text);
    bool is_key = !stream->is_value;
    bool wanted = stream->wanted && stream->listed;
    if (stream->depth == 1 && is_key) {
        stream->wanted = str_equal(text, "steps") || str_equal(text, "plan");
    } else if (stream->depth == DEPTH_LIST && wanted) {
        tell_step(stream);
    } else if (stream->depth == DEPTH_ITEM && wanted && is_key) {
        stream->named = str_equal(text, "step");
    } else if (stream->depth == DEPTH_ITEM && wanted && stream->named) {
        tell_step(stream);
    }
}

static void read_in_text(struct plan_stream *stream, char c)
{
    if (c == '"' && !stream->escaped) {
        stream->in_text = false;
        end_text(stream);
        return;
    }
    stream->escaped = c == '\\' && !stream->escaped;
    (void)buf_char(&stream->text, c);
}

static void read_outside(struct plan_stream *stream, char c)
{
    switch (c) {
    case '{':
    case '[':
        stream->depth++;
        stream->is_value = false;
        stream->listed = stream->depth == DEPTH_LIST ? c == '[' : stream->listed;
        break;
    case '}':
    case ']':
        stream->depth -= stream->depth > 0;
        stream->is_value = false;
        break;
    case ':':
        stream->is_value = true;
        break;
    case ',':
        stream->is_value = false;
        break;
    case '"':
        stream->in_text = stream->depth > 0; /* before that it is talk */
        stream->escaped = false;
        buf_clear(&stream->text);
        break;
    default:
        break;
    }
}

void plan_stream_feed(struct plan_stream *stream, const char *text, size_t size)
{
    if (!text) {
        begin_anew(stream);
        return;
    }
    for (size_t i = 0; i < size; i++) {
        if (!stream->in_text) {
            read_outside(stream, text[i]);
            continue;
        }
        size_t plain = stream->escaped ? 0 : scan_plain(text + i, size - i, '"', '\\');
        if (plain) {
            (void)buf_add(&stream->text, text + i, plain);
            i += plain - 1;
        } else {
            read_in_text(stream, text[i]);
        }
    }
}
