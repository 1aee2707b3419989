/* What every walk over a statement's tree needs: making, visiting, copying, comparing. */
#include "sql/tree/tree.h"

#include <string.h>

#include "base/arena.h"
#include "base/vec.h"

static const struct {
    const char *name;
    int slots;
} kinds[SQL_KIND_COUNT] = {
#define NODE(kind, name, slots) {name, slots},
#include "sql/tree/nodes.def"
#undef NODE
};

const char *sql_kind_name(enum sql_kind kind)
{
    return kinds[kind].name;
}

struct sql_node *sql_node(struct arena *arena, enum sql_kind kind, const char *text)
{
    struct sql_node *node = ARENA_NEW(arena, struct sql_node);
    node->kind = kind;
    node->text = text;
    if (kinds[kind].slots > 0) {
        node->count = (size_t)kinds[kind].slots;
        node->children = arena_array(arena, node->count, sizeof(struct sql_node *));
    }
    return node;
}

void sql_add(struct arena *arena, struct sql_node *list, struct sql_node *child)
{
    if (!child) {
        return;
    }
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 4;
        list->children =
            arena_grow(arena, list->children, list->count * sizeof(struct sql_node *),
                       capacity * sizeof(struct sql_node *));
        list->capacity = capacity;
    }
    list->children[list->count++] = child;
}

void sql_walk(struct sql_node *node, bool (*visit)(void *context, struct sql_node *node),
              void *context)
{
    if (!node || !visit(context, node)) {
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        sql_walk(node->children[i], visit, context);
    }
}

void sql_collect(struct arena *arena, struct sql_node *root, enum sql_kind kind,
                 struct sql_nodes *out)
{
    if (!root) {
        return;
    }
    if (root->kind == kind) {
        VEC_PUSH(arena, out, root);
    }
    for (size_t i = 0; i < root->count; i++) {
        sql_collect(arena, root->children[i], kind, out);
    }
}

struct sql_node *sql_clone(struct arena *arena, const struct sql_node *node)
{
    if (!node) {
        return NULL;
    }
    struct sql_node *copy = ARENA_NEW(arena, struct sql_node);
    *copy = *node;
    copy->capacity = node->count;
    copy->children = arena_array(arena, node->count, sizeof(struct sql_node *));
    for (size_t i = 0; i < node->count; i++) {
        copy->children[i] = sql_clone(arena, node->children[i]);
    }
    return copy;
}

bool sql_equal(const struct sql_node *a, const struct sql_node *b)
{
    if (!a || !b) {
        return a == b;
    }
    bool texts = a->text && b->text ? strcmp(a->text, b->text) == 0 : a->text == b->text;
    if (a->kind != b->kind || a->flags != b->flags || a->variant != b->variant ||
        !texts || a->count != b->count) {
        return false;
    }
    for (size_t i = 0; i < a->count; i++) {
        if (!sql_equal(a->children[i], b->children[i])) {
            return false;
        }
    }
    return true;
}
