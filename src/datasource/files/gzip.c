/* Unpacks gzip with zlib, which is loaded when the first packed file is imported. */
#include "datasource/files/gzip.h"

#include <pthread.h>
#include <unistd.h>
#include <zlib.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/symbol.h"

enum {
    CHUNK = 64 * 1024,
    WINDOW_GZIP = 15 + 16, /* the largest window, and the head and tail of gzip */
};

static struct {
    int (*init)(z_streamp stream, int window, const char *version, int size);
    int (*step)(z_streamp stream, int flush);
    int (*again)(z_streamp stream);
    int (*end)(z_streamp stream);
} zlib;
static bool loaded;

static bool fill(void *handle)
{
    return symbol_find(handle, "inflateInit2_", &zlib.init) &&
           symbol_find(handle, "inflate", &zlib.step) &&
           symbol_find(handle, "inflateReset", &zlib.again) &&
           symbol_find(handle, "inflateEnd", &zlib.end);
}

static void load(void)
{
    static const char *const names[] = {"libz.so.1", "libz.so", "libz.1.dylib"};
    loaded = symbol_load(names, sizeof names / sizeof *names, fill);
}

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
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, load);
    if (!loaded) {
        (void)err_set(err, ERR_INVALID_DATA,
                      "Packed files need the library zlib, which could not be loaded.");
        return err_hint(err, "Install it (on Debian: apt install zlib1g), or unpack the "
                             "file first.");
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
