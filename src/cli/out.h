/*
 * Buffered standard output or standard error, with the properties of the terminal
 * (colour, width). The first write error is stored and further output dropped, so that `|
 * head` ends silently and a full disk is reported once.
 */
#ifndef DGM_CLI_OUT_H
#define DGM_CLI_OUT_H

#include <stdbool.h>
#include <stddef.h>

enum shade {
    SHADE_PLAIN,
    SHADE_BOLD,
    SHADE_DIM,
    SHADE_RED,
    SHADE_GREEN,
    SHADE_YELLOW,
    SHADE_CYAN
};

struct out {
    int fd;
    int error; /* errno of the first failed write; 0 when all went well */
    bool terminal;
    bool color;
    bool utf8;    /* our own decorations may be more than ASCII */
    size_t width; /* columns; 0: no limit */
    size_t used;
    char data[16384];
};

void out_init(struct out *out, int fd, bool utf8);
/* Reads the terminal's width again: the window can change during a conversation. */
void out_measure(struct out *out);
/* choice: "auto", "always" or "never"; auto honours NO_COLOR, CLICOLOR_FORCE and TERM. */
void out_set_color(struct out *out, const char *choice);

void out_add(struct out *out, const char *data, size_t size);
void out_text(struct out *out, const char *text); /* NULL: nothing */
void out_format(struct out *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void out_repeat(struct out *out, const char *text, size_t count);
void out_shade(struct out *out, enum shade shade); /* nothing without colour */
void out_flush(struct out *out);
/* The reader is gone or nothing can be written: stop producing. */
bool out_failed(const struct out *out);

/* Text from elsewhere (a database, a model, a user), made safe: control characters and
 * direction overrides become visible characters. Newlines stay. */
void out_foreign(struct out *out, const char *text);

#endif
