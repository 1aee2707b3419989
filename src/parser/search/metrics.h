/*
 * Metrics of a dictionary as the parser uses them. A metric stands in the schema that the
 * network sees as one more column of its table; what the network writes about that column
 * is then written out: "revenue" is sum(quantity * unit_price).
 */
#ifndef DGM_PARSER_METRICS_H
#define DGM_PARSER_METRICS_H

#include <stdbool.h>
#include <stddef.h>

#include "parser/ir/ir.h"
#include "parser/to_sql/rebuild.h"

struct arena;
struct ir_schema;
struct schema;

struct parser_metric {
    int column;              /* that stands for it */
    struct ir_tokens tokens; /* what it is; none: nothing that the IR can say */
    struct ir_tokens tables; /* that it needs besides its own */
    bool total;              /* some of that is added up, counted or the like */
    bool repeats;            /* and would be more if its rows came twice */
    const bool *once; /* by table: is a row of its own joined with one there at most? */
    bool simple;      /* all of it is: the first token does it to the others */
};

struct parser_metrics {
    struct parser_metric *items;
    size_t count;
    size_t capacity;
    struct ir_values values; /* what they compare and reckon with; their tokens point here
                              */
};

/* The schema itself when it has no metrics; else a copy in the arena, with columns for
 * them, that borrows everything else. */
const struct schema *metrics_schema(struct arena *arena, const struct schema *schema);
/* ir: of the schema above. */
void metrics_read(struct arena *arena, const struct ir_schema *ir,
                  struct parser_metrics *out);
/* What metrics are called, for headings. In a query their values follow those of the
 * question; `values` is the number of these. */
void metrics_names(struct arena *arena, const struct ir_schema *ir,
                   const struct parser_metrics *metrics, size_t values,
                   struct rebuild_names *out);
/* A query with a column that stands for a metric. */
bool metrics_in(const struct parser_metrics *metrics, const struct ir_tokens *tokens);
/* The query with every metric written out. False: one stands where it cannot. */
bool metrics_put(struct arena *arena, const struct parser_metrics *metrics, size_t values,
                 const struct ir_tokens *tokens, struct ir_tokens *out);

/* Is a total multiplied by a column, or by itself? That means nothing. */
bool metrics_multiplied(const struct parser_metrics *metrics,
                        const struct ir_tokens *tokens);
/* "Revenue before discount", "gross sales". */
bool metrics_wants_no_discount(const char *question);
/* Products of the columns of a metric become that metric's own, unless the question says
 * how to reckon: "revenue" and "spent" mean the same money in all answers, and "revenue
 * before discount" what it is without that. */
void metrics_unify(struct arena *arena, const struct parser_metrics *metrics,
                   const char *question, size_t values, struct ir_tokens *tokens);

#endif
