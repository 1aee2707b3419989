/* Buffered output that remembers its first error and knows its terminal. */
#include "cli/out.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/str.h"
#include "cli/clean.h"

enum { LEAST_WIDTH = 20, MOST_WIDTH = 4096, FORMAT_CEILING = 1 << 20 };

static size_t width_of(int fd)
{
    int64_t columns = 0;
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        columns = size.ws_col;
    } else if (!str_to_int(getenv("COLUMNS") ? getenv("COLUMNS") : "", &columns)) {
        columns = 80;
    }
    columns = columns < LEAST_WIDTH ? LEAST_WIDTH : columns;
    return columns > MOST_WIDTH ? MOST_WIDTH : (size_t)columns;
}

void out_init(struct out *out, int fd, bool utf8)
{
    out->fd = fd;
    out->error = 0;
    out->terminal = isatty(fd) == 1;
    out->color = false;
    out->utf8 = utf8;
    out->used = 0;
    out_measure(out);
}

void out_measure(struct out *out)
{
    out->width = out->terminal ? width_of(out->fd) : 0;
}

void out_set_color(struct out *out, const char *choice)
{
    const char *terminal = getenv("TERM");
    const char *force = getenv("CLICOLOR_FORCE");
    const char *no_color = getenv("NO_COLOR");
    if (str_equal(choice, "always")) {
        out->color = true;
    } else if (str_equal(choice, "never") || (no_color && *no_color)) {
        out->color = false;
    } else if (force && *force && !str_equal(force, "0")) {
        out->color = true;
    } else {
        out->color =
            out->terminal && terminal && *terminal && !str_equal(terminal, "dumb");
    }
}

void out_flush(struct out *out)
{
    size_t at = 0;
    while (at < out->used && !out->error) {
        ssize_t wrote = write(out->fd, out->data + at, out->used - at);
        if (wrote >= 0) {
            at += (size_t)wrote;
        } else if (errno != EINTR) {
            out->error = errno;
        }
    }
    out->used = 0;
}

bool out_failed(const struct out *out)
{
    return out->error != 0;
}

void out_add(struct out *out, const char *data, size_t size)
{
    while (size && !out->error) {
        size_t room = sizeof out->data - out->used;
        size_t part = size < room ? size : room;
        memcpy(out->data + out->used, data, part);
        out->used += part;
        data += part;
        size -= part;
        if (out->used == sizeof out->data) {
            out_flush(out);
        }
    }
}

void out_text(struct out *out, const char *text)
{
    if (text) {
        out_add(out, text, strlen(text));
    }
}

void out_format(struct out *out, const char *format, ...)
{
    struct buf buf;
    buf_init(&buf, FORMAT_CEILING);
    va_list args;
    va_start(args, format);
    (void)buf_vformat(&buf, format, args);
    va_end(args);
    out_add(out, buf_get(&buf), buf.size);
    buf_release(&buf);
}

void out_repeat(struct out *out, const char *text, size_t count)
{
    size_t size = strlen(text);
    for (size_t i = 0; i < count; i++) {
        out_add(out, text, size);
    }
}

void out_shade(struct out *out, enum shade shade)
{
    static const char *const codes[] = {
        [SHADE_PLAIN] = "\033[0m",  [SHADE_BOLD] = "\033[1m",
        [SHADE_DIM] = "\033[2m",    [SHADE_RED] = "\033[1;31m",
        [SHADE_GREEN] = "\033[32m", [SHADE_YELLOW] = "\033[33m",
        [SHADE_CYAN] = "\033[36m",
    };
    if (out->color) {
        out_text(out, codes[shade]);
    }
}

void out_foreign(struct out *out, const char *text)
{
    if (!text) {
        return;
    }
    struct arena *arena = arena_new();
    size_t size = 0;
    const char *clean =
        clean_text(arena, text, strlen(text), CLEAN_KEEP_LINES, out->utf8, &size);
    out_add(out, clean, size);
    arena_free(arena);
}
