/*
 * SUM(rides.fare - repairs.cost) over bikes joined with both: each ride is added up once for
 * every repair of its bike. As two sums, each of which can be corrected by itself:
 *
 *     SELECT b.model, COALESCE(SUM(r.fare), 0) - COALESCE(SUM(p.cost), 0)
 *     FROM bikes b LEFT JOIN rides r ON … LEFT JOIN repairs p ON … GROUP BY b.id
 */
#ifndef DGM_SQL_COUNTING_SPLIT_H
#define DGM_SQL_COUNTING_SPLIT_H

#include "sql/counting/fanout.h"

/*
 * The statement with the first sum of a chain of + and - over repeated rows as a chain of
 * sums. Things without rows on one side are kept where the joins allow it. Repeated rows are
 * repeated still: fanout_once() counts each once. NULL: there is no such sum, or it has
 * another form. Uses the tree up. `out` gets the sum.
 */
const char *split_sums(struct arena *arena, struct sql_statement *statement,
                       const struct sql_resolved *resolved, struct fanout *out);

#endif
