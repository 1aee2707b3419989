/*
 * How large the import of a dataset may get on the disk. The folder of the import is
 * measured while it grows: that holds for every form of file, and whatever was counted
 * when it was read (files_bounds.c).
 */
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "datasource/files/dataset_state.h"
#include "datasource/driver.h"

enum { LOOK_MS = 50 };

struct sizes {
    int64_t all;
    int64_t rows; /* of the dataset itself, without what helps to make it */
};

static struct sizes folder_measure(const char *folder, const char *rows)
{
    struct sizes sizes = {0};
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        struct stat status;
        if (fstatat(dirfd(entries), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(status.st_mode)) {
            sizes.all += status.st_size;
            sizes.rows += str_equal(entry->d_name, rows) ? status.st_size : 0;
        }
    }
    if (entries) {
        (void)closedir(entries);
    }
    return sizes;
}

static enum dataset_bound dataset_bounds_look(const struct dataset_bounds *bounds)
{
    struct sizes sizes = folder_measure(bounds->folder, file_base_name(bounds->part));
    /* cells are kept as texts first, and then as what they are */
    return sizes.all >> 20 >= 2 * bounds->unpacked_mb       ? DATASET_TOO_LARGE
           : bounds->left >= 0 && sizes.rows > bounds->left ? DATASET_QUOTA
                                                            : DATASET_WITHIN;
}

bool dataset_quota_spent(int64_t megabytes, struct err *err)
{
    (void)err_set(err, ERR_QUOTA, "The account's datasets would take more than %lld MB.",
                  (long long)megabytes);
    return err_hint(err, "Remove one that is not needed any more, or have "
                         "dataset.account_mb raised.");
}

static void dataset_bounds_tell(const struct dataset_bounds *bounds, struct err *err)
{
    if (bounds->met == DATASET_QUOTA) {
        (void)dataset_quota_spent(bounds->account_mb, err);
        return;
    }
    (void)err_set(err, ERR_RESULT_TOO_LARGE,
                  "The import takes more than %lld MB, twice dataset.unpacked_mb, on the "
                  "disk.",
                  2 * (long long)bounds->unpacked_mb);
    (void)err_hint(err, "Import a part of the file, or raise dataset.unpacked_mb.");
}

bool dataset_bounds_over(void *context, struct err *err)
{
    struct dataset_bounds *bounds = context;
    if (bounds->met == DATASET_WITHIN && clock_passed(bounds->look_at_ms)) {
        bounds->met = dataset_bounds_look(bounds);
        bounds->look_at_ms = clock_ms() + LOOK_MS;
    }
    if (bounds->met != DATASET_WITHIN && err) {
        dataset_bounds_tell(bounds, err);
    }
    return bounds->met != DATASET_WITHIN;
}
