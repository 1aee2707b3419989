/*
 * Writes a result to a file; each file format has one writer.
 *
 * The exporter owns the descriptor and the temporary file until the export ends.
 */
#ifndef DGM_SERVICE_EXPORT_H
#define DGM_SERVICE_EXPORT_H

#include "base/buf.h"
#include "base/err.h"
#include "datasource/datasource.h"
#include "model/rows.h"

/*
 * A file that is being written. The rows go to a temporary file, which gets its name
 * only when all of them are written, so nobody sees half a file.
 */
struct exporter {
    const struct options *options;
    struct arena *arena;
    const struct export_format *format;
    const char *part; /* the temporary file, which is renamed at the end */
    int fd;           /* open for writing, empty */
    enum dialect dialect;
    struct buf out; /* bytes that are not written yet */
    const struct rows_column *columns;
    const char **names; /* column names, made unique */
    size_t count;
    void *state; /* private to the format */
    int64_t rows;
    int64_t cell_bytes;
    int64_t max_rows;
    int64_t max_bytes;
    bool begun;
    bool truncated;
    struct err failure;
};

struct export_format {
    const char *name; /* name of the format and file extension */
    const char *type; /* MIME type */
    /* called when the columns are known */
    bool (*begin)(struct exporter *exporter, struct err *err);
    bool (*row)(struct exporter *exporter, const struct value *cells, struct err *err);
    /* Finishes the file; good false: only frees the format's resources. */
    bool (*end)(struct exporter *exporter, bool good, struct err *err);
};

extern const struct export_format export_csv, export_json, export_xlsx, export_parquet;

/* Writes `out` if it is large enough, or always if `all`. */
bool export_flush(struct exporter *exporter, bool all, struct err *err);

#endif
