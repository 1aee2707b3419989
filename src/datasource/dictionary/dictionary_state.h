/* A dictionary while it is read; shared by the files of this folder. */
#ifndef DGM_DATASOURCE_DICTIONARY_STATE_H
#define DGM_DATASOURCE_DICTIONARY_STATE_H

#include <stdint.h>

#include "datasource/dictionary/dictionary.h"

bool dictionary_yaml(struct dictionary *dictionary, const char *data, size_t size,
                     struct err *err);
bool dictionary_csv(struct dictionary *dictionary, const char *data, size_t size,
                    struct err *err);
bool dictionary_xlsx(struct dictionary *dictionary, const char *data, size_t size,
                     struct err *err);

/* One line of valid UTF-8 without invisible characters, at most `most` bytes; NULL if
 * nothing is left. */
const char *dictionary_text(struct arena *arena, const char *text, size_t most);
/* A new entry, or the last one if it is about the same table and column. NULL and err:
 * there are too many. */
struct dictionary_entry *dictionary_entry_add(struct dictionary *dictionary,
                                              const char *table, const char *column,
                                              struct err *err);
void dictionary_synonym_add(struct arena *arena, struct texts *synonyms,
                            const char *synonym);
/* "shipments, parcels; packets" */
void dictionary_synonyms_split(struct arena *arena, struct texts *synonyms,
                               const char *list);
void dictionary_meaning_add(struct arena *arena, struct meanings *meanings,
                            const char *value, const char *text);
/* "1 = active; 2 = closed", "A: open, B: shut", or lines of it */
void dictionary_meanings_split(struct arena *arena, struct meanings *meanings,
                               const char *list);
/* NULL: there are too many (a warning says so), or it has no name or expression. */
struct dictionary_metric *dictionary_metric_add(struct dictionary *dictionary,
                                                const char *name, const char *expression);
void dictionary_warn(struct dictionary *dictionary, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The rows of a sheet; the same for CSV and XLSX. */
struct sheet;
/* name: of the sheet, or NULL; used as the table if there is no such column. */
struct sheet *sheet_new(struct dictionary *dictionary, const char *name);
/* Cells may be NULL. */
bool sheet_row(struct sheet *sheet, const char *const *cells, size_t count,
               struct err *err);
/* False: the sheet has no header row. */
bool sheet_understood(const struct sheet *sheet);

/* dictionary_metrics.c: adds the metrics to the tables of a schema. */
void dictionary_metrics_merge(const struct dictionary *dictionary, struct schema *schema,
                              void (*warn)(void *context, const char *text),
                              void *context);

#endif
