/* Unpacks gzip with zlib, which is loaded when the first packed file is imported. */
#include "datasource/files/gzip.h"

#include <unistd.h>
#include <zlib.h>

#include "base/library.h"
#include "base/memory.h"

enum {
    CHUNK = 64 * 1024,
    WINDOW_GZIP = 15 + 16, /* the largest window, and the head and tail of gzip */
};

struct zlib {
    int (*init)(z_streamp stream, int window, const char *version, int size);
    int (*step)(z_streamp stream, int flush);
    int (*again)(z_streamp stream);
    int (*end)(z_streamp stream);
};

static struct zlib zlib;

static const char *const files[] = {"libz.so.1", "libz.so", "libz.1.dylib", NULL};
static const struct library_function list[] = {
    LIBRARY_FUNCTION(struct zlib, init, "inflateInit2_"),
    LIBRARY_FUNCTION(struct zlib, step, "inflate"),
    LIBRARY_FUNCTION(struct zlib, again, "inflateReset"),
    LIBRARY_FUNCTION(struct zlib, end, "inflateEnd"),
};

static struct library library = {
    LIBRARY(files, list, &zlib),
    .code = ERR_INVALID_DATA,
    .message = "Packed files need the library zlib, which could not be loaded.",
    .hint = "Install it (on Debian: apt install zlib1g), or unpack the file first.",
};
struct reading {
    int fd;
    gzip_take take;
    void *context;
    z_stream stream;
    unsigned char in[CHUNK];
    unsigned char out[CHUNK];
};

/* All that the bytes read last hold. *more: the text goes on behind them. */
static bool chunk_take(struct reading *reading, bool *more, struct err *err)
{
    z_stream *stream = &reading->stream;
    do {
        stream->next_out = reading->out;
        stream->avail_out = CHUNK;
        int done = zlib.step(stream, Z_NO_FLUSH);
        size_t size = CHUNK - stream->avail_out;
        if (size > 0 &&
            !reading->take(reading->context, (const char *)reading->out, size, err)) {
            return false;
        }
        /* another packed text may follow the first */
        *more = done == Z_OK || done == Z_BUF_ERROR ||
                (done == Z_STREAM_END && zlib.again(stream) == Z_OK);
    } while (*more && (stream->avail_in > 0 || stream->avail_out == 0));
    return true;
}

static bool all_take(struct reading *reading, struct err *err)
{
    off_t at = 0;
    bool more = true;
    for (ssize_t got; more && (got = pread(reading->fd, reading->in, CHUNK, at)) > 0;) {
        at += got;
        reading->stream.next_in = reading->in;
        reading->stream.avail_in = (uInt)got;
        if (!chunk_take(reading, &more, err)) {
            return false;
        }
    }
    return true;
}

bool gzip_read(int fd, gzip_take take, void *context, struct err *err)
{
    if (!library_load(&library, err)) {
        return false;
    }
    struct reading *reading = memory_alloc(sizeof *reading);
    *reading = (struct reading){.fd = fd, .take = take, .context = context};
    bool ok = zlib.init(&reading->stream, WINDOW_GZIP, ZLIB_VERSION,
                        (int)sizeof reading->stream) == Z_OK;
    if (!ok) {
        (void)err_set(err, ERR_INTERNAL, "The library zlib is of another version.");
    } else {
        ok = all_take(reading, err);
        (void)zlib.end(&reading->stream);
    }
    memory_free(reading);
    return ok;
}
