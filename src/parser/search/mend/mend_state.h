/* What the rules of this folder share. */
#ifndef DGM_PARSER_MEND_STATE_H
#define DGM_PARSER_MEND_STATE_H

#include "parser/ir/ir_schema.h"
#include "parser/ir/ir_things.h"
#include "parser/ir/ir_tree.h"
#include "parser/search/mend/mend.h"
#include "parser/words/tokens.h"

struct mend {
    struct arena *arena;
    const struct mend_request *request;
    const struct ir_schema *schema;
    const struct ir_tokens *tokens; /* what the query was read from */
};

/* Each changes the query, or leaves it as it is and says so by false. */
bool mend_peak(const struct mend *mend, struct ir_query *query);
bool mend_only(const struct mend *mend, struct ir_query *query);
bool mend_each(const struct mend *mend, struct ir_query *query);
bool mend_months(const struct mend *mend, struct ir_query *query);
bool mend_denied(const struct mend *mend, struct ir_query *query);
bool mend_so_far(const struct mend *mend, struct ir_query *query);
bool mend_tomorrow(const struct mend *mend, struct ir_query *query);
bool mend_left(const struct mend *mend, struct ir_query *query);
bool mend_hour(const struct mend *mend, struct ir_query *query);
bool mend_upper(const struct mend *mend, struct ir_query *query);
bool mend_things(const struct mend *mend, struct ir_query *query);
bool mend_several(const struct mend *mend, struct ir_query *query);
bool mend_every(const struct mend *mend, struct ir_query *query);
bool mend_total(const struct mend *mend, struct ir_query *query);
bool mend_mean(const struct mend *mend, struct ir_query *query);
bool mend_same_day(const struct mend *mend, struct ir_query *query);
bool mend_side(const struct mend *mend, struct ir_query *query);
bool mend_documents(const struct mend *mend, struct ir_query *query);
bool mend_free(const struct mend *mend, struct ir_query *query);
bool mend_weeks(const struct mend *mend, struct ir_query *query);
bool mend_span(const struct mend *mend, struct ir_query *query);
bool mend_money(const struct mend *mend, struct ir_query *query);
bool mend_rate(const struct mend *mend, struct ir_query *query);

/* Is this what people add up without saying so? A price or a temperature is not. */
bool mend_is_amount(const char *name);

/* The query as it was read, once more; NULL: it cannot be read. */
struct ir_query *mend_again(const struct mend *mend);
/* The parts of a condition that must all hold: their number, and one of them. */
size_t mend_part_count(const struct ir_node *where);
struct ir_node **mend_part(struct ir_node **where, size_t at);
/* Both must hold; where may be NULL. */
struct ir_node *mend_and(const struct mend *mend, struct ir_node *where,
                         struct ir_node *more);
/* The column that alone tells the rows of a table apart; -1: none. */
int mend_key(const struct mend *mend, int table);
/* The key from one table to another; -1: none, or several. */
int mend_key_between(const struct mend *mend, int from, int to);
/* The column of `from` by which its rows are joined with those of `to`, also without a declared
 * key; *own: the one there. -1: none, or several ways. */
int mend_join_column(const struct mend *mend, int from, int to, int *own);
const char *mend_text(const struct mend *mend, const struct ir_node *value);

#endif
