/*
 * The rows of datasets are files. In a store that several processes share they lie as
 * well, in parts: sent there after an import, and taken from there by whoever has
 * another version or none. A restored store has them too, until they are files again.
 */
#ifndef DGM_AGENT_DATASET_ROWS_H
#define DGM_AGENT_DATASET_ROWS_H

#include <stdbool.h>

struct arena;
struct cancel;
struct err;
struct options;
struct sources;
struct store;
struct store_dataset;

/* Where an import of a shared store writes: not yet where it is read. */
char *dataset_rows_incoming(struct arena *arena, const char *target);
/* Sends what lies at `incoming`, names it in the store and puts it to its place. */
bool dataset_rows_send(struct sources *sources, struct store *store,
                       const struct store_dataset *dataset, const char *incoming,
                       struct cancel *cancel, struct err *err);
/* Sees to it that the file here has the rows the store knows of. True as well when they
 * are nowhere but in that file, or in none. */
bool dataset_rows_fetch(struct sources *sources, struct store *store,
                        const struct store_dataset *dataset, struct err *err);
/* Removes the files here of datasets that another process has deleted. */
void dataset_rows_sweep(struct sources *sources, struct store *store);
/* Writes the files of all datasets whose rows a restored store has. */
bool dataset_rows_restore(struct store *store, const struct options *options,
                          struct err *err);

#endif
