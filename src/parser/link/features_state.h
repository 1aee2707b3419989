/* What a prepared schema is made of; for the files of the features only. */
#ifndef DGM_PARSER_FEATURES_STATE_H
#define DGM_PARSER_FEATURES_STATE_H

#include "parser/link/features.h"

struct prefilter_index;

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
/* Leaves out the views that the question does not name, as long as a table stays: they
 * show the same facts once more, cannot be joined, and draw words like "revenue" away
 * from the tables that can. */
void features_leave_views(struct arena *arena, const struct feature_schema *schema,
                          struct features *features);

#endif
