/*
 * Datasets: files that were imported into a DuckDB file in the data folder. The URL of
 * one is dataset:NAME. The store has further facts about it.
 */
#ifndef DGM_DATASOURCE_DATASET_H
#define DGM_DATASOURCE_DATASET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "model/options/options.h"

struct cancel;
struct err;

/* A row or a cell that could not be imported. */
struct dataset_reject {
    const char *table;
    int64_t line;
    const char *column; /* NULL: the whole row was left out */
    const char *reason;
    const char *text;
};

struct dataset_report {
    const char *file;      /* the imported file, without its folder */
    int64_t bytes;         /* of the dataset */
    struct texts warnings; /* warnings about the files */
    int64_t rejected;      /* number of rejected rows and cells */
    struct {
        struct dataset_reject *items;
        size_t count, capacity;
    } rejects; /* the first ones, at most dataset.rejects */
};

/* A name is letters, digits, _ and -, at most 64, because it becomes part of a path. */
bool dataset_name_check(const char *name, struct err *err);
/* The default name of a dataset: "Sales 2024.csv" becomes Sales_2024. */
char *dataset_name_of(struct arena *arena, const char *path);
/* The path of a dataset; account NULL: the local user. Both names must have been
 * checked. */
char *dataset_path(struct arena *arena, const struct options *options,
                   const char *account, const char *name);
/* The path for dataset:NAME or dataset:ACCOUNT/NAME; DATASET_NOT_FOUND. */
char *dataset_find(struct arena *arena, const struct options *options, const char *name,
                   struct err *err);

struct dataset_request {
    const char *source;    /* as --db takes it */
    const char *name;      /* name for a table, if there is only one */
    const char *target;    /* the file to write; an existing one is replaced */
    struct cancel *cancel; /* or NULL */
    int64_t left;          /* maximum size in bytes; -1: no limit */
    /* Decides with the final size whether the import is accepted; false and err: it is
     * not. Or NULL. */
    bool (*admit)(void *context, int64_t bytes, struct err *err);
    void *context;
};

/* The old dataset stays until the new one is complete, also after a crash. If the import
 * is stopped, nothing of the new one remains, and err says STOPPED. */
bool dataset_import(struct arena *arena, const struct options *options,
                    const struct dataset_request *request, struct dataset_report *out,
                    struct err *err);
/* Fills err with QUOTA; returns false. */
bool dataset_quota_spent(int64_t megabytes, struct err *err);
bool dataset_remove(const char *target, struct err *err);
/* The path of a file that says which version of the rows is here; removed with the
 * dataset. */
char *dataset_note_path(struct arena *arena, const char *target);

#endif
