/* IR into the SQL of a dialect, with the joins that the IR leaves out. */
#ifndef DGM_PARSER_REBUILD_H
#define DGM_PARSER_REBUILD_H

#include <stdbool.h>
#include <stddef.h>

#include "parser/ir/ir.h"
#include "sql/dialect.h"

struct arena;
struct err;
struct ir_schema;

struct ir_node;
struct ir_query;

/* What an expression is called by people. */
struct rebuild_name {
    const struct ir_node *node;
    const char *name;
    int column; /* that stands for it in the schema, but in no database */
};

struct rebuild_names {
    struct rebuild_name *items;
    size_t count;
    size_t capacity;
};

struct rebuild_request {
    const struct ir_schema *schema;
    const struct ir_values *values;
    enum dialect dialect;
    const char *question; /* its words choose among parallel keys; may be NULL */
    const char *today;    /* 2024-03-15, what "last month" is counted from */
    bool headings;        /* what is computed gets a name for people to read */
    const struct rebuild_names *names; /* for headings; or NULL */
};

struct rebuild_result {
    const char *sql;
    bool cross_join;    /* no way to join some table was found: low confidence */
    bool inferred_join; /* a join rests on names, not on a key */
    double join_cost;   /* of all joins together, as ir_joins.h counts it */
};

/* Everything in the arena. False with a reason when the IR makes no query. */
bool rebuild_sql(struct arena *arena, const struct rebuild_request *request,
                 const struct ir_tokens *tokens, struct rebuild_result *result,
                 struct err *err);

/* How a dialect writes the parts of dates, $a and $b for the dates, one after the other:
 * false after the last. *template is NULL where it cannot. */
bool rebuild_date_template(size_t index, enum dialect dialect, enum ir_keyword *keyword,
                           const char **template);

/* What a query asks for, as a sentence: "The 5 customers with the highest total amount".
 */
bool rebuild_words(struct arena *arena, const struct rebuild_request *request,
                   const struct ir_tokens *tokens, const char **words, struct err *err);
/* One expression or condition of the query in words: "sum of total". The query may be NULL. */
const char *rebuild_node_words(struct arena *arena, const struct rebuild_request *request,
                               struct ir_query *query, const struct ir_node *node);

#endif
