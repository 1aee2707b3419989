/* A staged table as a Parquet file. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "datasource/staging/staging_state.h"

static bool copy_out(const char *path, int fd, struct err *err)
{
    char block[65536];
    int from = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    ssize_t size = 0;
    bool ok = from >= 0;
    while (ok && (size = read(from, block, sizeof block)) > 0) {
        ok = file_write_all(fd, block, (size_t)size);
    }
    int why = errno;
    ok = ok && size == 0;
    if (from >= 0) {
        (void)close(from);
    }
    return ok || err_set(err, why == ENOSPC || why == EDQUOT ? ERR_DISK_FULL : ERR_STORE,
                         "The Parquet file could not be written.");
}

bool staging_parquet(struct staging *staging, const char *table, int fd,
                     const struct datasource_limits *limits, struct err *err)
{
    struct duckdb_session session;
    struct arena *arena = arena_new();
    const char *path = arena_format(arena, "%s/result.parquet", staging->folder);
    const char *sql =
        arena_format(arena, "COPY main.\"%s\" TO '%s' (FORMAT PARQUET)", table, path);
    bool ok = duckdb_begin(staging->source, limits, &session, err);
    if (ok) {
        ok = duckdb_statement(&session, sql, err);
        duckdb_end(staging->source, &session);
    }
    ok = ok && copy_out(path, fd, err);
    (void)unlink(path);
    arena_free(arena);
    return ok;
}
