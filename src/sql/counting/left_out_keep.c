/* A join as an outer one, so that it drops no rows. */
#include <string.h>

#include "base/vec.h"
#include "sql/counting/build.h"
#include "sql/counting/left_out.h"

/* A condition of a join, and the relations that it is about. */
struct part {
    const struct sql_node *node;
    bool about[GRAIN_RELATIONS];
    bool used;
};

struct parts {
    struct part *items;
    size_t count;
    size_t capacity;
};

struct keeping {
    struct arena *arena;
    const struct grain *grain;
    size_t first;
    const bool *wanted; /* to be joined by an outer join */
    struct parts parts;
    bool placed[GRAIN_RELATIONS];
    bool loose[GRAIN_RELATIONS]; /* joined by an outer join */
    struct sql_node *from;
    struct sql_node *where; /* conditions that no outer join may have */
};

static bool add_part(struct keeping *keeping, const struct sql_node *node)
{
    struct part part = {.node = node};
    bool known = grain_relations_in(keeping->grain, node, part.about);
    VEC_PUSH(keeping->arena, &keeping->parts, part);
    return known;
}

/* Only joins that could as well be written in another order. */
static bool read_parts(struct keeping *keeping)
{
    const struct sql_scope *scope = keeping->grain->scope;
    for (size_t i = 0; i < scope->joins.count; i++) {
        const struct sql_node *join = scope->joins.items[i].node;
        struct grain_conjuncts conjuncts = {0};
        if (!join || join->variant != JOIN_INNER || join->children[JOIN_USING] ||
            sql_has(join, FLAG_NATURAL)) {
            return false;
        }
        grain_conjuncts(keeping->arena, join->children[JOIN_ON], &conjuncts);
        for (size_t k = 0; k < conjuncts.count; k++) {
            if (!add_part(keeping, conjuncts.items[k])) {
                return false;
            }
        }
    }
    return scope->joins.count + 1 == scope->relations.count;
}

static bool is_ready(const struct keeping *keeping, const struct part *part, size_t place)
{
    for (size_t i = 0; i < GRAIN_RELATIONS; i++) {
        if (part->about[i] && i != place && !keeping->placed[i]) {
            return false;
        }
    }
    return !part->used;
}

/* Does it hang on rows that may be missing by then? */
static bool hangs_loose(const struct keeping *keeping, size_t place)
{
    bool loose = keeping->wanted[place];
    for (size_t i = 0; i < keeping->parts.count; i++) {
        const struct part *part = &keeping->parts.items[i];
        for (size_t k = 0; k < GRAIN_RELATIONS && part->about[place]; k++) {
            loose |= part->about[k] && keeping->loose[k];
        }
    }
    return loose;
}

/* Joins one more relation, if a condition ties it to those that are there. */
static bool place(struct keeping *keeping, size_t place)
{
    struct arena *arena = keeping->arena;
    const struct sql_scope *scope = keeping->grain->scope;
    struct sql_node *on = NULL;
    bool loose = hangs_loose(keeping, place);
    for (size_t i = 0; i < keeping->parts.count; i++) {
        struct part *part = &keeping->parts.items[i];
        if (!is_ready(keeping, part, place)) {
            continue;
        }
        struct sql_node **where = loose && !part->about[place] ? &keeping->where : &on;
        *where = build_and(arena, *where, sql_clone(arena, part->node));
        part->used = true;
    }
    struct sql_node *join = sql_node(arena, SQL_JOIN, NULL);
    join->variant = loose ? JOIN_LEFT_OUTER : JOIN_INNER;
    join->children[JOIN_LEFT] = keeping->from;
    join->children[JOIN_RIGHT] = sql_clone(arena, scope->relations.items[place]->node);
    join->children[JOIN_ON] = on;
    keeping->from = join;
    keeping->placed[place] = true;
    keeping->loose[place] = loose;
    return on != NULL;
}

static bool is_tied(const struct keeping *keeping, size_t place)
{
    for (size_t i = 0; i < keeping->parts.count; i++) {
        const struct part *part = &keeping->parts.items[i];
        bool own[GRAIN_RELATIONS] = {false};
        own[place] = true;
        if (part->about[place] && memcmp(part->about, own, sizeof own) != 0 &&
            is_ready(keeping, part, place)) {
            return true;
        }
    }
    return false;
}

/* All joins anew, beginning with what is counted. */
static bool rebuild(struct keeping *keeping, struct sql_statement *statement)
{
    const struct sql_scope *scope = keeping->grain->scope;
    if (!read_parts(keeping)) {
        return false;
    }
    keeping->from =
        sql_clone(keeping->arena, scope->relations.items[keeping->first]->node);
    keeping->placed[keeping->first] = true;
    for (size_t round = 1; round < scope->relations.count; round++) {
        size_t next = scope->relations.count;
        for (size_t i = 0; i < scope->relations.count && next == scope->relations.count;
             i++) {
            bool ready = !keeping->placed[i] && is_tied(keeping, i);
            next = ready ? i : next;
        }
        if (next == scope->relations.count || !place(keeping, next)) {
            return false;
        }
    }
    for (size_t i = 0; i < keeping->parts.count; i++) {
        if (!keeping->parts.items[i].used) {
            return false;
        }
    }
    struct sql_node *select = build_find(statement->root, scope->node);
    struct sql_node *list = sql_node(keeping->arena, SQL_LIST, NULL);
    sql_add(keeping->arena, list, keeping->from);
    select->children[SELECT_FROM] = list;
    select->children[SELECT_WHERE] =
        build_and(keeping->arena, select->children[SELECT_WHERE], keeping->where);
    return true;
}

/* Is each condition of the join about what it looks up? Others would drop rows no more. */
static bool is_about(const struct left_out *left_out, const struct sql_node *join)
{
    struct grain_conjuncts conjuncts = {0};
    grain_conjuncts(left_out->grain->arena, join->children[JOIN_ON], &conjuncts);
    for (size_t i = 0; i < conjuncts.count; i++) {
        bool marked[GRAIN_RELATIONS] = {false};
        if (!grain_relations_in(left_out->grain, conjuncts.items[i], marked) ||
            !marked[left_out->looked_up->place]) {
            return false;
        }
    }
    return true;
}

/* The last join, as it stands. */
static bool loosen_last(const struct left_out *left_out, struct sql_statement *statement)
{
    const struct sql_scope *scope = left_out->scope;
    size_t other = left_out->looked_up->place;
    for (size_t i = 0; i < scope->joins.count; i++) {
        const struct sql_join_place *join = &scope->joins.items[i];
        bool right = join->middle == other && join->last == other + 1;
        bool last = other + 1 == scope->relations.count; /* nothing hangs on it */
        if (right && last && join->node && join->node->variant == JOIN_INNER &&
            is_about(left_out, join->node)) {
            build_find(statement->root, join->node)->variant = JOIN_LEFT_OUTER;
            return true;
        }
    }
    return false;
}

bool left_out_rejoin(struct arena *arena, struct sql_statement *statement,
                     const struct grain *grain, size_t first, const bool *outer,
                     const struct grain_conjuncts *moved)
{
    struct keeping keeping = {
        .arena = arena, .grain = grain, .first = first, .wanted = outer};
    for (size_t i = 0; i < moved->count; i++) {
        if (!add_part(&keeping, moved->items[i])) {
            return false;
        }
    }
    return rebuild(&keeping, statement);
}

const char *left_out_keep(struct arena *arena, struct sql_statement *statement,
                          const struct left_out *left_out)
{
    bool outer[GRAIN_RELATIONS] = {false};
    outer[left_out->looked_up->place] = true;
    struct keeping keeping = {.arena = arena,
                              .grain = left_out->grain,
                              .first = left_out->first->place,
                              .wanted = outer};
    return loosen_last(left_out, statement) || rebuild(&keeping, statement)
               ? sql_statement_print(arena, statement->dialect, statement->root)
               : NULL;
}
