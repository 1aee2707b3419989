/* The request line: method, target, version. */
#include "server/framing/framing_steps.h"

enum { SCHEME_SIZE = 7, VERSION_SIZE = 8 };

static const char TARGET_BAD[] = "the address of the request is not written as a URL";

enum state framing_start(struct framing *framing, unsigned char c)
{
    framing->matched = 0;
    framing->left = 0;
    framing->old = framing->query = false;
    framing->hosts = framing->lengths = framing->encodings = 0;
    framing->keys = framing->origins = 0;
    return is_token(c) ? STATE_METHOD
                       : framing_fail(framing, "it does not begin with a method");
}

enum state framing_method(struct framing *framing, unsigned char c)
{
    return c == ' ' ? STATE_TARGET
           : is_token(c)
               ? STATE_METHOD
               : framing_fail(framing, "the method is not followed by one blank");
}

enum state framing_target(struct framing *framing, unsigned char c)
{
    framing->matched = 1;
    framing->secure = false;
    return c == '/'            ? STATE_PATH
           : c == '*'          ? STATE_STAR
           : (c | 0x20) == 'h' ? STATE_SCHEME
                               : framing_fail(framing, TARGET_BAD);
}

enum state framing_star(struct framing *framing, unsigned char c)
{
    framing->matched = 0;
    return c == ' ' ? STATE_VERSION : framing_fail(framing, TARGET_BAD);
}

/* "http://" or "https://" */
enum state framing_scheme(struct framing *framing, unsigned char c)
{
    if (framing->matched == 4 && (c | 0x20) == 's' && !framing->secure) {
        framing->secure = true;
        return STATE_SCHEME;
    }
    if ((is_letter(c) ? c | 0x20 : c) != "http://"[framing->matched]) {
        return framing_fail(framing, TARGET_BAD);
    }
    return ++framing->matched == SCHEME_SIZE ? STATE_AUTHORITY : STATE_SCHEME;
}

enum state framing_path(struct framing *framing, unsigned char c)
{
    framing->matched = 0;
    framing->query = framing->query || c == '?';
    if (c == ' ') {
        return STATE_VERSION;
    }
    if (c == '%') {
        return STATE_ESCAPE;
    }
    return c < ' ' || c == 0x7f || c == '#' ? framing_fail(framing, TARGET_BAD)
                                            : STATE_PATH;
}

/* Neither user names nor escapes, because it is compared with Host literally. */
enum state framing_authority(struct framing *framing, unsigned char c)
{
    if (is_letter(c) || is_digit(c) || (c && strchr(".:-_[]", c))) {
        return STATE_AUTHORITY;
    }
    return c == '/' || c == '?' || c == ' ' ? framing_path(framing, c)
                                            : framing_fail(framing, TARGET_BAD);
}

enum state framing_escape(struct framing *framing, unsigned char c)
{
    return hex_of(c) < 0 ? framing_fail(framing, TARGET_BAD)
           : c == '0'    ? STATE_ESCAPE_ZERO
           : c == '2'    ? STATE_ESCAPE_TWO
                         : STATE_ESCAPE_LAST;
}

/* %00 would end the path for code in C. */
enum state framing_escape_zero(struct framing *framing, unsigned char c)
{
    return hex_of(c) <= 0 ? framing_fail(framing, TARGET_BAD) : STATE_PATH;
}

/* %2f would be a path separator for us, and a part of a name for a proxy. */
enum state framing_escape_two(struct framing *framing, unsigned char c)
{
    if ((c | 0x20) == 'f' && !framing->query) {
        return framing_fail(framing, "its path contains an escaped slash (%2F)");
    }
    return hex_of(c) < 0 ? framing_fail(framing, TARGET_BAD) : STATE_PATH;
}

enum state framing_escape_last(struct framing *framing, unsigned char c)
{
    return hex_of(c) < 0 ? framing_fail(framing, TARGET_BAD) : STATE_PATH;
}

enum state framing_version(struct framing *framing, unsigned char c)
{
    if (framing->matched == VERSION_SIZE) {
        return c == '\r' ? STATE_LINE_LF : framing_fail(framing, FRAMING_LINE_END);
    }
    framing->old = framing->matched == VERSION_SIZE - 1 && c == '0';
    if (!framing->old && (char)c != "HTTP/1.1"[framing->matched]) {
        return framing_fail(framing,
                            "the first line does not end in HTTP/1.1 or HTTP/1.0");
    }
    framing->matched++;
    return STATE_VERSION;
}
