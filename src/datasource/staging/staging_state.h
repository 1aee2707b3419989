/* Shared by the files of this folder. */
#ifndef DGM_DATASOURCE_STAGING_STATE_H
#define DGM_DATASOURCE_STAGING_STATE_H

#include "datasource/duckdb/duckdb.h"
#include "datasource/staging/staging.h"
#include "datasource/staging/staging_types.h"

struct staging {
    struct arena *arena;
    struct datasource *source; /* the DuckDB driver on the private database */
    struct duckdb_source_state *state;
    const struct options *options;
    struct staging_watcher watcher;
    char *folder;    /* the spill folder */
    int folder_lock; /* a lock on it while it is in use */
};

/*
 * A table of the private database while rows of another datasource are appended to it.
 * One thread uses it.
 */
struct staging_table {
    struct arena *arena;
    struct staging *staging;
    struct duckdb_session session;
    struct datasource_limits limits;
    const char *shown;  /* "crm.customers" */
    size_t count;       /* columns */
    const char **names; /* the columns of the current batch */
    int64_t max_rows;
    int64_t max_bytes;
    int64_t rows;
    int64_t bytes;
    int64_t told;       /* number of rows at the last progress report */
    struct err failure; /* error inside a sink, which cannot return it */
};

/* staging_folder.c: creates and locks a private spill folder, and deletes those of
 * processes that were killed. NULL and ACCESS on failure. */
char *staging_folder_make(struct arena *arena, const char *where, int *lock,
                          struct err *err);
void staging_folder_remove(const char *path, int lock);

#endif
