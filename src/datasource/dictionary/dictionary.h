/*
 * A dictionary: what people say about a database that the database does not say itself.
 * It names and describes tables and columns, gives synonyms and actual names, what values
 * mean, and figures by name. Read from YAML (also dbt's schema.yml), CSV or XLSX. The
 * text is not trusted: everything is bounded and cleaned on its way in.
 */
#ifndef DGM_DATASOURCE_DICTIONARY_H
#define DGM_DATASOURCE_DICTIONARY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"
#include "model/schema.h"

struct err;
struct hash;

enum {
    DICTIONARY_FILE_MOST = 16 * 1024 * 1024,
    DICTIONARY_ROWS_MOST = 100000,    /* of all sheets; entries too */
    DICTIONARY_CELLS_MOST = 64,       /* of one row that are looked at */
    DICTIONARY_TEXT_MOST = 2000,      /* bytes of a description */
    DICTIONARY_NAME_MOST = 200,       /* bytes of a name, a synonym, a value, a meaning */
    DICTIONARY_EXPRESSION_MOST = 500, /* bytes of a metric */
    DICTIONARY_SYNONYMS_MOST = 16,    /* of one thing */
    DICTIONARY_MEANINGS_MOST = 200,   /* of one column */
    DICTIONARY_METRICS_MOST = 500,
};

/* What is said of a table (column NULL) or a column. */
struct dictionary_entry {
    const char *table;        /* as the dictionary calls it */
    const char *actual_table; /* as the database does; NULL: the same */
    const char *column;       /* or NULL */
    const char *actual_column;
    const char *description; /* or NULL */
    struct texts synonyms;
    struct meanings meanings;
};

struct dictionary_entries {
    struct dictionary_entry *items;
    size_t count;
    size_t capacity;
};

struct dictionary_metric {
    const char *table; /* NULL: the one that has its columns */
    struct metric metric;
};

struct dictionary_metrics {
    struct dictionary_metric *items;
    size_t count;
    size_t capacity;
};

struct dictionary {
    struct arena *arena;
    struct dictionary_entries entries;
    struct dictionary_metrics metrics;
    struct texts warnings;
};

enum dictionary_kind { DICTIONARY_YAML, DICTIONARY_CSV, DICTIONARY_XLSX };

/* By the ending of its name. */
bool dictionary_load(struct arena *arena, const char *path, struct dictionary *out,
                     struct err *err);
bool dictionary_parse(struct arena *arena, enum dictionary_kind kind, const char *data,
                      size_t size, struct dictionary *out, struct err *err);
/* Puts it into a schema that is still being built. What the schema does not have becomes
 * a warning of the schema with the nearest names. */
void dictionary_merge(const struct dictionary *dictionary, struct schema *schema);

/* The two above for a datasource's file: a file that cannot be read is a warning too, so
 * that its database still answers. */
void dictionary_describe(const char *path, struct schema *schema);
/* A changed file gives another hash. */
void dictionary_hash(const char *path, struct hash *hash);

/*
 * dictionary_own.c: descriptions that users wrote at run time, in the data folder; it
 * stands over the file of the configuration. Nothing when there is none.
 */
struct options;
char *dictionary_own_path(struct arena *arena, const struct options *options,
                          const char *id);
struct datasource;
void dictionary_own_hash(const struct datasource *source, struct hash *hash);
void dictionary_own_describe(const struct datasource *source, struct schema *schema);

#endif
