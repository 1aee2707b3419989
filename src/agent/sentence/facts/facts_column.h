/* What one column of a SELECT is: counted, added up, in which unit. */
#ifndef DGM_AGENT_SENTENCE_FACTS_COLUMN_H
#define DGM_AGENT_SENTENCE_FACTS_COLUMN_H

#include "agent/run.h"
#include "agent/sentence/facts/facts.h"
#include "sql/counting/fanout.h"

struct facts_column_reader {
    struct run *run;
    const struct sql_statement *statement;
    const struct sql_resolved *resolved;
    const struct sql_scope *scope;
    const struct table *table; /* whose rows the joined rows are; NULL: not known */
    bool adds;                 /* groups have no row in common, and none is left out */
    struct fanouts fanouts;
};

/* Fills the rest. */
void facts_column_begin(struct facts_column_reader *reader);
void facts_column_read(const struct facts_column_reader *reader,
                       const struct sql_output *output, struct fact_column *out);
/* The rows of a table in words, "order items" and "order item"; NULL: it has no usable
 * name. */
void facts_things(struct run *run, const struct table *table, const char **things,
                  const char **thing);
/* facts_span.c: the periods of a computed value. */
void facts_span(const struct facts_column_reader *reader, const struct sql_node *value,
                struct fact_column *out);
/* facts_unit.c: of a value of the statement */
struct fact_unit facts_unit(const struct sql_resolved *resolved,
                            const struct sql_node *value);
/* "%", if the value is a hundred times a ratio. */
struct fact_unit facts_percent(const struct sql_node *value);
/* The unit that the name or the description of a column says. */
struct fact_unit facts_unit_of(const struct column *column);

#endif
