/* The small shop that attacks are played against: its tables, rows and canary. */
#ifndef DGM_DATASOURCE_SCRATCH_H
#define DGM_DATASOURCE_SCRATCH_H

#include <stdbool.h>

#include "base/err.h"
#include "sql/dialect.h"

/* Stands in the table that nobody may read, and nowhere else. */
#define SCRATCH_CANARY "canary-5e1f-never-shown"

/* What makes the shop on a database of this dialect, ended by a NULL; NULL when there is
 * nothing for it. */
const char *const *scratch_script(enum dialect dialect);
/* As a new file: SQLite and DuckDB only. */
bool scratch_make(enum dialect dialect, const char *path, struct err *err);
/* The rows of a query as a file that DuckDB writes ("FORMAT parquet"): files that are
 * small and unpack to much. Not in a build without DuckDB. */
bool scratch_copy(const char *select, const char *path, const char *form,
                  struct err *err);

#endif
