/* Columns beside an aggregate that are not grouped by. */
#include "base/str.h"
#include "base/vec.h"
#include "model/schema.h"
#include "sql/counting/grain_state.h"
#include "sql/counting/mistake_state.h"
#include "sql/function.h"

struct ungrouping {
    const struct grain *grain;
    enum dialect dialect;
    struct mistakes *out;
    bool fixed[GRAIN_RELATIONS]; /* relations with one row in each group */
    size_t aggregates;
    size_t extremes; /* MIN and MAX among them */
};

static bool is_aggregate(enum dialect dialect, const struct sql_node *node)
{
    bool scalar =
        dialect == DIALECT_SQLITE && node->kind == SQL_CALL &&
        (str_equal_nocase(node->text, "min") || str_equal_nocase(node->text, "max")) &&
        node->children[CALL_ARGUMENTS]->count > 1;
    return node->kind == SQL_CALL && !node->children[CALL_OVER] && !scalar &&
           function_has(function_find(dialect, node->text), 'a');
}

static void count_aggregates(struct ungrouping *work, const struct sql_node *node)
{
    if (!node || node->kind == SQL_QUERY || node->kind == SQL_SELECT) {
        return;
    }
    if (is_aggregate(work->dialect, node)) {
        work->aggregates++;
        work->extremes +=
            str_equal_nocase(node->text, "min") || str_equal_nocase(node->text, "max");
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        count_aggregates(work, node->children[i]);
    }
}

static bool holds_column(const struct ungrouping *work, const struct sql_node *node,
                         const struct sql_reference *wanted)
{
    const struct sql_reference *reference =
        node->kind == SQL_COLUMN ? sql_reference_of(work->grain->resolved, node) : NULL;
    if (reference && reference->relation == wanted->relation &&
        reference->output == wanted->output) {
        return true;
    }
    for (size_t i = 0; i < node->count; i++) {
        if (node->children[i] && holds_column(work, node->children[i], wanted)) {
            return true;
        }
    }
    return false;
}

static bool is_grouped(const struct ungrouping *work, const struct sql_node *node)
{
    const struct sql_node *group = work->grain->scope->node->children[SELECT_GROUP];
    for (size_t i = 0; group && i < group->count; i++) {
        const struct sql_node *value = grain_group_value(work->grain, group->children[i]);
        if (!value || sql_equal(value, node)) {
            return true;
        }
    }
    return false;
}

/* Grouped by itself, by what it equals, or inside ROLLUP (a, b). */
static bool has_one_value(const struct ungrouping *work,
                          const struct sql_reference *reference)
{
    const struct grain *grain = work->grain;
    size_t relation = reference->relation->place;
    const struct sql_node *group = grain->scope->node->children[SELECT_GROUP];
    if (work->fixed[relation] || grain_is_grouped(grain, relation, reference->output)) {
        return true;
    }
    for (size_t i = 0; i < grain->equalities.count; i++) {
        const struct grain_equality *equal = &grain->equalities.items[i];
        bool left = equal->left == relation && equal->left_column == reference->output;
        bool right = equal->right == relation && equal->right_column == reference->output;
        if ((left && (equal->right == GRAIN_FIXED ||
                      grain_is_grouped(grain, equal->right, equal->right_column))) ||
            (right && grain_is_grouped(grain, equal->left, equal->left_column))) {
            return true;
        }
    }
    for (size_t i = 0; group && i < group->count; i++) {
        const struct sql_node *item = group->children[i];
        if (item->kind != SQL_COLUMN && item->kind != SQL_NUMBER &&
            (item->kind == SQL_CALL || item->kind == SQL_GROUPING_SETS ||
             item->kind == SQL_TUPLE) &&
            holds_column(work, item, reference)) {
            return true;
        }
    }
    return false;
}

static void mistake_ungrouped_look(struct ungrouping *work, const struct sql_node *node)
{
    if (!node || node->kind == SQL_QUERY || node->kind == SQL_SELECT ||
        is_aggregate(work->dialect, node) || is_grouped(work, node)) {
        return;
    }
    const struct sql_reference *reference =
        node->kind == SQL_COLUMN ? sql_reference_of(work->grain->resolved, node) : NULL;
    if (reference) {
        if (reference->state == REFERENCE_COLUMN &&
            reference->relation->scope == work->grain->scope && !reference->second &&
            !has_one_value(work, reference)) {
            struct mistake mistake = {.kind = MISTAKE_UNGROUPED,
                                      .scope = work->grain->scope,
                                      .left = reference->relation,
                                      .column = node,
                                      .extreme = work->extremes > 0};
            VEC_PUSH(work->grain->arena, work->out, mistake);
        }
        return;
    }
    if (node->kind == SQL_CALL && node->children[CALL_OVER]) {
        return; /* a window over groups: its own rules */
    }
    for (size_t i = 0; i < node->count; i++) {
        mistake_ungrouped_look(work, node->children[i]);
    }
}

void mistake_ungrouped(const struct grain *grain, enum dialect dialect,
                       struct mistakes *out)
{
    const struct sql_node *select = grain->scope->node;
    const struct sql_node *group = select->children[SELECT_GROUP];
    struct ungrouping work = {.grain = grain, .dialect = dialect, .out = out};
    count_aggregates(&work, select->children[SELECT_ITEMS]);
    count_aggregates(&work, select->children[SELECT_HAVING]);
    bool all = group && sql_has(group, FLAG_GROUP_ALL);
    /* SQLite takes the other columns from the row of the one MIN or MAX. */
    bool from_extreme = dialect == DIALECT_SQLITE && work.extremes == 1;
    if (all || from_extreme || (!group && !work.aggregates)) {
        return;
    }
    grain_close_group(grain, work.fixed);
    const struct sql_node *items = select->children[SELECT_ITEMS];
    for (size_t i = 0; i < items->count; i++) {
        const struct sql_node *value = items->children[i]->children[SINGLE_VALUE];
        if (value->kind != SQL_STAR) {
            mistake_ungrouped_look(&work, value);
        }
    }
}
