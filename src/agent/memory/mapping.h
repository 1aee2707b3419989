/*
 * Applies lessons as renamings: names that the schema lacks, and tables that a user said
 * to replace by others, are renamed in the chosen tables, in the question for the parser,
 * and in SELECT statements. The new names always exist in the schema.
 */
#ifndef DGM_AGENT_MAPPING_H
#define DGM_AGENT_MAPPING_H

#include "agent/run.h"

/* The table that lessons assign to a name; NULL: none. */
const struct table *mapping_table(struct run *run, const char *name);
/* Renames the chosen tables. */
void mapping_tables(struct run *run);
/* Several tables were chosen, but one is needed: if a lesson about a word of the
 * question names one, only that one is kept. */
bool mapping_decides(struct run *run);
/* The question with words that lessons explain replaced by the schema's names. */
const char *mapping_question(struct run *run, const char *text);
/* Adds the names that lessons assign to words of the question. */
void mapping_names(struct run *run, struct texts *out);
/* SQL with names replaced; the same text if nothing applies, or if the result would not
 * be a valid query on this schema. */
const char *mapping_sql(struct run *run, const char *sql);

#endif
