/* A dataset being imported; for the files of datasets only. */
#ifndef DGM_DATASOURCE_DATASET_STATE_H
#define DGM_DATASOURCE_DATASET_STATE_H

#include "datasource/files/dataset.h"

/* A file, or a folder of files, that an import has left behind. */
void dataset_part_remove(const char *path);
/* The new file in the folder of an import. */
char *dataset_part(struct arena *arena, const char *folder);
/* Fills it with the tables that the source names. */
bool dataset_fill(struct arena *arena, const struct options *options,
                  const struct dataset_request *request, const char *folder,
                  struct dataset_report *out, struct err *err);

/* dataset_bounds.c: is the folder of the import larger than it may be? For the limits of
 * the calls that fill it. */
enum dataset_bound { DATASET_WITHIN, DATASET_TOO_LARGE, DATASET_QUOTA };
struct dataset_bounds {
    const char *folder;
    const char *part; /* the dataset itself, in it */
    int64_t unpacked_mb;
    int64_t account_mb;
    int64_t left;           /* bytes that the account has left; -1: any number */
    int64_t look_at_ms;     /* the next time */
    enum dataset_bound met; /* once and for all */
};
bool dataset_bounds_over(void *context, struct err *err);

#endif
