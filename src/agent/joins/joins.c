/* How to join tables: by declared keys, else by guesses. */
#include "agent/joins/joins.h"

#include <string.h>

#include "base/str.h"

enum {
    WAYS_MOST = 4,     /* of equal length that are offered */
    WAY_MOST = 16,     /* tables on a way that has rivals */
    GUESS_MOST = 3000, /* larger schemas are not searched for a bridge by names */
};

/* a guess this close to the best is an alternative */
static const double NEAR_BEST = 0.12;
static const double GOOD_DIRECT = 0.45; /* below it a table in between is searched for */
static const double GOOD_BRIDGE = 0.6;

/* A declared key, seen from one of its tables. */
struct edge {
    size_t to;
    struct edge *next;
};

struct walk {
    struct arena *arena;
    const struct schema *schema;
    const struct join_probe *probe;
    struct joins_result *out;
    bool *joined;  /* by table index: part of the tree already */
    bool *wanted;  /* by table index: to be joined */
    int *distance; /* by table index: from the tree; -1: not reached */
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

static double surest_from(const struct table *a, const struct table *b)
{
    double best = 0;
    for (size_t i = 0; i < a->foreign_keys.count; i++) {
        const struct foreign_key *key = &a->foreign_keys.items[i];
        bool leads = str_equal_nocase(key->table, b->name) ||
                     str_equal_nocase(key->table, b->bare_name);
        best = leads && key->confidence > best ? key->confidence : best;
    }
    return best;
}

/* Confidence of the best key between the two; 1 if declared. */
static double surest_between(const struct table *a, const struct table *b)
{
    double there = surest_from(a, b);
    double back = surest_from(b, a);
    return there > back ? there : back;
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

/* Breadth-first search from the tree: the nearest table that must be joined. */
static bool reach(struct walk *walk, size_t *goal)
{
    size_t count = walk->schema->tables.count;
    size_t head = 0;
    size_t tail = 0;
    for (size_t i = 0; i < count; i++) {
        walk->distance[i] = walk->joined[i] ? 0 : -1;
        if (walk->joined[i]) {
            walk->queue[tail++] = i;
        }
    }
    while (head < tail) {
        size_t at = walk->queue[head++];
        if (walk->wanted[at] && !walk->joined[at]) {
            *goal = at;
            return true;
        }
        for (const struct edge *edge = walk->edges[at]; edge; edge = edge->next) {
            if (walk->distance[edge->to] < 0) {
                walk->distance[edge->to] = walk->distance[at] + 1;
                walk->queue[tail++] = edge->to;
            }
        }
    }
    return false;
}

/* A path from the goal back to the tree. */
struct way {
    size_t tables[WAY_MOST];
    size_t count;
};

struct ways {
    struct way items[WAYS_MOST];
    size_t count;
};

static bool seen_before(const struct edge *first, const struct edge *edge)
{
    for (; first != edge; first = first->next) {
        if (first->to == edge->to) {
            return true; /* another key between the same two */
        }
    }
    return false;
}

/* Finds all shortest paths from the last table of the path. */
static void find_ways(const struct walk *walk, struct way *way, struct ways *out)
{
    size_t at = way->tables[way->count - 1];
    if (walk->distance[at] == 0) {
        if (out->count < WAYS_MOST) {
            out->items[out->count++] = *way;
        }
        return;
    }
    for (const struct edge *edge = walk->edges[at]; edge; edge = edge->next) {
        bool nearer = walk->distance[edge->to] == walk->distance[at] - 1;
        if (nearer && way->count < WAY_MOST && out->count < WAYS_MOST &&
            !seen_before(walk->edges[at], edge)) {
            way->tables[way->count++] = edge->to;
            find_ways(walk, way, out);
            way->count--;
        }
    }
}

static void add_option(struct walk *walk, const char *condition, double confidence)
{
    VEC_PUSH(walk->arena, &walk->out->options,
             ((struct join_option){condition, confidence}));
}

static bool is_open(const struct joins_result *out)
{
    return out->found == JOINS_CERTAIN || out->found == JOINS_INFERRED;
}

static void join(struct walk *walk, size_t at)
{
    if (!walk->joined[at] && !walk->wanted[at]) {
        VEC_PUSH(walk->arena, &walk->out->bridges, &walk->schema->tables.items[at]);
    }
    walk->joined[at] = true;
}

static void lower(struct joins_result *out, double confidence)
{
    out->confidence = confidence < out->confidence ? confidence : out->confidence;
    if (out->found == JOINS_CERTAIN) {
        out->found = JOINS_INFERRED;
    }
}

/* Adds the conditions of the path; records a pair with several keys. */
static void add_way(struct walk *walk, const struct way *way)
{
    struct joins_result *out = walk->out;
    const struct table *tables = walk->schema->tables.items;
    for (size_t i = way->count - 1; i-- > 0;) { /* from the tree to the goal */
        const struct table *left = &tables[way->tables[i + 1]];
        const struct table *right = &tables[way->tables[i]];
        struct texts keys = {0};
        keys_between(walk->arena, left, right, &keys);
        double sure = surest_between(left, right);
        if (sure < 1) {
            lower(out, sure);
        }
        if (keys.count > 1 && is_open(out)) {
            out->found = JOINS_AMBIGUOUS;
            out->declared = sure >= 1;
            out->left = left;
            out->right = right;
            for (size_t k = 0; k < keys.count; k++) {
                add_option(walk, keys.items[k], 1.0 / (double)keys.count);
            }
        }
        if (keys.count) {
            VEC_PUSH(walk->arena, &out->conditions, keys.items[0]);
        }
        join(walk, way->tables[i]);
    }
}

static const char *way_text(struct walk *walk, const struct way *way)
{
    const struct table *tables = walk->schema->tables.items;
    struct texts parts = {0};
    for (size_t i = way->count - 1; i-- > 0;) { /* from the tree to the goal */
        struct texts keys = {0};
        keys_between(walk->arena, &tables[way->tables[i + 1]], &tables[way->tables[i]],
                     &keys);
        if (keys.count) {
            VEC_PUSH(walk->arena, &parts, keys.items[0]);
        }
    }
    return str_join(walk->arena, &parts, " AND ");
}

/* With several shortest paths, the first is used and the others become options. */
static void add_ways(struct walk *walk, const struct ways *ways)
{
    struct joins_result *out = walk->out;
    const struct table *tables = walk->schema->tables.items;
    if (ways->count > 1 && is_open(out)) {
        const struct way *first = &ways->items[0];
        out->found = JOINS_AMBIGUOUS;
        out->left = &tables[first->tables[first->count - 1]];
        out->right = &tables[first->tables[0]];
        for (size_t i = 0; i < ways->count; i++) {
            add_option(walk, way_text(walk, &ways->items[i]), 1.0 / (double)ways->count);
        }
    }
    add_way(walk, &ways->items[0]);
}

/* Joins the goal by the best guess; guesses close to it become options. */
static void take_guess(struct walk *walk, size_t goal, const struct join_guesses *guesses)
{
    struct joins_result *out = walk->out;
    double best = guesses->items[0].confidence;
    size_t rivals = 0;
    while (rivals < guesses->count && rivals < WAYS_MOST &&
           guesses->items[rivals].confidence >= best - NEAR_BEST) {
        rivals++;
    }
    VEC_PUSH(walk->arena, &out->conditions,
             join_guess_condition(walk->arena, &guesses->items[0]));
    if (rivals > 1 && is_open(out)) {
        out->found = JOINS_AMBIGUOUS;
        out->left = guesses->items[0].from;
        out->right = guesses->items[0].to;
        for (size_t i = 0; i < rivals; i++) {
            add_option(walk, join_guess_condition(walk->arena, &guesses->items[i]),
                       guesses->items[i].confidence / (double)rivals);
        }
    }
    lower(out, rivals > 1 ? best / (double)rivals : best);
    join(walk, goal);
}

/* Guesses between the goal and every table of the tree, best first. */
static void guess_direct(struct walk *walk, size_t goal, struct join_guesses *out)
{
    const struct tables *tables = &walk->schema->tables;
    for (size_t i = 0; i < tables->count; i++) {
        struct join_guesses found;
        if (!walk->joined[i]) {
            continue;
        }
        join_guess_pairs(walk->arena, &tables->items[i], &tables->items[goal],
                         walk->probe, &found);
        for (size_t k = 0; k < found.count; k++) {
            VEC_PUSH(walk->arena, out, found.items[k]);
            for (size_t at = out->count - 1;
                 at > 0 && out->items[at].confidence > out->items[at - 1].confidence;
                 at--) {
                struct join_guess guess = out->items[at];
                out->items[at] = out->items[at - 1];
                out->items[at - 1] = guess;
            }
        }
    }
}

/* How surely one refers to the other; the condition that says it. */
static double refers(struct walk *walk, const struct table *from, const struct table *to,
                     const char **condition)
{
    struct texts keys = {0};
    keys_from(walk->arena, from, to, &keys);
    if (keys.count) {
        *condition = keys.items[0];
        return surest_from(from, to);
    }
    struct join_guesses guesses;
    join_guess_names(walk->arena, from, to, &guesses);
    if (!guesses.count || guesses.items[0].from != from) {
        return 0;
    }
    *condition = join_guess_condition(walk->arena, &guesses.items[0]);
    return guesses.items[0].confidence;
}

/* A table that refers to the goal and to one of the tree, whatever it is called. */
static bool guess_bridge(struct walk *walk, size_t goal)
{
    const struct tables *tables = &walk->schema->tables;
    const char *best[2] = {NULL, NULL};
    double sure = GOOD_BRIDGE;
    size_t bridge = 0;
    for (size_t i = 0; i < tables->count && tables->count <= GUESS_MOST; i++) {
        const char *there = NULL;
        const char *back = NULL;
        if (walk->joined[i] || i == goal ||
            refers(walk, &tables->items[i], &tables->items[goal], &there) < sure) {
            continue;
        }
        for (size_t j = 0; j < tables->count; j++) {
            double here = walk->joined[j]
                              ? refers(walk, &tables->items[i], &tables->items[j], &back)
                              : 0;
            if (here >= sure && (!best[0] || here > sure)) {
                sure = here;
                bridge = i;
                best[0] = there;
                best[1] = back;
            }
        }
    }
    if (!best[0]) {
        return false;
    }
    VEC_PUSH(walk->arena, &walk->out->conditions, best[1]);
    VEC_PUSH(walk->arena, &walk->out->conditions, best[0]);
    lower(walk->out, sure);
    join(walk, bridge);
    join(walk, goal);
    return true;
}

static bool guess(struct walk *walk, size_t goal)
{
    struct join_guesses direct = {0};
    guess_direct(walk, goal, &direct);
    if (direct.count && direct.items[0].confidence >= GOOD_DIRECT) {
        take_guess(walk, goal, &direct);
        return true;
    }
    if (guess_bridge(walk, goal)) {
        return true;
    }
    if (direct.count) {
        take_guess(walk, goal, &direct);
    }
    return direct.count > 0;
}

/* The next table is joined; false: there is no way to it. */
static bool joins_connect(struct walk *walk, size_t next)
{
    size_t goal = next;
    if (!reach(walk, &goal)) {
        return guess(walk, next);
    }
    struct way way = {.tables = {goal}, .count = 1};
    struct ways ways = {.count = 0};
    find_ways(walk, &way, &ways);
    if (ways.count) { /* else it is longer than anybody would go */
        add_ways(walk, &ways);
    }
    return ways.count > 0;
}

void joins_infer(struct arena *arena, const struct schema *schema,
                 const struct table *const *tables, size_t count,
                 const struct join_probe *probe, struct joins_result *out)
{
    *out = (struct joins_result){.found = JOINS_CERTAIN, .confidence = 1.0};
    if (count < 2) {
        return;
    }
    size_t all = schema->tables.count;
    struct walk walk = {.arena = arena,
                        .schema = schema,
                        .probe = probe,
                        .out = out,
                        .joined = arena_array(arena, all, sizeof(bool)),
                        .wanted = arena_array(arena, all, sizeof(bool)),
                        .distance = arena_array(arena, all, sizeof(int)),
                        .queue = arena_array(arena, all, sizeof(size_t)),
                        .edges = arena_array(arena, all, sizeof(struct edge *))};
    add_edges(&walk);
    for (size_t i = 0; i < count; i++) {
        walk.wanted[tables[i] - schema->tables.items] = true;
    }
    walk.joined[tables[0] - schema->tables.items] = true;
    for (size_t i = 1; i < count; i++) {
        size_t next = (size_t)(tables[i] - schema->tables.items);
        while (!walk.joined[next]) { /* nearer ones come first */
            if (!joins_connect(&walk, next)) {
                out->found = JOINS_UNKNOWN;
                out->left = tables[0];
                out->right = tables[i];
                return;
            }
        }
    }
}

void joins_self(struct arena *arena, const struct table *table, struct texts *out)
{
    keys_from(arena, table, table, out);
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
