/* FROM: tables with their aliases, joins with their conditions, queries in brackets. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/ir/ir_schema.h"
#include "parser/from_sql/sql_to_ir_state.h"

enum { WITH_READS_MAX = 16 }; /* each use is read anew, and may use others */

static const char *read_alias(struct sql_reading *reading, const char *name)
{
    bool as = sql_eat(reading, "as");
    if (as || sql_is_name(sql_peek(reading, 0))) {
        name = sql_peek(reading, 0)->text;
        reading->at++;
    }
    return name;
}

static void add_derived(struct sql_reading *reading, struct sql_scope *scope,
                        struct ir_query *query, struct texts *names, const char *alias)
{
    struct sql_entry entry = {alias, -1, false, query, names};
    if (scope->entries.count > 0) {
        sql_fail(reading, "A query joined with tables.");
    }
    scope->query->from = query;
    VEC_PUSH(reading->arena, &scope->entries, entry);
}

static void read_inner(struct sql_reading *reading, struct sql_scope *scope)
{
    struct texts *names = ARENA_NEW(reading->arena, struct texts);
    struct ir_query *query = sql_read_query(reading, NULL, names);
    sql_need(reading, ")");
    add_derived(reading, scope, query, names, read_alias(reading, ""));
}

/* A name from WITH is read again, as if it stood in brackets here. */
static bool read_with(struct sql_reading *reading, struct sql_scope *scope,
                      const char *name)
{
    for (size_t i = reading->withs.count; i-- > 0;) {
        struct sql_with *with = &reading->withs.items[i];
        if (!str_equal_nocase(with->name, name)) {
            continue;
        }
        if (++reading->with_reads > WITH_READS_MAX) {
            sql_fail(reading, "WITH used too often.");
            return true;
        }
        size_t after = reading->at;
        size_t count = reading->withs.count;
        struct texts *names = ARENA_NEW(reading->arena, struct texts);
        reading->at = with->start;
        reading->withs.count = i; /* it sees only those before it */
        struct ir_query *query = sql_read_query(reading, NULL, names);
        sql_need(reading, ")");
        reading->withs.count = count;
        reading->at = reading->failed ? reading->at : after;
        add_derived(reading, scope, query, names, read_alias(reading, name));
        return true;
    }
    return false;
}

static void read_table(struct sql_reading *reading, struct sql_scope *scope, bool left)
{
    if (sql_next_punct(reading, "(")) {
        reading->at++;
        read_inner(reading, scope);
        return;
    }
    const char *name = sql_peek(reading, 0)->text;
    if (!sql_is_name(sql_peek(reading, 0)) && sql_peek(reading, 0)->kind != TOKEN_WORD &&
        sql_peek(reading, 0)->kind != TOKEN_STRING) {
        sql_fail(reading, "Expected a table.");
        return;
    }
    reading->at++;
    if (sql_eat_punct(reading, ".")) {
        name = arena_format(reading->arena, "%s.%s", name, sql_peek(reading, 0)->text);
        reading->at++;
    }
    if (read_with(reading, scope, name)) {
        return;
    }
    int table = ir_schema_table(reading->schema, name);
    if (table < 0 || scope->query->from) {
        sql_fail(reading, table < 0 ? "There is no table '%s'." : "'%s' beside a query.",
                 name);
        return;
    }
    struct sql_entry entry = {read_alias(reading, name), table, false, NULL, NULL};
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

static void add_pair(struct sql_reading *reading, struct sql_scope *scope,
                     const struct ir_node *a, const struct ir_node *b)
{
    struct ir_pair pair = {a->token.index, b->token.index, a->second, b->second};
    VEC_PUSH(reading->arena, &scope->pairs, pair);
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

static void read_on(struct sql_reading *reading, struct sql_scope *scope)
{
    struct ir_node *node = sql_read_condition(reading);
    size_t count = ir_node_is(node, IR_AND) ? node->args.count : 1;
    for (size_t i = 0; i < count; i++) {
        struct ir_node *part = ir_node_is(node, IR_AND) ? node->args.items[i] : node;
        if (ir_node_is(part, IR_EQUAL) &&
            ir_node_same(part->args.items[0], part->args.items[1])) {
            continue; /* a slip of the pen: the join is found without it */
        }
        if (is_pair(reading, part)) {
            add_pair(reading, scope, part->args.items[0], part->args.items[1]);
        } else {
            VEC_PUSH(reading->arena, &scope->extra, part);
        }
    }
}

/* Steps over a condition: it may speak of tables that come later. */
static void skip_on(struct sql_reading *reading)
{
    static const char *const ends[] = {"join",  "left",   "inner",    "cross", "right",
                                       "full",  "where",  "group",    "order", "limit",
                                       "union", "except", "intersect"};
    for (int depth = 0; sql_peek(reading, 0)->kind != TOKEN_END; reading->at++) {
        const struct token *token = sql_peek(reading, 0);
        depth += token_is_punct(token, "(") - token_is_punct(token, ")");
        if (depth < 0 ||
            (depth == 0 && (token_is_punct(token, ",") || token_is_punct(token, ";")))) {
            return;
        }
        for (size_t i = 0; depth == 0 && i < sizeof ends / sizeof *ends; i++) {
            if (token_is(token, ends[i])) {
                return;
            }
        }
    }
}

struct starts {
    size_t *items;
    size_t count;
    size_t capacity;
};

static void read_ons(struct sql_reading *reading, struct sql_scope *scope,
                     const struct starts *starts)
{
    size_t end = reading->at;
    for (size_t i = 0; i < starts->count && !reading->failed; i++) {
        reading->at = starts->items[i];
        read_on(reading, scope);
    }
    reading->at = reading->failed ? reading->at : end;
}

static void read_using(struct sql_reading *reading, struct sql_scope *scope)
{
    sql_need(reading, "(");
    do {
        const char *name = sql_peek(reading, 0)->text;
        struct sql_entry *last = &scope->entries.items[scope->entries.count - 1];
        int right = ir_schema_column(reading->schema, last->table, name);
        int left = -1;
        size_t i = 0;
        for (; left < 0 && i + 1 < scope->entries.count; i++) {
            left = ir_schema_column(reading->schema, scope->entries.items[i].table, name);
        }
        reading->at++;
        if (left < 0 || right < 0) {
            sql_fail(reading, "There is no column '%s' on both sides.", name);
            return;
        }
        struct ir_pair pair = {left, right, scope->entries.items[i - 1].second,
                               last->second};
        VEC_PUSH(reading->arena, &scope->pairs, pair);
    } while (sql_eat_punct(reading, ","));
    sql_need(reading, ")");
}

void sql_read_from(struct sql_reading *reading, struct sql_scope *scope)
{
    struct starts starts = {0};
    read_table(reading, scope, false);
    while (!reading->failed) {
        if (sql_eat_punct(reading, ",")) {
            read_table(reading, scope, false);
            continue;
        }
        bool left = sql_eat(reading, "left");
        if (left) {
            (void)sql_eat(reading, "outer");
        } else if (sql_next_is(reading, "right") || sql_next_is(reading, "full") ||
                   sql_next_is(reading, "natural")) {
            sql_fail(reading, "A join of this kind.");
        } else if (!sql_eat(reading, "inner")) {
            (void)sql_eat(reading, "cross");
        }
        if (!sql_eat(reading, "join")) {
            break;
        }
        read_table(reading, scope, left);
        if (sql_eat(reading, "on")) {
            VEC_PUSH(reading->arena, &starts, reading->at);
            skip_on(reading);
        } else if (sql_eat(reading, "using")) {
            read_using(reading, scope);
        }
    }
    read_ons(reading, scope, &starts);
}
