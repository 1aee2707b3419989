/*
 * What a process that runs an engine and the one that asks it say to each other: frames
 * of a kind and a payload over a socket of their own machine. The engine's side is not
 * trusted: every length is held against what was received.
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
    /* to an engine, over its control socket */
    ENGINE_FILE = 1,  /* with a descriptor; answered by its number there */
    ENGINE_OPEN,      /* the database */
    ENGINE_SESSION,   /* with the socket of a session; not answered */
    ENGINE_INTERRUPT, /* what a session is doing; not answered */
    ENGINE_ENOUGH,    /* rows of what it is doing; not answered */
    ENGINE_CLOSE,
    /* to an engine, over the socket of a session */
    ENGINE_CHECK,
    ENGINE_RUN,
    ENGINE_STATEMENT,
    ENGINE_TABLE, /* begins to append */
    ENGINE_BATCH, /* answered only when it fails */
    ENGINE_TABLE_END,
    /* from an engine */
    ENGINE_OK, /* with a number */
    ENGINE_FAIL,
    ENGINE_COLUMNS,
    ENGINE_ROWS,
};

/* Why something failed; a text of the engine may come with it. */
enum engine_failure {
    ENGINE_SAID, /* the engine's own words */
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
    ENGINE_OWN_MOST = 256 << 20, /* bytes of one row of our own SQL */
    ENGINE_BATCH_BYTES = 256 << 10,
    ENGINE_BATCH_ROWS = 2048, /* as many as one of the engine's chunks holds */
    ENGINE_COUNT_AT = 16,     /* where rows are counted: behind the header and a serial */
};

/* ------------------------------------------------------------------ writing */

/* Begins a frame in an empty buffer; ends it by writing its length. */
void frame_begin(struct buf *out, enum engine_message kind);
bool frame_end(struct buf *out); /* false: it did not fit */
void frame_put_byte(struct buf *out, uint8_t value);
void frame_put_number(struct buf *out, uint64_t value);
void frame_put_text(struct buf *out, const char *data, size_t size);
void frame_put_string(struct buf *out, const char *text); /* NULL is "" */
/* Texts are cut, and marked so, where one is longer than `cell_most` bytes, or those of
 * the row together than `row_most`. */
void frame_put_row(struct buf *out, const struct value *cells, size_t count,
                   size_t cell_most, size_t row_most);

/* ------------------------------------------------------------------ reading */

struct frame_reader {
    const char *at;
    size_t left;
    bool bad; /* it was shorter, or said something that cannot be */
};

uint8_t frame_get_byte(struct frame_reader *in);
uint64_t frame_get_number(struct frame_reader *in);
/* Borrowed from the frame; "" when it is bad. */
const char *frame_get_text(struct frame_reader *in, size_t *size);
const char *frame_get_string(struct frame_reader *in, struct arena *arena);
/* One row; texts are borrowed from the frame, or made good in the arena. */
bool frame_get_row(struct frame_reader *in, struct arena *arena, struct value *cells,
                   size_t count);

/* ------------------------------------------------------------------ sockets */

/* Asked when a socket is not ready; false: do not wait on. NULL: wait for ever. */
typedef bool frame_wait(void *context, int fd, short events);

/* What has been received: one frame at a time is looked at. */
struct frame_stream {
    int fd;
    char *data;
    size_t start; /* of what has not been looked at */
    size_t end;
    size_t capacity;
    frame_wait *wait;
    void *context;
    int passed; /* a descriptor that came along; -1: none. Whoever looks takes it. */
};

void frame_stream_init(struct frame_stream *stream, int fd, frame_wait *wait,
                       void *context);
void frame_stream_release(struct frame_stream *stream); /* closes the socket, too */
/* The next frame, of at most `most` bytes: its kind, or 0 when there is none to come. */
enum engine_message frame_receive(struct frame_stream *stream, size_t most,
                                  struct frame_reader *out);
/* Sends a frame that has ended, with a descriptor unless that is -1. */
bool frame_send(struct frame_stream *stream, const struct buf *frame, int passed);

/* A pair of connected sockets that no other program inherits. */
bool frame_pair(int type, int out[2]);

#endif
