/* The question's values: which are left out, and whether the used ones fit. */
#include "base/str.h"
#include "parser/judge/judge_state.h"

static bool is_covered(const struct judging *judging, const struct candidate *candidate)
{
    for (size_t i = candidate->first; i < candidate->end; i++) {
        if (judging->covered[i]) {
            return true;
        }
    }
    return false;
}

/* Candidates over the same words count once. */
static void judge_unused(struct judging *judging)
{
    const struct candidates *values = &judging->request->features->values;
    double *numbers = judging->numbers;
    size_t last_end = 0;
    for (size_t i = 0; i < values->count; i++) {
        const struct candidate *candidate = &values->items[i];
        bool cell = candidate->kind == CANDIDATE_CELL;
        if (is_covered(judging, candidate)) {
            continue;
        }
        numbers[JUDGE_UNUSED_PERIODS] += candidate->kind == CANDIDATE_PERIOD;
        if ((cell || candidate->kind == CANDIDATE_NUMBER) &&
            candidate->first >= last_end) {
            numbers[JUDGE_UNUSED_VALUES]++;
            numbers[JUDGE_UNUSED_CELLS] += cell;
            last_end = candidate->end;
        }
    }
}

static bool holds(const struct candidate *candidate, int column)
{
    for (size_t i = 0; i < candidate->column_count; i++) {
        if (candidate->columns[i] == column) {
            return true;
        }
    }
    return false;
}

static void judge_pair(struct judging *judging, const struct ir_node *column,
                       const struct ir_node *value)
{
    if (!ir_node_is_column(column) || value->kind != IR_NODE_TOKEN ||
        value->token.kind != IR_VALUE) {
        return;
    }
    const struct candidate *candidate =
        &judging->request->features->values.items[value->token.index];
    double *numbers = judging->numbers;
    if (candidate->column_count > 0) {
        numbers[JUDGE_FOREIGN_VALUES] += !holds(candidate, column->token.index);
    } else {
        numbers[JUDGE_UNKNOWN_VALUES] += candidate->value.is_text;
    }
    numbers[JUDGE_NEAR_VALUES] +=
        candidate->kind == CANDIDATE_NEAR || candidate->kind == CANDIDATE_PART;
}

static void judge_query(struct judging *judging, struct ir_query *query);

static void visit(void *context, struct ir_node *node)
{
    struct judging *judging = context;
    if (node->kind == IR_NODE_QUERY) {
        judge_query(judging, node->query);
    }
    if (ir_node_is(node, IR_EQUAL) || ir_node_is(node, IR_UNEQUAL) ||
        ir_node_is(node, IR_IN) || ir_node_is(node, IR_NOT_IN)) {
        for (size_t i = 1; i < node->args.count; i++) {
            judge_pair(judging, node->args.items[0], node->args.items[i]);
        }
    }
}

static void judge_query(struct judging *judging, struct ir_query *query)
{
    for (; query; query = query->set_query) {
        ir_query_walk(query, visit, judging);
        if (query->from) {
            judge_query(judging, query->from);
        }
    }
}

void judge_values(struct judging *judging, struct ir_query *query)
{
    judge_unused(judging);
    if (query) {
        judge_query(judging, query);
    }
}
