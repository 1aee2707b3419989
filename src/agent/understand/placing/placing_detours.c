/* Tables that a key relates, joined by a third one instead: visits and members by the club that both name,
 * not by the visit's member. Each visit to a club then counts for all members of the club. */
#include <string.h>

#include "agent/run_statement.h"
#include "agent/understand/placing/placing.h"
#include "base/str.h"
#include "sql/resolve/resolve.h"

enum {
    RELATIONS_MOST = 16, /* of a SELECT */
    /* Each lowers the score like this number of assumed words. */
    DETOUR = 7,
    LONGER = 3
};

/* Which relations of a SELECT are equal in some column. */
struct equals {
    const struct sql_scope *scope;
    bool joined[RELATIONS_MOST][RELATIONS_MOST];
};

static const struct sql_relation *relation_of(const struct sql_resolved *resolved,
                                              const struct sql_scope *scope,
                                              const struct sql_node *node)
{
    const struct sql_reference *reference =
        sql_is(node, SQL_COLUMN) ? sql_reference_of(resolved, node) : NULL;
    const struct sql_relation *relation = reference ? reference->relation : NULL;
    return relation && relation->scope == scope && relation->place < RELATIONS_MOST
               ? relation
               : NULL;
}

static void read_equals(struct run *run, const struct sql_resolved *resolved,
                        struct equals *equals)
{
    struct sql_nodes pairs = {0};
    sql_collect(run->scratch, run_statement(run, run->answer.sql)->root, SQL_BINARY,
                &pairs);
    for (size_t i = 0; i < pairs.count; i++) {
        const struct sql_node *pair = pairs.items[i];
        const struct sql_relation *left =
            relation_of(resolved, equals->scope, pair->children[PAIR_LEFT]);
        const struct sql_relation *right =
            relation_of(resolved, equals->scope, pair->children[PAIR_RIGHT]);
        if (str_equal(pair->text, "=") && left && right) {
            equals->joined[left->place][right->place] = true;
            equals->joined[right->place][left->place] = true;
        }
    }
}

/* The relation that both are joined to while they are not joined to each other; NULL: none. */
static const struct sql_relation *between(const struct equals *equals, size_t a, size_t b)
{
    const struct sql_relations *relations = &equals->scope->relations;
    for (size_t i = 0; i < relations->count && !equals->joined[a][b]; i++) {
        if (i != a && i != b && equals->joined[a][i] && equals->joined[b][i]) {
            return relations->items[i];
        }
    }
    return NULL;
}

/* A declared key of one column from the one table to the other; NULL: none. */
static const struct foreign_key *key_to(const struct table *from, const struct table *to)
{
    for (size_t i = 0; from && to && i < from->foreign_keys.count; i++) {
        const struct foreign_key *key = &from->foreign_keys.items[i];
        if (key->confidence >= 1 && key->columns.count == 1 &&
            key->references.count == 1 && str_equal_nocase(key->table, to->name)) {
            return key;
        }
    }
    return NULL;
}

/* The third table is what both refer to: its rows stand once for many of either. */
static bool is_detour(const struct table *from, const struct table *to,
                      const struct sql_relation *third)
{
    return third && from != to && third->table && key_to(from, third->table) &&
           key_to(to, third->table);
}

/* Visits have a club of their own, and so have their members: a way by the members leads to another one. */
static bool is_longer(const struct table *from, const struct table *to,
                      const struct sql_relation *third)
{
    return third && from != to && third->table && third->table != from &&
           third->table != to && key_to(from, third->table) && key_to(third->table, to);
}

static void look(struct run *run, const struct equals *equals, size_t a, size_t b)
{
    const struct table *from = equals->scope->relations.items[a]->table;
    const struct table *to = equals->scope->relations.items[b]->table;
    const struct sql_relation *third = between(equals, a, b);
    bool detour = is_detour(from, to, third);
    const struct foreign_key *key =
        detour || is_longer(from, to, third) ? key_to(from, to) : NULL;
    if (key) {
        run->answer.words_assumed += detour ? DETOUR : LONGER;
        VEC_PUSH(run->arena, &run->answer.assumptions,
                 arena_format(run->arena,
                              "%s and %s are joined by %s, not by %s.%s = %s.%s.",
                              from->name, to->name, third->table->name, from->name,
                              key->columns.items[0], to->name, key->references.items[0]));
    }
}

void placing_note_detours(struct run *run)
{
    const char *sql = run->answer.sql;
    if (!run_schema(run) || !sql || run->request.given_sql ||
        run->request.correction.joins.count || !run_statement(run, sql)->root) {
        return;
    }
    const struct sql_resolved *resolved = run_resolved(run, sql);
    for (size_t i = 0; i < resolved->scopes.count; i++) {
        struct equals equals = {.scope = resolved->scopes.items[i]};
        size_t count = equals.scope->relations.count;
        if (count < 3 || count > RELATIONS_MOST) {
            continue;
        }
        read_equals(run, resolved, &equals);
        for (size_t a = 0; a < count; a++) {
            for (size_t b = 0; b < count; b++) {
                if (a != b) {
                    look(run, &equals, a, b);
                }
            }
        }
    }
}
