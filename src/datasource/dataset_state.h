/* A dataset being imported; for the files of datasets only. */
#ifndef DGM_DATASOURCE_DATASET_STATE_H
#define DGM_DATASOURCE_DATASET_STATE_H

#include "datasource/dataset.h"

/* A file, or a folder of files, that an import has left behind. */
void dataset_part_remove(const char *path);
/* Fills the new file `part` with the tables that `source` names. */
bool dataset_fill(struct arena *arena, const struct options *options, const char *source,
                  const char *name, const char *part, struct cancel *cancel,
                  struct dataset_report *out, struct err *err);

#endif
