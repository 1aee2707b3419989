/* The usual piece of an OpenAI stream, read in place. */
#include "base/buf.h"
#include "llm/cursor.h"
#include "llm/provider.h"

enum { REASON_BYTES = 31 };

/* What a piece says; taken over only when all of it was understood. */
struct piece {
    struct cursor in;
    struct buf *text;
    int tokens_in;
    int tokens_out;
    bool cut;
};

static void read_delta(struct piece *piece)
{
    const char *key;
    size_t size;
    if (!cursor_take(&piece->in, '{')) {
        piece->in.bad = true;
        return;
    }
    while (cursor_key(&piece->in, &key, &size)) {
        if (cursor_key_is(key, size, "content")) {
            if (!cursor_text(&piece->in, piece->text)) {
                cursor_skip(&piece->in); /* null */
            }
        } else if (cursor_key_is(key, size, "refusal") && cursor_take(&piece->in, '"')) {
            piece->in.bad = true;
        } else {
            cursor_skip(&piece->in);
        }
    }
}

static void read_reason(struct piece *piece)
{
    struct buf reason;
    buf_init(&reason, REASON_BYTES);
    if (!cursor_text(&piece->in, &reason)) {
        cursor_skip(&piece->in);
    } else if (cursor_key_is(buf_get(&reason), reason.size, "length")) {
        piece->cut = true;
    } else if (!cursor_key_is(buf_get(&reason), reason.size, "stop")) {
        piece->in.bad = true; /* a filter, or something new */
    }
    buf_release(&reason);
}

static void read_choices(struct piece *piece)
{
    const char *key;
    size_t size;
    if (!cursor_take(&piece->in, '[')) {
        piece->in.bad = true;
        return;
    }
    if (cursor_take(&piece->in, ']')) {
        return;
    }
    if (!cursor_take(&piece->in, '{')) {
        piece->in.bad = true;
        return;
    }
    while (cursor_key(&piece->in, &key, &size)) {
        if (cursor_key_is(key, size, "delta")) {
            read_delta(piece);
        } else if (cursor_key_is(key, size, "finish_reason")) {
            read_reason(piece);
        } else {
            cursor_skip(&piece->in);
        }
    }
    piece->in.bad = piece->in.bad || !cursor_take(&piece->in, ']');
}

static void read_usage(struct piece *piece)
{
    const char *key;
    size_t size;
    if (!cursor_take(&piece->in, '{')) {
        cursor_skip(&piece->in); /* null */
        return;
    }
    while (cursor_key(&piece->in, &key, &size)) {
        if (cursor_key_is(key, size, "prompt_tokens")) {
            piece->tokens_in = cursor_count(&piece->in, piece->tokens_in);
        } else if (cursor_key_is(key, size, "completion_tokens")) {
            piece->tokens_out = cursor_count(&piece->in, piece->tokens_out);
        } else {
            cursor_skip(&piece->in);
        }
    }
}

bool openai_quick(struct llm_said *said, const char *data, size_t size)
{
    struct piece piece = {.in = {.at = data, .end = data + size},
                          .text = &said->text,
                          .tokens_in = said->tokens_in,
                          .tokens_out = said->tokens_out,
                          .cut = said->cut};
    size_t before = said->text.size;
    const char *key;
    size_t length;
    bool object = cursor_take(&piece.in, '{');
    while (object && cursor_key(&piece.in, &key, &length)) {
        if (cursor_key_is(key, length, "choices")) {
            read_choices(&piece);
        } else if (cursor_key_is(key, length, "usage")) {
            read_usage(&piece);
        } else if (cursor_key_is(key, length, "error")) {
            piece.in.bad = true;
        } else {
            cursor_skip(&piece.in);
        }
    }
    if (!object || !cursor_done(&piece.in) || said->text.full) {
        buf_truncate(&said->text, before);
        said->text.full = false; /* the slow way will find it full again, and say so */
        return false;
    }
    said->tokens_in = piece.tokens_in;
    said->tokens_out = piece.tokens_out;
    said->cut = piece.cut;
    return true;
}
