/* Streamed replies cut into events, however the network splits them. */
#include "llm/stream.h"

#include <string.h>

void stream_init(struct stream *stream, enum llm_framing framing, size_t most)
{
    *stream = (struct stream){.framing = framing};
    buf_init(&stream->line, most);
    buf_init(&stream->event, most);
}

void stream_release(struct stream *stream)
{
    buf_release(&stream->line);
    buf_release(&stream->event);
}

static bool give(const struct stream_receiver *receiver, const char *data, size_t size)
{
    return receiver->receive(receiver->context, data, size);
}

static bool is_blank(const char *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (!strchr(" \t\r\n", data[i])) {
            return false;
        }
    }
    return true;
}

static bool dispatch(struct stream *stream, const struct stream_receiver *receiver)
{
    if (!stream->has_data) {
        return true;
    }
    stream->has_data = false;
    bool ok = give(receiver, buf_get(&stream->event), stream->event.size);
    buf_clear(&stream->event);
    return ok;
}

/* Comments and the fields event, id and retry say nothing that the data does not. */
static bool sse_line(struct stream *stream, const char *line, size_t size,
                     const struct stream_receiver *receiver)
{
    if (size == 0) {
        return dispatch(stream, receiver);
    }
    if (size < 4 || memcmp(line, "data", 4) != 0 || (size > 4 && line[4] != ':')) {
        return true;
    }
    const char *value = line + (size > 4 ? 5 : 4);
    size_t left = size - (size_t)(value - line);
    if (left > 0 && *value == ' ') {
        value++;
        left--;
    }
    if (stream->has_data) {
        (void)buf_char(&stream->event, '\n');
    }
    stream->has_data = true;
    return buf_add(&stream->event, value, left);
}

static bool take_line(struct stream *stream, const char *line, size_t size,
                      const struct stream_receiver *receiver)
{
    if (stream->framing == LLM_FRAMING_SSE) {
        return sse_line(stream, line, size, receiver);
    }
    return is_blank(line, size) || give(receiver, line, size);
}

/* A service that does not stream answers with one document, perhaps over many lines. */
static bool first_bytes(struct stream *stream, const char **data, size_t *size)
{
    while (*size > 0 && strchr(" \t\r\n\xEF\xBB\xBF", **data)) {
        (*data)++;
        (*size)--;
    }
    if (*size > 0) {
        stream->begun = true;
        stream->whole = **data == '{' && stream->framing == LLM_FRAMING_SSE;
    }
    return *size > 0;
}

/* The next line feed and the next return, each looked for once. */
struct ends {
    const char *feed;
    const char *back;
};

static const char *next_of(const char *known, const char *from, const char *end, char c)
{
    if (known > from || (known < end && known == from && *known == c)) {
        return known;
    }
    const char *found = from < end ? memchr(from, c, (size_t)(end - from)) : NULL;
    return found ? found : end;
}

static const char *line_end(struct ends *ends, const char *from, const char *end)
{
    ends->feed = next_of(ends->feed, from, end, '\n');
    ends->back = next_of(ends->back, from, end, '\r');
    return ends->feed < ends->back ? ends->feed : ends->back;
}

bool stream_feed(struct stream *stream, const char *data, size_t size,
                 const struct stream_receiver *receiver)
{
    if (!stream->begun && !first_bytes(stream, &data, &size)) {
        return true;
    }
    if (stream->whole) {
        return buf_add(&stream->line, data, size);
    }
    const char *end = data + size;
    struct ends ends = {data, data};
    while (data < end) {
        if (stream->after_return && *data == '\n') {
            data++;
        }
        stream->after_return = false;
        const char *stop = line_end(&ends, data, end);
        size_t length = (size_t)(stop - data);
        if (stop == end) {
            return buf_add(&stream->line, data, length);
        }
        bool ok;
        if (stream->line.size > 0) {
            ok = buf_add(&stream->line, data, length) &&
                 take_line(stream, stream->line.data, stream->line.size, receiver);
            buf_clear(&stream->line);
        } else {
            ok = take_line(stream, data, length, receiver);
        }
        if (!ok) {
            return false;
        }
        stream->after_return = *stop == '\r';
        data = stop + 1;
    }
    return true;
}

bool stream_end(struct stream *stream, const struct stream_receiver *receiver)
{
    if (stream->whole) {
        return true;
    }
    bool ok = stream->line.size == 0 ||
              take_line(stream, stream->line.data, stream->line.size, receiver);
    buf_clear(&stream->line);
    return ok && dispatch(stream, receiver);
}
