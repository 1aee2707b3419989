/* Columns of a staged table and the cells that are written into them, in the process that
 * runs DuckDB. */
#ifndef DGM_DATASOURCE_STAGING_CELLS_H
#define DGM_DATASOURCE_STAGING_CELLS_H

#include "datasource/duckdb/duckdb.h"
#include "datasource/staging/staging_types.h"

struct staged_column {
    const char *name;
    struct staged_type type;
    bool exact;      /* it holds a number that a double would change */
    unsigned digits; /* most digits before the point */
};

/* Writes one cell; false when the column cannot hold it as it is. NULL
 * is not for it. vector NULL: only says whether it fits. */
bool staged_cell_put(const struct duckdb_library *library, struct staged_column *column,
                     const struct value *value, duckdb_vector vector, uint64_t row);
/* The next wider type that holds the value and all that came before. */
struct staged_type staged_type_wider(const struct staged_column *column,
                                     const struct value *value);

#endif
