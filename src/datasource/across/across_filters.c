/* Conditions of a SELECT that say something about one table alone. They stay in the
 * query: what is told to the source may leave out only what the engine would leave out.
 */
#include "base/arena.h"
#include "base/str.h"
#include "datasource/across/across_state.h"

struct searching {
    const struct across_scope *scope;
    const struct sql_scope *select;
    const struct sql_relation *only; /* the condition speaks of no other; or NULL */
    bool outer;                      /* some join keeps rows without a partner */
};

static const struct {
    const char *sign;
    enum across_test test;
    enum across_test turned; /* with its sides exchanged */
} comparisons[] = {
    {"=", ACROSS_EQUAL, ACROSS_EQUAL},
    {"<>", ACROSS_NOT_EQUAL, ACROSS_NOT_EQUAL},
    {"<", ACROSS_LESS, ACROSS_MORE},
    {">", ACROSS_MORE, ACROSS_LESS},
    {"<=", ACROSS_LESS_EQUAL, ACROSS_MORE_EQUAL},
    {">=", ACROSS_MORE_EQUAL, ACROSS_LESS_EQUAL},
};

static void filter_add(const struct searching *searching,
                       const struct sql_node *reference, struct sql_node *const *values,
                       size_t count, enum across_test test)
{
    struct across_side side;
    if (!across_side_of(searching->scope, reference, &side) ||
        side.relation->scope != searching->select ||
        (searching->only && side.relation != searching->only)) {
        return;
    }
    if (test == ACROSS_IS_NULL && searching->outer) {
        return; /* there it selects rows without a match */
    }
    VEC_PUSH(searching->scope->arena, &side.need->filters,
             ((struct across_filter){test, side.column, values, count}));
}

static void comparison_read(const struct searching *searching,
                            const struct sql_node *node)
{
    struct sql_node *const *left = &node->children[PAIR_LEFT];
    struct sql_node *const *right = &node->children[PAIR_RIGHT];
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++) {
        if (str_equal(comparisons[i].sign, node->text)) {
            filter_add(searching, *left, right, 1, comparisons[i].test);
            filter_add(searching, *right, left, 1, comparisons[i].turned);
        }
    }
}

static void condition_read(void *context, const struct sql_node *node,
                           const struct sql_relation *only)
{
    struct searching *searching = context;
    struct sql_node *const *operands = node->children;
    searching->only = only;
    switch (node->kind) {
    case SQL_BINARY:
        comparison_read(searching, node);
        break;
    case SQL_BETWEEN:
        if (node->flags == 0) {
            filter_add(searching, *operands, &operands[TRIPLE_SECOND], 1,
                       ACROSS_MORE_EQUAL);
            filter_add(searching, *operands, &operands[TRIPLE_THIRD], 1,
                       ACROSS_LESS_EQUAL);
        }
        break;
    case SQL_IN: {
        const struct sql_node *list = operands[PAIR_RIGHT];
        if (node->flags == 0 && list->kind == SQL_TUPLE && list->count > 0) {
            filter_add(searching, *operands, list->children, list->count, ACROSS_IN);
        }
        break;
    }
    case SQL_IS:
        if (sql_is(operands[PAIR_RIGHT], SQL_CONSTANT) &&
            str_equal(operands[PAIR_RIGHT]->text, "NULL") &&
            !sql_has(node, FLAG_DISTINCT)) {
            filter_add(searching, *operands, NULL, 0,
                       sql_has(node, FLAG_NOT) ? ACROSS_NOT_NULL : ACROSS_IS_NULL);
        }
        break;
    case SQL_LIKE:
        if (node->flags == 0 && str_equal(node->text, "LIKE") &&
            !operands[TRIPLE_THIRD]) {
            filter_add(searching, *operands, &operands[TRIPLE_SECOND], 1, ACROSS_LIKE);
        }
        break;
    default:
        break;
    }
}

void across_filters_read(const struct across_scope *scope, const struct sql_node *select)
{
    struct searching searching = {.scope = scope,
                                  .select = sql_scope_of(scope->resolved, select)};
    const struct sql_relations *relations =
        searching.select ? &searching.select->relations : NULL;
    for (size_t i = 0; relations && i < relations->count; i++) {
        searching.outer = searching.outer || relations->items[i]->optional;
    }
    across_conditions(scope, select, condition_read, &searching);
}
