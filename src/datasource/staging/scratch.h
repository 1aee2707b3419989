/* The small database for simulated attacks: its tables, rows and a secret value (the
 * canary). */
#ifndef DGM_DATASOURCE_SCRATCH_H
#define DGM_DATASOURCE_SCRATCH_H

#include <stdbool.h>

#include "base/err.h"
#include "sql/dialect.h"

/* Only in the table that nobody may read. */
#define SCRATCH_CANARY "canary-5e1f-never-shown"

/* The statements that create it on a database of this dialect, NULL-ended; NULL: not
 * supported. */
const char *const *scratch_script(enum dialect dialect);
/* Creates it as a new file: SQLite and DuckDB only. */
bool scratch_make(enum dialect dialect, const char *path, struct err *err);
/* The rows of a query as a file that DuckDB writes ("FORMAT parquet"): files that are
 * small and unpack to much. Not in a build without DuckDB. */
bool scratch_copy(const char *select, const char *path, const char *form,
                  struct err *err);

#endif
