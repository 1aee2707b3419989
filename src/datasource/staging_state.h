/* The inside of a staging: shared by its files alone. */
#ifndef DGM_DATASOURCE_STAGING_STATE_H
#define DGM_DATASOURCE_STAGING_STATE_H

#include "datasource/duckdb_driver.h"
#include "datasource/staging.h"

/* How a staged column keeps its values. */
enum staged_kind {
    STAGED_BOOL,
    STAGED_INT,
    STAGED_UNSIGNED,
    STAGED_HUGE,
    STAGED_DECIMAL,
    STAGED_REAL,
    STAGED_DATE,
    STAGED_TIME,
    STAGED_TIMESTAMP,
    STAGED_ZONED, /* a moment: its zone was taken into account */
    STAGED_TEXT,
    STAGED_BLOB,
    STAGED_JSON,
    STAGED_COUNT
};

struct staged_type {
    enum staged_kind kind;
    unsigned width; /* of decimals */
    unsigned scale;
};

struct staged_column {
    const char *name;
    struct staged_type type;
    bool exact;      /* it holds a number that a double would change */
    unsigned digits; /* most digits before the point */
};

struct staging {
    struct arena *arena;
    struct datasource *source; /* the DuckDB driver over the private database */
    struct duck_state *state;
    const struct options *options;
    struct staging_watcher watcher;
    char *folder; /* where it spills */
};

struct staging_table {
    struct arena *arena;
    struct staging *staging;
    struct duck_session session;
    struct datasource_limits limits;
    const char *namespace;
    const char *name;
    const char *shown; /* "crm.customers" */
    struct staged_column *columns;
    size_t count;
    duckdb_appender appender;
    duckdb_data_chunk chunk;
    struct arena *batch; /* the cells that wait */
    struct value *cells;
    size_t waiting; /* rows */
    size_t waiting_bytes;
    int64_t max_rows;
    int64_t max_bytes;
    int64_t rows;
    int64_t bytes;
    struct err failure; /* inside a sink, which cannot say why it stops */
};

/* staging_types.c: the kind for a source's type, and its name in DuckDB. */
struct staged_type staged_type_of(enum dialect dialect, const char *type);
const char *staged_type_name(struct arena *arena, struct staged_type type);

/* staging_cells.c: writes one cell; false when the column cannot hold it as it is. NULL
 * is not for it. vector NULL: only says whether it fits. */
bool staged_cell_put(const struct duck_library *library, struct staged_column *column,
                     const struct value *value, duckdb_vector vector, uint64_t row);
/* The next wider type that holds the value and all that came before. */
struct staged_type staged_type_wider(const struct staged_column *column,
                                     const struct value *value);
/* staging_times.c: false when the text is no such time. */
bool staged_date_read(const char *text, size_t size, int32_t *days);
bool staged_time_read(const char *text, size_t size, int64_t *micros);
bool staged_timestamp_read(const char *text, size_t size, bool zoned, int64_t *micros);

#endif
