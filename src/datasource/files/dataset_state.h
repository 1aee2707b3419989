/* An import in progress; shared by the files of datasets. */
#ifndef DGM_DATASOURCE_DATASET_STATE_H
#define DGM_DATASOURCE_DATASET_STATE_H

#include "datasource/files/dataset.h"

/* The new file in the folder of an import. */
char *dataset_part(struct arena *arena, const char *folder);
/* Fills the new database with the tables of the source. */
bool dataset_fill(struct arena *arena, const struct options *options,
                  const struct dataset_request *request, const char *folder,
                  struct dataset_report *out, struct err *err);

/* dataset_bounds.c: has the folder of the import grown beyond its limits? For the limits
 * of the calls that fill it. */
enum dataset_bound { DATASET_WITHIN, DATASET_TOO_LARGE, DATASET_QUOTA };
struct dataset_bounds {
    const char *folder;
    const char *part; /* the new database in that folder */
    int64_t unpacked_mb;
    int64_t account_mb;
    int64_t left;           /* bytes left in the account's quota; -1: no limit */
    int64_t look_at_ms;     /* time of the next check */
    enum dataset_bound met; /* the limit that was exceeded; never reset */
};
bool dataset_bounds_over(void *context, struct err *err);

#endif
