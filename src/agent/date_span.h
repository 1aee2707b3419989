/* d >= '2026-01-01' AND d < '2027-01-01': the period that a condition asks for. */
#ifndef DGM_AGENT_DATE_SPAN_H
#define DGM_AGENT_DATE_SPAN_H

#include "sql/tree/tree.h"

/* Texts that begin with days, as 2026-01-01; the last day is not in it. */
struct date_span {
    const char *from;
    const char *until;
};

/* False: the condition is another one. */
bool date_span_of(const struct sql_node *node, struct date_span *out);

#endif
