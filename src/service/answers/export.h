/* Writes a result to a file; one writer per file format. */
#ifndef DGM_SERVICE_EXPORT_H
#define DGM_SERVICE_EXPORT_H

#include "base/buf.h"
#include "base/err.h"
#include "datasource/datasource.h"
#include "model/rows.h"

struct exporter {
    const struct options *options;
    struct arena *arena;
    const struct export_format *format;
    const char *part; /* the file that is written: it gets its name at the end */
    int fd;           /* open for writing, empty */
    enum dialect dialect;
    struct buf out; /* what waits to be written */
    const struct rows_column *columns;
    const char **names; /* of the columns, each once */
    size_t count;
    void *state; /* the format's own */
    int64_t rows;
    int64_t cell_bytes;
    int64_t max_rows;
    int64_t max_bytes;
    bool begun;
    bool truncated;
    struct err failure;
};

struct export_format {
    const char *name; /* also the file's ending */
    const char *type; /* for HTTP */
    bool (*begin)(struct exporter *exporter, struct err *err); /* columns are known */
    bool (*row)(struct exporter *exporter, const struct value *cells, struct err *err);
    /* good false: only lets go of what it holds. */
    bool (*end)(struct exporter *exporter, bool good, struct err *err);
};

extern const struct export_format export_csv, export_json, export_xlsx, export_parquet;

/* By name, or by a path's ending; NULL when there is none. */
const struct export_format *export_format_find(const char *name, const char *path);
/* Writes what waits once there is enough of it, or all. */
bool export_flush(struct exporter *exporter, bool all, struct err *err);

#endif
