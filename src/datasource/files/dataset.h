/*
 * Datasets: files imported once into a DuckDB file of ours, under the data folder. The
 * URL of one is dataset:NAME. What is known of them besides is in the store.
 */
#ifndef DGM_DATASOURCE_DATASET_H
#define DGM_DATASOURCE_DATASET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "model/options/options.h"

struct cancel;
struct err;

/* A row, or one cell of it, that did not fit. */
struct dataset_reject {
    const char *table;
    int64_t line;
    const char *column; /* NULL: the row was left out */
    const char *reason;
    const char *text;
};

struct dataset_report {
    const char *file;      /* what was imported, without its folder */
    int64_t bytes;         /* of the dataset */
    struct texts warnings; /* what was told of the files */
    int64_t rejected;      /* rows and cells that did not fit, all of them */
    struct {
        struct dataset_reject *items;
        size_t count, capacity;
    } rejects; /* the first of them: dataset.rejects */
};

/* Letters, digits, _ and -, at most 64: a name is part of a path. */
bool dataset_name_check(const char *name, struct err *err);
/* "Sales 2024.csv": sales 2024 becomes Sales_2024; for a name that was not given. */
char *dataset_name_of(struct arena *arena, const char *path);
/* Where it lies; account NULL: the local user. Both are known to be good names. */
char *dataset_path(struct arena *arena, const struct options *options,
                   const char *account, const char *name);
/* What dataset:NAME or dataset:ACCOUNT/NAME means; DATASET_NOT_FOUND. */
char *dataset_find(struct arena *arena, const struct options *options, const char *name,
                   struct err *err);

struct dataset_request {
    const char *source;    /* as --db takes it */
    const char *name;      /* of a single table */
    const char *target;    /* the file to make, over what is there */
    struct cancel *cancel; /* or NULL */
    int64_t left;          /* bytes that the new one may have; -1: any number */
    /* The last word, with its true size: false, with err, and there will be none. Or
     * NULL. */
    bool (*admit)(void *context, int64_t bytes, struct err *err);
    void *context;
};

/* Until the new one is complete the old one stays; also after a crash, and when it is
 * stopped: then nothing of the new one is left, and err says STOPPED. */
bool dataset_import(struct arena *arena, const struct options *options,
                    const struct dataset_request *request, struct dataset_report *out,
                    struct err *err);
/* Fills err with QUOTA; false. */
bool dataset_quota_spent(int64_t megabytes, struct err *err);
bool dataset_remove(const char *target, struct err *err);
/* Beside it may be noted which version of its rows it has; removed with it. */
char *dataset_note_path(struct arena *arena, const char *target);

#endif
