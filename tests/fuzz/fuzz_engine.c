/* Any bytes as what a process that runs an engine says: it is never believed. */
/* layers: datasource */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "datasource/duckdb/duckdb.h"

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

enum { ROWS_MOST = 100, BYTES_MOST = 1 << 16 };

struct seen {
    size_t columns;
    size_t bytes;
    int64_t rows;
};

static bool take_columns(void *context, const struct rows_column *columns, size_t count)
{
    struct seen *seen = context;
    seen->columns = count;
    for (size_t i = 0; i < count; i++) {
        seen->bytes += strlen(columns[i].name) + strlen(columns[i].type);
    }
    return true;
}

static bool take_row(void *context, const struct value *cells)
{
    struct seen *seen = context;
    for (size_t i = 0; i < seen->columns; i++) {
        struct buf text;
        buf_init(&text, BYTES_MOST);
        value_print(&text, &cells[i]); /* reads all of it */
        seen->bytes += text.size;
        buf_release(&text);
    }
    return ++seen->rows < ROWS_MOST;
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    int control[2];
    int line[2];
    struct err err;
    struct seen seen = {0};
    const struct datasource_sink sink = {
        .columns = take_columns, .row = take_row, .context = &seen};
    const struct datasource_limits limits = {.max_rows = ROWS_MOST,
                                             .max_bytes = BYTES_MOST};
    if (size < 1 || !frame_pair(SOCK_STREAM, control) || !frame_pair(SOCK_STREAM, line)) {
        return 0;
    }
    struct engine engine = {.spawner = UINT64_MAX, .uses = 2};
    (void)pthread_mutex_init(&engine.lock, NULL);
    frame_stream_init(&engine.control, control[0], NULL, NULL);
    struct duckdb_session session = {.limits = &limits,
                                     .line = {.engine = &engine, .limits = &limits}};
    frame_stream_init(&session.line.stream, line[0], NULL, NULL);
    buf_init(&session.line.out, 1 << 20);
    (void)send(line[1], input + 1, size - 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    (void)shutdown(line[1], SHUT_WR);
    err_clear(&err);
    bool ok = input[0] & 1 ? duckdb_run(&session, "SELECT 1", true, &sink, &err)
                           : duckdb_run(&session, "SELECT 1", false, &sink, &err);
    if (!ok && err.code == ERR_OK) {
        abort(); /* it failed and nobody says why */
    }
    frame_stream_release(&session.line.stream);
    buf_release(&session.line.out);
    frame_stream_release(&engine.control);
    (void)pthread_mutex_destroy(&engine.lock);
    (void)close(control[1]);
    (void)close(line[1]);
    return 0;
}
