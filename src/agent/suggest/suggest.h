/* Questions and choices that a schema suggests by itself, without a model. */
#ifndef DGM_AGENT_SUGGEST_H
#define DGM_AGENT_SUGGEST_H

#include "agent/understand/sql_parts.h"
#include "model/clarification.h"
#include "model/rows.h"
#include "model/schema.h"

/* Rules for sample questions. */
enum suggest_rule {
    SUGGEST_COUNT,
    SUGGEST_AGGREGATE, /* a number */
    SUGGEST_GROUP,     /* by a category */
    SUGGEST_FILTER,    /* by a sample value */
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

/* An answer that leads on to more questions. */
struct suggest_answer {
    const struct schema *schema;
    const char *question;
    const struct texts *tables; /* used by its SQL */
    const struct sql_parts *parts;
    const struct rows *rows; /* or NULL */
};

/* From when to when the rows of a table are. */
struct suggest_range {
    const struct column *column; /* NULL: the table knows no dates */
    char first[11];              /* "2023-01-02"; "" when it is not known */
    char last[11];
    char today[11];
};

/* All questions that the rules give for one table. */
void suggest_table(struct arena *arena, const struct table *table,
                   struct suggestions *out);
/* A few questions worth asking of this schema. */
void suggest_questions(struct arena *arena, const struct schema *schema, size_t most,
                       struct texts *out);
/* What could be asked next. */
void suggest_follow_ups(struct arena *arena, const struct suggest_answer *about,
                        size_t most, struct texts *out);
/* "PROD_Customers (3 rows): name, country, …": what one sees of a table, or why it may be
 * meant. */
const char *suggest_table_label(struct arena *arena, const struct table *table,
                                const char *reason);
/* "Each row of orders belongs to the row of customers whose id is its customer_id." */
const char *suggest_join_label(struct arena *arena, const char *condition);
/* "show me users": which ones? "All users" first, then what the columns offer. */
void suggest_details(struct arena *arena, const struct table *table,
                     const struct suggest_range *range, struct clarification *out);
/* "recent orders": since when? With the range the data have. */
void suggest_periods(struct arena *arena, const struct table *table,
                     const struct suggest_range *range, struct clarification *out);
/* "Orders run from 2023-01-02 to 2025-12-30."; NULL when it is not known. */
const char *suggest_range_text(struct arena *arena, const struct table *table,
                               const struct suggest_range *range);
/* Nothing to hold on to: offers questions. */
void suggest_start(struct arena *arena, const struct schema *schema,
                   struct clarification *out);

#endif
