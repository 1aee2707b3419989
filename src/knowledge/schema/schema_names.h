/* Shortens long column names for the prompt, and restores them in SQL. */
#ifndef DGM_KNOWLEDGE_SCHEMA_NAMES_H
#define DGM_KNOWLEDGE_SCHEMA_NAMES_H

#include "base/map.h"
#include "knowledge/schema/schema_text.h"

/* Cuts names while a text is written and remembers which. */
struct name_cutter {
    struct arena *arena;             /* of what is remembered */
    struct schema_text_names *names; /* where it is remembered */
    size_t length;
    struct map full_of; /* cut -> full */
};

void name_cutter_init(struct name_cutter *cutter, struct arena *arena,
                      struct schema_text_names *names, size_t length);
void name_cutter_release(struct name_cutter *cutter);
/* The name as the prompt shows it: itself when it is short and plain. The same name is
 * cut the same way everywhere; two names are never cut to the same. */
const char *name_cutter_cut(struct name_cutter *cutter, const char *name);
/* A table's name: replaced only when it is very long, holds characters that nobody sees,
 * or what would end a fence of the prompt. */
const char *name_cutter_plain(struct name_cutter *cutter, const char *name);

#endif
