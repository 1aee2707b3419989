/*
 * Finds the boundaries of requests in the bytes of a connection, strictly: input that two
 * HTTP parsers could split differently (request smuggling) is a fault. It sees every byte
 * before libmicrohttpd does, stores none, and does not depend on how the bytes are split
 * into reads.
 */
#ifndef DGM_SERVER_FRAMING_H
#define DGM_SERVER_FRAMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FRAMING_NAME_MOST = 18 }; /* one more than the longest header name that matters */

/* The state of the parser. All zero: a new connection. */
struct framing {
    const char *fault; /* what is wrong, for the client; NULL: nothing so far */
    /* after a fault: bytes that the library still receives, so that it can reply */
    const char *ending;
    uint64_t left;   /* bytes of the body or of the chunk that are still to come */
    size_t heads;    /* number of requests whose head is complete */
    size_t fault_at; /* number of the request with the fault, from 0 */
    uint8_t state;
    uint8_t matched; /* matched characters of a fixed text, or digits, so far */
    bool secure;     /* https:// */
    bool query;      /* after the ? of the target */
    bool old;        /* HTTP/1.0 */
    uint8_t hosts;   /* number of Host headers in this head */
    uint8_t lengths;
    uint8_t encodings;
    uint8_t keys;
    uint8_t origins;
    uint8_t name_size;
    char name[FRAMING_NAME_MOST];
};

/* Parses further bytes and returns how many of them are valid: all, or those before a
 * fault. After a fault: 0. */
size_t framing_read(struct framing *framing, const char *bytes, size_t size);

/* The fault of the request with this number, or NULL. It is also a fault if that head was
 * not complete here: the library must not see a request where this parser sees none. */
const char *framing_fault(const struct framing *framing, size_t request);

#endif
