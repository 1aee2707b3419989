/*
 * The rows of datasets are in files. In a store that several processes share, they are in
 * the store as well, in parts: uploaded after an import, and downloaded by a process that
 * has an older version or none. After a restore they are in the store until the files are
 * written again.
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

/* Where an import for a shared store writes its file before it is published. */
char *dataset_rows_incoming(struct arena *arena, const char *target);
/* Uploads the file at `incoming`, records its version in the store and moves it into
 * place. */
bool dataset_rows_send(struct sources *sources, struct store *store,
                       const struct store_dataset *dataset, const char *incoming,
                       struct cancel *cancel, struct err *err);
/* Makes sure that the local file has the version that the store names. Also true if the
 * rows exist only in that file, or nowhere. */
bool dataset_rows_fetch(struct sources *sources, struct store *store,
                        const struct store_dataset *dataset, struct err *err);
/* Deletes the local files of datasets that another process has deleted. */
void dataset_rows_sweep(struct sources *sources, struct store *store);
/* Writes the files of all datasets whose rows are in a restored store. */
bool dataset_rows_restore(struct store *store, const struct options *options,
                          struct err *err);

#endif
