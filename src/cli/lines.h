/* Rows for other programs, one line each, written as they come. */
#ifndef DGM_CLI_LINES_H
#define DGM_CLI_LINES_H

#include "base/buf.h"
#include "dragoman_server.h"

struct arena;
struct out;

enum lines_form {
    LINES_CSV, /* RFC 4180 quoting, lines end in \n; NULL is an empty field, "" a quoted
                  one */
    LINES_JSON /* an array of objects; equal column names get _2, _3, … */
};

struct lines {
    struct out *out;
    enum lines_form form;
    struct arena *arena;
    struct buf *keys; /* of JSON: "name": */
    size_t column_count;
    size_t count; /* rows written */
    bool begun;   /* the columns are known */
    bool headed;  /* and the heading is written */
    struct buf line;
};

void lines_init(struct lines *lines, struct out *out, enum lines_form form);
/* May be said again as long as there was no row: nothing is written before that. */
void lines_columns(struct lines *lines, const char *const *names, size_t count);
/* False when the reader is gone. */
bool lines_row(struct lines *lines, const struct dgm_cell *cells);
/* Completes what is written, and releases it. */
void lines_end(struct lines *lines);
/* The same, but leaves it as it is: the rest could not be read. */
void lines_abandon(struct lines *lines);

/* Prints a line of text with nothing in it that a terminal would obey; empties it. */
void lines_print(struct out *out, struct buf *line);

#endif
