/* The grammar of HTTP/1.1 requests (RFC 9112), one byte after the other: bodies, and the
 * table of all steps. */
#include "server/framing/framing.h"

#include "server/framing/framing_steps.h"

static const char CHUNK_BAD[] = "the size of a chunk is not a plain hexadecimal number";

static enum state on_chunk_size(struct framing *framing, unsigned char c)
{
    if (c == '\r' && framing->matched) {
        return STATE_CHUNK_LF;
    }
    if (hex_of(c) < 0 || framing->matched == FRAMING_DIGITS_MOST) {
        return framing_fail(framing, c == '\n' ? FRAMING_LINE_END : CHUNK_BAD);
    }
    framing->matched++;
    framing->left = framing->left * 16 + (uint64_t)hex_of(c);
    return STATE_CHUNK_SIZE;
}

static enum state on_chunk(struct framing *framing, unsigned char c)
{
    framing->matched = 0;
    framing->left = 0;
    return on_chunk_size(framing, c);
}

static enum state on_chunk_lf(struct framing *framing, unsigned char c)
{
    return c != '\n'       ? framing_fail(framing, FRAMING_LINE_END)
           : framing->left ? STATE_CHUNK_DATA
                           : STATE_LAST;
}

static enum state on_chunk_cr(struct framing *framing, unsigned char c)
{
    return c == '\r' ? STATE_CHUNK_END
                     : framing_fail(framing, "a chunk is longer than its size");
}

static enum state on_chunk_end(struct framing *framing, unsigned char c)
{
    return c == '\n' ? STATE_CHUNK : framing_fail(framing, FRAMING_LINE_END);
}

static enum state on_last(struct framing *framing, unsigned char c)
{
    return c == '\r'
               ? STATE_LAST_LF
               : framing_fail(framing, "something follows the last chunk of the body");
}

static enum state on_last_lf(struct framing *framing, unsigned char c)
{
    return c == '\n' ? STATE_START : framing_fail(framing, FRAMING_LINE_END);
}

/* `ending` brings the library from there to the end of the head, where the request is
 * refused in our words, or to a chunk that it refuses in its own. */
static const struct {
    enum state (*step)(struct framing *framing, unsigned char c);
    const char *ending;
} states[STATE_COUNT] = {
    [STATE_START] = {framing_start, "GET / HTTP/1.1\r\n\r\n"},
    [STATE_METHOD] = {framing_method, " / HTTP/1.1\r\n\r\n"},
    [STATE_TARGET] = {framing_target, "/ HTTP/1.1\r\n\r\n"},
    [STATE_STAR] = {framing_star, " HTTP/1.1\r\n\r\n"},
    [STATE_SCHEME] = {framing_scheme, " HTTP/1.1\r\n\r\n"},
    [STATE_AUTHORITY] = {framing_authority, " HTTP/1.1\r\n\r\n"},
    [STATE_PATH] = {framing_path, " HTTP/1.1\r\n\r\n"},
    [STATE_ESCAPE] = {framing_escape, " HTTP/1.1\r\n\r\n"},
    [STATE_ESCAPE_ZERO] = {framing_escape_zero, " HTTP/1.1\r\n\r\n"},
    [STATE_ESCAPE_TWO] = {framing_escape_two, " HTTP/1.1\r\n\r\n"},
    [STATE_ESCAPE_LAST] = {framing_escape_last, " HTTP/1.1\r\n\r\n"},
    [STATE_VERSION] = {framing_version,
                       "HTTP/1.1\r\n\r\n"}, /* what is not yet there of it */
    [STATE_LINE_LF] = {framing_line_lf, "\n\r\n"},
    [STATE_LINE] = {framing_line, "\r\n"},
    [STATE_NAME] = {framing_name, ": 0\r\n\r\n"},
    [STATE_VALUE] = {framing_value, "\r\n\r\n"},
    [STATE_LENGTH] = {framing_length, "0\r\n\r\n"},
    [STATE_ENCODING] = {framing_encoding, "\r\n\r\n"},
    [STATE_HEAD_LF] = {framing_head_lf, "\n"},
    [STATE_CHUNK] = {on_chunk, "!\r\n"},
    [STATE_CHUNK_SIZE] = {on_chunk_size, "!\r\n"},
    [STATE_CHUNK_LF] = {on_chunk_lf, "!\r\n"},
    [STATE_CHUNK_CR] = {on_chunk_cr, "!\r\n"},
    [STATE_CHUNK_END] = {on_chunk_end, "!\r\n"},
    [STATE_LAST] = {on_last, "\r\n"},
    [STATE_LAST_LF] = {on_last_lf, "\n"},
};

static void note_fault(struct framing *framing)
{
    bool in_head = framing->state <= STATE_HEAD_LF;
    framing->fault_at = framing->heads - (in_head ? 0 : 1);
    framing->ending = states[framing->state].ending;
    if (framing->state == STATE_VERSION) {
        framing->ending += framing->matched;
    }
}

/* Skips the available bytes of a body. */
static size_t skip(struct framing *framing, size_t size)
{
    size_t used = framing->left < size ? (size_t)framing->left : size;
    framing->left -= used;
    if (framing->left == 0) {
        framing->state = framing->state == STATE_BODY ? STATE_START : STATE_CHUNK_CR;
    }
    return used;
}

size_t framing_read(struct framing *framing, const char *bytes, size_t size)
{
    size_t at = 0;
    while (at < size && !framing->fault) {
        if (framing->state == STATE_BODY || framing->state == STATE_CHUNK_DATA) {
            at += skip(framing, size - at);
            continue;
        }
        enum state next = states[framing->state].step(framing, (unsigned char)bytes[at]);
        if (framing->fault) {
            note_fault(framing);
        } else {
            framing->state = (uint8_t)next;
            at++;
        }
    }
    return at;
}

const char *framing_fault(const struct framing *framing, size_t request)
{
    if (framing->fault && request >= framing->fault_at) {
        return framing->fault;
    }
    return request < framing->heads ? NULL : "it was not checked";
}
