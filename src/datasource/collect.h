/* Sinks behind datasource_execute, datasource_pass and datasource_stream. */
#ifndef DGM_DATASOURCE_COLLECT_H
#define DGM_DATASOURCE_COLLECT_H

#include "datasource/datasource.h"

/* Keeps rows within the limits, and counts what was left out. */
struct collector {
    struct rows *rows;
    const struct datasource_limits *limits;
    /* the sink that gets every row as well; or NULL */
    const struct datasource_sink *next;
    size_t keep; /* with `next`: number of rows to keep */
    size_t bytes;
};
/* With `next`, the first `keep` rows are kept and all rows are passed on. */
struct datasource_sink collector_sink(struct collector *collector);

/* Cuts cells longer than limits->max_cell_bytes before any other sink gets them. */
struct long_cells {
    const struct datasource_sink *next;
    const struct datasource_limits *limits;
    struct value *cells; /* the row, if a cell of it was cut */
    size_t count;
    struct arena *arena;   /* for all rows */
    struct arena *scratch; /* for one */
};
void long_cells_init(struct long_cells *long_cells, const struct datasource_sink *next,
                     const struct datasource_limits *limits);
void long_cells_release(struct long_cells *long_cells);
struct datasource_sink long_cells_sink(struct long_cells *long_cells);

/* Takes rows and drops them, for statements that are run for their error alone. */
struct datasource_sink dropped_sink(void);

#endif
