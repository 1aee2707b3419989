/* Tables that no condition connects. */
#include <string.h>

#include "base/vec.h"
#include "model/schema.h"
#include "sql/counting/mistake_state.h"

static void unite(size_t *part, size_t count, size_t a, size_t b)
{
    size_t from = part[b];
    size_t to = part[a];
    for (size_t i = 0; i < count; i++) {
        part[i] = part[i] == from ? to : part[i];
    }
}

/* Whatever a condition names hangs together, in whatever way. */
static bool mistake_unjoined_connect(const struct grain *grain,
                                     const struct sql_node *condition, size_t *part)
{
    struct grain_conjuncts conjuncts = {0};
    size_t count = grain->scope->relations.count;
    bool certain = true;
    grain_conjuncts(grain->arena, condition, &conjuncts);
    for (size_t i = 0; i < conjuncts.count; i++) {
        bool marked[GRAIN_RELATIONS] = {false};
        certain &= grain_relations_in(grain, conjuncts.items[i], marked);
        const bool *first = memchr(marked, true, sizeof marked);
        for (size_t k = 0; first && k < count; k++) {
            if (marked[k]) {
                unite(part, count, (size_t)(first - marked), k);
            }
        }
    }
    return certain;
}

static bool has_key(const struct sql_relation *a, const struct sql_relation *b,
                    const struct mistake_keys *keys)
{
    const struct table *tables[] = {a->table, b->table};
    for (int i = 0; i < 2 && tables[0] && tables[1]; i++) {
        const struct foreign_keys *declared = &tables[i]->foreign_keys;
        for (size_t k = 0; k < declared->count; k++) {
            const char *to = declared->items[k].table;
            if (strcmp(to, tables[1 - i]->name) == 0) {
                return true;
            }
        }
    }
    const struct table *from = NULL;
    return keys && a->table && b->table && a->table != b->table &&
           keys->find(keys->context, a->table, b->table, &from);
}

/* A single row repeats nothing; but a store that is picked by name should be joined with
 * its orders. */
static bool stands_alone(const struct sql_scope *scope, size_t relation,
                         const struct mistake_keys *keys)
{
    for (size_t i = 0; i < scope->relations.count; i++) {
        if (has_key(scope->relations.items[relation], scope->relations.items[i], keys)) {
            return false;
        }
    }
    return true;
}

bool mistake_parts(const struct grain *grain, const struct mistake_keys *keys,
                   size_t *part)
{
    const struct sql_scope *scope = grain->scope;
    bool one[GRAIN_RELATIONS] = {false};
    bool certain = true;
    for (size_t i = 0; i < scope->relations.count; i++) {
        part[i] = i;
        certain &= !sql_has(scope->relations.items[i]->node, FLAG_LATERAL);
    }
    for (size_t i = 0; i < grain->equalities.count; i++) {
        if (grain->equalities.items[i].right != GRAIN_FIXED) {
            unite(part, scope->relations.count, grain->equalities.items[i].left,
                  grain->equalities.items[i].right);
        }
    }
    for (size_t i = 0; i < scope->joins.count; i++) {
        const struct sql_node *join = scope->joins.items[i].node;
        certain &=
            !join || mistake_unjoined_connect(grain, join->children[JOIN_ON], part);
    }
    certain &= mistake_unjoined_connect(grain, scope->node->children[SELECT_WHERE], part);
    certain &=
        mistake_unjoined_connect(grain, scope->node->children[SELECT_PREWHERE], part);
    grain_close(grain, one);
    for (size_t i = 0; i < scope->relations.count; i++) {
        bool loose = true; /* no condition connects it */
        for (size_t k = 0; k < scope->relations.count; k++) {
            loose = loose && (k == i || part[k] != part[i]);
        }
        if (one[i] && stands_alone(scope, i, loose ? keys : NULL)) {
            unite(part, scope->relations.count, i ? 0 : 1, i);
        }
    }
    return certain;
}

/* Is CROSS JOIN written between the two? Then every pair may be what is wanted. */
static bool is_crossed(const struct sql_scope *scope, size_t a, size_t b)
{
    for (size_t i = 0; i < scope->joins.count; i++) {
        const struct sql_join_place *join = &scope->joins.items[i];
        if (a >= join->first && a < join->middle && b >= join->middle && b < join->last) {
            return join->node && join->node->variant == JOIN_CROSS;
        }
    }
    return false;
}

void mistake_unjoined(const struct grain *grain, const struct mistake_keys *keys,
                      struct mistakes *out)
{
    size_t part[GRAIN_RELATIONS];
    const struct sql_relations *relations = &grain->scope->relations;
    if (relations->count < 2 || !mistake_parts(grain, keys, part)) {
        return;
    }
    for (size_t i = 1; i < relations->count; i++) {
        if (part[i] == part[0]) {
            continue;
        }
        struct mistake mistake = {.kind = MISTAKE_UNJOINED,
                                  .scope = grain->scope,
                                  .left = relations->items[0],
                                  .right = relations->items[i]};
        bool key = false;
        for (size_t a = 0; a < relations->count; a++) {
            for (size_t b = a + 1; b < relations->count; b++) {
                if (part[a] != part[b]) {
                    mistake.crossed |= is_crossed(grain->scope, a, b);
                    key |= has_key(relations->items[a], relations->items[b], keys);
                }
            }
        }
        if (!mistake.crossed || key) {
            VEC_PUSH(grain->arena, out, mistake);
        }
        return;
    }
}
