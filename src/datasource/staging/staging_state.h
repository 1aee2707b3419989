/* The inside of a staging: shared by its files alone. */
#ifndef DGM_DATASOURCE_STAGING_STATE_H
#define DGM_DATASOURCE_STAGING_STATE_H

#include "datasource/duckdb/duckdb.h"
#include "datasource/staging/staging.h"
#include "datasource/staging/staging_types.h"

struct staging {
    struct arena *arena;
    struct datasource *source; /* the DuckDB driver over the private database */
    struct duckdb_source_state *state;
    const struct options *options;
    struct staging_watcher watcher;
    char *folder;    /* where it spills */
    int folder_lock; /* held for as long as it is in use */
};

struct staging_table {
    struct arena *arena;
    struct staging *staging;
    struct duckdb_session session;
    struct datasource_limits limits;
    const char *shown;  /* "crm.customers" */
    size_t count;       /* columns */
    const char **names; /* of the columns that are being filled in */
    int64_t max_rows;
    int64_t max_bytes;
    int64_t rows;
    int64_t bytes;
    int64_t told;       /* rows, when progress was last told */
    struct err failure; /* inside a sink, which cannot say why it stops */
};

/* staging_folder.c: a folder of our own to spill into, locked; what a process that was
 * killed left behind is swept away. NULL and ACCESS when none can be made. */
char *staging_folder_make(struct arena *arena, const char *where, int *lock,
                          struct err *err);
void staging_folder_remove(const char *path, int lock);

#endif
