/* Reads periods from conditions. */
#include "agent/date_span.h"

#include "base/clock.h"
#include "base/str.h"

/* The day that a node is, as text; NULL: it is none. */
static const char *day_of(const struct sql_node *node)
{
    while (sql_is(node, SQL_TYPED_STRING) || sql_is(node, SQL_CAST)) {
        node = sql_is(node->children[PAIR_LEFT], SQL_STRING) || sql_is(node, SQL_CAST)
                   ? node->children[PAIR_LEFT]
                   : node->children[PAIR_RIGHT];
    }
    return sql_is(node, SQL_STRING) && clock_begins_with_date(node->text) ? node->text
                                                                          : NULL;
}

bool date_span_of(const struct sql_node *node, struct date_span *out)
{
    if (!sql_is(node, SQL_BINARY) || !str_equal_nocase(node->text, "and")) {
        return false;
    }
    const struct sql_node *left = node->children[PAIR_LEFT];
    const struct sql_node *right = node->children[PAIR_RIGHT];
    bool pair = sql_is(left, SQL_BINARY) && sql_is(right, SQL_BINARY) &&
                str_equal(left->text, ">=") && str_equal(right->text, "<") &&
                sql_equal(left->children[PAIR_LEFT], right->children[PAIR_LEFT]);
    out->from = pair ? day_of(left->children[PAIR_RIGHT]) : NULL;
    out->until = pair ? day_of(right->children[PAIR_RIGHT]) : NULL;
    return out->from && out->until;
}
