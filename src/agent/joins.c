/* How tables belong together, by the keys the schema declares. */
#include "agent/joins.h"

#include <string.h>

#include "base/str.h"

/* A declared key seen from one of its two tables. */
struct edge {
    size_t to;
    struct edge *next;
};

struct walk {
    struct arena *arena;
    const struct schema *schema;
    bool *joined;    /* by table index: part of the tree already */
    ptrdiff_t *from; /* by table index: where the search came from; -1: not reached */
    size_t *queue;
    struct edge **edges; /* by table index */
};

static const char *condition_of(struct arena *arena, const struct table *table,
                                const struct foreign_key *key)
{
    struct texts parts = {0};
    for (size_t i = 0; i < key->columns.count; i++) {
        const char *other = i < key->references.count ? key->references.items[i] : "id";
        VEC_PUSH(arena, &parts,
                 arena_format(arena, "%s.%s = %s.%s", table->name, key->columns.items[i],
                              key->table, other));
    }
    return str_join(arena, &parts, " AND ");
}

static void keys_from(struct arena *arena, const struct table *a, const struct table *b,
                      struct texts *out)
{
    for (size_t i = 0; i < a->foreign_keys.count; i++) {
        const struct foreign_key *key = &a->foreign_keys.items[i];
        if (str_equal_nocase(key->table, b->name) ||
            str_equal_nocase(key->table, b->bare_name)) {
            VEC_PUSH(arena, out, condition_of(arena, a, key));
        }
    }
}

/* Every declared key between the two, whichever way it points. */
static void keys_between(struct arena *arena, const struct table *a,
                         const struct table *b, struct texts *out)
{
    keys_from(arena, a, b, out);
    if (a != b) {
        keys_from(arena, b, a, out);
    }
}

static void add_edge(struct walk *walk, size_t from, size_t to)
{
    struct edge *edge = ARENA_NEW(walk->arena, struct edge);
    *edge = (struct edge){to, walk->edges[from]};
    walk->edges[from] = edge;
}

static void add_edges(struct walk *walk)
{
    const struct tables *tables = &walk->schema->tables;
    for (size_t i = 0; i < tables->count; i++) {
        const struct foreign_keys *keys = &tables->items[i].foreign_keys;
        for (size_t k = 0; k < keys->count; k++) {
            const struct table *other = schema_table(walk->schema, keys->items[k].table);
            if (other) {
                add_edge(walk, i, (size_t)(other - tables->items));
                add_edge(walk, (size_t)(other - tables->items), i);
            }
        }
    }
}

/* Breadth first from the tree so far to the goal. */
static bool reach(struct walk *walk, size_t goal)
{
    size_t count = walk->schema->tables.count;
    size_t head = 0;
    size_t tail = 0;
    for (size_t i = 0; i < count; i++) {
        walk->from[i] = walk->joined[i] ? (ptrdiff_t)i : -1;
        if (walk->joined[i]) {
            walk->queue[tail++] = i;
        }
    }
    while (head < tail && walk->from[goal] < 0) {
        size_t at = walk->queue[head++];
        for (const struct edge *edge = walk->edges[at]; edge; edge = edge->next) {
            if (walk->from[edge->to] < 0) {
                walk->from[edge->to] = (ptrdiff_t)at;
                walk->queue[tail++] = edge->to;
            }
        }
    }
    return walk->from[goal] >= 0;
}

/* Adds the way that reach() found; notes a pair with several keys. */
static void add_way(struct walk *walk, size_t goal, struct joins_result *out)
{
    const struct table *tables = walk->schema->tables.items;
    for (size_t at = goal; !walk->joined[at]; at = (size_t)walk->from[at]) {
        const struct table *left = &tables[walk->from[at]];
        struct texts keys = {0};
        keys_between(walk->arena, left, &tables[at], &keys);
        if (keys.count > 1 && out->found == JOINS_CERTAIN) {
            out->found = JOINS_AMBIGUOUS;
            out->options = keys;
            out->left = left;
            out->right = &tables[at];
        }
        if (keys.count == 1) {
            VEC_PUSH(walk->arena, &out->conditions, keys.items[0]);
        }
    }
    for (size_t at = goal; !walk->joined[at]; at = (size_t)walk->from[at]) {
        walk->joined[at] = true;
    }
}

void joins_infer(struct arena *arena, const struct schema *schema,
                 const struct table *const *tables, size_t count,
                 struct joins_result *out)
{
    *out = (struct joins_result){.found = JOINS_CERTAIN};
    if (count < 2) {
        return;
    }
    size_t all = schema->tables.count;
    struct walk walk = {arena,
                        schema,
                        arena_array(arena, all, sizeof(bool)),
                        arena_array(arena, all, sizeof(ptrdiff_t)),
                        arena_array(arena, all, sizeof(size_t)),
                        arena_array(arena, all, sizeof(struct edge *))};
    add_edges(&walk);
    walk.joined[tables[0] - schema->tables.items] = true;
    for (size_t i = 1; i < count; i++) {
        size_t goal = (size_t)(tables[i] - schema->tables.items);
        if (walk.joined[goal]) {
            continue;
        }
        if (!reach(&walk, goal)) {
            out->found = JOINS_UNKNOWN;
            out->left = tables[0];
            out->right = tables[i];
            return;
        }
        add_way(&walk, goal, out);
    }
}

static bool column_exists(struct arena *arena, const struct schema *schema,
                          const char *name)
{
    const char *clean = str_trim(arena, name);
    const char *dot = strrchr(clean, '.');
    if (!dot) {
        return false;
    }
    const struct table *table =
        schema_table(schema, arena_copy(arena, clean, (size_t)(dot - clean)));
    return table && table_column(table, dot + 1);
}

bool joins_valid(struct arena *arena, const struct schema *schema, const char *condition)
{
    const char *equals = strchr(condition, '=');
    if (!equals) {
        return false;
    }
    const char *left = arena_copy(arena, condition, (size_t)(equals - condition));
    const char *right = equals + 1;
    const char *more = NULL;
    for (const char *at = right; *at && !more; at++) {
        more = str_starts_nocase(at, " and ") ? at : NULL;
    }
    if (more) {
        right = arena_copy(arena, right, (size_t)(more - right));
    }
    return column_exists(arena, schema, left) && column_exists(arena, schema, right) &&
           (!more || joins_valid(arena, schema, more + 5));
}
