/*
 * Where requests begin and end among the bytes of a connection, read strictly: what two
 * readers could understand in two ways is a fault. It sees every byte before the HTTP
 * library does, keeps nothing of it, and does not care how the bytes are cut.
 */
#ifndef DGM_SERVER_FRAMING_H
#define DGM_SERVER_FRAMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FRAMING_NAME_MOST = 18 }; /* one more than the longest name that matters */

/* All zero: a new connection. */
struct framing {
    const char *fault;  /* what is wrong, for the client; NULL as long as nothing is */
    const char *ending; /* after a fault: what the library still gets to read */
    uint64_t left;      /* bytes to come of the body or the chunk */
    size_t heads;       /* requests whose head was read to its end */
    size_t fault_at;    /* the request with the fault, from 0 */
    uint8_t state;
    uint8_t matched; /* signs of a fixed text, or digits, so far */
    bool secure;     /* https:// */
    bool query;      /* behind the ? of the target */
    bool old;        /* HTTP/1.0 */
    uint8_t hosts;   /* how many times the head says it */
    uint8_t lengths;
    uint8_t encodings;
    uint8_t keys;
    uint8_t origins;
    uint8_t name_size;
    char name[FRAMING_NAME_MOST];
};

/* Reads on and returns how many of the bytes are good: all, or those before a fault.
 * After a fault there are none. */
size_t framing_read(struct framing *framing, const char *bytes, size_t size);

/* What is wrong with the request of this number, or NULL. A request whose head was not
 * read here is a fault as well: the library must not find one where we see none. */
const char *framing_fault(const struct framing *framing, size_t request);

#endif
