/* Sinks behind datasource_execute, datasource_pass and datasource_stream. */
#ifndef DGM_DATASOURCE_COLLECT_H
#define DGM_DATASOURCE_COLLECT_H

#include "datasource/datasource.h"

/* Rows kept within the limits, which say what was left out. */
struct collector {
    struct rows *rows;
    const struct datasource_limits *limits;
    const struct datasource_sink *next; /* whom they are passed on to; or NULL */
    size_t keep;                        /* then so many are kept */
    size_t bytes;
};
/* With `next`: the first `keep` rows are kept, and all are passed on. */
struct datasource_sink collector_sink(struct collector *collector);

/* Cells longer than limits->max_cell_bytes are cut before anybody behind sees them. */
struct long_cells {
    const struct datasource_sink *next;
    const struct datasource_limits *limits;
    struct value *cells; /* of a row with a cut cell */
    size_t count;
    struct arena *arena;   /* for all rows */
    struct arena *scratch; /* for one */
};
void long_cells_init(struct long_cells *long_cells, const struct datasource_sink *next,
                     const struct datasource_limits *limits);
void long_cells_release(struct long_cells *long_cells);
struct datasource_sink long_cells_sink(struct long_cells *long_cells);

#endif
