/* SQL as parts: reads it, and says what its nodes are. */
#include "parser/parts/parts.h"

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/from_sql/sql_to_ir.h"
#include "parser/parts/parts_state.h"
#include "parser/to_sql/rebuild.h"

enum { ROWS_ADDED = 1000 }; /* a larger LIMIT was added by us */

bool parts_is_measure(const struct ir_node *node)
{
    return ir_node_aggregates(node) || ir_node_windows(node);
}

int parts_column_of(const struct ir_node *node)
{
    return ir_node_is_column(node) && !node->second && !node->outer ? node->token.index
                                                                    : -1;
}

const char *parts_column_name(const struct parts *parts, int column)
{
    const struct ir_column *info = &parts->schema->columns[column];
    return arena_format(parts->arena, "%s.%s", parts->schema->tables[info->table].name,
                        info->name);
}

int parts_column_named(const struct parts *parts, const char *name)
{
    const struct ir_schema *schema = parts->schema;
    for (int i = 1; name && i < schema->column_count; i++) {
        const char *table = schema->tables[schema->columns[i].table].name;
        size_t size = strlen(table);
        if (strncmp(name, table, size) == 0 && name[size] == '.' &&
            str_equal(name + size + 1, schema->columns[i].name)) {
            return i;
        }
    }
    return -1;
}

bool parts_is_key(const struct ir_schema *schema, int column)
{
    for (int i = 0; i < schema->key_count; i++) {
        if (schema->keys[i].from == column) {
            return true;
        }
    }
    return schema->columns[column].primary;
}

void parts_mark_referred(const struct ir_schema *schema, bool *marked)
{
    bool more = true;
    while (more) { /* each round marks one table at least */
        more = false;
        for (int i = 0; i < schema->key_count; i++) {
            int from = schema->columns[schema->keys[i].from].table;
            int to = schema->columns[schema->keys[i].to].table;
            more = more || (marked[from] && !marked[to]);
            marked[to] = marked[to] || marked[from];
        }
    }
}

struct ir_node *parts_value(struct parts *parts, const char *text, bool is_text)
{
    struct ir_value value = {.text = arena_text(parts->arena, text), .is_text = is_text};
    VEC_PUSH(parts->arena, &parts->values, value);
    return ir_node_token(parts->arena,
                         (struct ir_token){IR_VALUE, (int)parts->values.count - 1});
}

const char *parts_text_of(const struct parts *parts, const struct ir_node *node)
{
    if (node->kind != IR_NODE_TOKEN) {
        return NULL;
    }
    if (node->token.kind == IR_VALUE) {
        return parts->values.items[node->token.index].text;
    }
    return node->token.kind == IR_FIXED && node->token.index != IR_FIXED_UNKNOWN
               ? ir_fixed_get(node->token.index)->text
               : NULL;
}

struct seen {
    const struct parts *parts;
    struct ir_query *query;
};

static void see_table(void *context, struct ir_node *node)
{
    const struct seen *seen = context;
    if (!ir_node_is_column(node)) {
        return;
    }
    int table = seen->parts->schema->columns[node->token.index].table;
    for (size_t i = 0; i < seen->query->sources.count; i++) {
        if (seen->query->sources.items[i].table == table) {
            return;
        }
    }
    VEC_PUSH(seen->parts->arena, &seen->query->sources,
             ((struct ir_source){.table = table}));
}

/* Figures are about the table that they count. Of other columns the table is named where
 * the query has several, or another one. */
const char *parts_words(const struct parts *parts, const struct ir_node *node)
{
    struct rebuild_request request = {.schema = parts->schema, .values = &parts->values};
    struct ir_query query = {.set = IR_PAD};
    struct seen seen = {parts, &query};
    const struct ir_query *of = parts->query;
    struct ir_node copy = *node;
    if (parts_is_measure(node) && parts->counted >= 0) {
        VEC_PUSH(parts->arena, &query.sources,
                 ((struct ir_source){.table = parts->counted}));
    } else {
        for (size_t i = 0; of && i < of->sources.count; i++) {
            VEC_PUSH(parts->arena, &query.sources, of->sources.items[i]);
        }
        ir_node_walk(&copy, see_table, &seen);
    }
    return rebuild_node_words(parts->arena, &request, &query, node);
}

const char *parts_count_words(const struct parts *parts, int table)
{
    char *name = arena_text(parts->arena, parts->schema->tables[table].name);
    for (char *c = name; *c; c++) {
        *c = *c == '_' ? ' ' : *c;
    }
    return arena_format(parts->arena, "number of %s", name);
}

static struct ir_token keep_literal(void *context, const char *literal, bool is_text)
{
    return parts_value(context, literal, is_text)->token;
}

static void add_conditions(struct parts *parts, struct ir_node *node)
{
    if (ir_node_is(node, IR_AND)) {
        for (size_t i = 0; i < node->args.count; i++) {
            VEC_PUSH(parts->arena, &parts->conditions, node->args.items[i]);
        }
    } else if (node) {
        VEC_PUSH(parts->arena, &parts->conditions, node);
    }
}

/* The table of which each row of the joined tables is one row; -1: there is none. */
static int find_counted(const struct parts *parts)
{
    const struct ir_query *query = parts->query;
    const struct ir_schema *schema = parts->schema;
    for (size_t i = 0; i < query->sources.count; i++) {
        if (query->sources.items[i].left || query->sources.items[i].second) {
            return -1;
        }
    }
    for (size_t i = 0; i < query->sources.count; i++) {
        bool *marked = arena_array(parts->arena, (size_t)schema->table_count + 1, 1);
        bool all = true;
        marked[query->sources.items[i].table] = true;
        parts_mark_referred(schema, marked);
        for (size_t k = 0; k < query->sources.count; k++) {
            all = all && marked[query->sources.items[k].table];
        }
        if (all) {
            return query->sources.items[i].table;
        }
    }
    return -1;
}

static void note_parts(struct parts *parts)
{
    struct ir_query *query = parts->query;
    for (size_t i = 0; i < query->select.count; i++) {
        struct ir_node *node = query->select.items[i];
        VEC_PUSH(parts->arena,
                 parts_is_measure(node) ? &parts->measures : &parts->columns, node);
    }
    add_conditions(parts, query->where);
    parts->where_count = parts->conditions.count;
    add_conditions(parts, query->having);
    parts->having_count = parts->conditions.count - parts->where_count;
    for (size_t i = 0; i < query->sources.count; i++) {
        if (query->sources.items[i].with) { /* as a whole: it goes or stays */
            VEC_PUSH(parts->arena, &parts->conditions, query->sources.items[i].with);
        }
    }
    parts->counted = find_counted(parts);
}

static void drop_added_limit(struct parts *parts)
{
    int64_t rows = 0;
    const char *text =
        parts->query->limit ? parts_text_of(parts, parts->query->limit) : NULL;
    if (text && str_to_int(text, &rows) && rows >= ROWS_ADDED) {
        parts->query->limit = NULL;
    }
}

static bool cannot(struct err *err, const char *why)
{
    (void)err_set(err, ERR_CANNOT_ANSWER,
                  "This answer cannot be changed part by part: %s", why);
    return err_hint(err, "Change its SQL, or ask in other words.");
}

struct parts *parts_of_schema(struct arena *arena, const struct parts_request *request)
{
    struct parts *parts = arena_array(arena, 1, sizeof *parts);
    *parts = (struct parts){
        .arena = arena, .request = request, .schema = request->schema, .counted = -1};
    return parts;
}

struct parts *parts_open(struct arena *arena, const struct parts_request *request,
                         struct err *err)
{
    struct parts *parts = parts_of_schema(arena, request);
    struct sql_to_ir_request reading = {.schema = request->schema,
                                        .dialect = request->dialect,
                                        .question = request->question,
                                        .today = request->today,
                                        .find_value = keep_literal,
                                        .context = parts};
    struct sql_to_ir_result result;
    struct err trouble;
    err_clear(&trouble);
    if (str_empty(request->sql) ||
        !sql_to_ir(arena, &reading, request->sql, &result, &trouble) ||
        !ir_tree_read(arena, &result.tokens, request->schema, parts->values.count,
                      &parts->query, &trouble)) {
        (void)cannot(err, "its SQL has an expression that the parts cannot show.");
        (void)err_detail(err, "%s", trouble.message);
        return NULL;
    }
    if (parts->query->from || parts->query->set_query) {
        (void)cannot(err, "it combines several queries.");
        return NULL;
    }
    drop_added_limit(parts);
    note_parts(parts);
    return parts;
}
