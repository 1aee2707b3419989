/* FROM: tables with their aliases, joins with their conditions, queries in brackets. */
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/ir/ir_schema.h"
#include "parser/from_sql/sql_to_ir_state.h"

enum { WITH_READS_MAX = 16 /* each use is read anew, and may use others */ };

/* ON conditions: they may speak of tables that come later. */
struct condition {
    const struct sql_node *node;
    size_t outer; /* 1 and up: of a LEFT JOIN, of this source; 0: of another join */
};

struct conditions {
    struct condition *items;
    size_t count;
    size_t capacity;
};

static const char *alias_of(struct sql_reading *reading, const struct sql_node *alias,
                            const char *name)
{
    if (alias && (!alias->text || alias->children[SINGLE_VALUE])) {
        sql_fail(reading, "Columns with new names.");
    }
    return alias ? alias->text : name;
}

static void read_derived(struct sql_reading *reading, struct sql_scope *scope,
                         const struct sql_node *query, const char *alias)
{
    struct texts *names = ARENA_NEW(reading->arena, struct texts);
    if (scope->entries.count > 0) {
        sql_fail(reading, "A query joined with tables.");
        return;
    }
    scope->query->from = sql_read_query(reading, query, NULL, names);
    struct sql_entry entry = {alias, -1, false, scope->query->from, names};
    VEC_PUSH(reading->arena, &scope->entries, entry);
}

/* A name from WITH is read again, as if it stood in brackets here. */
static bool read_with(struct sql_reading *reading, struct sql_scope *scope,
                      const char *name, const struct sql_node *alias)
{
    const struct sql_with *all = reading->withs;
    for (const struct sql_with *with = all; with; with = with->before) {
        if (!str_equal_nocase(with->cte->text, name)) {
            continue;
        }
        if (++reading->with_reads > WITH_READS_MAX) {
            sql_fail(reading, "WITH used too often.");
            return true;
        }
        reading->withs = with->before;
        read_derived(reading, scope, with->cte->children[CTE_BODY],
                     alias_of(reading, alias, name));
        reading->withs = all;
        return true;
    }
    return false;
}

static const char *path_join(struct sql_reading *reading, const struct sql_node *path)
{
    struct texts parts = {0};
    for (size_t i = 0; i < path->count; i++) {
        VEC_PUSH(reading->arena, &parts, path->children[i]->text);
    }
    return str_join(reading->arena, &parts, ".");
}

static void read_table(struct sql_reading *reading, struct sql_scope *scope,
                       const struct sql_node *node, bool left)
{
    const char *name = path_join(reading, node->children[TABLE_PATH]);
    const struct sql_node *alias = node->children[TABLE_ALIAS];
    if (node->flags || node->children[TABLE_SAMPLE] || node->children[TABLE_PARTITIONS]) {
        sql_fail(reading, "A part of '%s'.", name);
        return;
    }
    if (read_with(reading, scope, name, alias)) {
        return;
    }
    int table = ir_schema_table(reading->schema, name);
    if (table < 0 || scope->query->from) {
        sql_fail(reading, table < 0 ? "There is no table '%s'." : "'%s' beside a query.",
                 name);
        return;
    }
    struct sql_entry entry = {alias_of(reading, alias, name), table, false, NULL, NULL};
    int copies = 0;
    for (size_t i = 0; i < scope->entries.count; i++) {
        copies += scope->entries.items[i].table == table;
    }
    if (copies > 1) {
        sql_fail(reading, "'%s' three times.", name);
        return;
    }
    entry.second = copies == 1;
    VEC_PUSH(reading->arena, &scope->entries, entry);
    struct ir_source source = {.table = table, .second = entry.second, .left = left};
    VEC_PUSH(reading->arena, &scope->query->sources, source);
    scope->has_left = scope->has_left || left;
}

static bool is_pair(const struct sql_reading *reading, const struct ir_node *node)
{
    if (!ir_node_is(node, IR_EQUAL)) {
        return false;
    }
    const struct ir_node *a = node->args.items[0];
    const struct ir_node *b = node->args.items[1];
    return ir_node_is_column(a) && ir_node_is_column(b) && !a->outer && !b->outer &&
           (a->second != b->second || reading->schema->columns[a->token.index].table !=
                                          reading->schema->columns[b->token.index].table);
}

/* A condition of the one table that a LEFT JOIN adds stays with it. */
static bool keep_with(struct sql_reading *reading, struct sql_scope *scope, size_t outer,
                      struct ir_node *part)
{
    if (outer == 0 || outer > scope->query->sources.count) {
        return false;
    }
    struct ir_source *source = &scope->query->sources.items[outer - 1];
    if (source->with) {
        struct ir_nodes both = {0};
        VEC_PUSH(reading->arena, &both, source->with);
        VEC_PUSH(reading->arena, &both, part);
        source->with = sql_make_chain(reading, IR_AND, &both);
    } else {
        source->with = part;
    }
    return true;
}

static void read_on(struct sql_reading *reading, struct sql_scope *scope,
                    const struct condition *condition)
{
    struct ir_node *node = sql_read_value(reading, condition->node);
    size_t count = ir_node_is(node, IR_AND) ? node->args.count : 1;
    for (size_t i = 0; i < count; i++) {
        struct ir_node *part = ir_node_is(node, IR_AND) ? node->args.items[i] : node;
        if (ir_node_is(part, IR_EQUAL) &&
            ir_node_same(part->args.items[0], part->args.items[1])) {
            continue; /* a slip of the pen: the join is found without it */
        }
        if (is_pair(reading, part)) {
            const struct ir_node *a = part->args.items[0];
            const struct ir_node *b = part->args.items[1];
            struct ir_pair pair = {a->token.index, b->token.index, a->second, b->second};
            VEC_PUSH(reading->arena, &scope->pairs, pair);
        } else if (!keep_with(reading, scope, condition->outer, part)) {
            VEC_PUSH(reading->arena, &scope->extra, part);
        }
    }
}

/* USING (a, b): equal columns of the last table and one before it. */
static void read_using(struct sql_reading *reading, struct sql_scope *scope,
                       const struct sql_node *names)
{
    for (size_t n = 0; n < names->count && !reading->failed; n++) {
        const char *name = names->children[n]->text;
        struct sql_entry *last = &scope->entries.items[scope->entries.count - 1];
        int right = ir_schema_column(reading->schema, last->table, name);
        int left = -1;
        size_t i = 0;
        for (; left < 0 && i + 1 < scope->entries.count; i++) {
            left = ir_schema_column(reading->schema, scope->entries.items[i].table, name);
        }
        if (left < 0 || right < 0) {
            sql_fail(reading, "There is no column '%s' on both sides.", name);
            return;
        }
        struct ir_pair pair = {left, right, scope->entries.items[i - 1].second,
                               last->second};
        VEC_PUSH(reading->arena, &scope->pairs, pair);
    }
}

static void read_relation(struct sql_reading *reading, struct sql_scope *scope,
                          const struct sql_node *node, bool left,
                          struct conditions *conditions);

static void read_join(struct sql_reading *reading, struct sql_scope *scope,
                      const struct sql_node *join, bool left,
                      struct conditions *conditions)
{
    if (join->text || join->flags || join->variant == JOIN_RIGHT_OUTER ||
        join->variant == JOIN_FULL_OUTER) {
        sql_fail(reading, "A join of this kind.");
        return;
    }
    read_relation(reading, scope, join->children[JOIN_LEFT], left, conditions);
    size_t before = scope->query->sources.count;
    read_relation(reading, scope, join->children[JOIN_RIGHT],
                  join->variant == JOIN_LEFT_OUTER, conditions);
    if (join->children[JOIN_ON]) {
        bool outer =
            join->variant == JOIN_LEFT_OUTER && scope->query->sources.count == before + 1;
        struct condition condition = {join->children[JOIN_ON], outer ? before + 1 : 0};
        VEC_PUSH(reading->arena, conditions, condition);
    }
    if (join->children[JOIN_USING] && !reading->failed) {
        read_using(reading, scope, join->children[JOIN_USING]);
    }
}

/* `left`: it stands on the right of LEFT JOIN. */
static void read_relation(struct sql_reading *reading, struct sql_scope *scope,
                          const struct sql_node *node, bool left,
                          struct conditions *conditions)
{
    if (reading->failed || reading->depth >= SQL_DEPTH_MAX) {
        sql_fail(reading, "The query is too deep.");
        return;
    }
    reading->depth++;
    if (sql_is(node, SQL_TABLE)) {
        read_table(reading, scope, node, left);
    } else if (sql_is(node, SQL_JOIN)) {
        read_join(reading, scope, node, left, conditions);
    } else if (sql_is(node, SQL_DERIVED) && !node->flags &&
               !node->children[DERIVED_SAMPLE]) {
        read_derived(reading, scope, node->children[DERIVED_SOURCE],
                     alias_of(reading, node->children[DERIVED_ALIAS], ""));
    } else if (sql_is(node, SQL_JOIN_GROUP) && !left && !node->children[DERIVED_ALIAS]) {
        const struct sql_node *list = node->children[DERIVED_SOURCE];
        for (size_t i = 0; i < list->count; i++) {
            read_relation(reading, scope, list->children[i], false, conditions);
        }
    } else {
        sql_fail(reading, "The IR has no words for: %s.", sql_kind_name(node->kind));
    }
    reading->depth--;
}

void sql_read_from(struct sql_reading *reading, struct sql_scope *scope,
                   const struct sql_node *from)
{
    struct conditions conditions = {0};
    for (size_t i = 0; i < from->count; i++) {
        read_relation(reading, scope, from->children[i], false, &conditions);
    }
    for (size_t i = 0; i < conditions.count && !reading->failed; i++) {
        read_on(reading, scope, &conditions.items[i]);
    }
}
