/* Windows: shares, changes against the period before, ranks, the first N of each. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/to_sql/rebuild_state.h"

enum { HEADING_MOST = 40 };

static bool is_period(const struct ir_node *node)
{
    return ir_node_is(node, IR_YEAR) || ir_node_is(node, IR_QUARTER) ||
           ir_node_is(node, IR_MONTH) || ir_node_is(node, IR_WEEK) ||
           ir_node_is(node, IR_DAY);
}

/* What rows follow each other by: the period they are grouped by, else what there is. */
static const struct ir_node *find_period(struct rebuilding *rebuilding)
{
    const struct ir_query *query = rebuilding->current->query;
    const struct ir_nodes *lists[] = {&query->group, &query->select};
    for (size_t l = 0; l < 2; l++) {
        for (size_t i = 0; i < lists[l]->count; i++) {
            if (ir_node_windows(lists[l]->items[i])) {
                continue; /* what follows by itself */
            }
            if (is_period(lists[l]->items[i]) ||
                (ir_node_is_column(lists[l]->items[i]) &&
                 rebuild_type(rebuilding, lists[l]->items[i]) == IR_TYPE_TIME)) {
                return lists[l]->items[i];
            }
        }
    }
    if (query->group.count) {
        return query->group.items[0];
    }
    return query->order.count && !ir_node_windows(query->order.items[0].node)
               ? query->order.items[0].node
               : NULL;
}

/* What the other rows are parted by: all groups but the period. */
static size_t write_parts(struct rebuilding *rebuilding, const struct ir_node *period)
{
    const struct ir_query *query = rebuilding->current->query;
    size_t parts = 0;
    for (size_t i = 0; i < query->group.count; i++) {
        if (!ir_node_same(query->group.items[i], period)) {
            buf_text(&rebuilding->out, parts++ ? ", " : "PARTITION BY ");
            rebuild_expression(rebuilding, query->group.items[i]);
        }
    }
    return parts;
}

/* OVER (PARTITION BY the other groups ORDER BY period) */
static void write_over(struct rebuilding *rebuilding)
{
    const struct ir_node *period = find_period(rebuilding);
    size_t parts = 0;
    if (!period) {
        rebuild_fail(rebuilding, "There is no period to compare with the one before.");
        return;
    }
    buf_text(&rebuilding->out, " OVER (");
    parts = write_parts(rebuilding, period);
    buf_text(&rebuilding->out, parts ? " ORDER BY " : "ORDER BY ");
    rebuild_expression(rebuilding, period);
    buf_char(&rebuilding->out, ')');
}

/* A number that grows by one with each period, out of what the periods are called. */
static int write_period_number(struct rebuilding *rebuilding,
                               const struct ir_node *period)
{
    static const char *const types[DIALECT_COUNT] = {
        [DIALECT_SQLITE] = "INTEGER",   [DIALECT_DUCKDB] = "INTEGER",
        [DIALECT_POSTGRES] = "INTEGER", [DIALECT_MYSQL] = "SIGNED",
        [DIALECT_CLICKHOUSE] = "Int32", [DIALECT_BIGQUERY] = "INT64",
        [DIALECT_ODBC] = "INTEGER"};
    const char *type = types[rebuilding->dialect];
    if (ir_node_is(period, IR_YEAR)) {
        rebuild_expression(rebuilding, period);
        return 1;
    }
    if (!ir_node_is(period, IR_MONTH) && !ir_node_is(period, IR_QUARTER)) {
        rebuild_fail(rebuilding, "Only years, quarters and months have a year before.");
        return 1;
    }
    bool month = ir_node_is(period, IR_MONTH);
    buf_text(&rebuilding->out, "CAST(SUBSTR(");
    rebuild_expression(rebuilding, period);
    buf_format(&rebuilding->out, ", 1, 4) AS %s) * %d + CAST(SUBSTR(", type,
               month ? 12 : 4);
    rebuild_expression(rebuilding, period);
    buf_format(&rebuilding->out, ", %s) AS %s)", month ? "6, 2" : "7, 1", type);
    return month ? 12 : 4;
}

/* By the calendar, not by rows: a month without rows has no row to go back by. */
static void write_year_ago(struct rebuilding *rebuilding, const struct ir_node *arg)
{
    const struct ir_node *period = find_period(rebuilding);
    if (!period) {
        rebuild_fail(rebuilding, "There is no period to compare with a year before.");
        return;
    }
    buf_text(&rebuilding->out, "MAX(");
    rebuild_expression(rebuilding, arg);
    buf_text(&rebuilding->out, ") OVER (");
    buf_text(&rebuilding->out,
             write_parts(rebuilding, period) ? " ORDER BY " : "ORDER BY ");
    int back = write_period_number(rebuilding, period);
    buf_format(&rebuilding->out, " RANGE BETWEEN %d PRECEDING AND %d PRECEDING)", back,
               back);
}

static void write_year_growth(struct rebuilding *rebuilding, const struct ir_node *arg)
{
    buf_text(&rebuilding->out, "100.0 * (");
    rebuild_expression(rebuilding, arg);
    buf_text(&rebuilding->out, " - ");
    write_year_ago(rebuilding, arg);
    buf_text(&rebuilding->out, ") / NULLIF(");
    write_year_ago(rebuilding, arg);
    buf_text(&rebuilding->out, ", 0)");
}

/* The mean over this period and those just before it. */
static void write_moving(struct rebuilding *rebuilding, const struct ir_node *node)
{
    const struct ir_node *period = find_period(rebuilding);
    long long count = 0;
    if (!period || !rebuild_count(rebuilding, node->args.items[1], &count) || count < 2) {
        rebuild_fail(rebuilding, "There are no periods to take the mean of.");
        return;
    }
    buf_text(&rebuilding->out, "AVG(");
    rebuild_expression(rebuilding, node->args.items[0]);
    buf_text(&rebuilding->out, ") OVER (");
    buf_text(&rebuilding->out,
             write_parts(rebuilding, period) ? " ORDER BY " : "ORDER BY ");
    rebuild_expression(rebuilding, period);
    buf_format(&rebuilding->out, " ROWS BETWEEN %lld PRECEDING AND CURRENT ROW)",
               count - 1);
}

/* The greatest, the two greatest, …: how much of all they are. */
static void write_cumulative(struct rebuilding *rebuilding, const struct ir_node *arg)
{
    buf_text(&rebuilding->out, "100.0 * SUM(");
    rebuild_expression(rebuilding, arg);
    buf_text(&rebuilding->out, ") OVER (ORDER BY ");
    rebuild_expression(rebuilding, arg);
    buf_text(&rebuilding->out, " DESC) / NULLIF(SUM(");
    rebuild_expression(rebuilding, arg);
    buf_text(&rebuilding->out, ") OVER (), 0)");
}

static void write_previous(struct rebuilding *rebuilding, const struct ir_node *arg)
{
    bool clickhouse = rebuilding->dialect == DIALECT_CLICKHOUSE;
    buf_text(&rebuilding->out, clickhouse ? "lagInFrame(" : "LAG(");
    rebuild_expression(rebuilding, arg);
    buf_char(&rebuilding->out, ')');
    write_over(rebuilding);
}

static void write_growth(struct rebuilding *rebuilding, const struct ir_node *arg)
{
    bool safe =
        rebuilding->dialect == DIALECT_SQLITE || rebuilding->dialect == DIALECT_MYSQL;
    buf_text(&rebuilding->out, "100.0 * (");
    rebuild_expression(rebuilding, arg);
    buf_text(&rebuilding->out, " - ");
    write_previous(rebuilding, arg);
    buf_text(&rebuilding->out, safe ? ") / " : ") / NULLIF(");
    write_previous(rebuilding, arg);
    buf_text(&rebuilding->out, safe ? "" : ", 0)");
}

static void write_share(struct rebuilding *rebuilding, const struct ir_node *arg)
{
    bool safe =
        rebuilding->dialect == DIALECT_SQLITE || rebuilding->dialect == DIALECT_MYSQL;
    buf_text(&rebuilding->out, "100.0 * ");
    rebuild_operand(rebuilding, arg, 3);
    buf_text(&rebuilding->out, safe ? " / SUM(" : " / NULLIF(SUM(");
    rebuild_expression(rebuilding, arg);
    buf_text(&rebuilding->out, safe ? ") OVER ()" : ") OVER (), 0)");
}

void rebuild_window(struct rebuilding *rebuilding, const struct ir_node *node)
{
    const struct ir_node *arg = node->args.items[0];
    switch (node->keyword) {
    case IR_PREVIOUS:
        write_previous(rebuilding, arg);
        break;
    case IR_CHANGE:
        rebuild_operand(rebuilding, arg, 3);
        buf_text(&rebuilding->out, " - ");
        write_previous(rebuilding, arg);
        break;
    case IR_GROWTH:
        write_growth(rebuilding, arg);
        break;
    case IR_SHARE:
        write_share(rebuilding, arg);
        break;
    case IR_RUNNING:
        buf_text(&rebuilding->out, "SUM(");
        rebuild_expression(rebuilding, arg);
        buf_char(&rebuilding->out, ')');
        write_over(rebuilding);
        break;
    case IR_MOVING:
        write_moving(rebuilding, node);
        break;
    case IR_CUMULATIVE:
        write_cumulative(rebuilding, arg);
        break;
    case IR_YEAR_AGO:
        write_year_ago(rebuilding, arg);
        break;
    case IR_YEAR_CHANGE:
        rebuild_operand(rebuilding, arg, 3);
        buf_text(&rebuilding->out, " - ");
        write_year_ago(rebuilding, arg);
        break;
    case IR_YEAR_GROWTH:
        write_year_growth(rebuilding, arg);
        break;
    default: /* IR_RANK */
        buf_text(&rebuilding->out, "RANK() OVER (ORDER BY ");
        rebuild_expression(rebuilding, arg);
        buf_text(&rebuilding->out, " DESC)");
    }
}

/* Parts of a date that come again; Sunday is the first day of databases. */
static const char *repeated_part(enum ir_keyword keyword)
{
    switch ((int)keyword) {
    case IR_QUARTER_OF:
        return "quarter";
    case IR_MONTH_OF:
        return "month";
    case IR_DAY_OF:
        return "day";
    case IR_WEEKDAY_OF:
        return "weekday (0 = Sunday)";
    case IR_HOUR_OF:
        return "hour";
    default:
        return NULL;
    }
}

/* What is compared: "January 2024" of COUNT(CASE WHEN ordered_at in January 2024 …). */
static const char *compared(struct rebuilding *rebuilding,
                            const struct ir_node *condition)
{
    bool one = ir_node_is(condition, IR_DURING) || ir_node_is(condition, IR_EQUAL);
    const struct ir_node *node =
        one && condition->args.count == 2 && ir_node_is_value(condition->args.items[1])
            ? condition->args.items[1]
            : NULL;
    const struct ir_value *value = node ? rebuild_value_of(rebuilding, node) : NULL;
    return value && strlen(value->text) < HEADING_MOST && !strpbrk(value->text, "\"'`\\")
               ? arena_text(rebuilding->arena, value->text)
               : NULL;
}

const char *rebuild_heading(struct rebuilding *rebuilding, const struct ir_node *node)
{
    static const struct {
        enum ir_keyword keyword;
        const char *name;
    } names[] = {{IR_COUNT, "count"},
                 {IR_COUNT_DISTINCT, "count"},
                 {IR_SUM, "total"},
                 {IR_AVG, "average"},
                 {IR_MIN, "lowest"},
                 {IR_MAX, "highest"},
                 {IR_DAYS, "days"},
                 {IR_HOURS, "hours"},
                 {IR_MONTHS, "months"},
                 {IR_YEARS, "years"},
                 {IR_RUNNING, "running_total"},
                 {IR_RANK, "rank"},
                 {IR_CHANGE, "change"},
                 {IR_PREVIOUS, "previous"}};
    const struct ir_node *inner = node->args.count ? node->args.items[0] : NULL;
    const char *period = NULL;
    if (ir_node_is(node, IR_ROUND) || ir_node_is(node, IR_ROUND0) ||
        ir_node_is(node, IR_OR_ZERO)) {
        return inner && inner->kind == IR_NODE_CALL ? rebuild_heading(rebuilding, inner)
                                                    : NULL;
    }
    if (ir_is_aggregate(node->keyword) && ir_node_is(inner, IR_IF)) {
        period = compared(rebuilding, inner->args.items[0]);
    }
    for (size_t i = 0; !period && i < sizeof names / sizeof *names; i++) {
        period = node->keyword == names[i].keyword ? names[i].name : NULL;
    }
    period = ir_node_is_weeks(node) ? "weeks" : period;
    bool timed = ir_node_is_weeks(inner) || ir_node_is(inner, IR_DAYS) ||
                 ir_node_is(inner, IR_HOURS);
    if (period && timed && ir_is_aggregate(node->keyword)) {
        return arena_format(rebuilding->arena, "%s_%s", period,
                            rebuild_heading(rebuilding, inner));
    }
    return period ? period : "value";
}

/* A short name for what an expression is: amount, sum_amount, month. */
static const char *plain_name(struct rebuilding *rebuilding, const struct ir_node *node)
{
    const struct ir_node *at = node;
    const char *word = NULL;
    if (node->kind == IR_NODE_CALL && rebuild_is_statistic(node->keyword) && node->text &&
        node->args.items[0]->kind != IR_NODE_ITEM) {
        return node->text; /* of numbered rows */
    }
    while (at->kind == IR_NODE_CALL && at->args.count) {
        bool named = ir_is_aggregate(at->keyword) || is_period(at) ||
                     at->keyword == IR_SHARE || at->keyword == IR_GROWTH ||
                     at->keyword == IR_PERCENT || at->keyword == IR_RATIO ||
                     (at->keyword >= IR_MOVING && at->keyword <= IR_YEAR_GROWTH);
        if (named && !word) {
            word = at->keyword == IR_COUNT_DISTINCT ? "count"
                                                    : ir_keyword_text((int)at->keyword);
        }
        at = at->keyword == IR_IF ? at->args.items[1] : at->args.items[0];
    }
    if (ir_node_is(node, IR_IF)) {
        return "label";
    }
    if (node->kind == IR_NODE_CALL && repeated_part(node->keyword)) {
        return repeated_part(node->keyword);
    }
    const char *name =
        ir_node_is_column(at) ? rebuilding->schema->columns[at->token.index].name : NULL;
    if (word && name &&
        ir_is_aggregate(node->kind == IR_NODE_CALL ? node->keyword : IR_PAD)) {
        return arena_format(rebuilding->arena, "%s_%s", word, name);
    }
    if (ir_node_is(node, IR_BUCKET)) {
        return arena_format(rebuilding->arena, "%s_range", name ? name : "value");
    }
    return word ? word : name ? name : "value";
}

const char *rebuild_item_name(struct rebuilding *rebuilding, const struct ir_node *node,
                              const char **names, size_t count)
{
    const char *plain = plain_name(rebuilding, node);
    const char *name = plain;
    for (size_t copy = 2;; copy++) {
        bool taken = false;
        for (size_t i = 0; i < count; i++) {
            taken = taken || str_equal_nocase(names[i], name);
        }
        if (!taken) {
            return name;
        }
        name = arena_format(rebuilding->arena, "%s_%zu", plain, copy);
    }
}

/* Everything `*` or a table stands for, as single columns. */
static void expand(struct rebuilding *rebuilding, const struct ir_node *node,
                   struct ir_nodes *out)
{
    const struct ir_plan *plan = &rebuilding->current->plan;
    bool table = node->kind == IR_NODE_TOKEN && node->token.kind == IR_TABLE;
    if (!table && !ir_node_is_star(node)) {
        struct ir_node *same = ARENA_NEW(rebuilding->arena, struct ir_node);
        *same = *node;
        VEC_PUSH(rebuilding->arena, out, same);
        return;
    }
    for (size_t i = 0; i < plan->count; i++) {
        const struct ir_table *info = &rebuilding->schema->tables[plan->items[i].table];
        if (table && plan->items[i].table != node->token.index) {
            continue;
        }
        for (int c = 0; c < info->column_count; c++) {
            VEC_PUSH(rebuilding->arena, out,
                     ir_node_column(rebuilding->arena, info->first_column + c,
                                    plan->items[i].second));
        }
    }
}

static void write_names(struct rebuilding *rebuilding, const char **names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        buf_text(&rebuilding->out, i ? ", " : "");
        dialect_quote(&rebuilding->out, rebuilding->dialect, names[i], false);
    }
}

/* `AS` only where the name is not the column's own. */
static void write_named(struct rebuilding *rebuilding, const struct ir_node *node,
                        const char *name)
{
    rebuild_expression(rebuilding, node);
    if (ir_node_is_column(node) &&
        strcmp(rebuilding->schema->columns[node->token.index].name, name) == 0) {
        return;
    }
    buf_text(&rebuilding->out, " AS ");
    write_names(rebuilding, &name, 1);
}

static size_t find_same(const struct ir_nodes *nodes, const struct ir_node *node)
{
    size_t i = 0;
    while (i < nodes->count && !ir_node_same(nodes->items[i], node)) {
        i++;
    }
    return i;
}

/* What the ranked rows hold: what is shown, then what only sorts the groups. */
struct ranked {
    struct ir_nodes items;
    size_t shown;
    const char **names;
    size_t *keys; /* which item each group is */
};

static void ranked_fill(struct rebuilding *rebuilding, const struct ir_query *query,
                        struct ranked *ranked)
{
    for (size_t i = 0; i < query->select.count; i++) {
        expand(rebuilding, query->select.items[i], &ranked->items);
    }
    ranked->shown = ranked->items.count;
    ranked->keys = arena_array(rebuilding->arena, query->per.count, sizeof *ranked->keys);
    for (size_t i = 0; i < query->per.count; i++) {
        ranked->keys[i] = find_same(&ranked->items, query->per.items[i]);
        if (ranked->keys[i] == ranked->items.count) {
            expand(rebuilding, query->per.items[i],
                   &ranked->items); /* to sort by; not shown */
        }
    }
    ranked->names =
        arena_array(rebuilding->arena, ranked->items.count, sizeof *ranked->names);
    for (size_t i = 0; i < ranked->items.count; i++) {
        ranked->names[i] =
            rebuild_item_name(rebuilding, ranked->items.items[i], ranked->names, i);
    }
}

/*
 * SELECT name, total FROM (SELECT …, ROW_NUMBER() OVER (PARTITION BY … ORDER BY …) AS
 * place FROM …) AS ranked WHERE place <= 3 ORDER BY the groups, place
 */
void rebuild_first_of_each(struct rebuilding *rebuilding, const struct ir_query *query)
{
    struct ranked ranked = {0};
    long long first = 1;
    long long skipped = 0;
    ranked_fill(rebuilding, query, &ranked);
    if (!rebuild_count(rebuilding, query->limit, &first) ||
        (query->offset && !rebuild_count(rebuilding, query->offset, &skipped))) {
        return;
    }
    buf_text(&rebuilding->out, query->distinct ? "SELECT DISTINCT " : "SELECT ");
    write_names(rebuilding, ranked.names, ranked.shown);
    buf_text(&rebuilding->out, " FROM (SELECT ");
    for (size_t i = 0; i < ranked.items.count; i++) {
        write_named(rebuilding, ranked.items.items[i], ranked.names[i]);
        buf_text(&rebuilding->out, ", ");
    }
    buf_text(&rebuilding->out, "ROW_NUMBER() OVER (PARTITION BY ");
    rebuild_list(rebuilding, &query->per);
    buf_char(&rebuilding->out, ' ');
    rebuild_order(rebuilding, query);
    buf_text(&rebuilding->out, ") AS place_in_group");
    rebuild_body(rebuilding);
    buf_text(&rebuilding->out, ") AS ranked WHERE ");
    if (skipped > 0) {
        buf_format(&rebuilding->out, "place_in_group > %lld AND ", skipped);
    }
    buf_format(&rebuilding->out, "place_in_group <= %lld ORDER BY ", first + skipped);
    for (size_t i = 0; i < query->per.count; i++) {
        write_names(rebuilding, &ranked.names[ranked.keys[i]], 1);
        buf_text(&rebuilding->out, ", ");
    }
    buf_text(&rebuilding->out, "place_in_group");
}
