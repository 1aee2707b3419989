/* The allow-list of nodes (kinds.def), and the ways to walk them. */
#include "sql/guard/guard_state.h"

static const struct allowed {
    bool listed;
    int slots;
    int variants;
    unsigned flags;
} allowed[SQL_KIND_COUNT] = {
#define ALLOW(kind, slots, variants, flags) [SQL_##kind] = {true, slots, variants, flags},
#include "sql/guard/kinds.def"
#undef ALLOW
};

bool guard_listed(struct guard *guard, const struct sql_node *node)
{
    if (!node) {
        return guard_refuse(guard, NULL, "A part of the query is missing.");
    }
    const struct allowed *row =
        (unsigned)node->kind < SQL_KIND_COUNT ? &allowed[node->kind] : NULL;
    if (row && row->listed && !(node->flags & ~row->flags) && node->variant >= 0 &&
        node->variant <= row->variants &&
        (row->slots < 0 || node->count == (size_t)row->slots)) {
        return true;
    }
    return guard_unexpected(guard, guard_first(guard, node));
}

bool guard_expect(struct guard *guard, const struct sql_node *node, enum sql_kind kind)
{
    if (!guard_listed(guard, node)) {
        return false;
    }
    return node->kind == kind || guard_unexpected(guard, guard_first(guard, node));
}

bool guard_hangs_on_left(enum sql_kind kind, bool relations)
{
    switch (kind) {
    case SQL_BINARY:
    case SQL_TERNARY:
    case SQL_IS:
    case SQL_BETWEEN:
    case SQL_IN:
    case SQL_LIKE:
    case SQL_CAST:
    case SQL_COLLATE:
    case SQL_AT_TIME_ZONE:
    case SQL_FIELD:
    case SQL_SUBSCRIPT:
    case SQL_SLICE:
        return !relations;
    case SQL_JOIN:
    case SQL_ARRAY_JOIN:
    case SQL_PIVOT:
    case SQL_UNPIVOT:
        return relations;
    default:
        return false;
    }
}

bool guard_spine(struct guard *guard, const struct sql_node *node, bool relations,
                 struct guard_spine *out)
{
    *out = (struct guard_spine){0};
    while (node && guard_hangs_on_left(node->kind, relations)) {
        if (!guard_listed(guard, node)) {
            return false;
        }
        VEC_PUSH(guard->arena, out, node);
        node = node->children[0];
    }
    out->end = node;
    return true;
}

enum { SLOTS_MOST = 12 };

bool guard_slots(struct guard *guard, const struct sql_node *node, size_t from, size_t to,
                 bool (*check)(struct guard *guard, const struct sql_node *node,
                               size_t slot))
{
    size_t order[SLOTS_MOST];
    size_t count = 0;
    for (size_t slot = from; slot < to && count < SLOTS_MOST; slot++) {
        const struct sql_node *child = node->children[slot];
        size_t at = count;
        if (!child) {
            continue;
        }
        for (; at > 0 && node->children[order[at - 1]]->start > child->start; at--) {
            order[at] = order[at - 1];
        }
        order[at] = slot;
        count++;
    }
    for (size_t i = 0; i < count; i++) {
        if (!check(guard, node->children[order[i]], order[i])) {
            return false;
        }
    }
    return true;
}

bool guard_list(struct guard *guard, const struct sql_node *list,
                bool (*check)(struct guard *guard, const struct sql_node *node))
{
    if (!list) {
        return true;
    }
    if (!guard_expect(guard, list, SQL_LIST)) {
        return false;
    }
    for (size_t i = 0; i < list->count; i++) {
        if (!check(guard, list->children[i])) {
            return false;
        }
    }
    return true;
}
