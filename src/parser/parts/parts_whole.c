/* Figures of several tables in one query: "completed visits, and the sum of prices". An inner
 * join would drop visits without a treatment from the first figure only because the second
 * one was added. */
#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "parser/ir/ir_joins.h"
#include "parser/parts/parts_state.h"

/* The tables whose rows go into figures; `unsure`: a figure counts rows of a join. */
struct measured {
    const struct parts *parts;
    bool *tables;
    bool unsure;
};

static void note_node(void *context, struct ir_node *node)
{
    struct measured *measured = context;
    measured->unsure = measured->unsure || node->kind == IR_NODE_QUERY || node->second ||
                       ir_node_is_star(node);
    if (ir_node_is_column(node)) {
        measured->tables[measured->parts->schema->columns[node->token.index].table] =
            true;
    }
}

static void note_figure(struct measured *measured, struct ir_node *node, int counted)
{
    if (counted >= 0) {
        measured->tables[counted] = true;
    } else {
        ir_node_walk(node, note_node, measured);
    }
}

static int counted_now(const struct parts_making *making, const struct ir_node *node)
{
    for (size_t i = 0; i < making->counts.count; i++) {
        if (making->counts.items[i].node == node) {
            return making->counts.items[i].table;
        }
    }
    return parts_table_counted(making->parts, node);
}

static bool *new_tables(const struct parts *parts)
{
    return arena_array(parts->arena, (size_t)parts->schema->table_count + 1, 1);
}

/* Figures in conditions are among them: a count that must be more than 5. */
static struct measured measured_now(const struct parts_making *making)
{
    struct measured out = {making->parts, new_tables(making->parts), false};
    const struct ir_nodes *lists[] = {&making->measures, &making->having};
    for (size_t n = 0; n < 2; n++) {
        for (size_t i = 0; i < lists[n]->count; i++) {
            struct ir_node *node = lists[n]->items[i];
            node = n && node->args.count ? node->args.items[0] : node;
            note_figure(&out, node, counted_now(making, node));
        }
    }
    return out;
}

/* Are there figures of several tables, and one of a table that no figure was of before? */
static bool is_wider(const struct parts_making *making, const struct measured *now)
{
    const struct parts *parts = making->parts;
    struct measured before = {parts, new_tables(parts), false};
    size_t count = 0;
    bool wider = false;
    for (size_t i = 0; i < parts->measures.count; i++) {
        struct ir_node *node = parts->measures.items[i];
        note_figure(&before, node, parts_table_counted(parts, node));
    }
    for (int i = 0; i < parts->schema->table_count; i++) {
        count += now->tables[i];
        wider = wider || (now->tables[i] && !before.tables[i]);
    }
    return count > 1 && wider;
}

/* Each of these tables is this one, or every row of it has one row of this one at most. */
static bool holds_all(const struct parts *parts, const bool *tables, int table)
{
    for (int i = 0; i < parts->schema->table_count; i++) {
        bool *marked = new_tables(parts);
        marked[i] = true;
        parts_mark_referred(parts->schema, marked);
        if (tables[i] && !marked[table]) {
            return false;
        }
    }
    return true;
}

/* The table whose rows the rows of all figures belong to: the nearest, which refers to the
 * most others. -1: there is none. */
static int find_whole(const struct parts *parts, const bool *tables)
{
    int best = -1;
    int most = 0;
    for (int i = 0; i < parts->schema->table_count; i++) {
        bool *marked = new_tables(parts);
        int size = tables[i]; /* rather one that has a figure itself */
        marked[i] = true;
        parts_mark_referred(parts->schema, marked);
        for (int k = 0; k < parts->schema->table_count; k++) {
            size += 2 * marked[k];
        }
        if (size > most && holds_all(parts, tables, i)) {
            most = size;
            best = i;
        }
    }
    return best;
}

static bool refuse(const struct parts_making *making, const bool *tables)
{
    const struct parts *parts = making->parts;
    const char *names[2] = {"", ""};
    size_t count = 0;
    for (int i = 0; i < parts->schema->table_count && count < 2; i++) {
        if (tables[i]) {
            names[count++] = parts->schema->tables[i].name;
        }
    }
    (void)err_set(making->err, ERR_CANNOT_ANSWER,
                  "The rows of %s and of %s cannot stand in one answer without leaving "
                  "some of them out.",
                  names[0], names[1]);
    return err_hint(making->err, "Ask for each of these figures by itself.");
}

static struct ir_source *source_of(struct ir_query *query, int table)
{
    for (size_t i = 0; i < query->sources.count; i++) {
        if (query->sources.items[i].table == table && !query->sources.items[i].second) {
            return &query->sources.items[i];
        }
    }
    return NULL;
}

/* All tables that the query joins, the one with all rows first and the others to it. */
static bool join_to(struct parts_making *making, int whole)
{
    struct parts *parts = making->parts;
    struct ir_query *query = making->query;
    struct ir_plan plan = {0};
    struct err trouble;
    err_clear(&trouble);
    if (!source_of(query, whole)) {
        VEC_PUSH(parts->arena, &query->sources, ((struct ir_source){.table = whole}));
    }
    if (!ir_plan_make(parts->arena, parts->schema, query, parts->request->question, &plan,
                      &trouble)) {
        return err_set(making->err, ERR_CANNOT_ANSWER, "%s", trouble.message);
    }
    for (size_t i = 0; i < plan.count; i++) {
        int table = plan.items[i].table;
        struct ir_source *source = source_of(query, table);
        if (!source) {
            source = VEC_ADD(parts->arena, &query->sources);
            *source = (struct ir_source){.table = table};
        }
        source->left = table != whole;
    }
    return true;
}

/* 100.0 * COUNT(CASE …) / COUNT(*) is over the rows of the join: does that keep the rows it
 * had, since each of them has one row of the other tables at most? */
static bool keeps_rows(const struct parts *parts, const bool *tables)
{
    bool *marked = new_tables(parts);
    if (parts->counted >= 0) {
        marked[parts->counted] = true;
        parts_mark_referred(parts->schema, marked);
    }
    for (int i = 0; i < parts->schema->table_count; i++) {
        if (tables[i] && !marked[i]) {
            return false;
        }
    }
    return true;
}

bool parts_keep_whole(struct parts_making *making)
{
    const struct ir_query *query = making->query;
    struct measured now = measured_now(making);
    if (query->from || query->set_query || !is_wider(making, &now)) {
        return true;
    }
    for (size_t i = 0; i < query->sources.count; i++) {
        if (query->sources.items[i].second || query->sources.items[i].with) {
            return true;
        }
    }
    if (now.unsure) {
        return keeps_rows(making->parts, now.tables) || refuse(making, now.tables);
    }
    int whole = find_whole(making->parts, now.tables);
    return whole < 0 ? refuse(making, now.tables) : join_to(making, whole);
}
