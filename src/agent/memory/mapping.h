/*
 * Lessons as a mapper of names: what the schema lacks, or what a
 * person said to use another table for, is renamed in the chosen tables, in the question
 * that the parser reads, and in SQL that reads. Only to names that the schema has.
 */
#ifndef DGM_AGENT_MAPPING_H
#define DGM_AGENT_MAPPING_H

#include "agent/run.h"

/* The table that lessons mean by a name; NULL: they say nothing about it. */
const struct table *mapping_table(struct run *run, const char *name);
/* Renames the chosen tables. */
void mapping_tables(struct run *run);
/* Several tables were chosen where one is wanted: a lesson about a word of the question
 * may say which. Then it is the only one left. */
bool mapping_decides(struct run *run);
/* The question with the words that lessons explain put as the schema's names. */
const char *mapping_question(struct run *run, const char *text);
/* Adds the names that lessons mean by words of the question. */
void mapping_names(struct run *run, struct texts *out);
/* SQL with names replaced; the text itself when there is nothing to replace, or when the
 * outcome would not be a query of this schema. */
const char *mapping_sql(struct run *run, const char *sql);

#endif
