/*
 * Grows the tree of joins: from a first table, again and again the nearest table that is
 * still missing (Dijkstra), where a table that the query does not need costs a little
 * more. Tried from several first tables; the cheapest tree is kept.
 */
#include "parser/ir/ir_joins.h"

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "parser/ir/ir_joins_state.h"
#include "parser/ir/ir_schema.h"
#include "parser/ir/ir_tree.h"

enum { ROOTS_MAX = 4 };

static const double COST_EXTRA_TABLE = 0.25;
static const double COST_HUB = 1.5; /* up to what two have in common, and down again */
static const double COST_BACKWARD_SELF = 0.1;
static const double COST_CROSS = 20;
static const double FAR = 1e9;

/* How a place was reached. */
struct reached {
    double cost;
    int parent; /* place; -1: inside already */
    int edge;
    bool forward; /* the parent holds edge->from */
    bool done;
};

struct search {
    struct ir_joining *joining;
    struct reached *at;       /* by place */
    struct ir_places open;    /* reached, not done */
    struct ir_places touched; /* to be cleaned */
};

static struct ir_pair edge_pair(const struct ir_edge *edge, int parent, int child,
                                bool forward)
{
    bool p = parent % 2 != 0;
    bool c = child % 2 != 0;
    return forward ? (struct ir_pair){edge->from, edge->to, p, c}
                   : (struct ir_pair){edge->to, edge->from, p, c};
}

/* The same key of the same row leads to the same row: a second copy needs another one. */
static bool is_taken(const struct search *search, const struct ir_edge *edge, int from,
                     int to)
{
    const struct ir_plan *plan = search->joining->plan;
    for (size_t i = 0; i < plan->count; i++) {
        for (size_t j = 0; j < plan->items[i].pairs.count; j++) {
            const struct ir_pair *pair = &plan->items[i].pairs.items[j];
            bool along = pair->a == edge->from && pair->b == edge->to &&
                         pair->a_second == from % 2 && pair->b_second != to % 2;
            bool against = pair->b == edge->from && pair->a == edge->to &&
                           pair->b_second == from % 2 && pair->a_second != to % 2;
            if (along || against) {
                return true;
            }
        }
    }
    return false;
}

/* Was the place come to from below, unasked? Going down again ties all with all: only
 * two rows of one table are meant to be siblings. */
static bool is_hub(const struct search *search, int place, int child)
{
    const struct reached *before = &search->at[place];
    return before->parent >= 0 && before->forward && before->parent / 2 != child / 2 &&
           !search->joining->is_needed[place];
}

static void reach(struct search *search, int parent, int child, int edge_index,
                  bool forward)
{
    const struct ir_joining *joining = search->joining;
    const struct ir_edge *edge = &joining->schema->edges[edge_index];
    struct reached *at = &search->at[child];
    if (at->done || joining->inside[child] || parent == child ||
        (child % 2 && !joining->is_needed[child]) ||
        is_taken(search, edge, forward ? parent : child, forward ? child : parent)) {
        return;
    }
    double cost = search->at[parent].cost + edge->cost + ir_edge_bonus(joining, edge) +
                  (joining->is_needed[child] ? 0 : COST_EXTRA_TABLE);
    if (edge->from_table == edge->to_table && !forward) {
        cost += COST_BACKWARD_SELF;
    }
    if (!forward && is_hub(search, parent, child)) {
        cost += COST_HUB;
    }
    if (cost >= at->cost - 1e-9) {
        return;
    }
    if (at->cost >= FAR) {
        VEC_PUSH(joining->arena, &search->open, child);
        VEC_PUSH(joining->arena, &search->touched, child);
    }
    *at = (struct reached){cost, parent, edge_index, forward, false};
}

static void reach_all(struct search *search, int place)
{
    const struct ir_schema *schema = search->joining->schema;
    int table = place / 2;
    for (int i = schema->edges_at[table]; i < schema->edges_at[table + 1]; i++) {
        int index = schema->edge_list[i];
        const struct ir_edge *edge = &schema->edges[index];
        if (edge->is_part) {
            continue;
        }
        for (int copy = 0; copy < 2; copy++) {
            if (edge->from_table == table) {
                reach(search, place, edge->to_table * 2 + copy, index, true);
            }
            if (edge->to_table == table) {
                reach(search, place, edge->from_table * 2 + copy, index, false);
            }
        }
    }
}

static int open_nearest(struct search *search)
{
    size_t best = search->open.count;
    for (size_t i = 0; i < search->open.count; i++) {
        int place = search->open.items[i];
        if (best == search->open.count) {
            best = i;
            continue;
        }
        int other = search->open.items[best];
        double difference = search->at[place].cost - search->at[other].cost;
        if (difference < 0 || (!(difference > 0) && place < other)) {
            best = i;
        }
    }
    if (best == search->open.count) {
        return -1;
    }
    int place = search->open.items[best];
    search->open.items[best] = search->open.items[--search->open.count];
    search->at[place].done = true;
    return place;
}

/* The nearest missing place, or -1. */
static int find_nearest(struct search *search)
{
    struct ir_joining *joining = search->joining;
    while (search->touched.count > 0) {
        int place = search->touched.items[--search->touched.count];
        search->at[place] = (struct reached){FAR, -1, -1, false, false};
    }
    search->open.count = 0;
    for (size_t i = 0; i < joining->plan->count; i++) {
        int place = joining->plan->items[i].table * 2 + joining->plan->items[i].second;
        search->at[place] = (struct reached){0, -1, -1, false, true};
        VEC_PUSH(joining->arena, &search->touched, place);
        reach_all(search, place);
    }
    for (int place = open_nearest(search); place >= 0; place = open_nearest(search)) {
        if (joining->is_needed[place]) {
            return place;
        }
        reach_all(search, place);
    }
    return -1;
}

static struct ir_step *step_add(struct ir_joining *joining, int place, bool left)
{
    struct ir_step *step = VEC_ADD(joining->arena, joining->plan);
    step->table = place / 2;
    step->second = place % 2 != 0;
    step->left = left;
    joining->inside[place] = true;
    return step;
}

static bool place_is_left(const struct ir_joining *joining, int place)
{
    for (size_t i = 0; i < joining->plan->count; i++) {
        const struct ir_step *step = &joining->plan->items[i];
        if (step->table * 2 + step->second == place) {
            return step->left;
        }
    }
    return false;
}

/* Everything that the query itself ties to what is inside, and ties within. */
static void add_forced(struct ir_joining *joining)
{
    bool more = true;
    while (more) {
        more = false;
        for (size_t i = 0; i < joining->forced.count; i++) {
            const struct ir_pair *pair = &joining->forced.items[i];
            int a = ir_place_of(joining->schema, pair->a, pair->a_second);
            int b = ir_place_of(joining->schema, pair->b, pair->b_second);
            if (joining->inside[a] == joining->inside[b]) {
                continue;
            }
            int inner = joining->inside[a] ? a : b;
            int outer = joining->inside[a] ? b : a;
            struct ir_step *step = step_add(
                joining, outer, joining->is_left[outer] || place_is_left(joining, inner));
            for (size_t j = 0; j < joining->forced.count; j++) {
                const struct ir_pair *other = &joining->forced.items[j];
                int x = ir_place_of(joining->schema, other->a, other->a_second);
                int y = ir_place_of(joining->schema, other->b, other->b_second);
                if ((x == outer && joining->inside[y]) ||
                    (y == outer && joining->inside[x])) {
                    VEC_PUSH(joining->arena, &step->pairs, *other);
                }
            }
            more = true;
        }
    }
}

/* Adds the way from inside the tree to the place, nearest table first. */
static void add_path(struct search *search, int place, bool left)
{
    struct ir_joining *joining = search->joining;
    const struct reached way = search->at[place];
    if (way.parent < 0) {
        return;
    }
    if (!joining->inside[way.parent]) {
        add_path(search, way.parent, left);
    }
    if (joining->inside[place]) {
        return;
    }
    struct ir_step *step =
        step_add(joining, place, left || place_is_left(joining, way.parent));
    for (int edge = way.edge; edge >= 0; edge = joining->schema->edges[edge].more) {
        VEC_PUSH(
            joining->arena, &step->pairs,
            edge_pair(&joining->schema->edges[edge], way.parent, place, way.forward));
        joining->plan->inferred =
            joining->plan->inferred || !joining->schema->edges[edge].proven;
    }
}

static void grow(struct search *search, int root)
{
    struct ir_joining *joining = search->joining;
    step_add(joining, root, false);
    add_forced(joining);
    for (;;) {
        size_t missing = 0;
        while (missing < joining->needed.count &&
               joining->inside[joining->needed.items[missing]]) {
            missing++;
        }
        if (missing == joining->needed.count) {
            return;
        }
        int place = find_nearest(search);
        if (place >= 0) {
            joining->plan->cost += search->at[place].cost;
            add_path(search, place, joining->is_left[place]);
        } else {
            place = joining->needed.items[missing];
            step_add(joining, place, joining->is_left[place]);
            joining->plan->cross = true;
            joining->plan->cost += COST_CROSS;
        }
        add_forced(joining);
    }
}

bool ir_plan_make(struct arena *arena, const struct ir_schema *schema,
                  struct ir_query *query, const char *question, struct ir_plan *plan,
                  struct err *err)
{
    struct ir_joining joining = {.arena = arena, .schema = schema, .question = question};
    struct search search = {.joining = &joining};
    size_t places = (size_t)schema->table_count * 2;
    *plan = (struct ir_plan){0};
    if (schema->table_count == 0) {
        return err_set(err, ERR_INVALID_DATA, "There is no table.");
    }
    if (!ir_joining_init(&joining, query, err)) {
        return false;
    }
    search.at = arena_array(arena, places, sizeof *search.at);
    for (size_t i = 0; i < places; i++) {
        search.at[i].cost = FAR;
    }
    int tried = 0;
    for (int pass = 0; pass < 2 && tried == 0; pass++) { /* second: all are left joins */
        for (size_t i = 0; i < joining.needed.count && tried < ROOTS_MAX; i++) {
            int root = joining.needed.items[i];
            if (pass == 0 && joining.is_left[root]) {
                continue;
            }
            struct ir_plan next = {0};
            joining.plan = &next;
            memset(joining.inside, 0, places * sizeof(bool));
            grow(&search, root);
            if (tried++ == 0 || next.cost < plan->cost - 1e-9) {
                *plan = next;
            }
        }
    }
    return true;
}
