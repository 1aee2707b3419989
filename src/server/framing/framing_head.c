/* The headers, and how they determine the body. */
#include <strings.h>

#include "server/framing/framing_steps.h"

enum { CHUNKED_SIZE = 7 };

static const char CONTROL[] = "a header holds a control character";
static const char LENGTH_BAD[] = "Content-Length is not a plain number";

enum state framing_line_lf(struct framing *framing, unsigned char c)
{
    return c == '\n' ? STATE_LINE : framing_fail(framing, FRAMING_LINE_END);
}

enum state framing_line(struct framing *framing, unsigned char c)
{
    framing->name_size = 0;
    framing->matched = 0;
    if (is_blank(c)) {
        return framing_fail(framing, "a header goes on in a second line");
    }
    return c == '\r'     ? STATE_HEAD_LF
           : c == '\n'   ? framing_fail(framing, FRAMING_LINE_END)
           : is_token(c) ? framing_name(framing, c)
                         : framing_fail(framing, "a header has no name");
}

/* Headers that determine the body, and headers that may occur only once. */
static const struct {
    const char *name;
    size_t count; /* where in struct framing they are counted */
    enum state value;
    const char *twice;
} known[] = {
    {"host", offsetof(struct framing, hosts), STATE_VALUE, "it has two Host headers"},
    {"content-length", offsetof(struct framing, lengths), STATE_LENGTH,
     "it has two Content-Length headers"},
    {"transfer-encoding", offsetof(struct framing, encodings), STATE_ENCODING,
     "it has two Transfer-Encoding headers"},
    {"authorization", offsetof(struct framing, keys), STATE_VALUE,
     "it has two Authorization headers"},
    {"origin", offsetof(struct framing, origins), STATE_VALUE,
     "it has two Origin headers"},
};

static enum state name_ends(struct framing *framing)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strlen(known[i].name) == framing->name_size &&
            strncasecmp(framing->name, known[i].name, framing->name_size) == 0) {
            uint8_t *count = (uint8_t *)framing + known[i].count;
            return ++*count > 1 ? framing_fail(framing, known[i].twice) : known[i].value;
        }
    }
    return STATE_VALUE;
}

enum state framing_name(struct framing *framing, unsigned char c)
{
    if (c == ':') {
        return name_ends(framing);
    }
    if (!is_token(c)) {
        return framing_fail(framing, is_blank(c)
                                         ? "a blank stands before the colon of a header"
                                         : "a header has an invalid name");
    }
    if (framing->name_size < FRAMING_NAME_MOST) { /* longer ones are of no interest */
        framing->name[framing->name_size++] = (char)c;
    }
    return STATE_NAME;
}

enum state framing_value(struct framing *framing, unsigned char c)
{
    return c == '\r'       ? STATE_LINE_LF
           : c == '\n'     ? framing_fail(framing, FRAMING_LINE_END)
           : is_control(c) ? framing_fail(framing, CONTROL)
                           : STATE_VALUE;
}

enum state framing_length(struct framing *framing, unsigned char c)
{
    if (is_blank(c) && framing->matched == 0) {
        return STATE_LENGTH;
    }
    if (c == '\r' && framing->matched) {
        return STATE_LINE_LF;
    }
    if (!is_digit(c) || framing->matched == FRAMING_DIGITS_MOST) {
        return framing_fail(framing, c == '\n' ? FRAMING_LINE_END : LENGTH_BAD);
    }
    framing->matched++;
    framing->left = framing->left * 10 + (uint64_t)(c - '0');
    return STATE_LENGTH;
}

enum state framing_encoding(struct framing *framing, unsigned char c)
{
    if (is_blank(c) && framing->matched == 0) {
        return STATE_ENCODING;
    }
    if (c == '\r' && framing->matched == CHUNKED_SIZE) {
        return STATE_LINE_LF;
    }
    if (framing->matched == CHUNKED_SIZE || (c | 0x20) != "chunked"[framing->matched]) {
        return framing_fail(
            framing, c == '\n' ? FRAMING_LINE_END
                               : "Transfer-Encoding is something else than chunked");
    }
    framing->matched++;
    return STATE_ENCODING;
}

enum state framing_head_lf(struct framing *framing, unsigned char c)
{
    if (c != '\n') {
        return framing_fail(framing, FRAMING_LINE_END);
    }
    if (framing->hosts == 0) {
        return framing_fail(framing, "it names no Host");
    }
    if (framing->encodings && (framing->lengths || framing->old)) {
        return framing_fail(
            framing, framing->old
                         ? "HTTP/1.0 has no Transfer-Encoding"
                         : "both Content-Length and Transfer-Encoding are present");
    }
    framing->heads++;
    return framing->encodings ? STATE_CHUNK : framing->left ? STATE_BODY : STATE_START;
}
