/*
 * An incremental HTTP/1.1 response parser, without any I/O. Invalid input is an error;
 * nothing is guessed.
 */
#ifndef DGM_BASE_WIRE_PARSER_H
#define DGM_BASE_WIRE_PARSER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

enum wire_step {
    WIRE_MORE,    /* feed it more */
    WIRE_DONE,    /* the response is complete */
    WIRE_BAD,     /* this is not a response */
    WIRE_STOPPED, /* `body` returned false */
};

struct wire_parser {
    int state;
    int status;
    bool keep_alive;        /* the connection may be used again after DONE */
    bool chunked;           /* said by a header of the head being read */
    uint64_t left;          /* bytes of the body, or of the chunk */
    int64_t retry_after_ms; /* -1 when absent */
    struct buf line;        /* a line or a head that has not ended yet */
    size_t head_bytes;
};

void wire_parser_init(struct wire_parser *parser);
void wire_parser_release(struct wire_parser *parser);
/* `body` gets the pieces of the body; false stops. *used: number of bytes consumed. */
enum wire_step
wire_parser_feed(struct wire_parser *parser, const char *data, size_t size, size_t *used,
                 bool (*body)(void *context, const char *data, size_t size),
                 void *context);
/* Call it when the connection was closed by the other side. */
enum wire_step wire_parser_close(const struct wire_parser *parser);
/* Retry-After: seconds or a date; -1 when it is neither. */
int64_t wire_retry_after(const char *value);

#endif
