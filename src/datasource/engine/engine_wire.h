/*
 * The protocol between the main process and an engine: frames with a kind and a payload,
 * over a local socket. The engine is not trusted: every length is checked against what
 * was received.
 */
#ifndef DGM_DATASOURCE_ENGINE_WIRE_H
#define DGM_DATASOURCE_ENGINE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "model/value.h"

struct arena;

enum engine_message {
    /* To an engine, over its control socket. */
    ENGINE_FILE = 1, /* comes with a descriptor; the reply is its number in the process */
    ENGINE_OPEN,     /* open the database */
    ENGINE_SESSION,  /* comes with the socket of a session; no reply */
    ENGINE_INTERRUPT, /* interrupt a session; no reply */
    ENGINE_ENOUGH,    /* send no more rows; no reply */
    ENGINE_CLOSE,
    /* To an engine, over the socket of a session. */
    ENGINE_CHECK,
    ENGINE_RUN,
    ENGINE_STATEMENT,
    ENGINE_TABLE, /* begins to append */
    ENGINE_BATCH, /* replied to only on failure */
    ENGINE_TABLE_END,
    /* From an engine. */
    ENGINE_OK, /* with a number */
    ENGINE_FAIL,
    ENGINE_COLUMNS,
    ENGINE_ROWS,
};

/* Why something failed; a message of the engine may be attached. */
enum engine_failure {
    ENGINE_SAID, /* the engine's own message */
    ENGINE_NOTHING_TO_RUN,
    ENGINE_MANY_STATEMENTS,
    ENGINE_NOT_A_QUERY,
    ENGINE_NOT_CONFIGURED,
    ENGINE_NOT_OPENED,
    ENGINE_NO_CONNECTION,
    ENGINE_NOT_CAGED,
    ENGINE_FAILURES,
};

enum {
    ENGINE_OWN_MOST = 256 << 20, /* maximum bytes of one row of dragoman's own SQL */
    ENGINE_BATCH_BYTES = 256 << 10,
    ENGINE_BATCH_ROWS = 2048, /* as many as a chunk of DuckDB has */
    /* position of the row count: after the header and a serial number */
    ENGINE_COUNT_AT = 16,
};

/* ------------------------------------------------------------------ writing */

/* Begins a frame in an empty buffer; frame_end writes its length. */
void frame_begin(struct buf *out, enum engine_message kind);
bool frame_end(struct buf *out); /* false: it did not fit */
void frame_put_byte(struct buf *out, uint8_t value);
void frame_put_number(struct buf *out, uint64_t value);
void frame_put_string(struct buf *out, const char *text); /* NULL is "" */
/* Cuts and marks texts longer than `cell_most` bytes, or so that the row has at most
 * `row_most` bytes of text. */
void frame_put_row(struct buf *out, const struct value *cells, size_t count,
                   size_t cell_most, size_t row_most);

/* ------------------------------------------------------------------ reading */

struct frame_reader {
    const char *at;
    size_t left;
    bool bad; /* the frame is too short or invalid */
};

uint8_t frame_get_byte(struct frame_reader *in);
uint64_t frame_get_number(struct frame_reader *in);
/* Borrowed from the frame; "" if it is invalid. */
const char *frame_get_text(struct frame_reader *in, size_t *size);
const char *frame_get_string(struct frame_reader *in, struct arena *arena);
/* Reads one row; texts are borrowed from the frame, or copied to the arena to correct
 * their UTF-8. */
bool frame_get_row(struct frame_reader *in, struct arena *arena, struct value *cells,
                   size_t count);

/* ------------------------------------------------------------------ sockets */

/* Called when a socket is not ready; returns false to stop waiting. NULL: wait without
 * limit. */
typedef bool frame_wait(void *context, int fd, short events);

/* Received bytes; frames are read from it one by one. */
struct frame_stream {
    int fd;
    char *data;
    size_t start; /* of the unread part */
    size_t end;
    size_t capacity;
    frame_wait *wait;
    void *context;
    int passed; /* a descriptor that was received; -1: none. The reader takes it over. */
};

void frame_stream_init(struct frame_stream *stream, int fd, frame_wait *wait,
                       void *context);
void frame_stream_release(struct frame_stream *stream); /* closes the socket, too */
/* Receives the next frame of at most `most` bytes and returns its kind; 0: end or
 * failure. */
enum engine_message frame_receive(struct frame_stream *stream, size_t most,
                                  struct frame_reader *out);
/* Sends a finished frame, with a descriptor unless it is -1. */
bool frame_send(struct frame_stream *stream, const struct buf *frame, int passed);

/* A pair of connected sockets with close-on-exec. */
bool frame_pair(int type, int out[2]);

#endif
