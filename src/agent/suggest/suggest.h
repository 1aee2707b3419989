/* Suggests questions and options from a schema, without a model. */
#ifndef DGM_AGENT_SUGGEST_H
#define DGM_AGENT_SUGGEST_H

#include "agent/understand/sql_parts.h"
#include "model/clarification.h"
#include "model/rows.h"
#include "model/schema.h"

/* Which kind of sample question. */
enum suggest_rule {
    SUGGEST_COUNT,
    SUGGEST_AGGREGATE, /* about a number */
    SUGGEST_GROUP,     /* per category */
    SUGGEST_FILTER,    /* about a sample value */
    SUGGEST_RULES,
};

struct suggestion {
    enum suggest_rule rule;
    const char *question;
};

struct suggestions {
    struct suggestion *items;
    size_t count;
    size_t capacity;
};

/* The answer for which follow-up questions are suggested. */
struct suggest_answer {
    const struct schema *schema;
    const char *question;
    const struct texts *tables; /* used by its SQL */
    const struct sql_parts *parts;
    const struct rows *rows; /* or NULL */
};

/* The first and last date in a table. */
struct suggest_range {
    const struct column *column; /* NULL: the table has no dates */
    char first[11];              /* "2023-01-02"; "" if unknown */
    char last[11];
    char today[11];
};

/* All sample questions for one table. */
void suggest_table(struct arena *arena, const struct table *table,
                   struct suggestions *out);
/* A few useful questions for this schema. */
void suggest_questions(struct arena *arena, const struct schema *schema, size_t most,
                       struct texts *out);
/* Questions to begin with, for somebody who sees this database for the first time: trends,
 * leaders, comparisons. */
void suggest_beginnings(struct arena *arena, const struct schema *schema, size_t most,
                        struct texts *out);
/* Follow-up questions to an answer. */
void suggest_follow_ups(struct arena *arena, const struct suggest_answer *about,
                        size_t most, struct texts *out);
/* "PROD_Customers (3 rows): name, country, …": the label of a table in a list of
 * options. */
const char *suggest_table_label(struct arena *arena, const struct table *table,
                                const char *reason);
/* "Each row of orders belongs to the row of customers whose id is its customer_id." */
const char *suggest_join_label(struct arena *arena, const char *condition);
/* Options for "show me users": "All users" first, then filters by its columns. */
void suggest_details(struct arena *arena, const struct table *table,
                     const struct suggest_range *range, struct clarification *out);
/* Options for "recent orders": since when, within the range that the data has. */
void suggest_periods(struct arena *arena, const struct table *table,
                     const struct suggest_range *range, struct clarification *out);
/* "Orders run from 2023-01-02 to 2025-12-30."; NULL if unknown. */
const char *suggest_range_text(struct arena *arena, const struct table *table,
                               const struct suggest_range *range);
/* For a question without any hint of a table: offers sample questions. */
void suggest_start(struct arena *arena, const struct schema *schema,
                   struct clarification *out);

#endif
