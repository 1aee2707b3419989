/* Keys and equal columns, and what follows from them. */
#include "sql/counting/grain.h"

#include <string.h>

#include "base/str.h"
#include "base/vec.h"
#include "model/schema.h"
#include "sql/counting/grain_state.h"

/* ------------------------------------------------------------------ conditions */

void grain_conjuncts(struct arena *arena, const struct sql_node *condition,
                     struct grain_conjuncts *out)
{
    if (!condition) {
        return;
    }
    if (condition->kind == SQL_BINARY && str_equal_nocase(condition->text, "AND")) {
        grain_conjuncts(arena, condition->children[PAIR_LEFT], out);
        grain_conjuncts(arena, condition->children[PAIR_RIGHT], out);
        return;
    }
    VEC_PUSH(arena, out, condition);
}

bool grain_relations_in(const struct grain *grain, const struct sql_node *node,
                        bool *marked)
{
    const struct sql_reference *reference =
        node->kind == SQL_COLUMN ? sql_reference_of(grain->resolved, node) : NULL;
    bool certain = true;
    for (size_t i = 0; i < node->count && !reference; i++) {
        certain &=
            !node->children[i] || grain_relations_in(grain, node->children[i], marked);
    }
    if (!reference) {
        return certain;
    }
    const struct sql_relation *relation = reference->relation;
    if (reference->state == REFERENCE_OUTPUT && reference->output->value &&
        reference->scope == grain->scope) {
        return grain_relations_in(grain, reference->output->value, marked);
    }
    if (relation && relation->scope == grain->scope) {
        marked[relation->place] = true;
    }
    return relation || reference->state == REFERENCE_LOCAL;
}

static const struct sql_reference *own_column(const struct grain *grain,
                                              const struct sql_node *node)
{
    const struct sql_reference *reference =
        node->kind == SQL_COLUMN ? sql_reference_of(grain->resolved, node) : NULL;
    return reference && reference->state == REFERENCE_COLUMN && !reference->fields &&
                   reference->relation->scope == grain->scope
               ? reference
               : NULL;
}

static void add_equality(struct grain *grain, const struct sql_reference *left,
                         const struct sql_reference *right)
{
    struct grain_equality *equality = VEC_ADD(grain->arena, &grain->equalities);
    equality->left = left->relation->place;
    equality->left_column = left->output;
    equality->right = right ? right->relation->place : (size_t)GRAIN_FIXED;
    equality->right_column = right ? right->output : NULL;
}

/* a.x = b.y, a.x = 5 */
static void read_equality(struct grain *grain, const struct sql_node *node)
{
    if (node->kind != SQL_BINARY ||
        (!str_equal(node->text, "=") && !str_equal(node->text, "=="))) {
        return;
    }
    const struct sql_node *sides[] = {node->children[PAIR_LEFT],
                                      node->children[PAIR_RIGHT]};
    const struct sql_reference *left = own_column(grain, sides[0]);
    const struct sql_reference *right = own_column(grain, sides[1]);
    if (left && right) {
        add_equality(grain, left, right);
        return;
    }
    bool marked[GRAIN_RELATIONS] = {false};
    const struct sql_node *other = left ? sides[1] : sides[0];
    if ((left || right) && grain_relations_in(grain, other, marked) &&
        !memchr(marked, true, sizeof marked)) {
        add_equality(grain, left ? left : right, NULL);
    }
}

static void read_condition(struct grain *grain, const struct sql_node *condition)
{
    struct grain_conjuncts parts = {0};
    grain_conjuncts(grain->arena, condition, &parts);
    for (size_t i = 0; i < parts.count; i++) {
        read_equality(grain, parts.items[i]);
    }
}

static const struct sql_output *column_named(const struct sql_relation *relation,
                                             const char *name)
{
    for (size_t i = 0; i < relation->columns.count; i++) {
        const char *own = relation->columns.items[i]->name;
        if (own && str_equal_nocase(own, name)) {
            return relation->columns.items[i];
        }
    }
    return NULL;
}

/* USING and NATURAL */
static void read_merged(struct grain *grain, const struct sql_join_place *join)
{
    const struct sql_node *using = join->node->children[JOIN_USING];
    for (size_t l = join->first; l < join->middle; l++) {
        const struct sql_relation *left = grain->scope->relations.items[l];
        for (size_t c = 0; c < left->columns.count; c++) {
            const struct sql_output *column = left->columns.items[c];
            bool named = sql_has(join->node, FLAG_NATURAL);
            for (size_t i = 0; using && column->name && i < using->count; i++) {
                named |= str_equal_nocase(using->children[i]->text, column->name);
            }
            for (size_t r = join->middle; named && column->name && r < join->last; r++) {
                const struct sql_output *same =
                    column_named(grain->scope->relations.items[r], column->name);
                if (same) {
                    struct grain_equality equality = {l, r, column, same};
                    VEC_PUSH(grain->arena, &grain->equalities, equality);
                }
            }
        }
    }
}

/* ------------------------------------------------------------------ what follows */

static bool is_bound(const struct grain *grain, const bool *marked, size_t relation,
                     const struct sql_output *column, bool grouped)
{
    if (grouped && grain_is_grouped(grain, relation, column)) {
        return true;
    }
    for (size_t i = 0; i < grain->equalities.count; i++) {
        const struct grain_equality *equal = &grain->equalities.items[i];
        bool left =
            equal->left == relation && equal->left_column == column &&
            (equal->right == GRAIN_FIXED || marked[equal->right] ||
             (grouped && grain_is_grouped(grain, equal->right, equal->right_column)));
        bool right =
            equal->right == relation && equal->right_column == column &&
            (marked[equal->left] ||
             (grouped && grain_is_grouped(grain, equal->left, equal->left_column)));
        if (left || right) {
            return true;
        }
    }
    return false;
}

static bool has_one(const struct grain *grain, const bool *marked, size_t relation,
                    bool grouped)
{
    const struct grain_keys *keys = &grain->keys[relation];
    for (size_t i = 0; i < keys->count; i++) {
        bool bound = true;
        for (size_t c = 0; c < keys->items[i].count && bound; c++) {
            bound = is_bound(grain, marked, relation, keys->items[i].items[c], grouped);
        }
        if (bound) {
            return true;
        }
    }
    return false;
}

static bool close_over(const struct grain *grain, bool *marked, bool grouped)
{
    size_t count = grain->scope->relations.count;
    bool all = false;
    for (bool changed = true; changed && !all;) {
        changed = false;
        all = true;
        for (size_t i = 0; i < count; i++) {
            if (!marked[i] && has_one(grain, marked, i, grouped)) {
                marked[i] = changed = true;
            }
            all &= marked[i];
        }
    }
    return all;
}

bool grain_close(const struct grain *grain, bool *marked)
{
    return close_over(grain, marked, false);
}

bool grain_close_group(const struct grain *grain, bool *marked)
{
    return close_over(grain, marked, true);
}

bool grain_is_grouped(const struct grain *grain, size_t relation,
                      const struct sql_output *column)
{
    const struct sql_node *node = grain->scope->node;
    const struct sql_node *group =
        node->kind == SQL_SELECT ? node->children[SELECT_GROUP] : NULL;
    for (size_t i = 0; group && i < group->count; i++) {
        const struct sql_node *value = grain_group_value(grain, group->children[i]);
        const struct sql_reference *reference = value ? own_column(grain, value) : NULL;
        if (reference && reference->relation->place == relation &&
            reference->output == column) {
            return true;
        }
    }
    return false;
}

const struct grain_key *grain_key_of(const struct grain *grain, size_t relation)
{
    const struct grain_keys *keys = &grain->keys[relation];
    const struct grain_key *best = NULL;
    for (size_t i = 0; i < keys->count; i++) {
        if (keys->items[i].count && (!best || keys->items[i].count < best->count)) {
            best = &keys->items[i];
        }
    }
    return best;
}

bool grain_read(struct arena *arena, const struct sql_resolved *resolved,
                const struct sql_scope *scope, struct grain *out)
{
    *out = (struct grain){.arena = arena, .resolved = resolved, .scope = scope};
    if (scope->node->kind != SQL_SELECT || scope->relations.count > GRAIN_RELATIONS) {
        return false;
    }
    for (size_t i = 0; i < scope->relations.count; i++) {
        const struct sql_relation *relation = scope->relations.items[i];
        if (relation->kind == RELATION_FUNCTION || relation->kind == RELATION_OTHER ||
            (relation->kind == RELATION_TABLE && !relation->table)) {
            return false;
        }
        grain_relation_keys(out, relation, &out->keys[i]);
    }
    for (size_t i = 0; i < scope->joins.count; i++) {
        const struct sql_join_place *join = &scope->joins.items[i];
        if (join->node && join->node->text) {
            return false; /* SEMI, ASOF, APPLY: other rules */
        }
        if (join->node) {
            read_condition(out, join->node->children[JOIN_ON]);
            read_merged(out, join);
        }
    }
    read_condition(out, scope->node->children[SELECT_WHERE]);
    read_condition(out, scope->node->children[SELECT_PREWHERE]);
    return true;
}
