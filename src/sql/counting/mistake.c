/* Mistakes in SQL that runs: found, reported and corrected. */
#include "sql/counting/mistake.h"

#include "base/str.h"
#include "base/vec.h"
#include "model/schema.h"
#include "sql/counting/build.h"
#include "sql/counting/mistake_state.h"

void mistake_find(struct arena *arena, const struct sql_statement *statement,
                  const struct sql_resolved *resolved, const struct mistake_keys *keys,
                  struct mistakes *out)
{
    for (size_t i = 0; i < resolved->scopes.count; i++) {
        struct grain grain;
        if (grain_read(arena, resolved, resolved->scopes.items[i], &grain)) {
            mistake_unjoined(&grain, keys, out);
            mistake_ungrouped(&grain, statement->dialect, out);
        }
    }
}

static const char *table_of(const struct sql_relation *relation)
{
    return relation->table  ? relation->table->name
           : relation->name ? relation->name
                            : "a subquery";
}

const char *mistake_message(struct arena *arena, const struct mistake *mistake)
{
    if (mistake->kind == MISTAKE_UNGROUPED) {
        const struct sql_node *column = mistake->column;
        return arena_format(arena,
                            "The column '%.80s' stands beside an aggregate and is not in "
                            "GROUP BY: the value that is shown can be that of any row.",
                            column->children[column->count - 1]->text);
    }
    return arena_format(arena,
                        "%.80s and %.80s are joined without a condition: each row of the "
                        "one is paired with every row of the other.",
                        table_of(mistake->left), table_of(mistake->right));
}

/* ------------------------------------------------------------------ joined by a key */

/* A key that was found in the data and whose name says where it leads (decision 0081). */
static const double KEY_FOUND = 0.75;

struct link {
    const struct foreign_key *key;
    const struct sql_relation *from; /* has the key */
    const struct sql_relation *to;
    size_t count; /* of keys that could be meant */
};

static void count_keys(const struct sql_relation *from, const struct sql_relation *to,
                       const struct schema *schema, double least, struct link *link)
{
    if (!from->table || !to->table) {
        return;
    }
    for (size_t i = 0; i < from->table->foreign_keys.count; i++) {
        const struct foreign_key *key = &from->table->foreign_keys.items[i];
        if (key->confidence >= least && schema_table(schema, key->table) == to->table) {
            link->count++;
            link->key = key;
            link->from = from;
            link->to = to;
        }
    }
}

static const struct sql_output *column_of(const struct sql_relation *relation,
                                          const char *name)
{
    for (size_t i = 0; i < relation->columns.count; i++) {
        if (str_equal_nocase(str_or_empty(relation->columns.items[i]->name), name)) {
            return relation->columns.items[i];
        }
    }
    return NULL;
}

static struct sql_node *condition_of(struct arena *arena, const struct link *link)
{
    struct sql_node *condition = NULL;
    const struct texts *columns = &link->key->columns;
    const struct texts *references = &link->key->references;
    for (size_t i = 0; i < columns->count && columns->count == references->count; i++) {
        const struct sql_output *from = column_of(link->from, columns->items[i]);
        const struct sql_output *to = column_of(link->to, references->items[i]);
        if (!from || !to || !link->from->name || !link->to->name) {
            return NULL;
        }
        condition = build_and(arena, condition,
                              build_equal(arena, build_reference(arena, link->from, from),
                                          build_reference(arena, link->to, to)));
    }
    return condition;
}

/* The JOIN that should have had the condition; NULL: a comma. */
static struct sql_node *join_between(struct sql_node *root, const struct grain *grain,
                                     const struct link *link)
{
    size_t a = link->from->place;
    size_t b = link->to->place;
    size_t low = a < b ? a : b;
    size_t high = a < b ? b : a;
    for (size_t i = 0; i < grain->scope->joins.count; i++) {
        const struct sql_join_place *join = &grain->scope->joins.items[i];
        if (low >= join->first && low < join->middle && high >= join->middle &&
            high < join->last) {
            return join->node ? build_find(root, join->node) : NULL;
        }
    }
    return NULL;
}

/* Old versions of ClickHouse know no comma between tables: it becomes a JOIN. False: it may stay. */
static bool join_comma(struct arena *arena, const struct sql_statement *statement,
                       struct sql_node *select, struct sql_node *condition)
{
    struct sql_node *from = select->children[SELECT_FROM];
    if (statement->dialect != DIALECT_CLICKHOUSE || !from || from->count != 2) {
        return false;
    }
    struct sql_node *join = sql_node(arena, SQL_JOIN, NULL);
    join->variant = JOIN_INNER;
    join->children[JOIN_LEFT] = from->children[0];
    join->children[JOIN_RIGHT] = from->children[1];
    join->children[JOIN_ON] = condition;
    select->children[SELECT_FROM] = sql_node(arena, SQL_LIST, NULL);
    sql_add(arena, select->children[SELECT_FROM], join);
    return true;
}

/* The keys between the parts that no condition connects. */
static void find_link(const struct grain *grain, const size_t *part,
                      const struct schema *schema, double least, struct link *link)
{
    size_t count = grain->scope->relations.count;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < count; k++) {
            if (part[i] != part[k]) {
                count_keys(grain->scope->relations.items[i],
                           grain->scope->relations.items[k], schema, least, link);
            }
        }
    }
}

/* The same if no key is known: the callback is asked about each pair of tables. */
static void ask_link(const struct grain *grain, const size_t *part,
                     const struct mistake_keys *keys, struct link *link)
{
    size_t count = grain->scope->relations.count;
    for (size_t i = 0; i < count; i++) {
        const struct sql_relation *a = grain->scope->relations.items[i];
        for (size_t k = i + 1; k < count; k++) {
            const struct sql_relation *b = grain->scope->relations.items[k];
            const struct table *from = NULL;
            const struct foreign_key *key =
                part[i] != part[k] && a->table && b->table && a->table != b->table
                    ? keys->find(keys->context, a->table, b->table, &from)
                    : NULL;
            if (key) {
                link->count++;
                link->key = key;
                link->from = from == a->table ? a : b;
                link->to = from == a->table ? b : a;
            }
        }
    }
}

/* Files, documents and some engines declare no keys: what their data and names say counts where nothing
 * is declared. */
static bool mend_join(struct arena *arena, struct sql_statement *statement,
                      const struct grain *grain, const struct schema *schema,
                      const struct mistake_keys *keys)
{
    size_t part[GRAIN_RELATIONS];
    struct link link = {0};
    if (!mistake_parts(grain, keys, part)) {
        return false;
    }
    find_link(grain, part, schema, 1, &link);
    if (link.count == 0) {
        find_link(grain, part, schema, KEY_FOUND, &link);
    }
    if (link.count == 0 && keys) {
        ask_link(grain, part, keys, &link);
    }
    struct sql_node *condition = link.count == 1 ? condition_of(arena, &link) : NULL;
    if (!condition) {
        return false;
    }
    struct sql_node *join = join_between(statement->root, grain, &link);
    struct sql_node *select = build_find(statement->root, grain->scope->node);
    if (join) {
        struct sql_node *old = join->children[JOIN_ON];
        bool constant = sql_is(old, SQL_CONSTANT) || sql_is(old, SQL_NUMBER);
        join->children[JOIN_ON] = build_and(arena, constant ? NULL : old, condition);
        join->variant = join->variant == JOIN_CROSS ? JOIN_INNER : join->variant;
    } else if (!join_comma(arena, statement, select, condition)) {
        select->children[SELECT_WHERE] =
            build_and(arena, condition, select->children[SELECT_WHERE]);
    }
    return true;
}

/* ------------------------------------------------------------------ grouped too */

static bool has_grouped(const struct grain *grain, size_t relation)
{
    const struct sql_outputs *columns = &grain->scope->relations.items[relation]->columns;
    for (size_t i = 0; i < columns->count; i++) {
        if (grain_is_grouped(grain, relation, columns->items[i])) {
            return true;
        }
    }
    return false;
}

static bool mend_group(struct arena *arena, struct sql_statement *statement,
                       const struct grain *grain, const struct mistake *mistake)
{
    struct sql_node *select = build_find(statement->root, mistake->scope->node);
    struct sql_node *group = select->children[SELECT_GROUP];
    if (mistake->extreme || (group && (group->text || sql_has(group, FLAG_GROUP_ALL) ||
                                       !has_grouped(grain, mistake->left->place)))) {
        return false;
    }
    if (!group) {
        group = select->children[SELECT_GROUP] = sql_node(arena, SQL_LIST, NULL);
    }
    for (size_t i = 0; i < group->count; i++) {
        if (group->children[i]->kind == SQL_GROUPING_SETS ||
            group->children[i]->kind == SQL_CALL) {
            return false; /* ROLLUP and its relatives */
        }
    }
    sql_add(arena, group, sql_clone(arena, mistake->column));
    return true;
}

const char *mistake_mend(struct arena *arena, struct sql_statement *statement,
                         const struct sql_resolved *resolved, const struct schema *schema,
                         const struct mistake_keys *keys, const struct mistake *mistake)
{
    struct grain grain;
    if (!grain_read(arena, resolved, mistake->scope, &grain)) {
        return NULL;
    }
    bool done = mistake->kind == MISTAKE_UNJOINED
                    ? mend_join(arena, statement, &grain, schema, keys)
                    : mend_group(arena, statement, &grain, mistake);
    return done ? sql_statement_print(arena, statement->dialect, statement->root) : NULL;
}
