/* A query of the IR as SQL, clause by clause. */
#include "parser/to_sql/rebuild.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/ir/ir_check.h"
#include "parser/to_sql/rebuild_state.h"

enum { SQL_MAX = 64 * 1024 };

bool rebuild_fail(struct rebuilding *rebuilding, const char *format, ...)
{
    if (!rebuilding->failed) {
        char reason[200];
        va_list args;
        va_start(args, format);
        (void)vsnprintf(reason, sizeof reason, format, args);
        va_end(args);
        rebuilding->failed = true;
        err_set(rebuilding->err, ERR_INVALID_DATA, "%s", reason);
    }
    return false;
}

/* Would a bare name be read as a column of some table here? `but`: one that is none. */
static bool is_column_name(const struct rebuilding *rebuilding, const char *name, int but)
{
    const struct ir_plan *plan = &rebuilding->current->plan;
    for (size_t i = 0; i < plan->count; i++) {
        int column = ir_schema_column(rebuilding->schema, plan->items[i].table, name);
        if (column > 0 && column != but) {
            return true;
        }
    }
    return false;
}

/* What people call it, where they do. */
static const char *known_name(const struct rebuilding *rebuilding,
                              const struct ir_node *item)
{
    const struct rebuild_names *names =
        rebuilding->request->headings ? rebuilding->request->names : NULL;
    for (size_t i = 0; names && i < names->count; i++) {
        const struct rebuild_name *known = &names->items[i];
        if (ir_node_same(known->node, item) &&
            !is_column_name(rebuilding, known->name, known->column)) {
            return known->name;
        }
    }
    return NULL;
}

/* Is its short name all that can be said of it? "sum_quantity" is not of a product. */
static bool is_plainly_named(const struct ir_node *item)
{
    bool whole = item->keyword == IR_SHARE || item->keyword == IR_GROWTH ||
                 item->keyword == IR_MEDIAN || item->keyword == IR_PERCENTILE ||
                 (item->keyword >= IR_MOVING && item->keyword <= IR_YEAR_GROWTH) ||
                 item->keyword == IR_PERCENT || item->keyword == IR_RATIO;
    return whole || (ir_is_aggregate(item->keyword) && item->args.count == 1 &&
                     (ir_node_is_column(item->args.items[0]) ||
                      ir_node_is_star(item->args.items[0])));
}

/* One that no column and no item before it has; `each`: what the groups are called. */
static const char *free_heading(struct rebuilding *rebuilding, const char *each,
                                const struct ir_node *item, const char **names,
                                size_t count)
{
    const char *plain = each ? arena_format(rebuilding->arena, "each_%s", each)
                             : rebuild_heading(rebuilding, item);
    const char *name = plain;
    for (size_t copy = 2; plain; copy++) {
        bool taken = is_column_name(rebuilding, name, 0);
        for (size_t i = 0; i < count; i++) {
            taken = taken || (names[i] && str_equal_nocase(names[i], name));
        }
        if (!taken) {
            return name;
        }
        name = arena_format(rebuilding->arena, "%s_%zu", plain, copy);
    }
    return NULL;
}

/* What is computed, shown and grouped by is written once and then called by a name. */
static void name_items(struct rebuilding *rebuilding, struct rebuild_query *part)
{
    const struct ir_query *query = part->query;
    const char **names =
        arena_array(rebuilding->arena, query->select.count, sizeof *names);
    for (size_t i = 0; i < query->select.count; i++) {
        const struct ir_node *item = query->select.items[i];
        bool grouped = false;
        for (size_t j = 0; item->kind == IR_NODE_CALL && j < query->group.count; j++) {
            grouped = grouped || ir_node_same(query->group.items[j], item);
        }
        bool heading = rebuilding->request->headings && !part->around &&
                       item->kind == IR_NODE_CALL && is_plainly_named(item);
        const char *name =
            grouped || heading ? rebuild_item_name(rebuilding, item, names, i) : NULL;
        bool taken = name && is_column_name(rebuilding, name, 0);
        bool shown =
            rebuilding->request->headings && !part->around && item->kind == IR_NODE_CALL;
        if (shown && (!name || taken)) {
            name =
                free_heading(rebuilding, taken && grouped ? name : NULL, item, names, i);
            taken = false;
        }
        names[i] = taken ? NULL : name;
        const char *known = part->around ? NULL : known_name(rebuilding, item);
        names[i] = known ? known : names[i];
    }
    part->aliases = names;
}

/* Something to group or sort by: its name where it has one. */
static void write_key(struct rebuilding *rebuilding, const struct ir_node *node)
{
    const struct rebuild_query *current = rebuilding->current;
    const struct ir_nodes *select = &current->query->select;
    for (size_t i = 0; current->aliases && i < select->count; i++) {
        if (current->aliases[i] && ir_node_same(select->items[i], node)) {
            dialect_quote(&rebuilding->out, rebuilding->dialect, current->aliases[i],
                          false);
            return;
        }
    }
    rebuild_expression(rebuilding, node);
}

static bool has_node(const struct ir_nodes *nodes, const struct ir_node *node)
{
    for (size_t i = 0; i < nodes->count; i++) {
        if (ir_node_same(nodes->items[i], node)) {
            return true;
        }
    }
    return false;
}

/* Other databases than SQLite refuse a column that is neither grouped nor aggregated. */
static void group_missing(struct rebuilding *rebuilding, struct ir_nodes *grouped,
                          struct ir_node *node)
{
    if (!node || has_node(grouped, node) ||
        (node->kind == IR_NODE_CALL && ir_is_aggregate(node->keyword))) {
        return;
    }
    if ((ir_node_is_column(node) && !node->outer) || node->kind == IR_NODE_ITEM) {
        buf_text(&rebuilding->out, ", ");
        rebuild_expression(rebuilding, node);
        VEC_PUSH(rebuilding->arena, grouped, node);
    }
    for (size_t i = 0; node->kind == IR_NODE_CALL && i < node->args.count; i++) {
        group_missing(rebuilding, grouped, node->args.items[i]);
    }
}

/* Whether the groups are rows of the column's table: each has one value of it. */
static bool is_key_of(const struct rebuilding *rebuilding, const struct ir_nodes *group,
                      const struct ir_node *node)
{
    const struct ir_column *column = rebuild_column_of(rebuilding, node);
    for (size_t i = 0; column && i < group->count; i++) {
        const struct ir_column *key = rebuild_column_of(rebuilding, group->items[i]);
        if (key && key->unique && key->table == column->table &&
            group->items[i]->second == node->second) {
            return true;
        }
    }
    return false;
}

static void write_group(struct rebuilding *rebuilding, const struct ir_query *query)
{
    if (query->group.count == 0) {
        return;
    }
    struct ir_nodes grouped = {0};
    for (size_t i = 0; i < query->group.count; i++) {
        buf_text(&rebuilding->out, i ? ", " : " GROUP BY ");
        write_key(rebuilding, query->group.items[i]);
        VEC_PUSH(rebuilding->arena, &grouped, query->group.items[i]);
    }
    for (size_t i = 0; i < query->per.count; i++) { /* the best of each is one of each */
        struct ir_node *per = query->per.items[i];
        if (!has_node(&grouped, per) && !is_key_of(rebuilding, &query->group, per)) {
            buf_text(&rebuilding->out, ", ");
            write_key(rebuilding, per);
            VEC_PUSH(rebuilding->arena, &grouped, per);
        }
    }
    if (rebuilding->dialect == DIALECT_SQLITE && !query->from) {
        return; /* a query in place of tables has no key that decides the rest */
    }
    for (size_t i = 0; i < query->select.count; i++) {
        group_missing(rebuilding, &grouped, query->select.items[i]);
    }
    group_missing(rebuilding, &grouped, query->having);
    for (size_t i = 0; i < query->order.count; i++) {
        if (!has_node(&query->select, query->order.items[i].node)) {
            group_missing(rebuilding, &grouped, query->order.items[i].node);
        }
    }
}

void rebuild_body(struct rebuilding *rebuilding)
{
    const struct ir_query *query = rebuilding->current->query;
    buf_text(&rebuilding->out, " FROM ");
    rebuild_from(rebuilding);
    if (query->where) {
        buf_text(&rebuilding->out, " WHERE ");
        rebuild_condition(rebuilding, query->where);
    }
    write_group(rebuilding, query);
    if (query->having) {
        buf_text(&rebuilding->out, " HAVING ");
        rebuild_condition(rebuilding, query->having);
    }
}

void rebuild_order(struct rebuilding *rebuilding, const struct ir_query *query)
{
    for (size_t i = 0; i < query->order.count; i++) {
        buf_text(&rebuilding->out, i ? ", " : "ORDER BY ");
        write_key(rebuilding, query->order.items[i].node);
        buf_text(&rebuilding->out, query->order.items[i].descending ? " DESC" : "");
    }
}

static void write_limit(struct rebuilding *rebuilding, const struct ir_query *query)
{
    long long count;
    if (query->limit && rebuild_count(rebuilding, query->limit, &count)) {
        buf_format(&rebuilding->out, " LIMIT %lld", count);
    }
    if (query->offset && rebuild_count(rebuilding, query->offset, &count)) {
        buf_format(&rebuilding->out, " OFFSET %lld", count);
    }
}

/* Is this the query in FROM of the one around? */
static bool is_below(const struct rebuild_query *query)
{
    return query->around && query->around->item_names &&
           query->around->query->from == query->query;
}

static void write_select(struct rebuilding *rebuilding, const struct ir_query *query)
{
    const struct rebuild_query *current = rebuilding->current;
    buf_text(&rebuilding->out, query->distinct ? "SELECT DISTINCT " : "SELECT ");
    for (size_t i = 0; i < query->select.count; i++) {
        buf_text(&rebuilding->out, i ? ", " : "");
        bool all = query->select.count == 1 && ir_node_is_star(query->select.items[i]);
        if (!all || !rebuild_rows_star(rebuilding)) { /* "late payments" are no bills */
            rebuild_expression(rebuilding, query->select.items[i]);
        }
        const char *name = current->aliases ? current->aliases[i] : NULL;
        if (is_below(current) && !ir_node_is_star(query->select.items[i])) {
            name = current->around->item_names[i];
        }
        if (name) {
            buf_text(&rebuilding->out, " AS ");
            dialect_quote(&rebuilding->out, rebuilding->dialect, name, false);
        }
    }
}

/* After UNION and its like only what is selected can be sorted by: by its number. */
static void write_set_order(struct rebuilding *rebuilding, const struct ir_query *first,
                            const struct ir_query *last)
{
    for (size_t i = 0; i < last->order.count; i++) {
        const struct ir_node *node = last->order.items[i].node;
        size_t position = 0;
        for (size_t j = last->select.count; j-- > 0;) {
            bool same =
                ir_node_same(last->select.items[j], node) ||
                (j < first->select.count && ir_node_same(first->select.items[j], node));
            position = same ? j + 1 : position;
        }
        if (position == 0) {
            rebuild_fail(rebuilding, "The parts are sorted by what they do not show.");
            return;
        }
        buf_format(&rebuilding->out, i ? ", %zu" : " ORDER BY %zu", position);
        buf_text(&rebuilding->out, last->order.items[i].descending ? " DESC" : "");
    }
}

static const char *set_word(const struct rebuilding *rebuilding, enum ir_keyword set)
{
    bool explicit = rebuilding->dialect == DIALECT_BIGQUERY ||
                    rebuilding->dialect == DIALECT_CLICKHOUSE;
    switch (set) {
    case IR_INTERSECT:
        return explicit ? " INTERSECT DISTINCT " : " INTERSECT ";
    case IR_UNION:
        return explicit ? " UNION DISTINCT " : " UNION ";
    case IR_UNION_ALL:
        return " UNION ALL ";
    default:
        return explicit ? " EXCEPT DISTINCT " : " EXCEPT ";
    }
}

/* One SELECT with or without its ORDER BY and LIMIT. */
static void write_part(struct rebuilding *rebuilding, struct ir_query *query,
                       bool with_order)
{
    struct ir_query *numbered = rebuild_number_rows(rebuilding, query);
    if (rebuilding->current && rebuilding->current->query->from == query) {
        rebuilding->current->query->from = numbered;
    }
    query = numbered;
    struct rebuild_query part = {.query = query, .around = rebuilding->current};
    part.depth = part.around ? part.around->depth + 1 : 0;
    if (part.depth > IR_QUERIES_MAX * 2) {
        rebuild_fail(rebuilding, "The query is too deep.");
        return;
    }
    if (!rebuild_plan(rebuilding, &part)) {
        return;
    }
    rebuilding->current = &part;
    if (query->per.count && with_order) {
        rebuild_first_of_each(rebuilding, query);
    } else {
        if (!is_below(&part)) {
            name_items(rebuilding, &part);
        }
        write_select(rebuilding, query);
        rebuild_body(rebuilding);
        if (with_order && query->order.count) {
            buf_char(&rebuilding->out, ' ');
            rebuild_order(rebuilding, query);
        }
        if (with_order) {
            write_limit(rebuilding, query);
        }
    }
    rebuilding->current = part.around;
}

static void write_wrapped(struct rebuilding *rebuilding, struct ir_query *query)
{
    buf_text(&rebuilding->out, "SELECT * FROM (");
    write_part(rebuilding, query, true);
    buf_text(&rebuilding->out, ") AS part");
}

static void rebuild_query(struct rebuilding *rebuilding, struct ir_query *query)
{
    if (!query->set_query) {
        write_part(rebuilding, query, true);
        return;
    }
    /* A part with a limit of its own stands in brackets; else ORDER and LIMIT of the last
     * part are for all of it. */
    bool own = query->limit != NULL;
    struct ir_query *part = query;
    for (; part->set_query; part = part->set_query) {
        if (part->limit) {
            write_wrapped(rebuilding, part);
        } else {
            write_part(rebuilding, part, false);
        }
        buf_text(&rebuilding->out, set_word(rebuilding, part->set));
    }
    if (own && part->limit) {
        write_wrapped(rebuilding, part);
        return;
    }
    if (part->per.count) {
        rebuild_fail(rebuilding, "The first of each, of two parts.");
        return;
    }
    write_part(rebuilding, part, false);
    write_set_order(rebuilding, query, part);
    write_limit(rebuilding, part);
}

void rebuild_inner(struct rebuilding *rebuilding, struct ir_query *query)
{
    buf_char(&rebuilding->out, '(');
    rebuild_query(rebuilding, query);
    buf_char(&rebuilding->out, ')');
}

bool rebuild_sql(struct arena *arena, const struct rebuild_request *request,
                 const struct ir_tokens *tokens, struct rebuild_result *result,
                 struct err *err)
{
    struct ir_query *query;
    struct rebuilding rebuilding = {.arena = arena,
                                    .request = request,
                                    .schema = request->schema,
                                    .dialect = request->dialect,
                                    .result = result,
                                    .err = err};
    *result = (struct rebuild_result){0};
    if (!ir_tree_read(arena, tokens, request->schema,
                      request->values ? request->values->count : 0, &query, err)) {
        return false;
    }
    buf_init(&rebuilding.out, SQL_MAX);
    rebuild_query(&rebuilding, query);
    if (rebuilding.out.full) {
        rebuild_fail(&rebuilding, "The SQL is too long.");
    }
    if (!rebuilding.failed) {
        result->sql = buf_clone(&rebuilding.out, arena);
    }
    buf_release(&rebuilding.out);
    return !rebuilding.failed;
}
