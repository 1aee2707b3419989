/* The usual piece of an OpenAI stream, read in place. */
#include <string.h>

#include "base/buf.h"
#include "base/memory.h"
#include "llm/cursor.h"
#include "llm/provider.h"

enum { REASON_BYTES = 31, FRAME_BYTES = 480 };

/* What stood around the text of a piece that had nothing else to say. The next pieces of a
 * stream differ from it in their text alone. */
struct llm_frame {
    size_t before;
    size_t after;
    char bytes[FRAME_BYTES]; /* both, one behind the other */
};

/* What a piece says; taken over only when all of it was understood. */
struct piece {
    struct cursor in;
    struct buf *text;
    int tokens_in;
    int tokens_out;
    bool cut;
    size_t texts;      /* how many were found */
    const char *start; /* of the last one, with its quotes */
    const char *stop;
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
            piece->start = piece->in.at;
            if (!cursor_text(&piece->in, piece->text)) {
                cursor_skip(&piece->in); /* null */
            }
            piece->stop = piece->in.at;
            piece->texts++;
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

/* A piece that repeats what stood around the text of an earlier one. */
static bool repeats(struct llm_said *said, const char *data, size_t size)
{
    const struct llm_frame *frame = said->frame;
    if (!frame || size < frame->before + frame->after ||
        memcmp(data, frame->bytes, frame->before) != 0 ||
        memcmp(data + size - frame->after, frame->bytes + frame->before, frame->after) !=
            0) {
        return false;
    }
    size_t before = said->text.size;
    struct cursor in = {.at = data + frame->before, .end = data + size - frame->after};
    if (cursor_text(&in, &said->text) && in.at == in.end && !said->text.full) {
        return true;
    }
    buf_truncate(&said->text, before);
    said->text.full = false;
    return false;
}

static void frame_keep(struct llm_said *said, const struct piece *piece, const char *data,
                       size_t size)
{
    if (piece->texts != 1 || piece->tokens_in != said->tokens_in ||
        piece->tokens_out != said->tokens_out || piece->cut != said->cut) {
        return;
    }
    size_t before = (size_t)(piece->start - data);
    size_t after = size - (size_t)(piece->stop - data);
    if (before + after > FRAME_BYTES) {
        return;
    }
    said->frame = said->frame ? said->frame : memory_alloc(sizeof *said->frame);
    said->frame->before = before;
    said->frame->after = after;
    memcpy(said->frame->bytes, data, before);
    memcpy(said->frame->bytes + before, piece->stop, after);
}

bool openai_quick(struct llm_said *said, const char *data, size_t size)
{
    if (repeats(said, data, size)) {
        return true;
    }
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
        said->text.full =
            false; /* the general code will find it full again, and report it */
        return false;
    }
    frame_keep(said, &piece, data, size);
    said->tokens_in = piece.tokens_in;
    said->tokens_out = piece.tokens_out;
    said->cut = piece.cut;
    return true;
}
