/* The states of framing.h and their steps: a step takes a byte and returns the next
 * state. */
#ifndef DGM_SERVER_FRAMING_STEPS_H
#define DGM_SERVER_FRAMING_STEPS_H

#include <string.h>

#include "base/str.h"
#include "server/framing/framing.h"

enum state {
    STATE_START,
    STATE_METHOD,
    STATE_TARGET,
    STATE_STAR,
    STATE_SCHEME,
    STATE_AUTHORITY,
    STATE_PATH,
    STATE_ESCAPE,
    STATE_ESCAPE_ZERO,
    STATE_ESCAPE_TWO,
    STATE_ESCAPE_LAST,
    STATE_VERSION,
    STATE_LINE_LF,
    STATE_LINE,
    STATE_NAME,
    STATE_VALUE,
    STATE_LENGTH,
    STATE_ENCODING,
    STATE_HEAD_LF,
    STATE_BODY,
    STATE_CHUNK,
    STATE_CHUNK_SIZE,
    STATE_CHUNK_LF,
    STATE_CHUNK_DATA,
    STATE_CHUNK_CR,
    STATE_CHUNK_END,
    STATE_LAST,
    STATE_LAST_LF,
    STATE_COUNT
};

enum { FRAMING_DIGITS_MOST = 15 }; /* digits of a length; more cannot be a valid length */

#define FRAMING_LINE_END "a line does not end in CR LF"

static inline enum state framing_fail(struct framing *framing, const char *fault)
{
    framing->fault = fault;
    return STATE_START;
}

static inline bool is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

static inline bool is_letter(unsigned char c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

/* -1: no hexadecimal digit */
static inline int hex_of(unsigned char c)
{
    return str_hex_digit((char)c);
}

/* Characters of methods and header names. */
static inline bool is_token(unsigned char c)
{
    return c && (is_letter(c) || is_digit(c) || strchr("!#$%&'*+-.^_`|~", c));
}

static inline bool is_blank(unsigned char c)
{
    return c == ' ' || c == '\t';
}

static inline bool is_control(unsigned char c)
{
    return (c < ' ' && c != '\t') || c == 0x7f;
}

typedef enum state framing_step(struct framing *framing, unsigned char c);

/* The first line (framing_first.c) and the headers (framing_head.c). */
framing_step framing_start;
framing_step framing_method;
framing_step framing_target;
framing_step framing_star;
framing_step framing_scheme;
framing_step framing_path;
framing_step framing_authority;
framing_step framing_escape;
framing_step framing_escape_zero;
framing_step framing_escape_two;
framing_step framing_escape_last;
framing_step framing_version;
framing_step framing_line_lf;
framing_step framing_name;
framing_step framing_line;
framing_step framing_value;
framing_step framing_length;
framing_step framing_encoding;
framing_step framing_head_lf;

#endif
