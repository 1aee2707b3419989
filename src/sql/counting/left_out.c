/* Finds inner joins that drop rows which are counted. */
#include "sql/counting/left_out.h"

#include <string.h>

#include "base/str.h"
#include "base/vec.h"
#include "model/schema.h"
#include "sql/counting/build.h"
#include "sql/counting/fanout.h"

struct leaving {
    const struct sql_statement *statement;
    const struct schema *schema;
    const struct grain *grain;
    size_t counted;
};

/* ------------------------------------------------------------------ what is counted */

static bool counts_rows_of(const struct leaving *work, const struct sql_node *node)
{
    if (!node || node->kind == SQL_QUERY || node->kind == SQL_SELECT) {
        return false;
    }
    if (fanout_is_additive(work->statement->dialect, node)) {
        bool marked[GRAIN_RELATIONS] = {false};
        bool certain = grain_relations_in(work->grain, node, marked);
        bool none = !memchr(marked, true, sizeof marked);
        return certain && (none || marked[work->counted]);
    }
    for (size_t i = 0; i < node->count; i++) {
        if (counts_rows_of(work, node->children[i])) {
            return true;
        }
    }
    return false;
}

/* The relation that all others are looked up for: its rows are the rows of the join. */
static bool find_counted(struct leaving *work)
{
    size_t count = work->grain->scope->relations.count;
    for (work->counted = 0; work->counted < count; work->counted++) {
        bool marked[GRAIN_RELATIONS] = {false};
        marked[work->counted] = true;
        if (grain_close(work->grain, marked) &&
            counts_rows_of(work, work->grain->scope->node->children[SELECT_ITEMS])) {
            return true;
        }
    }
    return false;
}

/* ------------------------------------------------------------------ what may be dropped */

/* A row without its parent cannot be there. SQLite checks declared keys only if asked. */
static bool is_certain(const struct leaving *work, const struct sql_relation *counted,
                       const struct sql_relation *other, const struct column *column)
{
    if (work->statement->dialect == DIALECT_SQLITE ||
        work->statement->dialect == DIALECT_CLICKHOUSE ||
        work->statement->dialect == DIALECT_BIGQUERY ||
        (column->nullable && column->null_share != 0)) {
        return false;
    }
    for (size_t i = 0; i < counted->table->foreign_keys.count; i++) {
        const struct foreign_key *key = &counted->table->foreign_keys.items[i];
        if (key->confidence >= 1 && key->columns.count == 1 &&
            str_equal_nocase(key->columns.items[0], column->name) &&
            schema_table(work->schema, key->table) == other->table) {
            return true;
        }
    }
    return false;
}

static bool is_join(const struct grain *grain, const struct sql_node *conjunct)
{
    if (conjunct->kind != SQL_BINARY || !str_equal(conjunct->text, "=")) {
        return false;
    }
    const struct sql_reference *sides[2];
    for (size_t i = 0; i < 2; i++) {
        const struct sql_node *side = conjunct->children[i];
        sides[i] =
            side->kind == SQL_COLUMN ? sql_reference_of(grain->resolved, side) : NULL;
    }
    return sides[0] && sides[1] && sides[0]->relation && sides[1]->relation &&
           sides[0]->relation != sides[1]->relation;
}

/* Conditions on the counted rows alone; false when others are asked for anything. */
static bool own_conditions(const struct leaving *work, struct sql_node **out)
{
    struct arena *arena = work->grain->arena;
    struct grain_conjuncts conjuncts = {0};
    const struct sql_scope *scope = work->grain->scope;
    grain_conjuncts(arena, scope->node->children[SELECT_WHERE], &conjuncts);
    for (size_t i = 0; i < scope->joins.count; i++) {
        const struct sql_node *join = scope->joins.items[i].node;
        if (join && join->variant == JOIN_INNER) {
            grain_conjuncts(arena, join->children[JOIN_ON], &conjuncts);
        }
    }
    *out = NULL;
    for (size_t i = 0; i < conjuncts.count; i++) {
        bool marked[GRAIN_RELATIONS] = {false};
        if (is_join(work->grain, conjuncts.items[i])) {
            continue;
        }
        bool certain = grain_relations_in(work->grain, conjuncts.items[i], marked);
        marked[work->counted] = false;
        if (!certain || memchr(marked, true, sizeof marked)) {
            return false;
        }
        *out = build_and(arena, *out, sql_clone(arena, conjuncts.items[i]));
    }
    return !scope->node->children[SELECT_PREWHERE] &&
           !scope->node->children[SELECT_SAMPLE];
}

/* ------------------------------------------------------------------ the query */

static struct sql_node *count_item(struct arena *arena, struct sql_node *argument,
                                   const char *name)
{
    struct sql_node *call = sql_node(arena, SQL_CALL, "COUNT");
    call->children[CALL_ARGUMENTS] = sql_node(arena, SQL_LIST, NULL);
    sql_add(arena, call->children[CALL_ARGUMENTS], argument);
    return build_item(arena, call, name);
}

static const char *count_query(const struct leaving *work,
                               const struct sql_relation *other, struct sql_node *where,
                               struct sql_node *condition)
{
    struct arena *arena = work->grain->arena;
    const struct sql_relation *counted =
        work->grain->scope->relations.items[work->counted];
    /* ClickHouse may fill the missing side with 0 and '', which COUNT(key) would count */
    struct sql_node *with_one =
        build_case(arena, sql_clone(arena, condition), sql_node(arena, SQL_NUMBER, "1"));
    struct sql_node *join = sql_node(arena, SQL_JOIN, NULL);
    join->variant = JOIN_LEFT_OUTER;
    join->children[JOIN_LEFT] = sql_clone(arena, counted->node);
    join->children[JOIN_RIGHT] = sql_clone(arena, other->node);
    join->children[JOIN_ON] = condition;
    struct sql_node *select = sql_node(arena, SQL_SELECT, NULL);
    select->children[SELECT_FROM] = sql_node(arena, SQL_LIST, NULL);
    sql_add(arena, select->children[SELECT_FROM], join);
    select->children[SELECT_WHERE] = where;
    select->children[SELECT_ITEMS] = sql_node(arena, SQL_LIST, NULL);
    sql_add(arena, select->children[SELECT_ITEMS],
            count_item(arena, sql_node(arena, SQL_STAR, NULL), "all_rows"));
    sql_add(arena, select->children[SELECT_ITEMS],
            count_item(arena, with_one, "with_one"));
    struct sql_node *query = sql_node(arena, SQL_QUERY, NULL);
    query->children[QUERY_BODY] = select;
    return sql_statement_print(arena, work->statement->dialect, query);
}

static bool groups_by(const struct grain *grain, size_t relation)
{
    const struct sql_node *group = grain->scope->node->children[SELECT_GROUP];
    bool marked[GRAIN_RELATIONS] = {false};
    return group && grain_relations_in(grain, group, marked) && marked[relation];
}

static void judge(const struct leaving *work, size_t other, struct left_outs *out)
{
    const struct grain *grain = work->grain;
    const struct sql_relation *counted = grain->scope->relations.items[work->counted];
    const struct sql_relation *looked_up = grain->scope->relations.items[other];
    struct sql_node *condition = NULL;
    const struct sql_output *key = NULL;
    bool certain = true;
    for (size_t i = 0; i < grain->equalities.count; i++) {
        const struct grain_equality *equal = &grain->equalities.items[i];
        bool forward = equal->left == work->counted && equal->right == other;
        bool back = equal->right == work->counted && equal->left == other;
        if (!forward && !back) {
            continue;
        }
        const struct sql_output *own = forward ? equal->left_column : equal->right_column;
        key = forward ? equal->right_column : equal->left_column;
        certain &= own->column && is_certain(work, counted, looked_up, own->column);
        condition = build_and(grain->arena, condition,
                              build_equal(grain->arena,
                                          build_reference(grain->arena, counted, own),
                                          build_reference(grain->arena, looked_up, key)));
    }
    struct sql_node *where;
    if (!key || certain || !own_conditions(work, &where)) {
        return;
    }
    struct left_out left_out = {.scope = grain->scope,
                                .counted = counted,
                                .looked_up = looked_up,
                                .count = count_query(work, looked_up, where, condition),
                                .grouped = groups_by(grain, other)};
    VEC_PUSH(grain->arena, out, left_out);
}

void left_out_find(struct arena *arena, const struct sql_statement *statement,
                   const struct sql_resolved *resolved, const struct schema *schema,
                   struct left_outs *out)
{
    const struct sql_node *root = statement->root;
    const struct sql_scope *scope =
        sql_is(root, SQL_QUERY) ? sql_scope_of(resolved, root->children[QUERY_BODY])
                                : NULL;
    struct grain grain;
    struct leaving work = {.statement = statement, .schema = schema, .grain = &grain};
    /* the question is about the best groups; a group without a name would not be among
     * them */
    if (!scope || root->children[QUERY_LIMIT] || scope->relations.count < 2 ||
        !grain_read(arena, resolved, scope, &grain) ||
        scope->node->children[SELECT_HAVING] || !find_counted(&work)) {
        return;
    }
    for (size_t i = 0; i < scope->relations.count; i++) {
        const struct sql_relation *relation = scope->relations.items[i];
        if (i != work.counted && relation->table && !relation->optional &&
            relation->name && scope->relations.items[work.counted]->table &&
            scope->relations.items[work.counted]->name) {
            judge(&work, i, out);
        }
    }
}

/* ------------------------------------------------------------------ kept */

const char *left_out_keep(struct arena *arena, struct sql_statement *statement,
                          const struct left_out *left_out)
{
    const struct sql_scope *scope = left_out->scope;
    size_t other = left_out->looked_up->place;
    for (size_t i = 0; i < scope->joins.count; i++) {
        const struct sql_join_place *join = &scope->joins.items[i];
        bool right = join->middle == other && join->last == other + 1 &&
                     left_out->counted->place < other;
        bool last = other + 1 == scope->relations.count; /* nothing hangs on it */
        if (right && last && join->node && join->node->variant == JOIN_INNER) {
            build_find(statement->root, join->node)->variant = JOIN_LEFT_OUTER;
            return sql_statement_print(arena, statement->dialect, statement->root);
        }
    }
    return NULL;
}
