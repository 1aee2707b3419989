/*
 * A dictionary: descriptions of a database written by people. It describes tables and
 * columns and gives synonyms, real names, meanings of values and named metrics. Formats:
 * YAML (also dbt's schema.yml), CSV and XLSX. The content is untrusted: all of it is
 * bounded and cleaned when it is read.
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
    DICTIONARY_CELLS_MOST = 64,       /* of one row that are read */
    DICTIONARY_TEXT_MOST = 2000,      /* bytes of a description */
    DICTIONARY_NAME_MOST = 200,       /* bytes of a name, a synonym, a value, a meaning */
    DICTIONARY_EXPRESSION_MOST = 500, /* bytes of a metric */
    DICTIONARY_SYNONYMS_MOST = 16,    /* of one table or column */
    DICTIONARY_MEANINGS_MOST = 200,   /* of one column */
    DICTIONARY_METRICS_MOST = 500,
};

/* The description of a table (column NULL) or of a column. */
struct dictionary_entry {
    const char *table;        /* as in the dictionary */
    const char *actual_table; /* the name in the database; NULL: the same */
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
    const char *table; /* NULL: the table that has all its columns */
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

/* The format is chosen by the file extension. */
bool dictionary_load(struct arena *arena, const char *path, struct dictionary *out,
                     struct err *err);
bool dictionary_parse(struct arena *arena, enum dictionary_kind kind, const char *data,
                      size_t size, struct dictionary *out, struct err *err);
/* Adds the descriptions to a schema that is still being built. Names that the schema
 * lacks become warnings with the nearest names. */
void dictionary_merge(const struct dictionary *dictionary, struct schema *schema);

/* Loads and merges the dictionary file of a datasource. A file that cannot be read is
 * only a warning, so that questions still work. */
void dictionary_describe(const char *path, struct schema *schema);
/* Adds the content of the file to a hash. */
void dictionary_hash(const char *path, struct hash *hash);

/*
 * dictionary_own.c: descriptions that users wrote at run time, stored in the data folder;
 * they override the configured file. Does nothing if there are none.
 */
struct options;
char *dictionary_own_path(struct arena *arena, const struct options *options,
                          const char *id);
struct datasource;
void dictionary_own_hash(const struct datasource *source, struct hash *hash);
void dictionary_own_describe(const struct datasource *source, struct schema *schema);

#endif
