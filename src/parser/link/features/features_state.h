/* What a prepared schema is made of; for the files of the features only. */
#ifndef DGM_PARSER_FEATURES_STATE_H
#define DGM_PARSER_FEATURES_STATE_H

#include "parser/link/features/features.h"

struct prefilter_index;

/* The questions before, as words: the last one, and the one before that. */
struct feature_said {
    struct tokens earlier;
    struct tokens older;
};

struct feature_schema {
    const struct ir_schema *schema;
    struct linker *linker;
    struct feature_item *items;      /* tables, then columns */
    struct selection whole;          /* all of it */
    struct prefilter_index *ranking; /* only of a schema that must be reduced */
    bool has_views;                  /* and tables */
};

/* Chooses what of a large schema the question may be about. features_select.c */
void features_select(struct arena *arena, const struct feature_schema *schema,
                     const char *question, struct features *features);
/* The query before, and its literals as values; features_history.c. */
void features_read_before(struct arena *arena, const struct feature_schema *schema,
                          const struct feature_history *history, struct features *out);
/* What was said before as items from `at` on, and what relates them to the schema. */
size_t features_history_count(const struct features *features,
                              const struct feature_said *said);
void features_history_items(struct arena *arena, const struct feature_schema *schema,
                            const struct feature_said *said, struct features *out);
void feature_item_add(struct arena *arena, struct feature_item *item, const char *text);
void features_relate(struct arena *arena, struct features *out, size_t row, size_t column,
                     enum relation there, enum relation back);
/* Links of words that stand from item `from` on to the selected schema. */
void features_relate_words(struct arena *arena, struct features *out,
                           const uint8_t *codes, size_t from, size_t count);
/* Leaves out the views that the question does not name, as long as a table stays: they
 * show the same facts once more, cannot be joined, and draw words like "revenue" away
 * from the tables that can. */
void features_leave_views(struct arena *arena, const struct feature_schema *schema,
                          struct features *features);

#endif
