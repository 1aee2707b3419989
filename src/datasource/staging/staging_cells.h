/* Types of staged columns and writing of cells, in the process that runs DuckDB. */
#ifndef DGM_DATASOURCE_STAGING_CELLS_H
#define DGM_DATASOURCE_STAGING_CELLS_H

#include "datasource/duckdb/duckdb.h"
#include "datasource/staging/staging_types.h"

struct staged_column {
    const char *name;
    struct staged_type type;
    bool exact;      /* it contains a number that a double cannot hold exactly */
    unsigned digits; /* maximum digits before the point */
};

/* Writes a cell that is not NULL; false if the column cannot hold it without loss. vector
 * NULL: only checks that. */
bool staged_cell_put(const struct duckdb_library *library, struct staged_column *column,
                     const struct value *value, duckdb_vector vector, uint64_t row);
/* The next wider type that holds the value and all earlier ones. */
struct staged_type staged_type_wider(const struct staged_column *column,
                                     const struct value *value);

#endif
